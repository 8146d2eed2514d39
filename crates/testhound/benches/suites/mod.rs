//! What the benchmarks of this crate do alike: run `testhound` on a jar, compile the suites that it wrote, and run them by JUnit.

pub mod junit;
pub mod program;
