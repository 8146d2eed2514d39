//! What the Python side says about a module, as it says it.

use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A module.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Discovered {
    /// Its dotted name.
    pub module: String,
    /// Its source file.
    pub file: String,
    /// Classes that it has or that its annotations name.
    pub classes: BTreeMap<String, DiscoveredClass>,
    /// What can be called.
    pub operations: Vec<DiscoveredOperation>,
    /// Constants in its source, in the form of the protocol, with their lines.
    pub constants: Vec<(Json, u32)>,
    /// Texts that its regular expressions match.
    pub texts: Vec<String>,
    /// What cannot be called, with reasons.
    pub left_out: Vec<(String, String)>,
    /// Whether its package has something else under its name.
    pub shadowed: bool,
    /// The constants of every function and class at its top, with their counts; those of the rest have no name.
    pub documents: Vec<(String, Vec<(Json, u32)>)>,
    /// What its functions and methods do, by path.
    pub functions: BTreeMap<String, DiscoveredFunction>,
}

/// What the source of a function tells.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct DiscoveredFunction {
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// The paths of functions of the module that it may call.
    pub calls: Vec<String>,
    /// The parameters that it may change.
    pub changes: Vec<String>,
}

/// A class.
#[derive(Debug, Clone, Deserialize)]
pub struct DiscoveredClass {
    /// The classes above it.
    pub mro: Vec<String>,
    /// Whether the module defines it.
    pub own: bool,
    /// The members of an enumeration.
    pub members: Vec<String>,
    /// The module that has it, and its path there; none if no name leads to it.
    pub place: Option<(String, String)>,
}

/// One thing that can be done.
#[derive(Debug, Clone, Deserialize)]
pub struct DiscoveredOperation {
    /// `function`, `constructor`, `method`, `getter`, `constant` or `expression`.
    pub kind: String,
    /// The module that has it.
    pub module: String,
    /// Its path in the module, or the source of an expression.
    pub path: String,
    /// Its last name.
    pub name: String,
    /// The parameters; the receiver of a method is the first one.
    pub parameters: Vec<DiscoveredParameter>,
    /// The annotated result.
    pub result: Option<Json>,
    /// Whether it is under test, and not only a way to make values.
    pub tested: bool,
    /// Its source lines.
    #[serde(default)]
    pub lines: Option<u32>,
    /// Whether its result has to be awaited.
    #[serde(default)]
    pub awaits: bool,
    /// Whether it is a generator.
    #[serde(default)]
    pub yields: bool,
    /// Whether it gives a context manager that is made of a generator.
    #[serde(default)]
    pub enters: bool,
}

/// A parameter.
#[derive(Debug, Clone, Deserialize)]
pub struct DiscoveredParameter {
    /// Its name.
    pub name: String,
    /// `receiver`, `positional`, `either`, `keyword` or `variadic`.
    pub way: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Json,
    /// Whether it has no default.
    pub required: bool,
    /// Whether `None` may be given.
    pub nullable: bool,
    /// Whether the type is the author's word.
    pub annotated: bool,
    /// Constants that the code compares it with, and what examples give.
    pub literals: Vec<Json>,
}
