//! Tests as all targets share them: lists of steps over the operations of a model.
//!
//! A Java test is a call sequence, a harness test a list of actions on pool slots, a command-line test one step "run" whose
//! literals are the texts of its choices. What a step does is known to the target alone.

use serde::{Deserialize, Serialize};

/// The number of an operation in its [`Model`](crate::Model).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OperationId(pub u32);

/// The number of a test in its run, counted from 0 in the order of proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TestId(pub u64);

/// A list of steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Test {
    /// The steps in order.
    pub steps: Vec<Step>,
}

/// An operation with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What is done.
    pub operation: OperationId,
    /// With what.
    pub arguments: Vec<Argument>,
}

/// An argument of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// The result of an earlier step, by its index.
    Result(u32),
    /// A slot of a pool.
    Slot {
        /// The pool's number.
        pool: u32,
        /// The slot in it.
        slot: u32,
    },
    /// A value written down.
    Literal(Literal),
}

/// A value that remembers where it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Literal {
    /// The value.
    pub value: Value,
    /// Its origin.
    pub origin: Origin,
}

/// A literal value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// Nothing: null, None, or an absent category.
    Nothing,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(String),
}

/// Where a literal came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Written for a choice of a category; 0 is absent.
    Choice {
        /// The category's index.
        category: u16,
        /// The choice's number.
        choice: u16,
    },
    /// A fixed set of literals of the target.
    Builtin,
    /// Found in the subject, at this place.
    Mined(String),
    /// Made from another literal by a random change.
    Fuzzed,
    /// Given by the user, for example a file of a pool of inputs.
    Given(String),
    /// What reduction made of it.
    Reduced,
}

impl Test {
    /// What "shorter" means: fewer steps, then fewer characters in literals.
    pub fn size(&self) -> (usize, usize) {
        let arguments = self.steps.iter().flat_map(|step| &step.arguments);
        (self.steps.len(), arguments.map(Argument::size).sum())
    }
}

impl Argument {
    /// Its part of a test's size.
    pub fn size(&self) -> usize {
        match self {
            Argument::Result(_) | Argument::Slot { .. } => 1,
            Argument::Literal(literal) => match &literal.value {
                Value::Nothing => 0,
                Value::Bool(_) => 1,
                Value::Int(number) => number.to_string().len(),
                Value::Float(number) => number.to_string().len(),
                Value::Text(text) => text.len(),
            },
        }
    }
}
