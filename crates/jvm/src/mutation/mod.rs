//! Which mutants of a subject its tests notice.
//!
//! [`looks`] is for tests that we made: each test that reaches a mutant runs on it in a worker, and a closer look at what it
//! then gives tells which assertions would fail. [`score`] is for JUnit suites. Both replace one class in a running JVM and
//! put it back.

mod looks;
mod runner;
mod score;

pub use looks::{LookedTest, Looking, MutantLooks, MutantSubject, looks};
pub use score::{Fate, Running, Scored, SuiteSubject, score};
