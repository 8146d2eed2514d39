//! A small choice of tests that covers what all of them cover.
//!
//! The greedy algorithm for set cover (Johnson, 1974; Chvátal, 1979), then a pass that drops what later choices made
//! needless. Gains only fall, so they are computed again only for the set on top of a queue (Minoux, 1978).

use crate::goal::Goal;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The indices of the chosen sets, in ascending order. Of sets that add equally much the first is taken, so the order of the
/// sets is the order of preference. Every goal of every set is in a chosen one, and no chosen set can be left out.
pub fn cover(sets: &[&[Goal]]) -> Vec<usize> {
    let mut numbers: BTreeMap<Goal, usize> = BTreeMap::new();
    let mut number = |goal: &Goal| {
        let next = numbers.len();
        *numbers.entry(*goal).or_insert(next)
    };
    let mut sets: Vec<Vec<usize>> = sets
        .iter()
        .map(|goals| goals.iter().map(&mut number).collect())
        .collect();
    for set in &mut sets {
        set.sort_unstable();
        set.dedup();
    }
    let goals = numbers.len();
    let mut times = vec![0_u32; goals];
    let mut chosen = greedy(&sets, &mut times);
    // The last ones were chosen for few goals, so they go first where there is a choice.
    for index in chosen.clone().into_iter().rev() {
        if sets[index].iter().all(|goal| times[*goal] > 1) {
            sets[index].iter().for_each(|goal| times[*goal] -= 1);
            chosen.retain(|other| *other != index);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Chooses sets, most gain first; counts how often every goal is covered.
fn greedy(sets: &[Vec<usize>], times: &mut [u32]) -> Vec<usize> {
    let entries = sets.iter().enumerate();
    let mut queue: BinaryHeap<(usize, Reverse<usize>)> = entries
        .map(|(index, set)| (set.len(), Reverse(index)))
        .collect();
    let mut open = times.len();
    let mut chosen = Vec::new();
    while open > 0 {
        let Some((known, Reverse(index))) = queue.pop() else {
            break;
        };
        let gain = sets[index].iter().filter(|goal| times[**goal] == 0).count();
        if gain < known {
            queue.push((gain, Reverse(index)));
            continue;
        }
        sets[index].iter().for_each(|goal| times[*goal] += 1);
        open -= gain;
        chosen.push(index);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::CriterionId;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn goals(numbers: &[u32]) -> Vec<Goal> {
        let criterion = CriterionId(0);
        let goal = |&number: &u32| Goal { criterion, number };
        numbers.iter().map(goal).collect()
    }

    fn chosen(sets: &[Vec<Goal>]) -> Vec<usize> {
        cover(&sets.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn the_largest_sets_are_taken_and_the_first_of_equal_ones() {
        let sets = [&[1, 2][..], &[1, 2, 3], &[3, 2, 1], &[4], &[4]];
        assert_eq!(chosen(&sets.map(goals)), [1, 3]);
        assert!(chosen(&[]).is_empty());
        assert!(chosen(&[vec![]]).is_empty());
    }

    #[test]
    fn a_set_that_later_ones_made_needless_is_dropped() {
        // Greedy takes the middle first, and then needs both others, which contain it together.
        let sets = [&[1, 2, 5][..], &[3, 4, 6], &[1, 2, 3, 4]];
        assert_eq!(chosen(&sets.map(goals)), [0, 1]);
    }

    proptest! {
        #[test]
        fn all_goals_are_covered_and_nothing_chosen_is_needless(
            sets in proptest::collection::vec(proptest::collection::vec(0u32..30, 0..8), 0..25)
        ) {
            let sets: Vec<Vec<Goal>> = sets.iter().map(|numbers| goals(numbers)).collect();
            let chosen = chosen(&sets);
            let union = |indices: &[usize]| indices.iter().flat_map(|i| sets[*i].clone()).collect::<BTreeSet<Goal>>();
            let all: Vec<usize> = (0..sets.len()).collect();
            prop_assert_eq!(union(&chosen), union(&all));
            prop_assert!(chosen.is_sorted());
            for index in &chosen {
                let rest: Vec<usize> = chosen.iter().copied().filter(|other| other != index).collect();
                prop_assert!(union(&rest).len() < union(&chosen).len());
            }
        }
    }
}
