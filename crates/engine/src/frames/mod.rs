//! Frames: tests described as one choice per category, and the space they come from.
//!
//! A frame is what distances are computed on. Any target that can describe its tests this way gets the selection methods;
//! turning a frame into a concrete test is the target's work, not done here.

mod block;
mod condition;
mod count;
mod enumerate;
mod partial;
mod sample;
mod space;
mod table;

pub use block::{ABSENT, Frame, FrameBlock};
pub use condition::{Condition, PropertyId};
pub use count::FrameCount;
pub use partial::Partial;
pub use sample::Sampler;
pub use space::{Category, Choice, ChoiceKind, Effects, FrameSpace, SpaceError};
