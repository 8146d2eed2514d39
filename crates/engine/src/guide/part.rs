//! What a part of guidance is: the slot that it fills, what it needs and where it makes sense. Which parts there are is in `table`.

use crate::observation::Needs;

/// What a part decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Which operation is tested next. Several parts multiply their weights.
    Operation,
    /// Which operations are allowed in a test.
    Allowed,
    /// Which inputs an operation is given.
    Inputs,
    /// Where a test comes from.
    Origin,
    /// Which of k candidates becomes the next test.
    Candidate,
    /// Which of several guides the next test is for.
    Mix,
}

impl Slot {
    /// All slots, in the order of the manual.
    pub const ALL: [Slot; 6] = [
        Slot::Operation,
        Slot::Allowed,
        Slot::Inputs,
        Slot::Origin,
        Slot::Candidate,
        Slot::Mix,
    ];

    /// The slot's name.
    pub fn name(self) -> &'static str {
        match self {
            Slot::Operation => "operation",
            Slot::Allowed => "allowed",
            Slot::Inputs => "inputs",
            Slot::Origin => "origin",
            Slot::Candidate => "candidate",
            Slot::Mix => "mix",
        }
    }

    /// The question that it answers, and what is done where no part answers it.
    pub fn summary(self) -> &'static str {
        match self {
            Slot::Operation => "which operation is tested next; by default any, equally often",
            Slot::Allowed => "which operations a test may use; by default all",
            Slot::Inputs => "which inputs an operation is given; by default any that fit",
            Slot::Origin => "where a test comes from; by default drawn anew or by extension",
            Slot::Candidate => "which of k candidates becomes the next test; by default the first",
            Slot::Mix => "which of several guides the next test is for; by default there is one",
        }
    }

    /// Whether only one part of a guide can fill it.
    pub(super) fn exclusive(self) -> bool {
        matches!(self, Slot::Origin | Slot::Candidate | Slot::Mix)
    }
}

/// What the tests of a subject are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    /// One step, described by categories: command-line programs.
    Frames,
    /// Sequences of calls: classes and modules.
    Calls,
    /// Lists of actions on pools: harnesses.
    Actions,
}

impl TestKind {
    /// All kinds.
    pub const ALL: [TestKind; 3] = [TestKind::Frames, TestKind::Calls, TestKind::Actions];

    /// How the kind is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            TestKind::Frames => "subjects described by categories",
            TestKind::Calls => "subjects that are called",
            TestKind::Actions => "harnesses",
        }
    }
}

/// A part of guidance.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// What it decides.
    pub slot: Slot,
    /// One line for people.
    pub summary: &'static str,
    /// What it wants observations to carry.
    pub needs: Needs,
    /// Where it makes sense.
    pub fits: &'static [TestKind],
}
