//! `art-mif`: max-min that forgets all executed tests once candidates can no longer be told apart.
//!
//! ## What it does
//! Works like `fscs`. In each selection it also counts how many candidates have the same distance d to their nearest
//! executed test. When over 90 percent of them share d, and d is at most a tenth of the number of categories, all executed
//! tests are forgotten and the method starts from scratch.
//!
//! ## Why
//! Max-min over all tests costs more with every test. Forgetting bounds the number of remembered tests, so that n
//! selections take time proportional to n once the rule fires regularly. With 20 and more categories this takes very many
//! tests, and until then the method is as slow as `fscs`.
//!
//! ## Example
//! `testhound generate SPEC.toml --guide art-mif`
//!
//! ## References
//! Barus et al., "A Cost-Effective Random Testing Method for Programs with Non-Numeric Inputs", Section 4.3.1 (ARTmif).
//!
//! ## Differences
//! - A category can weigh more or less than 1 in the distance; "the number of categories" is then the sum of the weights.
//! - The paper writes d for the distance of the best candidate. Here it is the distance that most candidates share. With up to
//!   10 candidates both mean that all candidates have the same distance.
//! - When the rule fires, the next test is one of the current candidates, all equal, instead of one new random test: the same
//!   distribution.
//! - Equal distances are broken at random; the paper leaves this open.

use super::nearest::Nearest;
use super::{Selector, ties};
use crate::Stream;
use crate::frames::{FrameBlock, FrameSpace};
use std::cmp::Reverse;

struct ArtMif {
    candidates: usize,
    executed: Nearest,
    distances: Vec<Reverse<u64>>,
}

pub(super) fn build(space: &FrameSpace, k: usize) -> Box<dyn Selector> {
    Box::new(ArtMif::new(space, k))
}

impl ArtMif {
    fn new(space: &FrameSpace, k: usize) -> ArtMif {
        ArtMif {
            candidates: k.max(1),
            executed: Nearest::new(space),
            distances: Vec::new(),
        }
    }

    /// Whether a distance is at most a tenth of the largest possible one.
    fn is_small(&self, distance: u64) -> bool {
        distance.saturating_mul(10) <= self.executed.diameter()
    }

    /// Whether the rule fires for these candidates. The distances so far are exact for candidates that may still win and
    /// too large for the others.
    fn must_forget(&mut self, candidates: &FrameBlock) -> bool {
        let rows = self.distances.len();
        let over_90_percent = |count: usize| count * 10 > rows * 9;
        let distances = self.distances.iter();
        let best = distances.clone().map(|d| d.0).max().unwrap_or(0);
        let far = distances.filter(|d| d.0 == best && !self.is_small(best));
        if !over_90_percent(rows - far.count()) {
            return false;
        }
        let exact = candidates.iter().map(|c| self.executed.distance(c, 0));
        let mut exact: Vec<u64> = exact.collect();
        exact.sort_unstable();
        let mut runs = exact.chunk_by(|a, b| a == b);
        runs.any(|run| over_90_percent(run.len()) && self.is_small(run[0]))
    }
}

impl Selector for ArtMif {
    fn candidates(&self) -> usize {
        self.candidates
    }

    fn pick(&mut self, candidates: &FrameBlock, stream: &mut Stream) -> usize {
        self.distances.clear();
        let mut best = 0;
        for candidate in candidates.iter() {
            let distance = self.executed.distance(candidate, best);
            best = best.max(distance);
            self.distances.push(Reverse(distance));
        }
        if self.must_forget(candidates) {
            self.executed.clear();
            self.distances.fill(Reverse(0));
        }
        ties::lowest(&self.distances, stream)
    }

    fn record(&mut self, frame: &[u16]) {
        self.executed.insert(frame);
    }

    fn work(&self) -> u64 {
        self.executed.work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, frames::Sampler};

    /// A selector that has executed the frame of ones, over `categories` categories of 3 choices.
    fn selector(categories: usize, k: usize) -> ArtMif {
        let mut selector = ArtMif::new(&FrameSpace::uniform(&vec![3; categories]), k);
        selector.record(&vec![1; categories]);
        selector
    }

    /// Candidates at these distances from the frame of ones.
    fn candidates(categories: usize, distances: &[usize]) -> FrameBlock {
        let mut block = FrameBlock::new(categories, 0);
        for &distance in distances {
            let mut frame = vec![1; categories];
            frame[..distance].fill(2);
            block.push(&frame);
        }
        block
    }

