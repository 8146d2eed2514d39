//! When a run is over: wall time, executions or kept tests, whichever comes first.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limits of a run. `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Wall time.
    pub time: Option<Duration>,
    /// Tests executed.
    pub executions: Option<u64>,
    /// Tests kept: distinct failures and tests that cover goals.
    pub tests: Option<u64>,
}

/// Which limit ended the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// The wall time is used up.
    Time,
    /// The executions are used up.
    Executions,
    /// Enough tests are kept.
    Tests,
    /// The source has no further test, for example a pool used without replacement.
    Exhausted,
    /// The user asked for it.
    Interrupted,
}

impl Budget {
    /// The limit that is reached, if one is.
    pub fn reached(&self, elapsed: Duration, executions: u64, tests: u64) -> Option<Stop> {
        if self.executions.is_some_and(|limit| executions >= limit) {
            return Some(Stop::Executions);
        }
        if self.tests.is_some_and(|limit| tests >= limit) {
            return Some(Stop::Tests);
        }
        self.time
            .is_some_and(|limit| elapsed >= limit)
            .then_some(Stop::Time)
    }

    /// How much of the budget is used, from 0 to 1, by the limit that is nearest; `None` without limits.
    pub fn used(&self, elapsed: Duration, executions: u64, tests: u64) -> Option<f64> {
        let shares = [
            self.time
                .map(|limit| elapsed.as_secs_f64() / limit.as_secs_f64().max(1e-9)),
            self.executions
                .map(|limit| executions as f64 / limit.max(1) as f64),
            self.tests.map(|limit| tests as f64 / limit.max(1) as f64),
        ];
        shares
            .into_iter()
            .flatten()
            .reduce(f64::max)
            .map(|share| share.min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_reached_ends_the_run() {
        let budget = Budget {
            time: Some(Duration::from_secs(10)),
            executions: Some(100),
            tests: None,
        };
        assert_eq!(budget.reached(Duration::from_secs(1), 99, 5), None);
        assert_eq!(
            budget.reached(Duration::from_secs(1), 100, 5),
            Some(Stop::Executions)
        );
        assert_eq!(
            budget.reached(Duration::from_secs(10), 5, 5),
            Some(Stop::Time)
        );
        assert_eq!(budget.used(Duration::from_secs(5), 10, 0), Some(0.5));
        assert_eq!(Budget::default().used(Duration::from_secs(5), 10, 0), None);
    }
}
