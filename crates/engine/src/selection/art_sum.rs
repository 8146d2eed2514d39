//! `art-sum`: the largest sum of distances to all executed tests, in constant time per selection.
//!
//! ## What it does
//! Counts how often each choice of each category was executed (the tuple S, with "absent" as a choice). The sum of the
//! distances from a candidate to all n executed tests is the sum over the categories of n minus the count of the
//! candidate's choice (Theorem 1, Equation 3), so the winner is the candidate whose choices have the lowest counts.
//!
//! ## Why
//! Tests that differ from the executed ones tend to take other paths through the subject and find failures sooner. This
//! method needs neither the executed tests nor time that grows with them.
//!
//! ## Example
//! `testhound generate SPEC.toml --guide art-sum`
//!
//! ## References
//! Barus et al., "A Cost-Effective Random Testing Method for Programs with Non-Numeric Inputs", Section 3.2, Theorem 1,
//! Equation 3 and Algorithm 1.
//!
//! ## Differences
//! - A category can weigh more or less than 1 in the distance; its counts grow by its weight.
//! - The part of the sum that all candidates share (n times all weights) is left out, and the lowest wins.
//! - The first test is one of k random candidates, all equal, instead of one random test: the same distribution.
//! - Equal sums are broken at random; the paper leaves this open.
//! - The paper prints S of its example with 11 numbers; with 3, 4 and 2 choices and three times "absent" it has 12.
//! - S has one more number per category, for inputs that fit no choice.

use super::slots::weights;
use super::{Selector, ties};
use crate::Stream;
use crate::frames::{FrameBlock, FrameSpace};

/// Slots per category in the table that is looked up without bounds checks.
const NARROW: usize = 16;

pub(super) struct ArtSum {
    candidates: usize,
    weights: Vec<u32>,
    /// Slots per category: [`NARROW`], or more if a category needs them.
    stride: usize,
    /// Per category and slot: how many executed tests have it, times the weight of the category.
    counts: Vec<u64>,
    scores: Vec<u64>,
    work: u64,
}

pub(super) fn build(space: &FrameSpace, k: usize) -> Box<dyn Selector> {
    Box::new(ArtSum::new(space, k))
}

impl ArtSum {
    fn new(space: &FrameSpace, k: usize) -> ArtSum {
        let widest = space.sizes().into_iter().max().unwrap_or(0) + 2;
        let stride = widest.max(NARROW);
        ArtSum {
            candidates: k.max(1),
            weights: weights(space),
            stride,
            counts: vec![0; stride * space.categories.len()],
            scores: Vec::new(),
            work: 0,
        }
    }

    /// How many executed tests share the candidate's choice, added up over the categories.
    fn shared(&self, candidate: &[u16]) -> u64 {
        let tables = candidate.iter().zip(self.counts.chunks_exact(self.stride));
        tables
            .map(|(&choice, table)| table[slot(choice, self.stride)])
            .sum()
    }

    /// The same for all candidates, given that all choice numbers are below [`NARROW`], as the stride is.
    fn score_narrow(&mut self, candidates: &FrameBlock) {
        let (tables, _) = self.counts.as_chunks::<NARROW>();
        // Groups of constant size are looked up without a loop.
        let (groups, last) = tables.as_chunks::<4>();
        for candidate in candidates.iter() {
            let (parts, rest) = candidate.as_chunks::<4>();
            let mut shared = add_up(rest, last);
            for (part, group) in parts.iter().zip(groups) {
                shared += add_up(part, group);
            }
            self.scores.push(shared);
        }
    }
}

#[inline(always)]
fn add_up(choices: &[u16], tables: &[[u64; NARROW]]) -> u64 {
    let tables = choices.iter().zip(tables);
    tables
        .map(|(&choice, table)| table[usize::from(choice) % NARROW])
        .sum()
}

/// The place of a choice among the slots of its category. Unknown choices meet in the last one.
#[inline]
fn slot(choice: u16, stride: usize) -> usize {
    usize::from(choice).min(stride - 1)
}

impl Selector for ArtSum {
    fn candidates(&self) -> usize {
        self.candidates
    }

    fn pick(&mut self, candidates: &FrameBlock, stream: &mut Stream) -> usize {
        self.scores.clear();
        let bits = candidates
            .choices()
            .iter()
            .fold(0, |bits, choice| bits | choice);
        if self.stride == NARROW && usize::from(bits) < NARROW {
            self.score_narrow(candidates);
        } else {
            for candidate in candidates.iter() {
                let shared = self.shared(candidate);
                self.scores.push(shared);
            }
        }
        self.work += (candidates.rows() * candidates.categories()) as u64;
        ties::lowest(&self.scores, stream)
    }

    fn record(&mut self, frame: &[u16]) {
        let cells = frame.iter().zip(&self.weights);
        if self.stride == NARROW {
            let (tables, _) = self.counts.as_chunks_mut::<NARROW>();
            for ((&choice, weight), table) in cells.zip(tables) {
                table[slot(choice, NARROW)] += u64::from(*weight);
            }
        } else {
            let tables = self.counts.chunks_exact_mut(self.stride);
            for ((&choice, weight), table) in cells.zip(tables) {
                table[slot(choice, table.len())] += u64::from(*weight);
            }
        }
        self.work += frame.len() as u64;
    }

