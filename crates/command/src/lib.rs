//! Command-line programs as subjects: input specifications by categories and choices, the generators they are compiled
//! to, and concrete inputs.

pub mod expression;
pub mod generate;
pub mod input;
pub mod spec;

pub use input::{Fields, Input};
pub use spec::{Spec, SpecError, SpecErrors};
