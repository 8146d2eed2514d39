//! Faulty versions of a subject: mutants of C sources and of Java class files, with one vocabulary of operators that
//! mutants of Python code will share.
//!
//! Everything here is a function of its arguments. A source text goes in, a list of [`Mutant`]s comes out
//! ([`c::mutants`]), or a class file goes in and a list of [`java::ClassMutant`]s comes out ([`java::mutants`]); [`sample`] picks some of them; [`filter_by_object_code`] and [`filter_by_outcomes`] decide which
//! are worth keeping. The crate never reads a file, starts a compiler or runs a mutant: its callers do, and hand the
//! results back as data.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod c;
mod fate;
pub mod java;
mod mutant;
mod object_code;
mod operator;
mod outcomes;
mod sample;

pub use fate::{Fate, survivors};
pub use mutant::{Mutant, MutantId, Span, StaleMutant};
pub use object_code::{ObjectCode, filter_by_object_code};
pub use operator::{Operator, UnknownOperator};
pub use outcomes::{FailingSet, OutcomeLimits, filter_by_outcomes};
pub use sample::sample;
