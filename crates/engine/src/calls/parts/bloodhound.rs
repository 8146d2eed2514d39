//! `bloodhound`: operations with uncovered branches are tested more often, and less with every try that brings nothing.
//!
//! ## What it does
//! Every refresh computes w(m, 0) = α·uncovered(m) + (1−α)·(1 − succ(m)/maxSucc) for every operation m, with α = 0.9. After k
//! selections since the refresh its weight is max(−3/ln(1−p) · p^k/k, 1/ln(size+3)) · w(m, 0), with p = 0.99.
//!
//! ## Why
//! Well covered operations need no more tests, and the hard branches of one operation should not eat the time of all.
//!
//! ## Example
//! `testhound generate app.jar --guide bloodhound`
//!
//! ## References
//! Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section III-F.
//!
//! ## Differences
//! - The paper refreshes every 50 s, because asking for coverage is dear there. Here it comes with the results, and a refresh costs
//!   microseconds; so one is made every four selections per operation, but not before 256 executions. Where time bounds the run, one is
//!   also made when a twentieth of the budget went by without: tests may be slow. Under a budget in executions only those count, so
//!   that a seed gives the same tests everywhere.
//! - An operation without branches has an uncovered ratio of 1 until it was called successfully, then 0.
//! - The branches of an operation include those of private methods and lambdas that it calls: no operation of its own leads there.
//! - succ(m) counts tests for m, not calls of m that make inputs of others.
//! - Where all weights are 0, operations are drawn evenly.

use crate::calls::CallModel;
use crate::calls::knowledge::Knowledge;
use crate::goal::{CriterionId, Goal};
use crate::test::OperationId;
use std::collections::BTreeMap;

/// The part's name.
pub(in crate::calls) const NAME: &str = "bloodhound";

/// One line for people.
pub(in crate::calls) const SUMMARY: &str =
    "operations with uncovered branches are tested more often";

/// The share of coverage in the weight after a refresh.
const ALPHA: f64 = 0.9;

/// How fast weights fall with selections.
const P: f64 = 0.99;

/// A refresh comes after so many selections per operation.
const SELECTIONS: u64 = 4;

/// And not before so many executions.
const LEAST: u64 = 256;

/// A refresh also comes after this share of the budget, where it is time.
const SHARE: f64 = 0.05;

/// What is known of one operation.
#[derive(Clone, Debug, Default)]
struct Tracked {
    branches: u32,
    uncovered: u32,
    successes: u64,
    /// Selections since the last refresh.
    selections: u32,
    /// The weight after the last refresh.
    fresh: f64,
}

/// Coverage per operation, and the weights that follow.
#[derive(Clone, Debug)]
pub(in crate::calls) struct Bloodhound {
    operations: Vec<Tracked>,
    /// How many operations are tested.
    size: usize,
    /// The operations that have a branch, until it is covered.
    of_branch: BTreeMap<u32, Vec<OperationId>>,
    /// Executions since the last refresh.
    executions: u64,
    interval: u64,
    /// The share of the budget that is used, and that was used at the last refresh.
    used: f64,
    refreshed: f64,
}

impl Bloodhound {
    pub(in crate::calls) fn new(knowledge: &Knowledge, model: &CallModel) -> Bloodhound {
        let mut of_branch: BTreeMap<u32, Vec<OperationId>> = BTreeMap::new();
        let mut operations = vec![Tracked::default(); model.signatures.len()];
        for (number, branches) in knowledge.branches.iter().enumerate() {
            operations[number].branches = branches.len() as u32;
            operations[number].uncovered = branches.len() as u32;
            for branch in branches {
                let having = of_branch.entry(*branch).or_default();
                having.push(OperationId(number as u32));
            }
        }
        let tested = model.signatures.iter().filter(|one| !one.auxiliary);
        let size = tested.count();
        let mut bloodhound = Bloodhound {
            operations,
            size,
            of_branch,
            executions: 0,
            interval: (SELECTIONS * size as u64).max(LEAST),
            used: 0.0,
            refreshed: 0.0,
        };
        bloodhound.refresh();
        bloodhound
    }

    /// The factor on an operation's weight.
    pub(in crate::calls) fn weight(&self, operation: OperationId) -> f64 {
        let tracked = &self.operations[operation.0 as usize];
        decayed(tracked.fresh, tracked.selections, self.size)
    }

    /// Notes that an operation was selected.
    pub(in crate::calls) fn selected(&mut self, operation: OperationId) {
        self.operations[operation.0 as usize].selections += 1;
    }

