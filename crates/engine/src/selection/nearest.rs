//! The distance from a frame to the nearest of many executed ones.
//!
//! A plain scan over all different executed frames that stops as soon as the answer cannot matter any more.

use super::slots::weights;
use crate::frames::{FrameBlock, FrameSpace};
use std::collections::BTreeSet;

/// The executed frames, each once.
#[derive(Clone, Debug)]
pub(super) struct Nearest {
    weights: Vec<u64>,
    known: BTreeSet<Box<[u16]>>,
    frames: FrameBlock,
    work: u64,
}

impl Nearest {
    /// No executed frames of this space.
    pub(super) fn new(space: &FrameSpace) -> Nearest {
        Nearest {
            weights: weights(space),
            known: BTreeSet::new(),
            frames: FrameBlock::new(space.categories.len(), 0),
            work: 0,
        }
    }

    /// The largest distance two frames can have.
    pub(super) fn diameter(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Choices compared so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Forgets all frames.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.frames.clear();
    }

    /// The number of different frames.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.frames.rows()
    }

    /// Adds an executed frame.
    pub(super) fn insert(&mut self, frame: &[u16]) {
        if self.known.insert(frame.into()) {
            self.frames.push(frame);
        }
    }

    /// The distance from a frame to the nearest executed one; `u64::MAX` if there are none. Where the true answer is less than
    /// `floor`, the result may be any number from the true answer to `floor - 1`.
    pub(super) fn distance(&mut self, frame: &[u16], floor: u64) -> u64 {
        let mut nearest = u64::MAX;
        for executed in self.frames.iter() {
            let categories = frame.iter().zip(executed).zip(&self.weights);
            let different = categories.filter(|((a, b), _)| a != b);
            let distance = different.map(|(_, weight)| weight).sum();
            self.work += frame.len() as u64;
            nearest = nearest.min(distance);
            if nearest < floor || nearest == 0 {
                break;
            }
        }
        nearest
    }
}
