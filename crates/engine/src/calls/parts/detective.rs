//! `detective`: what no operation under test gives is built on demand, by operations outside the classes under test.
//!
//! ## What it does
//! The target adds operations that make missing types, and what they need in turn. They are called when an input asks for such a
//! type. What they made for a call that threw is kept in a second pool, from which later demands are served; when a test that was
//! given it ends normally, it moves to the main pool.
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
//! - The second pool holds at most 16 values per type, the shortest ones.

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

/// The longest sequence in the second pool.
pub(in crate::calls) const LONGEST: usize = 8;

/// How often a value of the second pool is used where one can also be built.
pub(in crate::calls) const STORED: f64 = 0.5;

/// The second pool. No shelf is empty.
#[derive(Clone, Debug, Default)]
pub(in crate::calls) struct Detective {
    shelves: BTreeMap<TypeId, Vec<Kept>>,
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

    /// Gives up a value that was used well; false if it is not there.
    pub(in crate::calls) fn take(&mut self, kind: TypeId, sequence: &Sequence) -> bool {
        let Some(shelf) = self.shelves.get_mut(&kind) else {
            return false;
        };
        let before = shelf.len();
        shelf.retain(|kept| kept.sequence.hash() != sequence.hash());
        let left = shelf.len();
        if left == 0 {
            self.shelves.remove(&kind);
        }
        left < before
    }

    /// Whether there is no value at all.
    pub(in crate::calls) fn is_empty(&self) -> bool {
        self.shelves.is_empty()
    }

    /// Whether there is a value of this type.
    pub(in crate::calls) fn has(&self, kind: TypeId) -> bool {
        self.shelves.contains_key(&kind)
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
