//! Suites, tested on real compilers and the real JUnit. Needs JDKs with `javac`, and JUnit 5 and 4 of Debian.

#![allow(clippy::unwrap_used)]

#[path = "suite/case.rs"]
mod case;
#[path = "suite/rendering.rs"]
mod rendering;
#[path = "suite/subject.rs"]
mod subject;
#[path = "suite/verification.rs"]
mod verification;

sandbox::launcher_here!();
