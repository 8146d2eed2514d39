//! Many frames, laid out so that one frame is compared with 128 of them at once.
//!
//! A block holds 128 frames as columns of bytes, one column per category (two for a category of more than 254 choices).
//! Comparing a category of all of them is then a loop over bytes that compilers turn into vector instructions, without any
//! special code. Categories of weight 0 are left out; unknown choices of a category are all equal.

use super::slots::weights;
use crate::frames::FrameSpace;

/// Frames per block.
const LANES: usize = 128;

/// One byte of one category for all frames of a block.
pub(super) type Column = [u8; LANES];

/// Frames in blocks.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// The categories that count, those of one byte first.
    categories: Vec<Measured>,
    /// How many of them take one byte. Each of the others takes two, with the lower one first.
    narrow: usize,
    /// All weights are equal and no distance exceeds a byte.
    plain: bool,
    diameter: u64,
    columns: usize,
    /// The columns of the first block, then those of the second.
    data: Vec<Column>,
    frames: usize,
}

/// A category with a weight above 0.
#[derive(Clone, Copy, Debug)]
struct Measured {
    index: usize,
    /// The number that stands for all unknown choices.
    unknown: u16,
    weight: u32,
}

impl Blocks {
    /// No frames of this space.
    pub(super) fn new(space: &FrameSpace) -> Blocks {
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
        Blocks {
            narrow,
            plain: equal && categories.len() < usize::from(u8::MAX),
            diameter: weights.iter().copied().map(u64::from).sum(),
            columns: 2 * categories.len() - narrow,
            categories,
            data: Vec::new(),
            frames: 0,
        }
    }

    /// The largest distance two frames can have, in units of the weights.
    pub(super) fn diameter(&self) -> u64 {
        self.diameter
    }

    /// The number of frames.
    pub(super) fn len(&self) -> usize {
        self.frames
    }

    /// How many choices are compared in one block.
    pub(super) fn block_size(&self) -> u64 {
        (LANES * self.columns) as u64
    }

