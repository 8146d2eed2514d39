//! A few mutants out of many, spread over operators and lines.
//!
//! Some operators make many more mutants than others and some lines many more than most; a plain sample would hold
//! little else. Here the operators take turns, and each gives a mutant of a line that has been taken least often so
//! far. What remains open is decided by the seed.

use std::collections::BTreeMap;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Mutant, Operator};

/// Chooses `count` mutants, or all if there are no more. The chosen ones keep their order.
pub fn sample(mutants: &[Mutant], count: usize, seed: u64) -> Vec<&Mutant> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..mutants.len()).collect();
    shuffle(&mut random, &mut order);
    let mut waiting: BTreeMap<Operator, Vec<usize>> = BTreeMap::new();
    for index in order {
        waiting
            .entry(mutants[index].operator)
            .or_default()
            .push(index);
    }
    let mut turns: Vec<Operator> = waiting.keys().copied().collect();
    shuffle(&mut random, &mut turns);
    let mut taken_from_line: BTreeMap<usize, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    while chosen.len() < count.min(mutants.len()) {
        for operator in &turns {
            let indices = waiting.entry(*operator).or_default();
            let often = |index: &usize| {
                taken_from_line
                    .get(&mutants[*index].line)
                    .copied()
                    .unwrap_or(0)
            };
            let rarest = (0..indices.len()).min_by_key(|position| often(&indices[*position]));
            let Some(position) = rarest.filter(|_| chosen.len() < count) else {
                continue;
            };
            let index = indices.remove(position);
            *taken_from_line.entry(mutants[index].line).or_default() += 1;
            chosen.push(index);
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|index| &mutants[index]).collect()
}

/// Shuffles in place, all orders being equally likely.
fn shuffle<T>(random: &mut Xoshiro256PlusPlus, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(random, last + 1));
    }
}

/// A number below `bound`, which is at least 1. Its bias, below `bound` / 2^64, is too small to matter for lists.
pub(crate) fn below(random: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    let scaled = (u128::from(random.next_u64()) * bound as u128) >> 64;
    usize::try_from(scaled).expect("the product of a fraction below 1 and a usize is a usize")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MutantId, Span};

    fn mutant(operator: Operator, line: usize, offset: usize) -> Mutant {
        Mutant {
            id: MutantId::new(operator, offset, ""),
            operator,
            span: Span {
                start: offset,
                end: offset,
            },
            line,
            column: 1,
            original: String::new(),
            replacement: String::new(),
        }
    }

    /// 200 constants on 10 lines, 20 relational operators on one line, one deletion.
    fn skewed() -> Vec<Mutant> {
        let constants = (0..200).map(|offset| mutant(Operator::Constant, offset / 20, offset));
        let relations = (200..220).map(|offset| mutant(Operator::Relational, 50, offset));
        constants
            .chain(relations)
            .chain([mutant(Operator::StatementDeletion, 60, 220)])
            .collect()
    }

    #[test]
    fn operators_share_the_sample_until_they_run_out() {
        let mutants = skewed();
        let chosen = sample(&mutants, 21, 7);
        let count = |operator| {
            chosen
                .iter()
                .filter(|mutant| mutant.operator == operator)
                .count()
        };
        assert_eq!(count(Operator::Constant), 10);
        assert_eq!(count(Operator::Relational), 10);
        assert_eq!(count(Operator::StatementDeletion), 1);
    }

    #[test]
    fn no_line_is_taken_twice_before_all_are_taken_once() {
        let mutants: Vec<Mutant> = skewed()
            .into_iter()
            .filter(|mutant| mutant.line < 10)
            .collect();
        for seed in 0..20 {
            let mut lines: Vec<usize> = sample(&mutants, 10, seed)
                .iter()
                .map(|mutant| mutant.line)
                .collect();
            lines.dedup();
            assert_eq!(lines, (0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_seed_decides_and_the_order_stays() {
        let mutants = skewed();
        assert_eq!(sample(&mutants, 30, 1), sample(&mutants, 30, 1));
        assert_ne!(sample(&mutants, 30, 1), sample(&mutants, 30, 2));
        assert!(sample(&mutants, 30, 1).is_sorted_by_key(|mutant| mutant.span));
    }

    #[test]
    fn asking_for_more_than_there_are_gives_all() {
        let mutants = skewed();
        assert_eq!(sample(&mutants, 1000, 0).len(), mutants.len());
        assert!(sample(&[], 5, 0).is_empty());
        assert!(sample(&mutants, 0, 0).is_empty());
    }
}
