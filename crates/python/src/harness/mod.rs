//! Harnesses in the language of TSTL 1.2.39: read with places here, turned into Python functions and run by `runtime/harness.py`.
//!
//! What is understood is the whole language as that version reads it. What a harness means in Python is the Python side's
//! business: fragments of Python are passed on as text with holes for pool slots and values.

mod bench;
mod encode;
mod error;
mod goals;
mod judge;
mod lines;
mod measure;
mod model;
mod parse;
mod raw;
mod reduce;
mod rewrite;
mod target;
mod template;

pub use bench::{Bench, Ends, Replayed};
pub use encode::{decode_steps, encode_steps};
pub use error::{HarnessError, Place};
pub use goals::{CRITERIA, Goals};
pub use judge::{Judged, RaisedFailure, StepLogs, TestReply, fatal_failure, judge};
pub use model::{
    ActionClass, Check, Compare, Harness, Hole, Part, Pool, Reference, Template, Use, Values,
};
pub use parse::parse;
pub use reduce::{Phase, Reduced, reduce};
pub use target::{HarnessTarget, Report};
