//! `max-sum`: the largest sum of distances to all executed tests, computed naively.
//!
//! ## What it does
//! Keeps every executed frame. For each candidate it adds up the distances to all of them (Equation 2) and picks the
//! candidate with the largest sum.
//!
//! ## Why
//! It is the reference that `art-sum` is checked against: both pick from the same candidates the same winner. Its cost per
//! selection grows with the number of executed tests, so it is not for use.
//!
//! ## Example
//! `testhound generate SPEC.toml --guide max-sum`
//!
//! ## References
//! Barus et al., "A Cost-Effective Random Testing Method for Programs with Non-Numeric Inputs", Sections 2.1 and 3.2,
//! Equations 1 and 2.
//!
//! ## Differences
//! - A category can weigh more or less than 1 in the distance.
//! - The first test is one of k random candidates, all equal, instead of one random test: the same distribution.
//! - Equal sums are broken at random; the paper leaves this open.

use super::slots::weights;
use super::{Selector, ties};
use crate::Stream;
use crate::frames::{FrameBlock, FrameSpace};
use std::cmp::Reverse;

pub(super) struct MaxSum {
    candidates: usize,
    weights: Vec<u32>,
    executed: FrameBlock,
    sums: Vec<Reverse<u64>>,
    work: u64,
}

pub(super) fn build(space: &FrameSpace, k: usize) -> Box<dyn Selector> {
    Box::new(MaxSum::new(space, k))
}

impl MaxSum {
    pub(super) fn new(space: &FrameSpace, k: usize) -> MaxSum {
        MaxSum {
            candidates: k.max(1),
            weights: weights(space),
            executed: FrameBlock::new(space.categories.len(), 0),
            sums: Vec::new(),
            work: 0,
        }
    }

    /// Equation 2: the sum of the distances from a frame to all executed ones.
    pub(super) fn sum_of_distances(&self, candidate: &[u16]) -> u64 {
        let distance = |executed: &[u16]| {
            let categories = candidate.iter().zip(executed).zip(&self.weights);
            let different = categories.filter(|((c, e), _)| c != e);
            different.map(|(_, &weight)| u64::from(weight)).sum::<u64>()
        };
        self.executed.iter().map(distance).sum()
    }
}

impl Selector for MaxSum {
    fn candidates(&self) -> usize {
        self.candidates
    }

    fn pick(&mut self, candidates: &FrameBlock, stream: &mut Stream) -> usize {
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        let all = (0..candidates.rows()).map(|row| candidates.row(row));
        sums.extend(all.map(|candidate| Reverse(self.sum_of_distances(candidate))));
        self.sums = sums;
        self.work += (candidates.rows() * self.executed.rows() * self.weights.len()) as u64;
        ties::lowest(&self.sums, stream)
    }

    fn record(&mut self, frame: &[u16]) {
        self.executed.push(frame);
    }

    fn work(&self) -> u64 {
        self.work
    }
}
