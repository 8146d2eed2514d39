//! The types and signatures over which call sequences are built.
//!
//! Types are numbers; what they mean is known to the target. The table of types may grow at its end while a run goes,
//! when a result turns out to be of a type that nobody declared.

use crate::test::{Literal, Value};
use serde::{Deserialize, Serialize};

/// The number of a type in its [`CallModel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeId(pub u32);

/// The number of a place where tests can stand. What it means is known to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlaceId(pub u32);

/// A type of values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallType {
    /// Its name as a person would write it.
    pub name: String,
    /// All types that its values also have, transitively, without itself, in ascending order.
    pub supertypes: Vec<TypeId>,
    /// Values of it that can be written down, `Nothing` not among them.
    pub literals: Vec<Literal>,
    /// Whether those are all there are, so that no other value may be written down in their place.
    #[serde(default)]
    pub closed: bool,
}

impl CallType {
    /// Whether a value may be written down where one of this type is wanted and another one was.
    pub fn takes(&self, value: &Value) -> bool {
        !self.closed || self.literals.iter().any(|literal| literal.value == *value)
    }
}

/// A parameter of an operation; the receiver of a method is its first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// What it takes.
    pub kind: TypeId,
    /// Whether nothing (`null`, `None`) may be given.
    pub nullable: bool,
}

/// What an operation takes and gives. Operations have the numbers that they have in the [`Model`](crate::Model).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Whether the last parameter may be given any number of times: the elements of a new array.
    pub repeats: bool,
    /// What it gives.
    pub result: Option<TypeId>,
    /// Whether what it gives is filed under its run-time type, because what is declared says too little.
    #[serde(default)]
    pub observed: bool,
    /// Whether it is a way to make inputs only, such as a new array, and not itself to be tested.
    pub auxiliary: bool,
    /// The one place, such as a package, in which a test with it must stand, where it cannot stand anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceId>,
}

impl Signature {
    /// The parameters that are given exactly once.
    pub fn required(&self) -> &[Parameter] {
        let repeated = usize::from(self.repeats && !self.parameters.is_empty());
        &self.parameters[..self.parameters.len() - repeated]
    }

    /// The parameter that may be given any number of times.
    pub fn repeated(&self) -> Option<Parameter> {
        self.parameters.last().copied().filter(|_| self.repeats)
    }
}

/// Types and signatures of a subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallModel {
    /// All types.
    pub types: Vec<CallType>,
    /// The signature of every operation.
    pub signatures: Vec<Signature>,
}

impl CallModel {
    /// Whether a value of one type can be given where another is asked for.
    pub fn fits(&self, given: TypeId, asked: TypeId) -> bool {
        given == asked
            || self
                .types
                .get(given.0 as usize)
                .is_some_and(|kind| kind.supertypes.binary_search(&asked).is_ok())
    }
}
