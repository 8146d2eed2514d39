//! `art-calibrated`: counts of choices, measured against what the generator gives by itself.
//!
//! ## What it does
//! Learns from all candidates seen how likely each choice is (p), and counts how often it was executed (s). The score of a
//! candidate is the sum over the categories of (s - n p) / sqrt(p) for its choices, after n executed tests; the lowest wins.
//!
//! ## Why
//! `art-sum` pushes all choices of a category to equal counts, against the chances the tester gave them. Where the
//! generator is skewed, frequent choices are then starved, and failures behind them are found late. Here a choice is
//! preferred when it was executed less often than its own chance explains.
//!
//! ## Example
//! `testhound generate SPEC.toml --guide art-calibrated`
//!
//! ## References
//! Barus et al., "A Cost-Effective Random Testing Method for Programs with Non-Numeric Inputs", Section 6, describes the
//! bias that this method removes.
//!
//! ## Differences
//! - The method is not in the paper. It is `art-sum` with the expected count subtracted, in units of about one standard
//!   deviation of the count.
//! - A category's weight multiplies its part of the score.
//! - Tests that were recorded without having been candidates count as executed but teach nothing about chances.

use super::slots::{Slots, weights};
use super::{Selector, ties};
use crate::Stream;
use crate::frames::{FrameBlock, FrameSpace};

struct ArtCalibrated {
    candidates: usize,
    slots: Slots,
    weights: Vec<u32>,
    /// Per slot: how many candidates had it.
    seen: Vec<u64>,
    /// Per slot: how many executed tests had it.
    executed: Vec<u64>,
    all_seen: u64,
    all_executed: u64,
    scores: Vec<f64>,
    work: u64,
}

pub(super) fn build(space: &FrameSpace, k: usize) -> Box<dyn Selector> {
    Box::new(ArtCalibrated::new(space, k))
}

impl ArtCalibrated {
    fn new(space: &FrameSpace, k: usize) -> ArtCalibrated {
        let slots = Slots::new(space);
        ArtCalibrated {
            candidates: k.max(1),
            seen: vec![0; slots.len()],
            executed: vec![0; slots.len()],
            slots,
            weights: weights(space),
            all_seen: 0,
            all_executed: 0,
            scores: Vec::new(),
            work: 0,
        }
    }

    /// The score times the square root of the number of candidates seen, a factor that all candidates share: with
    /// p = c / m, (s - n p) / sqrt(p) * sqrt(m) is (s m - n c) / sqrt(c), whose numerator is a whole number.
    fn score(&self, candidate: &[u16]) -> f64 {
        let (n, m) = (self.all_executed as f64, self.all_seen as f64);
        let categories = candidate.iter().zip(self.slots.spans()).zip(&self.weights);
        categories
            .map(|((&choice, span), &weight)| {
                let slot = span.slot(choice);
                let (s, c) = (self.executed[slot] as f64, self.seen[slot] as f64);
                f64::from(weight) * (s * m - n * c) / c.sqrt()
            })
            .sum()
    }

    fn learn(&mut self, candidates: &FrameBlock) {
        for candidate in candidates.iter() {
            for (&choice, span) in candidate.iter().zip(self.slots.spans()) {
                self.seen[span.slot(choice)] += 1;
            }
        }
        self.all_seen += candidates.rows() as u64;
    }
}

impl Selector for ArtCalibrated {
    fn candidates(&self) -> usize {
        self.candidates
    }

    fn pick(&mut self, candidates: &FrameBlock, stream: &mut Stream) -> usize {
        self.learn(candidates);
        let mut scores = std::mem::take(&mut self.scores);
        scores.clear();
        scores.extend(candidates.iter().map(|candidate| self.score(candidate)));
        self.work += (2 * candidates.rows() * candidates.categories()) as u64;
        self.scores = scores;
        ties::lowest(&self.scores, stream)
    }

    fn record(&mut self, frame: &[u16]) {
        for (&choice, span) in frame.iter().zip(self.slots.spans()) {
            self.executed[span.slot(choice)] += 1;
        }
        self.all_executed += 1;
        self.work += frame.len() as u64;
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
        let mut selector = ArtCalibrated::new(&space, 4);
        let (mut seen, mut executed): (Vec<Vec<u16>>, Vec<Vec<u16>>) = (vec![], vec![]);
        let mut block = FrameBlock::new(3, 4);
        for _ in 0..200 {
            sampler.fill(&mut stream, &mut block);
            seen.extend(block.iter().map(<[u16]>::to_vec));
            let row = selector.pick(&block, &mut stream);
            let (n, m) = (executed.len() as f64, seen.len() as f64);
            let naive = |frame: &[u16]| {
                let part = |category: usize| {
                    let has = |other: &&Vec<u16>| other[category] == frame[category];
                    let s = executed.iter().filter(has).count() as f64;
                    let p = seen.iter().filter(has).count() as f64 / m;
                    space.categories[category].weight * (s - n * p) / p.sqrt()
                };
                (0..3).map(part).sum::<f64>()
            };
            for frame in block.iter() {
                let score = selector.score(frame) / m.sqrt();
                assert!((naive(frame) - score).abs() < 1e-6);
                assert!(naive(block.row(row)) <= naive(frame) + 1e-6);
            }
            selector.record(block.row(row));
            executed.push(block.row(row).to_vec());
        }
    }

    #[test]
    fn executed_choices_follow_the_generator_more_closely_than_chance() {
        let mut space = FrameSpace::uniform(&[3]);
        space.categories[0].choices[0].weight = 8.0;
        let (sampler, mut stream) = (Sampler::new(&space), Seed(8).stream());
        let mut selector = ArtCalibrated::new(&space, 10);
        let mut block = FrameBlock::new(1, 10);
        for _ in 0..1000 {
            sampler.fill(&mut stream, &mut block);
            selector.choose(&block, &mut stream);
        }
        // The standard deviation of plain random drawing would be 12.6.
        assert!(
            selector.executed[1].abs_diff(800) < 12,
            "{:?}",
            selector.executed
        );
    }
}
