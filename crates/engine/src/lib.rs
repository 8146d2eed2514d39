//! The heart of Testhound: tests, observations, frames, guidance and the loop that binds them.
//!
//! This crate touches nothing outside memory. It never reads a clock, a file or a random device, never starts a process
//! or a thread: elapsed time, randomness and observations are arguments. So a run is a function of its seed and of what
//! the subject did, and can be replayed from its journal.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod actions;
pub mod archive;
pub mod budget;
pub mod calls;
pub mod cover;
pub mod curve;
pub mod event;
pub mod frames;
pub mod goal;
pub mod guide;
pub mod kept;
pub mod lazy;
pub mod ledger;
pub mod model;
pub mod observation;
pub mod reduce;
pub mod run;
pub mod selection;
pub mod similar;
pub mod simulation;
pub mod source;
pub mod stream;
pub mod test;
pub mod until;

pub use budget::{Budget, Stop};
pub use event::Event;
pub use goal::{Criterion, CriterionId, Goal};
pub use guide::{Guide, TestKind};
pub use kept::KeptTest;
pub use lazy::LazyTest;
pub use model::{Hits, Model, Operation, RoundSize};
pub use observation::{End, Failure, Needs, Observation};
pub use run::{Executed, Proposal, Run};
pub use source::{Source, SourceError};
pub use stream::{Seed, Stream};
pub use test::{Argument, Literal, OperationId, Origin, Step, Test, TestId, Value};
pub use until::Until;
