//! Harnesses in the language of TSTL 1.2.39: read with places here, turned into Python functions and run by `runtime/harness.py`.
//!
//! What is understood is the whole language as that version reads it. What a harness means in Python is the Python side's
//! business: fragments of Python are passed on as text with holes for pool slots and values.

mod error;
mod lines;
mod model;
mod parse;
mod raw;
mod template;

pub use error::{HarnessError, Place};
pub use model::{
    ActionClass, Check, Compare, Harness, Hole, Part, Pool, Reference, Template, Use, Values,
};
pub use parse::parse;