    fn forgets(categories: usize, distances: &[usize]) -> bool {
        let mut selector = selector(categories, distances.len());
        let block = candidates(categories, distances);
        selector.pick(&block, &mut Seed(0).stream());
        // Only an empty memory is infinitely far from everything.
        selector.executed.distance(block.row(0), 0) == u64::MAX
    }

    #[test]
    fn it_forgets_when_all_ten_share_a_distance_of_a_tenth_of_the_categories() {
        assert!(forgets(20, &[2; 10]));
        assert!(forgets(20, &[1; 10]));
        assert!(forgets(20, &[0; 10]));
        assert!(forgets(5, &[0; 10]));
    }

    #[test]
    fn it_remembers_when_the_shared_distance_is_larger() {
        assert!(!forgets(20, &[3; 10]));
        assert!(!forgets(19, &[2; 10]));
        assert!(!forgets(5, &[1; 10]));
    }

    #[test]
    fn ninety_percent_exactly_is_not_over_ninety_percent() {
        let mut distances = [2; 10];
        distances[9] = 1;
        assert!(!forgets(20, &distances));
        distances[9] = 3;
        assert!(!forgets(20, &distances));
        let mut distances = [2; 20];
        distances[0] = 7;
        assert!(forgets(20, &distances));
        distances[1] = 7;
        assert!(!forgets(20, &distances));
    }

    #[test]
    fn nothing_is_forgotten_before_the_first_test() {
        let mut selector = ArtMif::new(&FrameSpace::uniform(&[3; 20]), 10);
        let block = candidates(20, &[2; 10]);
        assert!(!selector.must_forget(&block));
        selector.choose(&block, &mut Seed(0).stream());
        assert_ne!(selector.executed.distance(block.row(0), 0), u64::MAX);
    }

    #[test]
    fn after_forgetting_any_candidate_can_be_next() {
        let mut distances = [2; 20];
        distances[0] = 7;
        let block = candidates(20, &distances);
        let rows = (0..60).map(|seed| selector(20, 20).pick(&block, &mut Seed(seed).stream()));
        assert!(rows.filter(|&row| row != 0).count() > 40);
    }

    #[test]
    fn weights_scale_the_rule() {
        let mut space = FrameSpace::uniform(&[3; 10]);
        space.categories[0].weight = 11.0;
        let mut selector = ArtMif::new(&space, 10);
        selector.record(&[1; 10]);
        let mut frame = [1; 10];
        frame[8..].fill(2);
        let mut block = FrameBlock::new(10, 0);
        (0..10).for_each(|_| block.push(&frame));
        // Two light categories differ: 2 of 20, exactly a tenth.
        selector.pick(&block, &mut Seed(0).stream());
        assert_eq!(selector.executed.distance(&frame, 0), u64::MAX);
    }

    /// The rule computed without shortcuts, on drawn candidates.
    #[test]
    fn the_rule_agrees_with_a_naive_one_over_long_runs() {
        let space = FrameSpace::uniform(&[2; 10]);
        let (sampler, mut stream) = (Sampler::new(&space), Seed(3).stream());
        let mut selector = ArtMif::new(&space, 12);
        let mut executed: Vec<Vec<u16>> = Vec::new();
        let mut block = FrameBlock::new(10, 12);
        let mut fired = 0;
        for _ in 0..1000 {
            sampler.fill(&mut stream, &mut block);
            let nearest = |c: &[u16]| {
                let distances = executed.iter().map(|e| space.distance(c, e));
                distances.fold(f64::INFINITY, f64::min)
            };
            let near: Vec<f64> = block.iter().map(nearest).collect();
            let most = near.iter().map(|d| near.iter().filter(|e| *e == d).count());
            let shared = most.max().unwrap();
            let forget = near
                .iter()
                .any(|d| *d <= 1.0 && near.iter().filter(|e| *e == d).count() == shared)
                && shared >= 11;
            if forget {
                executed.clear();
                fired += 1;
            }
            let row = selector.choose(&block, &mut stream);
            executed.push(block.row(row).to_vec());
            executed.sort();
            executed.dedup();
            let probe = selector.executed.distance(block.row(row), 0);
            assert_eq!(probe, 0);
            assert_eq!(selector.executed.len(), executed.len());
        }
        assert!(fired > 3, "the rule fired {fired} times");
    }
}
