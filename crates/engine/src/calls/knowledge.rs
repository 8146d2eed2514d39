//! What analyses of a subject tell a source before the first test runs. Targets fill in what the parts of a guide ask for; what
//! nobody asked for stays empty, and the parts that would use it do nothing.

use crate::test::Value;

/// The bit of static state among the changes of an operation; parameters from there on are not told.
pub const CHANGES_STATIC: u64 = 1 << STATIC_PLACE;

/// The place of that bit.
pub(super) const STATIC_PLACE: usize = 63;

/// The changes of an operation that may change what is given for these parameters.
pub fn changes_parameters(parameters: impl Iterator<Item = usize>) -> u64 {
    let told = parameters.filter(|place| *place < STATIC_PLACE);
    told.fold(0, |bits, place| bits | 1 << place)
}

/// What analysis tells about types and operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// The constants of each class.
    pub documents: Vec<Document>,
    /// The class of every operation, as a number in `documents`.
    pub document_of: Vec<Option<u32>>,
    /// Which values can be written down for every type.
    pub domains: Vec<Vec<Domain>>,
    /// Bit `i` is set where calling an operation may change what is given for its parameter `i`, and [`CHANGES_STATIC`] where it may change
    /// static state.
    pub changes: Vec<u64>,
    /// How many lines every operation has; 0 where not known.
    pub lines: Vec<u64>,
    /// How many lines every operation can reach by calls, its own included.
    pub reachable_lines: Vec<u64>,
    /// The branches of every operation, as goals of the first criterion.
    pub branches: Vec<Vec<u32>>,
}

/// The constants of one class, each with how often it occurs and where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The class.
    pub name: String,
    /// Its constants, each once.
    pub constants: Vec<(Value, u32)>,
}

/// A range of values that can be written down for a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// Whole numbers from the first to the second.
    Whole(i64, i64),
    /// Floating-point numbers.
    Real,
    /// Texts.
    Text,
}

impl Domain {
    /// The value as one of this domain; none if it is not.
    pub fn take(self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Domain::Whole(least, most), Value::Int(number)) => (least..=most)
                .contains(number)
                .then_some(Value::Int(*number)),
            (Domain::Real, Value::Float(_)) | (Domain::Text, Value::Text(_)) => Some(value.clone()),
            _ => None,
        }
    }
}
