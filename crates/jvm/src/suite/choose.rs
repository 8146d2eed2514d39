//! Which assertions a test gets: those that kill mutants, each mutant by one of them; a few where no mutants were run.
//!
//! The choice is made per test, greedily by the number of mutants killed, so that a change in one test does not change the
//! assertions of others. A mutant that the test notices without any assertion, because it throws or hangs, needs none.
//!
//! The idea, to keep the assertions that tell mutants from the original, is that of G. Fraser and A. Zeller, "Mutation-driven
//! generation of unit tests and oracles", IEEE TSE. Only the idea is taken; the choice below is our own.

use super::assertion::Assertion;
use crate::observed::{Observed, ObservedStep};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The number of assertions that a test gets where no mutants were run.
pub const FEW: usize = 5;

/// The number of a mutant, as the caller counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MutantId(pub u32);

/// Which mutants a test and its candidate assertions kill.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssertionKills {
    /// Those that the test notices without assertions.
    pub by_test: BTreeSet<MutantId>,
    /// Those that every candidate kills, in the order of [`candidates`](super::candidates).
    pub by_assertion: Vec<BTreeSet<MutantId>>,
}

impl AssertionKills {
    /// Reads off closer looks at mutants what kills them. A mutant on which the test did not end has no look.
    pub fn of(
        candidates: &[Assertion],
        original: &Observed,
        mutants: &[(MutantId, Option<Observed>)],
    ) -> AssertionKills {
        let mut kills = AssertionKills {
            by_test: BTreeSet::new(),
            by_assertion: vec![BTreeSet::new(); candidates.len()],
        };
        for (mutant, look) in mutants {
            match look {
                Some(look) if ends_alike(original, look) => {
                    for (candidate, killed) in candidates.iter().zip(&mut kills.by_assertion) {
                        if !candidate.holds(look) {
                            killed.insert(*mutant);
                        }
                    }
                }
                _ => {
                    kills.by_test.insert(*mutant);
                }
            }
        }
        kills
    }
}

fn ends_alike(one: &Observed, two: &Observed) -> bool {
    let thrown = |observed: &Observed| observed.threw().map(|(_, throw)| throw.class.clone());
    let void = |observed: &Observed| -> Vec<bool> {
        let steps = observed.steps.iter();
        steps.map(|step| *step == ObservedStep::Void).collect()
    };
    void(one) == void(two) && thrown(one) == thrown(two)
}

/// Which of the usable candidates to take, by their indices in order.
pub fn choose(usable: &BTreeSet<usize>, kills: Option<&AssertionKills>) -> Vec<usize> {
    let Some(kills) = kills else {
        return usable.iter().copied().take(FEW).collect();
    };
    let nothing = BTreeSet::new();
    let killed = |index: &usize| kills.by_assertion.get(*index).unwrap_or(&nothing);
    let mut open: BTreeSet<MutantId> = usable.iter().flat_map(killed).copied().collect();
    open.retain(|mutant| !kills.by_test.contains(mutant));
    let mut chosen = BTreeSet::new();
    while !open.is_empty() {
        let gain = |index: &&usize| killed(index).intersection(&open).count();
        // The first of equals, so that the order of candidates decides.
        let best = usable.iter().rev().max_by_key(gain);
        let best = *best.expect("what is open, a usable candidate kills");
        open.retain(|mutant| !killed(&best).contains(mutant));
        chosen.insert(best);
    }
    chosen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::assertion::candidates;
    use super::*;
    use crate::observed::{ObservedThrow, ObservedValue};

    fn ints(numbers: &[i32]) -> Observed {
        let step = |number: &i32| ObservedStep::Value(ObservedValue::Int(*number));
        Observed {
            steps: numbers.iter().map(step).collect(),
        }
    }

    fn thrown() -> Observed {
        let throw = ObservedThrow {
            class: "java/lang/Error".to_owned(),
            public_classes: Vec::new(),
            message: None,
        };
        Observed {
            steps: vec![ObservedStep::Threw(throw)],
        }
    }

    #[test]
    fn the_fewest_assertions_that_kill_all_are_taken() {
        let original = ints(&[1, 2, 3]);
        let all = candidates(&original);
        let mutants = [
            (MutantId(0), Some(ints(&[1, 9, 3]))),
            (MutantId(1), Some(ints(&[1, 9, 9]))),
            (MutantId(2), Some(ints(&[1, 2, 3]))),
            (MutantId(3), None),
            (MutantId(4), Some(thrown())),
        ];
        let kills = AssertionKills::of(&all, &original, &mutants);
        let by_test: Vec<u32> = kills.by_test.iter().map(|mutant| mutant.0).collect();
        assert_eq!(by_test, [3, 4]);
        // Candidates go from the last step to the first: only that on the second step kills both.
        assert_eq!(choose(&(0..3).collect(), Some(&kills)), [1]);
        assert_eq!(choose(&BTreeSet::from([0, 2]), Some(&kills)), [0]);
    }

    #[test]
    fn without_mutants_a_few_are_taken() {
        let usable = BTreeSet::from([0, 2, 3, 4, 5, 6]);
        assert_eq!(choose(&usable, None), [0, 2, 3, 4, 5]);
        assert!(choose(&usable, Some(&AssertionKills::default())).is_empty());
    }
}
