//! What is known of a harness: its action classes and which pools they fill and use.

use crate::test::OperationId;

/// A class of actions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionClass {
    /// The pools that its actions give a value without needing one of the same pool, by number.
    pub fills: Vec<u32>,
    /// The pools whose values its actions need.
    pub uses: Vec<u32>,
    /// How many fillings each of its holes has: slots of a pool or values.
    pub holes: Vec<HoleSize>,
    /// Whether it is always allowed.
    pub essential: bool,
}

/// How many fillings a hole has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleSize {
    /// A slot of this pool.
    Slot {
        /// The pool.
        pool: u32,
        /// How many slots it has.
        count: u32,
    },
    /// One of so many values.
    Value(u64),
}

/// All classes of a harness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionModel {
    /// The classes; their numbers are those of the operations.
    pub classes: Vec<ActionClass>,
}

impl ActionModel {
    /// The operation that stands for drawing further steps.
    pub fn draw(&self) -> OperationId {
        OperationId(self.classes.len() as u32)
    }
}
