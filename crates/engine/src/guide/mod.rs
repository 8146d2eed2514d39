//! Guides: named lists of guidance parts, as `--guide` takes them.
//!
//! One table feeds the parser, the help, the docs and the tests. Every part fills one slot; a slot that no part of a guide
//! fills has its baseline. So the preset `random` is the empty list on every kind of subject.

mod error;
mod help;
mod list;
mod part;
mod table;
#[cfg(test)]
mod tests;

pub use error::GuideError;
pub use help::help;
pub use list::Guide;
pub use part::{Part, Slot, TestKind};
pub use table::{PRESETS, Preset, parts};
