//! `generate` on harnesses, end to end: the real binary, a real interpreter, the real pytest.
#![allow(clippy::unwrap_used)]

mod coverage;
mod errors;
mod fatal;
mod folder;
mod leaks;
mod logs;
mod normalised;
mod search;
mod sizes;
#[path = "../support/mod.rs"]
mod support;
mod versions;
mod written;
