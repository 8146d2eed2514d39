//! Which mutants a study of testing methods can use, by the inputs that make them fail.
//!
//! Source: the ARTsum paper, Section 4.2.2, "Program Set 2: Unix Utilities". Run every mutant on the same random inputs
//! (100,000 there); discard those that no input kills; discard those with a failure rate above 0.1; of mutants with
//! exactly the same failing inputs keep one at random.
//!
//! Differences: none. The choice at random is decided by a seed.

use std::collections::BTreeMap;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::sample::below;
use crate::{Fate, MutantId};

/// The inputs, by number, that make one mutant fail: a row of the outcome matrix, one bit per input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailingSet {
    words: Vec<u64>,
    inputs: usize,
}

impl FailingSet {
    /// The empty set over a number of inputs.
    pub fn new(inputs: usize) -> FailingSet {
        FailingSet {
            words: vec![0; inputs.div_ceil(64)],
            inputs,
        }
    }

    /// The set whose input i is bit i % 64 of word i / 64. Missing words count as zero; bits past the last input and
    /// further words are dropped.
    pub fn from_words(mut words: Vec<u64>, inputs: usize) -> FailingSet {
        words.resize(inputs.div_ceil(64), 0);
        if let Some(last) = words.last_mut().filter(|_| !inputs.is_multiple_of(64)) {
            *last &= (1 << (inputs % 64)) - 1;
        }
        FailingSet { words, inputs }
    }

    /// Adds an input; one past the last is ignored.
    pub fn insert(&mut self, input: usize) {
        if input < self.inputs {
            self.words[input / 64] |= 1 << (input % 64);
        }
    }

    /// How many inputs make the mutant fail.
    pub fn failures(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// How many inputs were run.
    pub fn inputs(&self) -> usize {
        self.inputs
    }
}

/// What a study asks of its mutants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutcomeLimits {
    /// Mutants with a failure rate above this are discarded.
    pub highest_failure_rate: f64,
}

impl Default for OutcomeLimits {
    /// The paper's limit, 0.1.
    fn default() -> OutcomeLimits {
        OutcomeLimits {
            highest_failure_rate: 0.1,
        }
    }
}

/// Decides the fate of every mutant from the inputs that make it fail. Of mutants with the same failing inputs one is
/// kept, chosen by the seed.
pub fn filter_by_outcomes(
    mutants: &[(MutantId, FailingSet)],
    limits: OutcomeLimits,
    seed: u64,
) -> Vec<(MutantId, Fate)> {
    let usable = |failing: &FailingSet| fate_by_rate(failing, limits) == Fate::Kept;
    let mut alike: BTreeMap<&FailingSet, Vec<&MutantId>> = BTreeMap::new();
    for (mutant, failing) in mutants.iter().filter(|(_, failing)| usable(failing)) {
        alike.entry(failing).or_default().push(mutant);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let chosen: BTreeMap<&FailingSet, &MutantId> = alike
        .into_iter()
        .map(|(failing, group)| (failing, group[below(&mut random, group.len())]))
        .collect();
    let decide = |(mutant, failing): &(MutantId, FailingSet)| {
        let fate = match chosen.get(failing) {
            Some(kept) if *kept != mutant => Fate::SameFailures((*kept).clone()),
            _ => fate_by_rate(failing, limits),
        };
        (mutant.clone(), fate)
    };
    mutants.iter().map(decide).collect()
}

fn fate_by_rate(failing: &FailingSet, limits: OutcomeLimits) -> Fate {
    let (failures, inputs) = (failing.failures(), failing.inputs());
    if failures == 0 {
        Fate::NeverKilled
    } else if failures as f64 / inputs as f64 > limits.highest_failure_rate {
        Fate::FailsTooOften { failures, inputs }
    } else {
        Fate::Kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Operator, survivors};

    fn id(offset: usize) -> MutantId {
        MutantId::new(Operator::Constant, offset, "0")
    }

    fn failing_on(inputs: &[usize]) -> FailingSet {
        let mut failing = FailingSet::new(100);
        inputs.iter().for_each(|input| failing.insert(*input));
        failing
    }

    #[test]
    fn unkilled_and_too_weak_mutants_are_discarded_and_a_rate_of_exactly_a_tenth_is_kept() {
        let ten: Vec<usize> = (0..10).collect();
        let eleven: Vec<usize> = (0..11).collect();
        let mutants = [
            (id(0), failing_on(&[])),
            (id(1), failing_on(&ten)),
            (id(2), failing_on(&eleven)),
        ];
        let fates = filter_by_outcomes(&mutants, OutcomeLimits::default(), 0);
        assert_eq!(fates[0].1, Fate::NeverKilled);
        assert_eq!(fates[1].1, Fate::Kept);
        assert_eq!(
            fates[2].1,
            Fate::FailsTooOften {
                failures: 11,
                inputs: 100
            }
        );
    }

    #[test]
    fn of_mutants_with_the_same_failing_inputs_the_seed_keeps_one() {
        let mutants: Vec<_> = (0..6)
            .map(|offset| (id(offset), failing_on(&[offset / 3, 99])))
            .collect();
        let mut kept_first = Vec::new();
        for seed in 0..40 {
            let fates = filter_by_outcomes(&mutants, OutcomeLimits::default(), seed);
            assert_eq!(
                fates,
                filter_by_outcomes(&mutants, OutcomeLimits::default(), seed)
            );
            let kept = survivors(&fates);
            assert_eq!(kept.len(), 2);
            let others = fates[..3]
                .iter()
                .filter(|(_, fate)| *fate == Fate::SameFailures(kept[0].clone()));
            assert_eq!(others.count(), 2);
            kept_first.push(kept[0].clone());
        }
        kept_first.sort();
        kept_first.dedup();
        assert_eq!(
            kept_first,
            [id(0), id(1), id(2)],
            "each of the three is chosen by some seed"
        );
    }

    #[test]
    fn mutants_that_fail_too_often_keep_that_reason_though_they_fail_alike() {
        let all: Vec<usize> = (0..100).collect();
        let mutants = [(id(0), failing_on(&all)), (id(1), failing_on(&all))];
        let fates = filter_by_outcomes(&mutants, OutcomeLimits::default(), 0);
        assert!(fates.iter().all(|(_, fate)| *fate
            == Fate::FailsTooOften {
                failures: 100,
                inputs: 100
            }));
    }

    #[test]
    fn words_and_inserted_bits_make_the_same_set() {
        let failing = FailingSet::from_words(vec![1 << 63, 0b1001, u64::MAX], 67);
        let mut expected = FailingSet::new(67);
        [63, 64, 67, 1000]
            .iter()
            .for_each(|input| expected.insert(*input));
        assert_eq!(failing, expected);
        assert_eq!((failing.failures(), failing.inputs()), (2, 67));
        assert_eq!(FailingSet::from_words(vec![], 0), FailingSet::new(0));
    }
}
