//! Where tests come from: the slot that a target fills with its generator, or with a pool of existing tests.

use crate::actions::SizeEstimate;
use crate::calls::{CallStatistics, CallType};
use crate::frames::{Frame, FrameBlock};
use crate::lazy::LazyTest;
use crate::run::Executed;
use crate::stream::Stream;
use thiserror::Error;

/// A proposal could not be made.
#[derive(Debug, Error)]
pub enum SourceError {
    /// There are no more tests, for example in a pool that is used without replacement.
    #[error("the source has no further test")]
    Exhausted,
    /// A generator failed, for example a helper command of the user.
    #[error("{0}")]
    Failed(String),
}

/// Proposes candidates as frames and makes the chosen one concrete.
///
/// The loop asks for candidates once per test, lets a [`Selector`](crate::selection::Selector) choose, and finishes only the
/// winner. A source whose frames are read off the concrete test makes all candidates concrete itself and keeps them
/// until `finish`.
pub trait Source {
    /// Fills every row with a candidate.
    fn propose(
        &mut self,
        candidates: &mut FrameBlock,
        stream: &mut Stream,
    ) -> Result<(), SourceError>;

    /// Makes the candidate of this row concrete; gives the test and its complete frame.
    fn finish(
        &mut self,
        candidates: &FrameBlock,
        row: usize,
        stream: &mut Stream,
    ) -> Result<(LazyTest, Frame), SourceError>;

    /// Learns from a whole executed round, for sources that keep a population.
    fn learn(&mut self, round: &[Executed<'_>]);

    /// Told after every round: the share of time or executions that is used, where they are bounded.
    fn progress(&mut self, _used: Option<f64>) {}

    /// The sizes of operations as far as they were measured; empty where they are not.
    fn sizes(&self) -> Vec<SizeEstimate> {
        Vec::new()
    }

    /// Learns that the model has more types, numbered on from the last one. Comes before the round whose observations name them.
    fn add_types(&mut self, _types: &[CallType]) {}

    /// What became of each operation of the model; empty where operations are not counted.
    fn statistics(&self) -> Vec<CallStatistics> {
        Vec::new()
    }
}
