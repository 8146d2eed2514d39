//! `art-pairs`: counts of pairs of choices, measured against what the generator gives by itself.
//!
//! ## What it does
//! Like `art-calibrated`, but what is counted are pairs of choices of two categories. The score of a candidate is the sum
//! over all pairs of categories of (s - n p) / sqrt(p), where s counts the executed tests with the candidate's two choices,
//! p is their chance as learnt from all candidates seen, and n is the number of executed tests. The lowest wins.
//!
//! ## Why
//! Many failures need two conditions at once. Counting single choices does not see whether a combination was tried.
//!
//! ## Example
//! `testhound generate SPEC.toml --guide art-pairs`
//!
//! ## References
//! Barus et al., "A Cost-Effective Random Testing Method for Programs with Non-Numeric Inputs", Section 6, for the problem;
//! Kuhn, Wallace and Gallo, "Software Fault Interactions and Implications for Software Testing" (2004), for pairs.
//!
//! ## Differences
//! - The method is not in the papers.
//! - The weight of a pair is the product of the weights of its two categories.
//! - With a single category, that category is counted alone.
//! - Where all pairs of choices together would need more than 4,194,304 cells, choices of large categories share cells.

use super::slots::{Slots, weights};
use super::{Selector, ties};
use crate::Stream;
use crate::frames::{FrameBlock, FrameSpace};

/// 32 MiB of counters.
const MOST_CELLS: usize = 1 << 22;

/// A table of cells for one pair of categories.
#[derive(Clone, Copy, Debug)]
struct Pair {
    first: usize,
    second: usize,
    weight: f64,
    start: usize,
    /// The number of places of the second category.
    stride: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    seen: u32,
    executed: u32,
}

struct ArtPairs {
    candidates: usize,
    slots: Slots,
    /// No category has more places than this; others share.
    widest: usize,
    pairs: Vec<Pair>,
    cells: Vec<Cell>,
    all_seen: u64,
    all_executed: u64,
    /// The places of one frame, by category, and the cells of many, frame after frame.
    places: Vec<usize>,
    found: Vec<usize>,
    scores: Vec<f64>,
    work: u64,
}

pub(super) fn build(space: &FrameSpace, k: usize) -> Box<dyn Selector> {
    Box::new(ArtPairs::new(space, k))
}

/// All pairs of categories, and how many cells they have, no category taking more than `widest` places.
fn layout(slots: &Slots, weights: &[u32], widest: usize) -> (Vec<Pair>, usize) {
    let width = |category: usize| slots.spans()[category].width().min(widest);
    let categories = weights.len();
    let mut pairs = Vec::new();
    let mut cells = 0;
    for first in 0..categories {
        let seconds = if categories == 1 {
            0..1
        } else {
            first + 1..categories
        };
        for second in seconds {
            pairs.push(Pair {
                first,
                second,
                weight: f64::from(weights[first]) * f64::from(weights[second]),
                start: cells,
                stride: width(second),
            });
            cells += width(first) * width(second);
        }
    }
    (pairs, cells)
}

impl ArtPairs {
    fn new(space: &FrameSpace, k: usize) -> ArtPairs {
        let slots = Slots::new(space);
        let weights = weights(space);
        let widths = slots.spans().iter().map(|span| span.width());
        let mut widest = widths.max().unwrap_or(1);
        let (mut pairs, mut cells) = layout(&slots, &weights, widest);
        while cells > MOST_CELLS && widest > 1 {
            widest /= 2;
            (pairs, cells) = layout(&slots, &weights, widest);
        }
        ArtPairs {
            candidates: k.max(1),
            slots,
            widest,
            pairs,
            cells: vec![Cell::default(); cells],
            all_seen: 0,
            all_executed: 0,
            places: Vec::new(),
            found: Vec::new(),
            scores: Vec::new(),
            work: 0,
        }
    }

    /// Adds the cells of a frame to `found`.
    fn find(&mut self, frame: &[u16]) {
        let places = frame.iter().zip(self.slots.spans());
        let places = places.map(|(&choice, span)| span.place(choice) % self.widest);
        self.places.clear();
        self.places.extend(places);
        let place = |category: usize| self.places[category];
        let cells = self.pairs.iter().map(|pair| {
            let row = pair.start + place(pair.first) * pair.stride;
            row + place(pair.second)
        });
        self.found.extend(cells);
        self.work += self.pairs.len() as u64;
    }