    fn work(&self) -> u64 {
        self.work
    }
}

#[cfg(test)]
mod tests {
    use super::super::max_sum::MaxSum;
    use super::*;
    use crate::Seed;
    use crate::frames::ABSENT;
    use proptest::prelude::*;

    const X: [u16; 3] = [1, 1, 1];
    const Y: [u16; 3] = [2, 2, 2];
    const Z: [u16; 3] = [3, 1, 1];

    /// The categories of Table 1: unit type, customer type, status.
    fn transactions() -> FrameSpace {
        FrameSpace::uniform(&[3, 4, 2])
    }

    /// Equation 3 for a candidate after n executed tests.
    fn equation_3(selector: &ArtSum, n: u64, candidate: &[u16]) -> u64 {
        let all: u64 = selector.weights.iter().copied().map(u64::from).sum();
        n * all - selector.shared(candidate)
    }

    #[test]
    fn the_distances_of_table_3_are_3_1_and_3() {
        let space = transactions();
        assert_eq!(space.distance(&X, &Y), 3.0);
        assert_eq!(space.distance(&X, &Z), 1.0);
        assert_eq!(space.distance(&Y, &Z), 3.0);
    }

    #[test]
    fn the_example_gives_the_tuple_s_and_the_sum_4() {
        let mut selector = ArtSum::new(&transactions(), 10);
        selector.record(&X);
        selector.record(&Y);
        let choices = [3, 4, 2];
        let s = selector.counts.chunks_exact(selector.stride).zip(choices);
        let s: Vec<u64> = s.flat_map(|(table, h)| table[..=h].to_vec()).collect();
        assert_eq!(s, [0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1]);
        assert_eq!(equation_3(&selector, 2, &Z), 4);
        let mut naive = MaxSum::new(&transactions(), 10);
        naive.record(&X);
        naive.record(&Y);
        assert_eq!(naive.sum_of_distances(&Z), 4);
    }

    #[test]
    fn the_cost_of_a_selection_does_not_depend_on_the_executed_tests() {
        let space = FrameSpace::uniform(&[5; 20]);
        let mut selector = ArtSum::new(&space, 10);
        let mut stream = Seed(1).stream();
        let block = FrameBlock::new(20, 10);
        for n in 1..=1000 {
            selector.choose(&block, &mut stream);
            assert_eq!(selector.work(), n * (10 * 20 + 20));
        }
    }

    #[test]
    fn memory_does_not_grow_with_the_executed_tests() {
        let space = FrameSpace::uniform(&[5; 20]);
        let mut selector = ArtSum::new(&space, 10);
        let mut stream = Seed(1).stream();
        let block = FrameBlock::new(20, 10);
        selector.choose(&block, &mut stream);
        let sizes = |s: &ArtSum| (s.counts.capacity(), s.scores.capacity());
        let before = sizes(&selector);
        for _ in 0..1000 {
            selector.choose(&block, &mut stream);
        }
        assert_eq!(sizes(&selector), before);
    }

    /// Spaces of 1 to 6 categories with weights, and frames over them with absent and unknown choices.
    fn spaces_and_frames() -> impl Strategy<Value = (FrameSpace, Vec<Vec<u16>>)> {
        prop::collection::vec((1usize..5, 0u32..4), 1..7).prop_flat_map(|sizes| {
            let counts: Vec<usize> = sizes.iter().map(|s| s.0).collect();
            let mut space = FrameSpace::uniform(&counts);
            for (category, size) in space.categories.iter_mut().zip(&sizes) {
                category.weight = f64::from(size.1) * 0.75;
            }
            let frame: Vec<_> = counts.iter().map(|&h| ABSENT..=h as u16 + 1).collect();
            (Just(space), prop::collection::vec(frame, 1..40))
        })
    }

    proptest! {
        #[test]
        fn equation_3_equals_equation_2((space, frames) in spaces_and_frames()) {
            let mut fast = ArtSum::new(&space, 3);
            let mut naive = MaxSum::new(&space, 3);
            for (n, frame) in frames.iter().enumerate() {
                prop_assert_eq!(equation_3(&fast, n as u64, frame), naive.sum_of_distances(frame));
                fast.record(frame);
                naive.record(frame);
            }
        }

        #[test]
        fn art_sum_and_max_sum_pick_the_same_tests((space, frames) in spaces_and_frames(), seed: u64) {
            let mut fast = ArtSum::new(&space, 3);
            let mut naive = MaxSum::new(&space, 3);
            let (mut first, mut second) = (Seed(seed).stream(), Seed(seed).stream());
            for candidates in frames.chunks_exact(3) {
                let mut block = FrameBlock::new(space.categories.len(), 0);
                candidates.iter().for_each(|frame| block.push(frame));
                prop_assert_eq!(fast.choose(&block, &mut first), naive.choose(&block, &mut second));
            }
        }
    }
}
