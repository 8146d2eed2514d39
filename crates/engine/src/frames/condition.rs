//! Conditions on the choices made so far: what `if` in a specification is compiled to.

use super::block::ABSENT;
use serde::{Deserialize, Serialize};

/// The number of a property in its [`FrameSpace`](super::FrameSpace).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PropertyId(pub u16);

/// A condition over earlier categories and the properties their choices brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// The category (by index) has this choice number.
    Is(usize, u16),
    /// The category is not absent.
    Present(usize),
    /// Some choice of the frame brought this property.
    Property(PropertyId),
    /// The opposite.
    Not(Box<Condition>),
    /// All of them; true if there are none.
    All(Vec<Condition>),
    /// At least one of them; false if there are none.
    Any(Vec<Condition>),
}

impl Condition {
    /// Whether the condition holds for a (partial) frame and the properties it has brought so far.
    pub fn holds(&self, frame: &[u16], has: &dyn Fn(PropertyId) -> bool) -> bool {
        match self {
            Condition::Is(category, choice) => frame[*category] == *choice,
            Condition::Present(category) => frame[*category] != ABSENT,
            Condition::Property(property) => has(*property),
            Condition::Not(inner) => !inner.holds(frame, has),
            Condition::All(all) => all.iter().all(|condition| condition.holds(frame, has)),
            Condition::Any(any) => any.iter().any(|condition| condition.holds(frame, has)),
        }
    }

    /// Calls `visit` with the index of every category that is named, and of every property.
    pub fn visit(
        &self,
        category: &mut dyn FnMut(usize, Option<u16>),
        property: &mut dyn FnMut(PropertyId),
    ) {
        match self {
            Condition::Is(index, choice) => category(*index, Some(*choice)),
            Condition::Present(index) => category(*index, None),
            Condition::Property(id) => property(*id),
            Condition::Not(inner) => inner.visit(category, property),
            Condition::All(parts) | Condition::Any(parts) => {
                for part in parts {
                    part.visit(category, property);
                }
            }
        }
    }
}
