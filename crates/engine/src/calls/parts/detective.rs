//! `detective`: what no operation under test gives is built on demand, by operations outside the classes under test.
//!
//! ## What it does
//! The target adds operations that make missing types, and what they need in turn. They are called when an input asks for such a
//! type. What they made goes to the main pool once a test that was given it ends normally. What they made for a call that threw waits
//! in a second pool, from which later demands are served, too.
//!
//! ## Why
//! An operation whose inputs cannot be made is never tested. Objects that were built in vain must not crowd the main pool.
//!
//! ## Example
//! `testhound generate app.jar --guide detective`
//!
//! ## References
//! Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section III-D and Figure 5.
//!
//! ## Differences
//! - Building an input and using it is one test, so that no execution is spent on building alone.
//!   So what is of type T and was of use need not pass through the second pool, which has only what was not of use yet.
//! - The second pool holds at most 16 values per type, the shortest ones. Only sequences of at most 8 calls are stored in either.
//! - The first 64 uses of built values of a type are looked at, and every 64th afterwards: most of them have values that the main pool
//!   has, because values of the main pool were once built.

use crate::calls::TypeId;
use crate::calls::pool::Kept;
use crate::calls::sequence::Sequence;
use crate::stream::Stream;
use std::collections::BTreeMap;

/// The part's name.
pub(in crate::calls) const NAME: &str = "detective";

/// One line for people.
pub(in crate::calls) const SUMMARY: &str = "inputs that no operation under test gives are built by others, of the JDK and of libraries too";

/// The most values of one type in the second pool.
const MOST: usize = 16;

/// How often a value is still taken where there are so many.
const SELDOM: f64 = 1.0 / 64.0;

/// So many uses of values of one type are looked at; then it is done seldom.
const LOOKS: u32 = 64;

/// The longest sequence that is stored.
pub(in crate::calls) const LONGEST: usize = 8;

/// How often a value of the second pool is used where one can also be built.
pub(in crate::calls) const STORED: f64 = 0.5;

/// The second pool.
#[derive(Clone, Debug, Default)]
pub(in crate::calls) struct Detective {
    /// No shelf is empty.
    shelves: BTreeMap<TypeId, Vec<Kept>>,
    /// How many uses of values of each type were looked at.
    looks: BTreeMap<TypeId, u32>,
}

impl Detective {
    /// Whether a value of this type would be taken; where there are enough, seldom.
    pub(in crate::calls) fn wants(&self, kind: TypeId, stream: &mut Stream) -> bool {
        let full = self
            .shelves
            .get(&kind)
            .is_some_and(|shelf| shelf.len() >= MOST);
        !full || stream.chance(SELDOM)
    }

    /// Offers a value that was built on demand and not used well.
    pub(in crate::calls) fn offer(&mut self, kind: TypeId, kept: Kept, stream: &mut Stream) {
        let shelf = self.shelves.entry(kind).or_default();
        if shelf.len() < MOST {
            shelf.push(kept);
            return;
        }
        let loser = stream.index(MOST);
        if kept.sequence.len() <= shelf[loser].sequence.len() {
            shelf[loser] = kept;
        }
    }

    /// Whether to look at a value of this type that was used well: maybe the main pool does not have it.
    pub(in crate::calls) fn looks_at_used(&mut self, kind: TypeId, stream: &mut Stream) -> bool {
        let looks = self.looks.entry(kind).or_default();
        *looks = looks.saturating_add(1);
        *looks <= LOOKS || self.shelves.contains_key(&kind) || stream.chance(SELDOM)
    }

    /// Gives up a value that was used well, if it is there.
    pub(in crate::calls) fn remove(&mut self, kind: TypeId, sequence: &Sequence) {
        let Some(shelf) = self.shelves.get_mut(&kind) else {
            return;
        };
        shelf.retain(|kept| kept.sequence.hash() != sequence.hash());
        if shelf.is_empty() {
            self.shelves.remove(&kind);
        }
    }

    /// How many values of this type there are.
    #[cfg(test)]
    pub(in crate::calls) fn count(&self, kind: TypeId) -> usize {
        self.shelves.get(&kind).map_or(0, Vec::len)
    }

    /// A value of this very type.
    pub(in crate::calls) fn draw(&self, kind: TypeId, stream: &mut Stream) -> Option<&Kept> {
        let shelf = self.shelves.get(&kind)?;
        Some(&shelf[stream.index(shelf.len())])
    }
}
