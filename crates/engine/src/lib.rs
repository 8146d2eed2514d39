//! The heart of Testhound: tests, observations, frames, guidance and the loop that binds them.
//!
//! This crate touches nothing outside memory. It never reads a clock, a file or a random device, never starts a process
//! or a thread: elapsed time, randomness and observations are arguments. So a run is a function of its seed and of what
//! the subject did, and can be replayed from its journal.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod frames;
pub mod selection;
pub mod stream;

pub use stream::{Seed, Stream};
