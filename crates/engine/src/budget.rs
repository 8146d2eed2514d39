//! When a run is over: wall time, executions, kept tests or a stop rule, whichever comes first.

use crate::goal::Criterion;
use crate::until::Until;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limits of a run. `None` is no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Wall time.
    pub time: Option<Duration>,
    /// Tests executed.
    pub executions: Option<u64>,
    /// Tests kept: distinct failures and tests that cover goals.
    pub tests: Option<u64>,
    /// States that end the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub until: Vec<Until>,
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
    /// Enough goals are covered.
    Coverage,
    /// A test failed, and the user wanted no more.
    Failure,
    /// The source has no further test, for example a pool used without replacement.
    Exhausted,
    /// The user asked for it.
    Interrupted,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    /// Time since the start.
    pub elapsed: Duration,
    /// Tests executed.
    pub executions: u64,
    /// Distinct failures.
    pub failures: u64,
    /// Goals covered, per criterion.
    pub covered: &'a [u32],
    /// The criteria.
    pub criteria: &'a [Criterion],
}

impl Reached<'_> {
    /// Tests worth keeping: distinct failures and covered goals.
    fn tests(&self) -> u64 {
        self.failures + self.covered.iter().copied().map(u64::from).sum::<u64>()
    }
}

impl Budget {
    /// The limit that is reached, if one is.
    pub fn reached(&self, run: Reached<'_>) -> Option<Stop> {
        if self.executions.is_some_and(|limit| run.executions >= limit) {
            return Some(Stop::Executions);
        }
        if self.tests.is_some_and(|limit| run.tests() >= limit) {
            return Some(Stop::Tests);
        }
        let rule = self.until.iter().find_map(|rule| match rule {
            Until::Failure => (run.failures > 0).then_some(Stop::Failure),
            Until::Coverage { .. } => {
                let nearness = rule.nearness(run.covered, run.criteria);
                nearness
                    .is_some_and(|near| near >= 1.0)
                    .then_some(Stop::Coverage)
            }
        });
        if rule.is_some() {
            return rule;
        }
        self.time
            .is_some_and(|limit| run.elapsed >= limit)
            .then_some(Stop::Time)
    }

    /// How much of the budget is used, from 0 to 1, by the limit that is nearest; `None` without limits.
    pub fn used(&self, run: Reached<'_>) -> Option<f64> {
        let tests = self.tests.map(|limit| share(run.tests(), limit));
        let rules = self.until.iter();
        let rules = rules.filter_map(|rule| rule.nearness(run.covered, run.criteria));
        nearest(self.spent(run).into_iter().chain(tests).chain(rules))
    }

    /// The same of time and executions alone: what a run can spend, not what it can find.
    pub fn spent(&self, run: Reached<'_>) -> Option<f64> {
        let time = |limit: Duration| run.elapsed.as_secs_f64() / limit.as_secs_f64().max(1e-9);
        let executions = |limit| share(run.executions, limit);
        let shares = [self.time.map(time), self.executions.map(executions)];
        nearest(shares.into_iter().flatten())
    }
}

fn share(used: u64, limit: u64) -> f64 {
    used as f64 / limit.max(1) as f64
}

fn nearest(shares: impl Iterator<Item = f64>) -> Option<f64> {
    shares.reduce(f64::max).map(|share| share.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(seconds: u64, executions: u64) -> Reached<'static> {
        Reached {
            elapsed: Duration::from_secs(seconds),
            executions,
            failures: 0,
            covered: &[],
            criteria: &[],
        }
    }

    #[test]
    fn the_first_limit_reached_ends_the_run() {
        let budget = Budget {
            time: Some(Duration::from_secs(10)),
            executions: Some(100),
            ..Budget::default()
        };
        assert_eq!(budget.reached(after(1, 99)), None);
        assert_eq!(budget.reached(after(1, 100)), Some(Stop::Executions));
        assert_eq!(budget.reached(after(10, 5)), Some(Stop::Time));
        assert_eq!(budget.used(after(5, 10)), Some(0.5));
        assert_eq!(Budget::default().used(after(5, 10)), None);
    }

    #[test]
    fn what_a_run_found_is_used_but_not_spent() {
        let budget = Budget {
            executions: Some(100),
            tests: Some(10),
            until: vec!["coverage=50%".parse().unwrap()],
            ..Budget::default()
        };
        let criteria = [Criterion {
            name: "branch".to_owned(),
            goals: 20,
        }];
        let reached = Reached {
            covered: &[4],
            criteria: &criteria,
            ..after(1, 10)
        };
        assert_eq!(budget.used(reached), Some(0.4));
        assert_eq!(budget.spent(reached), Some(0.1));
        assert_eq!(
            Budget {
                executions: None,
                ..budget
            }
            .spent(reached),
            None
        );
    }

    #[test]
    fn stop_rules_end_the_run_by_its_state() {
        let criteria = [Criterion {
            name: "branch".to_owned(),
            goals: 20,
        }];
        let with = |rules: &[&str], covered: &[u32], failures: u64| {
            let until = rules.iter().map(|rule| rule.parse().unwrap()).collect();
            let budget = Budget {
                until,
                ..Budget::default()
            };
            budget.reached(Reached {
                failures,
                covered,
                criteria: &criteria,
                ..after(1, 1)
            })
        };
        assert_eq!(with(&["coverage=90%"], &[17], 3), None);
        assert_eq!(with(&["coverage=90%"], &[18], 0), Some(Stop::Coverage));
        assert_eq!(with(&["failure"], &[20], 0), None);
        assert_eq!(
            with(&["coverage=90%", "failure"], &[2], 1),
            Some(Stop::Failure)
        );
    }
}
