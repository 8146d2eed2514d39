//! `random`: plain random testing.
//!
//! ## What it does
//! Takes the one candidate it asks for. Nothing is remembered, so frames may repeat (with replacement).
//!
//! ## Why
//! It is the baseline of every study: a method that spreads tests must find failures with fewer tests than this one, and
//! pays for it with the time of its selections.
//!
//! ## Example
//! `testhound generate SPEC.toml --guide random`
//!
//! ## References
//! Barus et al., "A Cost-Effective Random Testing Method for Programs with Non-Numeric Inputs", Section 4.3.1 (RT).
//!
//! ## Differences
//! - Offered several candidates, it takes any of them with equal chances.

use super::Selector;
use crate::Stream;
use crate::frames::{FrameBlock, FrameSpace};

struct Random;

pub(super) fn build(_space: &FrameSpace, _k: usize) -> Box<dyn Selector> {
    Box::new(Random)
}

impl Selector for Random {
    fn candidates(&self) -> usize {
        1
    }

    fn pick(&mut self, candidates: &FrameBlock, stream: &mut Stream) -> usize {
        match candidates.rows() {
            0 | 1 => 0,
            rows => stream.index(rows),
        }
    }

    fn record(&mut self, _frame: &[u16]) {}

    fn work(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn any_of_several_candidates_is_taken() {
        let mut seen = [false; 3];
        let mut stream = Seed(4).stream();
        for _ in 0..50 {
            seen[Random.choose(&FrameBlock::new(2, 3), &mut stream)] = true;
        }
        assert_eq!(seen, [true; 3]);
    }
}
