//! Which of k candidates becomes the next test: one method per file, all over frames of any target.
//!
//! A method sees candidate frames and remembers the executed ones in whatever form it needs. It does not draw candidates
//! (see [`Sampler`](crate::frames::Sampler)), make them concrete or run them. The table [`METHODS`] is the only list of
//! methods; the command line, its help, the manual and the tests read it.

mod art_calibrated;
mod art_herding;
mod art_mif;
mod art_pairs;
mod art_sum;
mod blocks;
mod fscs;
mod max_sum;
mod nearest;
mod random;
mod slots;
mod ties;

use crate::Stream;
use crate::frames::{FrameBlock, FrameSpace};

/// The number of candidates per selection where the user says nothing (the ARTsum paper, Section 4.7.1).
pub const CANDIDATES: usize = 10;

/// Selects the next test among candidates.
pub trait Selector: Send {
    /// How many candidates one selection wants.
    fn candidates(&self) -> usize;

    /// The row of the best candidate; equally good ones are equally likely. Nothing is recorded as executed. The block
    /// must have at least one row.
    fn pick(&mut self, candidates: &FrameBlock, stream: &mut Stream) -> usize;

    /// Tells that a test with this frame was executed, chosen or not (a seed test, for example).
    fn record(&mut self, frame: &[u16]);

    /// Look-ups in tables and comparisons of choices so far: the cost of selection without a clock.
    fn work(&self) -> u64;

    /// Picks a candidate and records it as executed. Where the frame of the concrete test can still change (derived
    /// categories), call [`pick`](Selector::pick), make it concrete, and [`record`](Selector::record) what it became.
    fn choose(&mut self, candidates: &FrameBlock, stream: &mut Stream) -> usize {
        let row = self.pick(candidates, stream);
        self.record(candidates.row(row));
        row
    }
}

/// One selection method, as users name it.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The word used in flags, settings, reports and the manual.
    pub name: &'static str,
    /// One line for help texts.
    pub summary: &'static str,
    /// Makes a selector for a space and a number of candidates.
    pub build: fn(&FrameSpace, usize) -> Box<dyn Selector>,
}

/// All methods, references first.
pub const METHODS: &[Method] = &[
    Method {
        name: "random",
        summary: "the first candidate: plain random testing with replacement",
        build: random::build,
    },
    Method {
        name: "fscs",
        summary: "the candidate whose nearest executed test is farthest (max-min, reference)",
        build: fscs::build,
    },
    Method {
        name: "max-sum",
        summary: "the candidate with the largest sum of distances, computed naively (reference)",
        build: max_sum::build,
    },
    Method {
        name: "art-sum",
        summary: "the same choice as max-sum in constant time, by counting choices",
        build: art_sum::build,
    },
    Method {
        name: "art-mif",
        summary: "max-min that forgets all executed tests once candidates can no longer be told apart",
        build: art_mif::build,
    },
    Method {
        name: "art-calibrated",
        summary: "counts of choices, measured against what the generator gives by itself",
        build: art_calibrated::build,
    },
    Method {
        name: "art-pairs",
        summary: "counts of pairs of choices, measured against what the generator gives by itself",
        build: art_pairs::build,
    },
    Method {
        name: "art-herding",
        summary: "follows the generator in all combinations of choices at once, more evenly than chance",
        build: art_herding::build,
    },
];

/// The selector of this name for a space, with `k` candidates per selection; `None` if there is no such method.
pub fn by_name(name: &str, space: &FrameSpace, k: usize) -> Option<Box<dyn Selector>> {
    let method = METHODS.iter().find(|method| method.name == name)?;
    Some((method.build)(space, k))
}

#[cfg(test)]
mod tests;
