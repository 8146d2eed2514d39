//! The pool: values that earlier sequences made, by type.
//!
//! A value is a sequence that ended normally and the step in it whose result is meant; values of one sequence share it. The
//! pool holds at most [`Pool::limit`] values per type. Once a type is full, a new value replaces an old one with a chance
//! that falls to a floor, and of two random old ones the longer goes, so that short sequences stay while new states still
//! come in. Which type a value is filed under is the caller's decision.

use super::sequence::Sequence;
use crate::calls::{PlaceId, TypeId};
use crate::stream::Stream;

/// A value that can be made again.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The sequence that makes it.
    pub sequence: Sequence,
    /// The step that gives it.
    pub step: u32,
    /// Which steps gave a value at all, as bits.
    pub values: u64,
    /// Where a test with it must stand, if not anywhere.
    pub place: Option<PlaceId>,
}

#[derive(Clone, Debug, Default)]
struct Shelf {
    kept: Vec<Kept>,
    offered: u64,
}

/// Kept values by type.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    shelves: Vec<Shelf>,
    limit: usize,
    slowest: u64,
}

impl Pool {
    /// An empty pool.
    pub(super) fn new(types: usize, limit: usize, slowest: u64) -> Pool {
        Pool {
            shelves: vec![Shelf::default(); types],
            limit: limit.max(1),
            slowest: slowest.max(1),
        }
    }

    /// Offers a value; true if it is the first one of its type.
    pub(super) fn offer(&mut self, kind: TypeId, kept: Kept, stream: &mut Stream) -> bool {
        let shelf = &mut self.shelves[kind.0 as usize];
        shelf.offered += 1;
        if shelf.kept.len() < self.limit {
            shelf.kept.push(kept);
            return shelf.kept.len() == 1;
        }
        // As in reservoir sampling, but never slower than the floor.
        let slower = shelf.offered.min(self.limit as u64 * self.slowest);
        if stream.below(slower) < self.limit as u64 {
            let [one, other] = [stream.index(self.limit), stream.index(self.limit)];
            let steps = |index: usize| shelf.kept[index].sequence.len();
            let loser = if steps(one) >= steps(other) {
                one
            } else {
                other
            };
            shelf.kept[loser] = kept;
        }
        false
    }

    /// A random value of this very type, of which there must be one: of two drawn the one with the shorter sequence.
    #[inline]
    pub(super) fn draw(&self, kind: TypeId, stream: &mut Stream) -> u32 {
        let kept = &self.shelves[kind.0 as usize].kept;
        let [one, other] = [stream.index(kept.len()), stream.index(kept.len())];
        let shorter = if kept[one].sequence.len() <= kept[other].sequence.len() {
            one
        } else {
            other
        };
        shorter as u32
    }

    /// A value by type and number.
    #[inline]
    pub(super) fn get(&self, kind: TypeId, number: u32) -> &Kept {
        &self.shelves[kind.0 as usize].kept[number as usize]
    }

    /// How many values are kept.
    pub(super) fn len(&self) -> usize {
        self.shelves.iter().map(|shelf| shelf.kept.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::literals::Literals;
    use crate::calls::toy;
    use crate::stream::Seed;
    use crate::test::{OperationId, Step};

    fn kept(steps: usize) -> Kept {
        let step = Step {
            operation: OperationId(0),
            arguments: vec![],
        };
        Kept {
            sequence: Sequence::new(&Literals::new(&toy::calls()), &vec![step; steps]).unwrap(),
            step: 0,
            values: 1,
            place: None,
        }
    }

    #[test]
    fn a_full_shelf_stays_full_and_prefers_short_sequences() {
        let mut pool = Pool::new(1, 50, 16);
        let mut stream = Seed(1).stream();
        let lengths: Vec<Kept> = (1..=20).map(kept).collect();
        for number in 0..100_000 {
            let first = pool.offer(TypeId(0), lengths[number % 20].clone(), &mut stream);
            assert_eq!(first, number == 0);
        }
        assert_eq!(pool.len(), 50);
        let steps: usize = (0..50)
            .map(|index| pool.get(TypeId(0), index).sequence.len())
            .sum();
        assert!(steps < 50 * 10, "{steps}");
        let long = (0..50).any(|index| pool.get(TypeId(0), index).sequence.len() > 10);
        assert!(long, "long sequences still come in");
    }
}
