//! What workers say about call tests.

use serde::Deserialize;

use crate::protocol::ProbeHits;

/// How a test ended inside the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All steps ran.
    Normal,
    /// A step raised an exception.
    Threw,
    /// A step ran too long.
    TimedOut,
}

/// What a step gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Gave {
    /// A value that cannot change: its type and its fingerprint.
    Marked(u32, u64),
    /// An object of a type.
    Object(u32),
    /// `None`.
    Nothing,
}

/// A contract that was broken: its name, of what, how, with the values of which steps.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Violation(pub String, pub String, pub String, pub Vec<u32>);

/// What was raised.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Thrown {
    /// The class, with its module.
    pub class: String,
    /// Its text.
    pub message: String,
    /// Whether the module raised it by a statement.
    pub explicit: bool,
    /// The innermost function of the module and its line; empty if there is none.
    pub place: String,
    /// Function, line and file, outermost first.
    pub frames: Vec<(String, u32, String)>,
    /// The oracle that it fails; empty if none.
    pub suspicious: String,
}

/// What running a test showed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CallReply {
    /// How it ended.
    pub end: Ended,
    /// What the steps gave, as far as it ran.
    pub steps: Vec<Option<Gave>>,
    /// How long it ran, in microseconds.
    #[serde(default)]
    pub ticks: u64,
    /// Probes that were hit; absent if none is new to the worker.
    #[serde(default)]
    pub hits: ProbeHits,
    /// What was raised, if it is suspicious or was asked for.
    #[serde(default)]
    pub thrown: Option<Thrown>,
    /// Contracts that were broken.
    #[serde(default)]
    pub violations: Vec<Violation>,
    /// What the values are in the end, where that was asked for.
    #[serde(default)]
    pub values: Vec<Seen>,
}

/// A value as a test file can speak of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Seen {
    /// An expression is equal to it.
    Written(Written),
    /// It is known by its class and its parts.
    Object(Object),
}

/// An expression that is equal to a value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Written {
    /// The expression.
    pub source: String,
    /// Whether it holds numbers that are to be compared loosely.
    pub loose: bool,
    /// The modules that it names.
    pub modules: Vec<String>,
}

/// What is known of an object.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Object {
    /// Its class, with its module.
    pub class: String,
    /// Its length.
    pub length: Option<u64>,
    /// What `repr` gives.
    pub repr: Option<String>,
    /// Attributes that can be written down.
    pub fields: Vec<Field>,
}

/// An attribute of an object.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its value.
    #[serde(flatten)]
    pub value: Written,
}
