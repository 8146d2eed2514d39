//! Rewriting: probes put into methods without changing what the methods do.

mod place;
pub mod replacement;
pub mod runtime;

pub use place::{Place, Side};