    /// Notes that a test ended, which operation it was for if that went well, and what it covered. Says whether all weights
    /// were computed anew.
    pub(in crate::calls) fn executed(
        &mut self,
        succeeded: Option<OperationId>,
        hits: &[Goal],
    ) -> bool {
        if let Some(operation) = succeeded {
            self.operations[operation.0 as usize].successes += 1;
        }
        let branches = hits.iter().filter(|goal| goal.criterion == CriterionId(0));
        for goal in branches {
            for operation in self.of_branch.remove(&goal.number).unwrap_or_default() {
                self.operations[operation.0 as usize].uncovered -= 1;
            }
        }
        self.executions += 1;
        let due = self.executions >= self.interval;
        if due {
            self.refresh();
        }
        due
    }

    /// Notes which share of the time is used. Says whether all weights were computed anew.
    pub(in crate::calls) fn progress(&mut self, used: f64) -> bool {
        self.used = used;
        let due = self.executions > 0 && used - self.refreshed >= SHARE;
        if due {
            self.refresh();
        }
        due
    }

    fn refresh(&mut self) {
        self.executions = 0;
        self.refreshed = self.used;
        let most = self.operations.iter().map(|one| one.successes).max();
        let most = most.unwrap_or(0);
        for tracked in &mut self.operations {
            let ratio = match tracked.branches {
                0 if tracked.successes == 0 => 1.0,
                0 => 0.0,
                branches => f64::from(tracked.uncovered) / f64::from(branches),
            };
            tracked.fresh = fresh(ratio, tracked.successes, most);
            tracked.selections = 0;
        }
    }
}

/// The weight of an operation that was not selected since the last refresh.
fn fresh(uncovered_ratio: f64, successes: u64, most_successes: u64) -> f64 {
    let share = successes as f64 / most_successes.max(1) as f64;
    ALPHA * uncovered_ratio + (1.0 - ALPHA) * (1.0 - share)
}

/// The weight after so many selections, where so many operations are tested.
fn decayed(fresh: f64, selections: u32, operations: usize) -> f64 {
    if selections == 0 {
        return fresh;
    }
    let k = f64::from(selections);
    let falling = -3.0 / (1.0 - P).ln() * P.powf(k) / k;
    let floor = 1.0 / (operations as f64 + 3.0).ln();
    falling.max(floor) * fresh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::Signature;

    #[test]
    fn the_weights_are_those_of_the_paper() {
        // Half uncovered, called 5 of at most 10 times: 0.9 * 0.5 + 0.1 * 0.5.
        assert!((fresh(0.5, 5, 10) - 0.5).abs() < 1e-12);
        assert!((fresh(1.0, 0, 0) - 1.0).abs() < 1e-12);
        assert!(fresh(0.0, 7, 7).abs() < 1e-12);
        // -3 / ln(0.01) is 0.651442; times 0.99 after one selection, 0.99² / 2 after two.
        assert!((decayed(1.0, 1, 100_000) - 0.644_927).abs() < 1e-6);
        assert!((decayed(1.0, 2, 100_000) - 0.319_239).abs() < 1e-6);
        // The floor for 17 operations is 1 / ln(20).
        assert!((decayed(0.5, 1_000, 17) - 0.166_904).abs() < 1e-6);
    }

    fn two_operations() -> Bloodhound {
        let knowledge = Knowledge {
            branches: vec![vec![0, 1, 2, 3], vec![]],
            ..Knowledge::default()
        };
        let model = CallModel {
            types: vec![],
            signatures: vec![Signature::default(); 2],
        };
        Bloodhound::new(&knowledge, &model)
    }

    #[test]
    fn where_tests_are_slow_a_share_of_the_time_brings_the_refresh() {
        let mut bloodhound = two_operations();
        let second = OperationId(1);
        assert!(!bloodhound.progress(0.2), "nothing ran yet");
        assert!(!bloodhound.executed(Some(second), &[]));
        assert_eq!(bloodhound.weight(second), 1.0);
        assert!(bloodhound.progress(0.21));
        assert_eq!(bloodhound.weight(second), 0.0);
        bloodhound.executed(None, &[]);
        assert!(!bloodhound.progress(0.24) && bloodhound.progress(0.27));
    }

    #[test]
    fn coverage_counts_from_the_next_refresh_on_which_also_forgets_selections() {
        let mut bloodhound = two_operations();
        let [first, second] = [OperationId(0), OperationId(1)];
        assert_eq!(bloodhound.weight(first), 1.0);
        bloodhound.selected(first);
        assert!(bloodhound.weight(first) < 1.0);
        let hit = Goal {
            criterion: CriterionId(0),
            number: 2,
        };
        assert!(!bloodhound.executed(Some(second), &[hit]));
        assert_eq!(bloodhound.weight(second), 1.0, "no refresh yet");
        for _ in 2..LEAST {
            assert!(!bloodhound.executed(None, &[hit]));
        }
        assert!(bloodhound.executed(None, &[]));
        assert!((bloodhound.weight(first) - (0.9 * 0.75 + 0.1)).abs() < 1e-12);
        assert_eq!(bloodhound.weight(second), 0.0, "called, and no branch left");
    }
}
