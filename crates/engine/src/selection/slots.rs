//! Where a choice of a category stands in a table of counts, and what a category weighs.
//!
//! Every category gets one slot for "absent", one per choice, and one for choice numbers that the space does not know (an
//! input that fits no choice), so that no frame can reach outside a table.

use crate::frames::FrameSpace;

/// Weights are taken to a thousandth and up to a thousand, so that distances are whole numbers and equal ones are equal.
const UNITS: f64 = 1000.0;
const HEAVIEST: f64 = 1000.0;

/// The slots of a space, category after category: the paper's tuple S is a table over them.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    spans: Vec<Span>,
    total: usize,
}

/// The slots of one category.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u32,
    unknown: u16,
}

impl Span {
    /// The slot of a choice of this category.
    #[inline]
    pub(super) fn slot(self, choice: u16) -> usize {
        self.start as usize + usize::from(choice.min(self.unknown))
    }

    /// The number of slots.
    pub(super) fn width(self) -> usize {
        usize::from(self.unknown) + 1
    }

    /// The place of a choice among the slots of its own category.
    #[inline]
    pub(super) fn place(self, choice: u16) -> usize {
        usize::from(choice.min(self.unknown))
    }
}

impl Slots {
    /// The slots of this space.
    pub(super) fn new(space: &FrameSpace) -> Slots {
        let mut total = 0;
        let spans = space.categories.iter().map(|category| {
            let unknown = u16::try_from(category.choices.len() + 1).unwrap_or(u16::MAX);
            let span = Span {
                start: total,
                unknown,
            };
            total += u32::from(unknown) + 1;
            span
        });
        let spans = spans.collect();
        Slots {
            spans,
            total: total as usize,
        }
    }

    /// One entry per category.
    #[inline]
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The number of slots.
    pub(super) fn len(&self) -> usize {
        self.total
    }
}

/// The weights of the categories in whole units without a common divisor: equal weights become 1, as in the paper.
pub(super) fn weights(space: &FrameSpace) -> Vec<u32> {
    let whole = |weight: f64| {
        let units = (weight.min(HEAVIEST) * UNITS).round() as u32;
        if weight > 0.0 { units.max(1) } else { 0 }
    };
    let weights = space.categories.iter().map(|c| whole(c.weight));
    let weights: Vec<u32> = weights.collect();
    let divisor = weights.iter().copied().fold(0, greatest_common_divisor);
    weights.iter().map(|w| w / divisor.max(1)).collect()
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_categories_follow_each_other() {
        let slots = Slots::new(&FrameSpace::uniform(&[3, 4, 2]));
        let spans = slots.spans();
        assert_eq!((spans[0].slot(0), spans[0].slot(3)), (0, 3));
        assert_eq!((spans[1].slot(0), spans[1].slot(4)), (5, 9));
        assert_eq!((spans[2].slot(2), slots.len()), (13, 15));
    }

    #[test]
    fn unknown_choices_share_the_last_slot_of_their_category() {
        let slots = Slots::new(&FrameSpace::uniform(&[3, 4]));
        assert_eq!(slots.spans()[0].slot(4), 4);
        assert_eq!(slots.spans()[0].slot(u16::MAX), 4);
    }

    #[test]
    fn equal_weights_become_one() {
        let mut space = FrameSpace::uniform(&[1, 1, 1]);
        assert_eq!(weights(&space), [1, 1, 1]);
        for (category, weight) in space.categories.iter_mut().zip([0.5, 1.25, 0.0]) {
            category.weight = weight;
        }
        assert_eq!(weights(&space), [2, 5, 0]);
    }
}