    /// All blocks, the last one perhaps partly filled.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[Column]> {
        // Without a category that counts there is nothing to compare.
        self.data.chunks_exact(self.columns.max(1))
    }

    /// Removes all frames.
    pub(super) fn clear(&mut self) {
        self.data.clear();
        self.frames = 0;
    }

    /// Writes the bytes of a frame to `code`.
    pub(super) fn encode(&self, frame: &[u16], code: &mut Vec<u8>) {
        code.clear();
        for (position, category) in self.categories.iter().enumerate() {
            let choice = frame[category.index].min(category.unknown);
            let [low, high] = choice.to_le_bytes();
            code.push(low);
            if position >= self.narrow {
                code.push(high);
            }
        }
    }

    /// Replaces the frame at this place by an encoded one, or adds it after the last.
    pub(super) fn set(&mut self, place: usize, code: &[u8]) {
        let (block, lane) = (place / LANES, place % LANES);
        if place >= self.frames {
            self.frames = place + 1;
            if lane == 0 {
                self.data.extend(code.iter().map(|_| [0; LANES]));
            }
        }
        let used = (self.frames - block * LANES).min(LANES);
        let start = block * self.columns;
        for (column, &byte) in self.data[start..].iter_mut().zip(code) {
            column[lane] = byte;
            if lane == 0 {
                // Lanes that are not filled yet repeat the first frame, so that they never come out nearer.
                column[used..].fill(byte);
            }
        }
    }

    /// The distance between an encoded frame and the nearest one of a block.
    #[inline]
    pub(super) fn nearest(&self, block: &[Column], query: &[u8]) -> u64 {
        if self.plain {
            let distances = self.plain_distances(block, query);
            u64::from(distances.into_iter().fold(u8::MAX, u8::min))
        } else {
            let distances = self.weighted_distances(block, query);
            u64::from(distances.into_iter().fold(u32::MAX, u32::min))
        }
    }

    /// The sum of a function of the distance over all frames. `values` holds it for distances from 0 to the diameter, in
    /// equal steps.
    pub(super) fn sum(&self, query: &[u8], values: &[f64]) -> f64 {
        let steps = values.len() as u64 - 1;
        if !self.plain || steps != self.diameter {
            return self.weighted_sum(query, values);
        }
        // A byte cannot reach outside this table, so look-ups in it need no check.
        let mut table = [0.0; 256];
        table[..values.len()].copy_from_slice(values);
        let mut sum = 0.0;
        for (number, block) in self.iter().enumerate() {
            let distances = self.plain_distances(block, query);
            let frames = (self.frames - number * LANES).min(LANES);
            let (fours, rest) = distances[..frames].as_chunks::<4>();
            // Four chains of additions do not wait for each other.
            let mut sums = [0.0; 4];
            for four in fours {
                for (sum, &distance) in sums.iter_mut().zip(four) {
                    *sum += table[usize::from(distance)];
                }
            }
            let rest: f64 = rest.iter().map(|&d| table[usize::from(d)]).sum();
            sum += sums.iter().sum::<f64>() + rest;
        }
        sum
    }

    fn weighted_sum(&self, query: &[u8], values: &[f64]) -> f64 {
        let steps = values.len() as u64 - 1;
        let value = |distance: u32| {
            let step = u64::from(distance) * steps / self.diameter.max(1);
            values[step as usize]
        };
        let mut sum = 0.0;
        for (number, block) in self.iter().enumerate() {
            let distances = self.weighted_distances(block, query);
            let frames = (self.frames - number * LANES).min(LANES);
            sum += distances[..frames].iter().map(|&d| value(d)).sum::<f64>();
        }
        sum
    }

    /// The number of categories in which an encoded frame differs from each frame of a block.
    #[inline]
    fn plain_distances(&self, block: &[Column], query: &[u8]) -> [u8; LANES] {
        let mut distances = [0u8; LANES];
        let (narrow, wide) = block.split_at(self.narrow);
        let (narrow_query, wide_query) = query.split_at(self.narrow);
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
        distances
    }

    /// The weighted distance between an encoded frame and each frame of a block.
    fn weighted_distances(&self, block: &[Column], query: &[u8]) -> [u32; LANES] {
        let mut distances = [0u32; LANES];
        let (narrow, wide) = self.categories.split_at(self.narrow);
        let columns = block.iter().zip(query);
        for ((column, query), category) in columns.zip(narrow) {
            for (distance, byte) in distances.iter_mut().zip(column) {
                *distance += if byte != query { category.weight } else { 0 };
            }
        }
        let pairs = block[self.narrow..].as_chunks::<2>().0;
        let queries = query[self.narrow..].as_chunks::<2>().0;
        for (([low, high], query), category) in pairs.iter().zip(queries).zip(wide) {
            for (distance, (low, high)) in distances.iter_mut().zip(low.iter().zip(high)) {
                let differ = (*low != query[0]) | (*high != query[1]);
                *distance += if differ { category.weight } else { 0 };
            }
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::frames::Sampler;

    #[test]
    fn sums_run_over_the_distances_to_all_frames() {
        let mut space = FrameSpace::uniform(&[3, 4, 5, 2, 400, 6]);
        for weights in [[1.0; 6], [1.0, 0.5, 2.0, 0.0, 1.5, 1.0]] {
            for (category, weight) in space.categories.iter_mut().zip(weights) {
                category.weight = weight;
            }
            let (sampler, mut stream) = (Sampler::new(&space), Seed(2).stream());
            let mut blocks = Blocks::new(&space);
            let unit = weights.iter().sum::<f64>() / blocks.diameter() as f64;
            let values: Vec<f64> = (0..=blocks.diameter()).map(|d| d as f64 * unit).collect();
            let (mut frames, mut code) = (Vec::new(), Vec::new());
            for _ in 0..300 {
                let mut frame = vec![0; 6];
                sampler.draw(&mut stream, &mut frame);
                blocks.encode(&frame, &mut code);
                let truth: f64 = frames
                    .iter()
                    .map(|f: &Vec<u16>| space.distance(f, &frame))
                    .sum();
                assert!((blocks.sum(&code, &values) - truth).abs() < 1e-6);
                blocks.set(blocks.len(), &code);
                frames.push(frame);
            }
        }
    }

    #[test]
    fn a_replaced_frame_is_gone() {
        let mut blocks = Blocks::new(&FrameSpace::uniform(&[3, 3]));
        blocks.set(0, &[1, 1]);
        blocks.set(1, &[2, 2]);
        blocks.set(0, &[3, 3]);
        let first = blocks.iter().next().unwrap();
        assert_eq!(blocks.nearest(first, &[1, 1]), 2);
        assert_eq!(blocks.sum(&[2, 2], &[100.0, 10.0, 1.0]), 101.0);
        assert_eq!(blocks.len(), 2);
    }
}
