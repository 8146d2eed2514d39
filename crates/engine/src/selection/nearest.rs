//! The distance from a frame to the nearest of many executed ones: the memory of the max-min methods.
//!
//! Executed frames stand in blocks of 128, one column of bytes per category, so that one category of 128 frames is compared
//! in a few vector instructions. A scan ends as soon as its answer cannot matter any more. Equal frames are kept once, and a
//! frame that is known is not scanned for. The answers are those of a plain loop over all frames.
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

use super::slots::weights;
use crate::frames::FrameSpace;
use std::collections::BTreeSet;

/// Frames per block.
const LANES: usize = 128;

/// One byte of one category for all frames of a block.
type Column = [u8; LANES];

/// The executed frames, each once.
#[derive(Clone, Debug)]
pub(super) struct Nearest {
    /// The categories that count, those of one byte first.
    categories: Vec<Measured>,
    /// How many of them take one byte. Each of the others takes two, with the lower one first.
    narrow: usize,
    /// All weights are equal and no distance exceeds a byte.
    plain: bool,
    diameter: u64,
    columns: usize,
    /// The columns of the first block, then those of the second.
    blocks: Vec<Column>,
    known: BTreeSet<Box<[u8]>>,
    query: Vec<u8>,
    work: u64,
}

/// A category with a weight above 0.
#[derive(Clone, Copy, Debug)]
struct Measured {
    index: usize,
    /// The number that stands for all unknown choices.
    unknown: u16,
    weight: u32,
}

impl Nearest {
    /// No executed frames of this space.
    pub(super) fn new(space: &FrameSpace) -> Nearest {
        let weights = weights(space);
        let sizes = space.sizes();
        let categories = (0..sizes.len()).map(|index| Measured {
            index,
            unknown: u16::try_from(sizes[index] + 1).unwrap_or(u16::MAX),
            weight: weights[index],
        });
        let mut categories: Vec<Measured> = categories.filter(|c| c.weight > 0).collect();
        let is_wide = |category: &Measured| category.unknown > u16::from(u8::MAX);
        categories.sort_by_key(is_wide);
        let narrow = categories.partition_point(|category| !is_wide(category));
        let equal = categories.iter().all(|category| category.weight == 1);
        Nearest {
            narrow,
            plain: equal && categories.len() < usize::from(u8::MAX),
            diameter: weights.iter().copied().map(u64::from).sum(),
            columns: 2 * categories.len() - narrow,
            categories,
            blocks: Vec::new(),
            known: BTreeSet::new(),
            query: Vec::new(),
            work: 0,
        }
    }

    /// The largest distance two frames can have.
    pub(super) fn diameter(&self) -> u64 {
        self.diameter
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
        self.encode(frame);
        let lane = self.known.len() % LANES;
        if !self.known.insert(self.query.as_slice().into()) {
            return;
        }
        if lane == 0 {
            // Lanes that are not filled yet repeat this frame, so that they never come out nearer.
            let columns = self.query.iter().map(|&byte| [byte; LANES]);
            self.blocks.extend(columns);
        }
        let start = self.blocks.len() - self.columns;
        for (column, &byte) in self.blocks[start..].iter_mut().zip(&self.query) {
            column[lane] = byte;
        }
    }

    /// The distance from a frame to the nearest executed one; `u64::MAX` if there are none. Where the true answer is less than
    /// `floor`, the result may be any number from the true answer to `floor - 1`.
    pub(super) fn distance(&mut self, frame: &[u16], floor: u64) -> u64 {
        if self.known.is_empty() {
            return u64::MAX;
        }
        self.encode(frame);
        if self.known.contains(self.query.as_slice()) {
            return 0;
        }
        let mut nearest = u64::MAX;
        for block in self.blocks.chunks_exact(self.columns) {
            let in_block = match self.plain {
                true => u64::from(self.nearest_plain(block)),
                false => u64::from(self.nearest_weighted(block)),
            };
            self.work += (LANES * self.columns) as u64;
            nearest = nearest.min(in_block);
            if nearest < floor {
                break;
            }
        }
        nearest
    }

    /// Writes the columns of a frame to `query`.
    fn encode(&mut self, frame: &[u16]) {
        self.query.clear();
        for (position, category) in self.categories.iter().enumerate() {
            let choice = frame[category.index].min(category.unknown);
            let [low, high] = choice.to_le_bytes();
            self.query.push(low);
            if position >= self.narrow {
                self.query.push(high);
            }
        }
    }

    /// The number of differing categories between the query and the nearest frame of a block.
    fn nearest_plain(&self, block: &[Column]) -> u8 {
        let mut distances = [0u8; LANES];
        let (narrow, wide) = block.split_at(self.narrow);
        let (narrow_query, wide_query) = self.query.split_at(self.narrow);
        // Four categories at a time halve the traffic of the distances.
        let (fours, rest) = narrow.as_chunks::<4>();
        let (four_queries, rest_query) = narrow_query.as_chunks::<4>();
        for ([a, b, c, d], query) in fours.iter().zip(four_queries) {
            let columns = a.iter().zip(b).zip(c).zip(d);
            for (distance, (((a, b), c), d)) in distances.iter_mut().zip(columns) {
                *distance += u8::from(*a != query[0]) + u8::from(*b != query[1]);
                *distance += u8::from(*c != query[2]) + u8::from(*d != query[3]);
            }
        }
        for (column, query) in rest.iter().zip(rest_query) {
            for (distance, byte) in distances.iter_mut().zip(column) {
                *distance += u8::from(byte != query);
            }
        }
        let (pairs, pair_queries) = (wide.as_chunks::<2>().0, wide_query.as_chunks::<2>().0);
        for ([low, high], query) in pairs.iter().zip(pair_queries) {
            for (distance, (low, high)) in distances.iter_mut().zip(low.iter().zip(high)) {
                *distance += u8::from(*low != query[0]) | u8::from(*high != query[1]);
            }
        }
        distances.iter().copied().fold(u8::MAX, u8::min)
    }

    /// The weighted distance between the query and the nearest frame of a block.
    fn nearest_weighted(&self, block: &[Column]) -> u32 {
        let mut distances = [0u32; LANES];
        let (narrow, wide) = self.categories.split_at(self.narrow);
        let columns = block.iter().zip(&self.query);
        for ((column, query), category) in columns.zip(narrow) {
            for (distance, byte) in distances.iter_mut().zip(column) {
                *distance += if byte != query { category.weight } else { 0 };
            }
        }
        let pairs = block[self.narrow..].as_chunks::<2>().0;
        let queries = self.query[self.narrow..].as_chunks::<2>().0;
        for (([low, high], query), category) in pairs.iter().zip(queries).zip(wide) {
            for (distance, (low, high)) in distances.iter_mut().zip(low.iter().zip(high)) {
                let differ = (*low != query[0]) | (*high != query[1]);
                *distance += if differ { category.weight } else { 0 };
            }
        }
        distances.iter().copied().fold(u32::MAX, u32::min)
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(nearest.blocks.len(), 2);
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
