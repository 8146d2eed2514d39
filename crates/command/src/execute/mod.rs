//! Running programs: what to run, and the pool of sandboxed workers that run it.

mod program;
mod workers;

pub use program::{PATH, PrepareError, Program, compile, environment};
pub use workers::{Work, Workers};
