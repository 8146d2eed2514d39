//! What a run asks for, and what it is told about what was inserted.
//!
//! Hits and edges are counted apart. Both are numbered in the order of methods and offsets, by what is asked for and not by
//! what is left out, so leaving out covered goals renumbers nothing.

use std::collections::BTreeMap;

use super::Refused;
use super::replacement::Replacement;
use super::runtime::Operator;
use crate::rewrite::place::{Place, Side};

/// What to insert into every class. Nothing by default.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    /// A hit per method, at its entry.
    pub methods: bool,
    /// A hit per line of the line table.
    pub lines: bool,
    /// A hit per basic block, at its start.
    pub blocks: bool,
    /// A hit per side of every conditional and switch.
    pub edges: bool,
    /// The values that every conditional and switch decides on.
    pub distances: bool,
    /// A count per side.
    pub sides: bool,
    /// The sides in the order in which they were taken.
    pub trace: bool,
    /// A tick per method entry and per jump backwards.
    pub budgets: bool,
    /// A check of the size of every array before it is made.
    pub arrays: bool,
    /// Calls that are redirected.
    pub calls: Vec<Replacement>,
    /// Marks for changes of static state.
    pub statics: Statics,
    /// Whether static initialisers move so that they can be run again.
    pub reset: bool,
}

/// Which classes' static state is watched.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    /// The number of every class that is watched.
    pub classes: BTreeMap<String, u32>,
    /// Whether reading a static field that may hold a mutable object counts as a change too.
    pub reads: bool,
}

/// What to insert into one class beside [`Probes`], and what to leave out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen<'c> {
    /// Hits at chosen places. Their numbers are the caller's.
    pub hits: &'c [Hit],
    /// Changes of path registers.
    pub paths: &'c [PathStep],
    /// Hits to leave out, by number.
    pub without_hits: Option<&'c NumberSet>,
    /// Edges whose counts and traces to leave out, by number; distances are left out where all edges of a branch are.
    pub without_edges: Option<&'c NumberSet>,
}

/// A hit at a chosen place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Which method of the class.
    pub method: u16,
    /// Where in it.
    pub place: Place,
    /// What the runtime is told.
    pub number: u32,
}

/// A change of a path register at a chosen place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathStep {
    /// Which method of the class.
    pub method: u16,
    /// Where in it.
    pub place: Place,
    /// Which register.
    pub register: u32,
    /// What happens to it.
    pub change: PathChange,
}

/// What happens to a path register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathChange {
    /// It becomes this number.
    Set(i32),
    /// This number is added.
    Add(i32),
    /// Its value is recorded and it becomes zero.
    Record,
}

/// The next free numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Of hits.
    pub hits: u32,
    /// Of edges.
    pub edges: u32,
}

/// What a hit stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HitInfo {
    /// Which method of the class.
    pub method: u16,
    /// The offset of the block or branch, of the first entry of a line, or 0.
    pub offset: u32,
    /// What it is.
    pub kind: HitKind,
}

/// The kinds of numbered hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HitKind {
    /// The method was entered.
    Method,
    /// A line was reached.
    Line(u16),
    /// A basic block was reached.
    Block,
    /// A conditional or switch was left by this side.
    Edge(Side),
}

/// A conditional or a switch, with the numbers of its edges.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Branch {
    /// Which method of the class.
    pub method: u16,
    /// Its offset.
    pub offset: u32,
    /// The number of its first edge: fall-through, then taken; or default, then one per key.
    pub edge: u32,
    /// What it decides by.
    pub decision: Decision,
}

/// What a branch decides by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// A comparison.
    Compare(Operator),
    /// A switch; its keys that do not go where the default goes.
    Switch(Vec<i32>),
}

/// How much a method got of what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Everything.
    All,
    /// Nothing on edges: no hits, counts, traces or path changes there.
    NoEdges,
    /// No distances either.
    NoDistances,
    /// Only what stands at the entry, and redirected calls.
    EntryOnly,
    /// Nothing.
    Untouched,
}

impl Level {
    /// The next lower level, for a reason.
    pub(super) fn below(self, reason: &Refused) -> Level {
        match (self, reason) {
            (_, Refused::Malformed(_)) => Level::Untouched,
            (Level::All, _) => Level::NoEdges,
            (Level::NoEdges, _) => Level::NoDistances,
            (Level::NoDistances, _) => Level::EntryOnly,
            (Level::EntryOnly | Level::Untouched, _) => Level::Untouched,
        }
    }
}

/// A set of numbers, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberSet {
    words: Vec<u64>,
}

impl NumberSet {
    /// Adds a number.
    pub fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    /// Whether the number is in the set.
    pub fn contains(&self, number: u32) -> bool {
        let word = self.words.get(number as usize / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

impl FromIterator<u32> for NumberSet {
    fn from_iter<T: IntoIterator<Item = u32>>(numbers: T) -> NumberSet {
        let mut set = NumberSet::default();
        for number in numbers {
            set.insert(number);
        }
        set
    }
}
