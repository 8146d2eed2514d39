//! What a run tells while it goes. The loop emits events; displays, journals and scripts consume them.

use crate::goal::Goal;
use crate::observation::Failure;
use crate::test::TestId;
use std::time::Duration;

/// Something new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A failure with a signature not seen before.
    NewFailure {
        /// The test that showed it.
        id: TestId,
        /// The failure.
        failure: Failure,
    },
    /// A goal that was not covered before.
    NewGoal {
        /// The test that covers it.
        id: TestId,
        /// The goal.
        goal: Goal,
    },
    /// A round is learnt.
    Round {
        /// Tests executed so far.
        executions: u64,
        /// Distinct failures so far.
        failures: usize,
        /// Time since the start.
        elapsed: Duration,
    },
}