    /// The score of the candidate with these cells, times the square root of the number of candidates seen; see
    /// `art-calibrated`.
    fn score(&self, cells: &[usize]) -> f64 {
        let (n, m) = (self.all_executed as f64, self.all_seen as f64);
        let parts = self.pairs.iter().zip(cells).map(|(pair, &cell)| {
            let cell = &self.cells[cell];
            let (s, c) = (f64::from(cell.executed), f64::from(cell.seen));
            // Root and division take most of the time; single precision is enough for them.
            pair.weight * f64::from((s * m - n * c) as f32 / (c as f32).sqrt())
        });
        parts.sum()
    }
}

impl Selector for ArtPairs {
    fn candidates(&self) -> usize {
        self.candidates
    }

    fn pick(&mut self, candidates: &FrameBlock, stream: &mut Stream) -> usize {
        self.found.clear();
        for candidate in candidates.iter() {
            self.find(candidate);
        }
        for &cell in &self.found {
            self.cells[cell].seen += 1;
        }
        self.all_seen += candidates.rows() as u64;
        self.scores.clear();
        for cells in self.found.chunks_exact(self.pairs.len().max(1)) {
            let score = self.score(cells);
            self.scores.push(score);
        }
        self.work += self.found.len() as u64;
        ties::lowest(&self.scores, stream)
    }

    fn record(&mut self, frame: &[u16]) {
        self.found.clear();
        self.find(frame);
        for &cell in &self.found {
            self.cells[cell].executed += 1;
        }
        self.all_executed += 1;
    }

    fn work(&self) -> u64 {
        self.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, frames::Sampler};

    #[test]
    fn the_score_is_the_formula_of_the_header() {
        let mut space = FrameSpace::uniform(&[2, 5, 3]);
        space.categories[0].choices[0].weight = 9.0;
        space.categories[1].absent = 2.0;
        space.categories[2].weight = 3.0;
        let (sampler, mut stream) = (Sampler::new(&space), Seed(8).stream());
        let mut selector = ArtPairs::new(&space, 4);
        let (mut seen, mut executed): (Vec<Vec<u16>>, Vec<Vec<u16>>) = (vec![], vec![]);
        let mut block = FrameBlock::new(3, 4);
        for _ in 0..200 {
            sampler.fill(&mut stream, &mut block);
            seen.extend(block.iter().map(<[u16]>::to_vec));
            let row = selector.pick(&block, &mut stream);
            let (n, m) = (executed.len() as f64, seen.len() as f64);
            let naive = |frame: &[u16]| {
                let part = |(i, j): (usize, usize)| {
                    let has = |o: &&Vec<u16>| o[i] == frame[i] && o[j] == frame[j];
                    let s = executed.iter().filter(has).count() as f64;
                    let p = seen.iter().filter(has).count() as f64 / m;
                    let weight = space.categories[i].weight * space.categories[j].weight;
                    weight * (s - n * p) / p.sqrt()
                };
                [(0, 1), (0, 2), (1, 2)].into_iter().map(part).sum::<f64>()
            };
            for frame in block.iter() {
                selector.found.clear();
                selector.find(frame);
                let score = selector.score(&selector.found) / m.sqrt();
                assert!((naive(frame) - score).abs() < 1e-4);
                assert!(naive(block.row(row)) <= naive(frame) + 1e-4);
            }
            selector.record(block.row(row));
            executed.push(block.row(row).to_vec());
        }
    }

    #[test]
    fn huge_categories_share_cells_within_the_bound() {
        let space = FrameSpace::uniform(&[5000, 5000, 3]);
        let mut selector = ArtPairs::new(&space, 2);
        assert!(selector.cells.len() <= MOST_CELLS);
        selector.record(&[5000, 4999, 3]);
        assert_eq!(
            selector.cells.iter().map(|cell| cell.executed).sum::<u32>(),
            3
        );
    }

    #[test]
    fn a_single_category_is_counted_alone() {
        let mut selector = ArtPairs::new(&FrameSpace::uniform(&[2]), 2);
        selector.record(&[1]);
        let mut block = FrameBlock::new(1, 0);
        block.push(&[1]);
        block.push(&[2]);
        assert_eq!(selector.pick(&block, &mut Seed(0).stream()), 1);
    }
}
