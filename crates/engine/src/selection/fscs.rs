//! `fscs`: the candidate whose nearest executed test is farthest away (max-min over all executed tests).
//!
//! ## What it does
//! For each candidate it finds the distance to the nearest executed test. The candidate with the largest one wins.
//!
//! ## Why
//! It is the original form of adaptive random testing and the reference for `art-mif`. All executed tests are remembered, so a
//! selection takes longer the more there are.
//!
//! ## Example
//! `testhound generate SPEC.toml --guide fscs`
//!
//! ## References
//! Barus et al., "A Cost-Effective Random Testing Method for Programs with Non-Numeric Inputs", Sections 2.1 and 3.1
//! (FSCS-ART with the max-min criterion on the category-choice distance).
//!
//! ## Differences
//! - A category can weigh more or less than 1 in the distance.
//! - The first test is one of k random candidates, all equal, instead of one random test: the same distribution.
//! - Equal distances are broken at random; the paper leaves this open.
//! - Equal executed frames are kept once, and a candidate that cannot win any more is not compared further. Neither changes
//!   the winner.

use super::nearest::Nearest;
use super::{Selector, ties};
use crate::Stream;
use crate::frames::{FrameBlock, FrameSpace};
use std::cmp::Reverse;

struct Fscs {
    candidates: usize,
    executed: Nearest,
    distances: Vec<Reverse<u64>>,
}

pub(super) fn build(space: &FrameSpace, k: usize) -> Box<dyn Selector> {
    Box::new(Fscs {
        candidates: k.max(1),
        executed: Nearest::new(space),
        distances: Vec::new(),
    })
}

impl Selector for Fscs {
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
    use crate::Seed;

    #[test]
    fn the_candidate_farthest_from_its_nearest_test_wins() {
        let mut selector = build(&FrameSpace::uniform(&[3, 3, 3]), 3);
        selector.record(&[1, 1, 1]);
        selector.record(&[2, 2, 2]);
        let mut block = FrameBlock::new(3, 0);
        // A sum of distances would prefer neither of the last two: 3 + 1 and 2 + 2.
        for frame in [[1, 1, 3], [3, 2, 2], [1, 3, 2]] {
            block.push(&frame);
        }
        for seed in 0..20 {
            assert_eq!(selector.pick(&block, &mut Seed(seed).stream()), 2);
        }
    }
}
