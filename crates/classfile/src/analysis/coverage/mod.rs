//! Coverage goals of a class: branches, lines and methods, counted as JaCoCo counts them.
//!
//! [`ClassGoals`] lists the goals, the probes to insert, and what a hit probe proves. An instruction counts as covered when a
//! probe behind it on its only way was reached; so a line that throws in its middle is covered only up to the last probe. A
//! conditional jump has two sides, a switch as many as it has different targets. A line is covered when one of its
//! instructions is, a method likewise. Source: the JaCoCo manual, "Coverage counters" and "Control flow analysis for Java
//! methods"; where the manual leaves a detail open, JaCoCo 0.8.6 itself. Lines are goals of the class, not of the method,
//! because JaCoCo counts a line once that several methods share (constructors and field initialisers, lambdas and their
//! surroundings).
//!
//! Differences: methods with `jsr` are counted as they are, JaCoCo counts the subroutine once per `jsr`; Kotlin is filtered
//! less, see `filter`.

mod count;
mod filter;
mod goals;
mod labels;
mod listing;
mod wiring;

pub use count::{Counter, Counters, Covered, LineCounters};
pub use goals::ClassGoals;

use crate::class::ClassFile;
use crate::rewrite::{Place, Side};

/// Which version of JaCoCo is followed. They differ in what compiler-made code they leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Version 0.8.6.
    Version0_8_6,
    /// Version 0.8.14: `assert`, added defaults of switches, record patterns and accessors of records do not count.
    Current,
}

impl Rules {
    /// Version 0.8.6 for the classes it can read, up to Java 15; the current one for later classes.
    pub fn for_class(class: &ClassFile) -> Rules {
        match class.major < 60 {
            true => Rules::Version0_8_6,
            false => Rules::Current,
        }
    }
}

/// What a goal asks to be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Criterion {
    /// One side of a conditional or switch.
    Branch,
    /// A source line of the class.
    Line,
    /// A method.
    Method,
}

impl Criterion {
    /// All criteria, in the order of goals.
    pub const ALL: [Criterion; 3] = [Criterion::Branch, Criterion::Line, Criterion::Method];

    /// The word used in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Branch => "branch",
            Criterion::Line => "line",
            Criterion::Method => "method",
        }
    }
}

/// The number of a goal inside its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub u32);

/// The number of a probe inside its class. It is the number JaCoCo gives that probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProbeId(pub u32);

/// The way by which an instruction must be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// By this side. Of several sides to one target the first stands for all.
    Side(Side),
    /// By whatever leads to the instruction at this offset, where branches were replaced by those of the source.
    To(u32),
}

/// A thing to cover, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What kind of goal.
    pub criterion: Criterion,
    /// The number of the method in the class file. For lines that several methods share, the first of them.
    pub method: usize,
    /// The source line, where known. For methods the line of the first instruction that counts.
    pub line: Option<u32>,
    /// The instruction: the branching one, or the first of the line or method.
    pub pc: u32,
    /// For branches, the way out.
    pub way: Option<Way>,
}

/// A probe to insert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The number of the method in the class file.
    pub method: usize,
    /// Where it stands. One of several sides of a switch may lead to one target: reaching any of the places hits the probe.
    pub places: Vec<Place>,
    /// Whether some goal depends on it. The others need not be inserted.
    pub counts: bool,
}
