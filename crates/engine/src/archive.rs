//! The archive: for every goal that was covered, the shortest test that covers it.
//!
//! Bounded by the number of goals, not by the number of executions: tests that cover nothing best are not kept.

use crate::cover::cover;
use crate::goal::Goal;
use crate::test::{Test, TestId};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

/// The shortest test known for a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Covering {
    /// Its number in the run.
    pub id: TestId,
    /// The test.
    pub test: Rc<Test>,
    /// All goals it hit.
    pub hits: Rc<[Goal]>,
    /// Whether no oracle called it a failure.
    pub passed: bool,
    /// Its size, which takes a look at all of it: a test may be compared for thousands of goals.
    size: (usize, usize),
}

impl Covering {
    /// A test that hit these goals.
    pub fn new(id: TestId, test: &Rc<Test>, hits: Vec<Goal>, passed: bool) -> Covering {
        Covering {
            id,
            test: Rc::clone(test),
            hits: hits.into(),
            passed,
            size: test.size(),
        }
    }
}

/// Goals with their shortest covering tests.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    goals: BTreeMap<Goal, Covering>,
}

impl Archive {
    /// Takes a test that hit these goals; gives back the goals that were not covered before.
    pub fn offer(&mut self, id: TestId, test: &Rc<Test>, hits: Vec<Goal>) -> Vec<Goal> {
        let covering = Covering::new(id, test, hits, true);
        let mut fresh = Vec::new();
        for &goal in covering.hits.iter() {
            match self.goals.entry(goal) {
                Entry::Vacant(place) => {
                    place.insert(covering.clone());
                    fresh.push(goal);
                }
                Entry::Occupied(mut best) if covering.size < best.get().size => {
                    best.insert(covering.clone());
                }
                Entry::Occupied(_) => {}
            }
        }
        fresh
    }

    /// Keeps a test for these goals, which no test was kept for before, and which are among all that it hit.
    pub fn credit(&mut self, fresh: &[Goal], covering: &Covering) {
        for goal in fresh {
            self.goals.insert(*goal, covering.clone());
        }
    }

    /// All tests that are kept, in the order of proposal.
    pub fn tests(&self) -> Vec<&Covering> {
        let by_id: BTreeMap<TestId, &Covering> = self
            .goals
            .values()
            .map(|covering| (covering.id, covering))
            .collect();
        by_id.into_values().collect()
    }

    /// The test kept for a goal.
    pub fn get(&self, goal: Goal) -> Option<&Covering> {
        self.goals.get(&goal)
    }

    /// The covered goals in order.
    pub fn goals(&self) -> impl Iterator<Item = Goal> {
        self.goals.keys().copied()
    }

    /// A small set of kept tests that passed and cover all goals which such tests cover, in the order of proposal.
    pub fn suite(&self) -> Vec<Covering> {
        let mut tests = self.tests();
        tests.retain(|covering| covering.passed);
        let hits: Vec<&[Goal]> = tests.iter().map(|covering| &covering.hits[..]).collect();
        let chosen = cover(&hits).into_iter();
        chosen.map(|index| tests[index].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::CriterionId;
    use crate::test::{OperationId, Step};

    fn test(steps: usize) -> Rc<Test> {
        let step = Step {
            operation: OperationId(0),
            arguments: vec![],
        };
        Rc::new(Test {
            steps: vec![step; steps],
        })
    }

    fn goal(number: u32) -> Goal {
        Goal {
            criterion: CriterionId(0),
            number,
        }
    }

    #[test]
    fn the_shortest_covering_test_is_kept() {
        let mut archive = Archive::default();
        let fresh = archive.offer(TestId(0), &test(3), vec![goal(1), goal(2)]);
        assert_eq!(fresh, [goal(1), goal(2)]);
        assert!(archive.offer(TestId(1), &test(2), vec![goal(2)]).is_empty());
        assert!(archive.offer(TestId(2), &test(2), vec![goal(2)]).is_empty());
        assert_eq!(archive.get(goal(2)).unwrap().id, TestId(1));
        assert_eq!(archive.goals().count(), 2);
        let suite = archive.suite();
        assert_eq!(
            suite.len(),
            1,
            "test 0 covers both goals, so the shorter test is not needed"
        );
        assert_eq!(suite[0].id, TestId(0));
    }
}
