//! The table of all parts and presets, which feeds the parser, the help, the docs and the tests.

use super::part::{Part, Slot, TestKind};
use crate::calls;
use crate::observation::Needs;
use crate::selection;

/// A name for a list of parts.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Its parts on subjects described by categories, if it makes sense there.
    pub frames: Option<&'static [&'static str]>,
    /// Its parts on subjects that are called, if it makes sense there.
    pub calls: Option<&'static [&'static str]>,
    /// Its parts on harnesses, if it makes sense there.
    pub actions: Option<&'static [&'static str]>,
}

impl Preset {
    /// Its parts on a kind of subject; none where it makes no sense.
    pub fn parts(&self, kind: TestKind) -> Option<&'static [&'static str]> {
        match kind {
            TestKind::Frames => self.frames,
            TestKind::Calls => self.calls,
            TestKind::Actions => self.actions,
        }
    }
}

/// What parts need that learn nothing from observations.
pub(super) const NOTHING: Needs = Needs {
    hits: false,
    distances: false,
    sides: false,
    rows: false,
    trace: false,
    results: false,
};

/// The selection method that takes the first candidate: the baseline of its slot, not a part.
pub(super) const FIRST: &str = "random";

/// Names for lists of parts.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "random",
        summary: "no guidance: the baseline of every comparison",
        frames: Some(&[]),
        calls: Some(&[]),
        actions: Some(&[]),
    },
    Preset {
        name: "auto",
        summary: "what is best as far as we measured",
        frames: Some(&["art-pairs"]),
        calls: Some(GRT),
        actions: Some(&["bandit"]),
    },
    Preset {
        name: "grt",
        summary: "guided by analysis of the subject: the six parts of Ma et al., ASE 2015",
        frames: None,
        calls: Some(GRT),
        actions: None,
    },
];

const GRT: &[&str] = &[
    "constants",
    "impurity",
    "elephant",
    "detective",
    "orienteering",
    "bloodhound",
];

/// All parts, in the order of the manual.
pub fn parts() -> Vec<Part> {
    let part = |method: &selection::Method| Part {
        name: method.name,
        slot: Slot::Candidate,
        summary: method.summary,
        needs: NOTHING,
        fits: &[TestKind::Frames],
    };
    let methods = selection::METHODS
        .iter()
        .filter(|method| method.name != FIRST);
    let methods = methods.map(part).chain(ACTION_PARTS);
    methods.chain(calls::guidance()).collect()
}

/// What the parts that learn from coverage need.
const COVERED: Needs = Needs {
    hits: true,
    ..NOTHING
};

/// The parts for harnesses; see the files of `actions`.
const ACTION_PARTS: [Part; 5] = [
    Part {
        name: "loc",
        slot: Slot::Operation,
        summary: "what has more source lines more often; of harnesses, after a sampling phase",
        needs: NOTHING,
        fits: &[TestKind::Actions, TestKind::Calls],
    },
    Part {
        name: "swarm",
        slot: Slot::Allowed,
        summary: "a random half of the action classes per test, with what they depend on",
        needs: NOTHING,
        fits: &[TestKind::Actions],
    },
    Part {
        name: "ga",
        slot: Slot::Origin,
        summary: "mutate, cross and extend tests with rare coverage; a fifth of the tests is new",
        needs: COVERED,
        fits: &[TestKind::Actions],
    },
    Part {
        name: "ensemble",
        slot: Slot::Mix,
        summary: "tests in turn by loc, by ga, by ga,loc and by swarm,loc",
        needs: COVERED,
        fits: &[TestKind::Actions],
    },
    Part {
        name: "bandit",
        slot: Slot::Mix,
        summary: "more tests for the one of several guides that gains most at present",
        needs: COVERED,
        fits: &[TestKind::Actions],
    },
];
