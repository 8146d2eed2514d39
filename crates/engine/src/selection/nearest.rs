//! The distance from a frame to the nearest of many executed ones: the memory of the max-min methods.
//!
//! Executed frames stand in blocks that are compared in a few vector instructions (see `blocks.rs`). A scan ends as soon as
//! its answer cannot matter any more. Equal frames are kept once, and a frame that is known is not scanned for. The answers
//! are those of a plain loop over all frames.
//!
//! Tried and measured: microseconds per selection of 1 out of 10 candidates (5 choices per category, executed tests chosen
//! by max-min, early end in all of them, equal frames kept once, best of 12 on a shared 2-core machine, so trust the ratios):
//!
//! | categories | tests | plain loop | 4-bit fields, XOR, popcount | VP-tree, rebuilt by doubling | byte blocks |
//! |---|---|---|---|---|---|
//! | 5 | 1,000 | 21 | 16 | 15 | 1.4 |
//! | 5 | 10,000 | 39 | 30 | 51 | 3.5 |
//! | 5 | 50,000 | 37 | 27 | 29 | 2.3 |
//! | 20 | 1,000 | 47 | 24 | 187 | 4.6 |
//! | 20 | 10,000 | 1,008 | 526 | 2,061 | 35 |
//! | 20 | 50,000 | 5,402 | 2,515 | 12,238 | 286 |
//! | 50 | 1,000 | 184 | 21 | 252 | 8.1 |
//! | 50 | 10,000 | 2,046 | 387 | 4,924 | 72 |
//! | 50 | 50,000 | 12,038 | 2,238 | 12,489 | 797 |
//!
//! Distances between random frames lie close together, and the nearest test is far away, so the triangle inequality of a
//! VP-tree excludes next to nothing from 20 categories on; with few categories there are few different frames. Blocks of 64,
//! 256 and 512 frames were slower than 128.

use super::blocks::Blocks;
use crate::frames::FrameSpace;
use std::collections::BTreeSet;

/// The executed frames, each once.
#[derive(Clone, Debug)]
pub(super) struct Nearest {
    blocks: Blocks,
    known: BTreeSet<Box<[u8]>>,
    query: Vec<u8>,
    work: u64,
}

impl Nearest {
    /// No executed frames of this space.
    pub(super) fn new(space: &FrameSpace) -> Nearest {
        Nearest {
            blocks: Blocks::new(space),
            known: BTreeSet::new(),
            query: Vec::new(),
            work: 0,
        }
    }

    /// The largest distance two frames can have.
    pub(super) fn diameter(&self) -> u64 {
        self.blocks.diameter()
    }

    /// Choices compared so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// The number of different frames.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Forgets all frames.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.blocks.clear();
    }

    /// Adds an executed frame.
    pub(super) fn insert(&mut self, frame: &[u16]) {
        self.blocks.encode(frame, &mut self.query);
        if self.known.insert(self.query.as_slice().into()) {
            self.blocks.set(self.blocks.len(), &self.query);
        }
    }

    /// The distance from a frame to the nearest executed one; `u64::MAX` if there are none. Where the true answer is less than
    /// `floor`, the result may be any number from the true answer to `floor - 1`.
    pub(super) fn distance(&mut self, frame: &[u16], floor: u64) -> u64 {
        self.blocks.encode(frame, &mut self.query);
        if self.known.contains(self.query.as_slice()) {
            return 0;
        }
        let mut nearest = u64::MAX;
        for block in self.blocks.iter() {
            nearest = nearest.min(self.blocks.nearest(block, &self.query));
            self.work += self.blocks.block_size();
            if nearest < floor {
                break;
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::super::slots::weights;
    use super::*;
    use crate::Seed;
    use crate::frames::Sampler;
    use proptest::prelude::*;

    fn plain_loop(space: &FrameSpace, executed: &[Vec<u16>], frame: &[u16]) -> u64 {
        let weights = weights(space);
        let distance = |other: &Vec<u16>| {
            let categories = frame.iter().zip(other).zip(&weights);
            let different = categories.filter(|((a, b), _)| a != b);
            different.map(|(_, &weight)| u64::from(weight)).sum()
        };
        executed.iter().map(distance).min().unwrap_or(u64::MAX)
    }

    /// Checks all answers over a run of max-min selections, for floors below, at and above the truth.
    fn agrees_with_a_plain_loop(space: &FrameSpace, tests: usize, seed: u64) {
        let sampler = Sampler::new(space);
        let mut stream = Seed(seed).stream();
        let mut nearest = Nearest::new(space);
        let mut executed = Vec::new();
        for _ in 0..tests {
            let mut frame = vec![0; space.categories.len()];
            sampler.draw(&mut stream, &mut frame);
            let truth = plain_loop(space, &executed, &frame);
            assert_eq!(nearest.distance(&frame, 0), truth);
            assert_eq!(nearest.distance(&frame, truth), truth);
            let floor = truth.saturating_add(1 + stream.below(3));
            let answer = nearest.distance(&frame, floor);
            assert!(answer == u64::MAX || (truth <= answer && answer < floor));
            nearest.insert(&frame);
            executed.push(frame);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn answers_are_those_of_a_plain_loop(
            sizes in prop::collection::vec((1usize..7, 0u8..3), 1..14),
            weighted: bool,
            wide: bool,
            seed: u64,
        ) {
            let mut choices: Vec<usize> = sizes.iter().map(|size| size.0).collect();
            choices[0] = if wide { 600 } else { choices[0] };
            let mut space = FrameSpace::uniform(&choices);
            for (category, size) in space.categories.iter_mut().zip(&sizes) {
                category.absent = 0.5;
                category.weight = if weighted { 0.5 * f64::from(size.1) } else { 1.0 };
            }
            agrees_with_a_plain_loop(&space, 300, seed);
        }
    }

    #[test]
    fn more_categories_than_a_byte_can_count_are_measured() {
        let space = FrameSpace::uniform(&[3; 300]);
        agrees_with_a_plain_loop(&space, 40, 1);
        let mut nearest = Nearest::new(&space);
        nearest.insert(&[1; 300]);
        assert_eq!(nearest.distance(&[2; 300], 0), 300);
    }

    #[test]
    fn equal_frames_are_kept_once() {
        let mut nearest = Nearest::new(&FrameSpace::uniform(&[3, 3]));
        for _ in 0..500 {
            nearest.insert(&[1, 2]);
        }
        assert_eq!(nearest.len(), 1);
        assert_eq!(nearest.blocks.len(), 1);
    }

    #[test]
    fn a_scan_ends_when_its_answer_cannot_matter() {
        let space = FrameSpace::uniform(&[5; 20]);
        let (sampler, mut stream) = (Sampler::new(&space), Seed(3).stream());
        let mut nearest = Nearest::new(&space);
        let mut frame = vec![0; 20];
        for _ in 0..2000 {
            sampler.draw(&mut stream, &mut frame);
            nearest.insert(&frame);
        }
        sampler.draw(&mut stream, &mut frame);
        nearest.distance(&frame, 21);
        assert_eq!(nearest.work(), 128 * 20);
        nearest.distance(&frame, 0);
        assert_eq!(nearest.work(), 128 * 20 + 16 * 128 * 20);
    }
}
