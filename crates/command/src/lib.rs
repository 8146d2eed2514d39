//! Command-line programs as subjects: input specifications by categories and choices, the generators they are compiled
//! to, and concrete inputs.

pub mod classify;
pub mod execute;
pub mod expression;
pub mod generate;
pub mod input;
pub mod learn;
pub mod lint;
pub mod oracle;
pub mod pool;
pub mod reduce;
pub mod source;
pub mod spec;
pub mod suite;
pub mod tsl;

pub use classify::{Classified, Classifier, classify};
pub use input::{Fields, Input};
pub use spec::{Spec, SpecError, SpecErrors};
