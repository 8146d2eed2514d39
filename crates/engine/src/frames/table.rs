//! Drawing one choice of a category whose chances never change, with eight random bits in most cases.
//!
//! A table holds 256 entries, of which each choice gets the whole number below 256 times its chance. What is left over is
//! drawn from the remainders with 53 more bits, so chances are exact up to the rounding of floating-point numbers (below
//! 2^-45). This is the table look-up of Marsaglia, Tsang and Wang, "Fast Generation of Discrete Random Variables" (2004).
//!
//! Differences:
//! - Two levels (8 bits, then the remainder at once) instead of one table per digit.
//! - Categories with more than 64 possibilities are always drawn from the remainder, by binary search.

use super::block::ABSENT;
use super::space::Category;
use crate::Stream;

/// The entry that sends a draw to the remainders: a bit that no choice in a table has.
pub(super) const REMAINDER: u8 = 0x80;
const MOST_DIRECT: usize = 64;

/// The entries for the 256 values of a byte: a choice number or [`REMAINDER`].
pub(super) type Entries = [u8; 256];

/// What the entries leave over: choices with their summed chances.
#[derive(Clone, Debug, Default)]
pub(super) struct Remainder {
    choices: Vec<u16>,
    sums: Vec<f64>,
}

/// The table of some choices of a category, and of leaving it out. Always absent if nothing has a chance.
pub(super) fn table(category: &Category, allowed: &dyn Fn(u16) -> bool) -> (Entries, Remainder) {
    let choices = (1..=category.choices.len() as u16).filter(|&choice| allowed(choice));
    let weight = |choice: u16| category.choices[usize::from(choice) - 1].weight;
    let mut chances: Vec<(u16, f64)> = choices.map(|choice| (choice, weight(choice))).collect();
    // Without a possible choice the category is absent whatever its own chance is.
    chances.push((ABSENT, category.absent));
    chances.retain(|chance| chance.1 > 0.0);
    let total: f64 = chances.iter().map(|chance| chance.1).sum();
    let direct = chances.len() <= MOST_DIRECT
        && chances.iter().all(|chance| chance.0 < u16::from(REMAINDER));
    let mut entries = [REMAINDER; 256];
    let mut remainder = Remainder::default();
    let (mut filled, mut sum) = (0, 0.0);
    for (choice, chance) in chances {
        let share = chance / total * 256.0;
        let whole = if direct { share.floor() } else { 0.0 };
        let end = (filled + whole as usize).min(256);
        entries[filled..end].fill(choice as u8);
        filled = end;
        if share > whole {
            sum += share - whole;
            remainder.choices.push(choice);
            remainder.sums.push(sum);
        }
    }
    if remainder.choices.is_empty() {
        // Nothing is left over, or nothing has a chance at all.
        entries[filled..].fill(ABSENT as u8);
    }
    (entries, remainder)
}

impl Remainder {
    /// Draws from what the entries left over.
    #[cold]
    pub(super) fn draw(&self, stream: &mut Stream) -> u16 {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let point = stream.unit() * total;
        let index = self.sums.partition_point(|&sum| sum <= point);
        // Rounding can put the point on the total itself.
        let last = self.choices.len().saturating_sub(1);
        self.choices.get(index.min(last)).copied().unwrap_or(ABSENT)
    }
}

#[cfg(test)]
mod tests {
    use super::super::FrameSpace;
    use super::*;
    use proptest::prelude::*;

    /// The chance of each choice number that a table gives.
    fn chances(category: &Category) -> Vec<f64> {
        let (entries, remainder) = table(category, &|_| true);
        let mut chances = vec![0.0; category.choices.len() + 1];
        let total = remainder.sums.last().copied().unwrap_or(1.0);
        for entry in entries {
            if entry != REMAINDER {
                chances[usize::from(entry)] += 1.0 / 256.0;
                continue;
            }
            let mut before = 0.0;
            for (choice, sum) in remainder.choices.iter().zip(&remainder.sums) {
                chances[usize::from(*choice)] += (sum - before) / total / 256.0;
                before = *sum;
            }
        }
        chances
    }

    proptest! {
        #[test]
        fn tables_hold_the_chances_of_the_weights(
            weights in prop::collection::vec(0.0f64..10.0, 0..90),
            absent in 0.0f64..3.0,
        ) {
            let mut category = FrameSpace::uniform(&[weights.len()]).categories.remove(0);
            category.absent = absent;
            for (choice, weight) in category.choices.iter_mut().zip(&weights) {
                choice.weight = *weight;
            }
            let total = absent + weights.iter().sum::<f64>();
            prop_assume!(total > 0.0);
            let chances = chances(&category);
            prop_assert!((chances[0] - absent / total).abs() < 1e-12);
            for (choice, weight) in weights.iter().enumerate() {
                prop_assert!((chances[choice + 1] - weight / total).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_category_without_any_chance_is_absent() {
        let mut category = FrameSpace::uniform(&[2]).categories.remove(0);
        category.choices.iter_mut().for_each(|c| c.weight = 0.0);
        assert_eq!(chances(&category), [1.0, 0.0, 0.0]);
        assert_eq!(table(&category, &|_| false).0, [0; 256]);
    }

    #[test]
    fn a_uniform_category_of_four_needs_no_remainder() {
        let category = FrameSpace::uniform(&[4]).categories.remove(0);
        let (entries, remainder) = table(&category, &|_| true);
        assert!(remainder.choices.is_empty());
        assert!(!entries.contains(&REMAINDER));
    }
}
