//! The pool: values that earlier sequences made, by type.
//!
//! A value is a sequence that ended normally and the step in it whose result is meant; values of one sequence share it. The
//! pool holds at most [`Pool::limit`] values per type. Once a type is full, a new value replaces an old one with a chance
//! that falls to a floor, and of two random old ones the longer goes, so that short sequences stay while new states still
//! come in. Which type a value is filed under is the caller's decision.

use super::fenwick::Fenwick;
use super::parts::orienteering;
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
    /// The bits of the number that it is; 0 if it is none, or 0, which is among the literals anyway.
    pub number: u64,
    /// What executing the sequence cost, beyond its calls.
    pub cost: u64,
}

/// How values of one type are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draw {
    /// Of two drawn evenly the one with the shorter sequence.
    Shorter,
    /// By the cost of their sequences.
    Cheaper,
}

#[derive(Clone, Debug, Default)]
struct Shelf {
    kept: Vec<Kept>,
    offered: u64,
    /// The weights of the values, and how often each was selected; empty where they are not drawn by cost.
    weights: Fenwick,
    selections: Vec<u32>,
}

impl Shelf {
    /// Puts a value in a place that is new or has been freed.
    fn weigh(&mut self, index: usize, selections: u32) {
        let Kept { sequence, cost, .. } = &self.kept[index];
        let weight = orienteering::weight(*cost, sequence.len(), selections);
        if index == self.selections.len() {
            self.selections.push(selections);
            self.weights.push(weight);
        } else {
            self.selections[index] = selections;
            self.weights.set(index, weight);
        }
    }
}

/// Kept values by type.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    shelves: Vec<Shelf>,
    limit: usize,
    slowest: u64,
    draw: Draw,
}

impl Pool {
    /// An empty pool.
    pub(super) fn new(types: usize, limit: usize, slowest: u64, draw: Draw) -> Pool {
        Pool {
            shelves: vec![Shelf::default(); types],
            limit: limit.max(1),
            slowest: slowest.max(1),
            draw,
        }
    }

    /// Makes room for values of more types.
    pub(super) fn grow(&mut self, types: usize) {
        self.shelves.resize(types, Shelf::default());
    }

    /// How many types there are.
    pub(super) fn types(&self) -> usize {
        self.shelves.len()
    }

    /// Offers a value; true if it is the first one of its type.
    pub(super) fn offer(&mut self, kind: TypeId, kept: Kept, stream: &mut Stream) -> bool {
        let shelf = &mut self.shelves[kind.0 as usize];
        shelf.offered += 1;
        if shelf.kept.len() < self.limit {
            shelf.kept.push(kept);
            if self.draw == Draw::Cheaper {
                shelf.weigh(shelf.kept.len() - 1, 1);
            }
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
            if self.draw == Draw::Cheaper {
                shelf.weigh(loser, 1);
            }
        }
        false
    }

    /// Notes that a value was selected.
    pub(super) fn selected(&mut self, kind: TypeId, number: u32) {
        let shelf = &mut self.shelves[kind.0 as usize];
        if self.draw == Draw::Cheaper {
            let selections = shelf.selections[number as usize].saturating_add(1);
            shelf.weigh(number as usize, selections);
        }
    }

    /// A random value of this very type, of which there must be one.
    #[inline]
    pub(super) fn draw(&self, kind: TypeId, stream: &mut Stream) -> u32 {
        let shelf = &self.shelves[kind.0 as usize];
        if let Some(index) = shelf.weights.draw_if_any(stream) {
            return index as u32;
        }
        let kept = &shelf.kept;
        let [one, other] = [stream.index(kept.len()), stream.index(kept.len())];
        let shorter = if kept[one].sequence.len() <= kept[other].sequence.len() {
            one
        } else {
            other
        };
        shorter as u32
    }

    /// Whether there is a value of this very type.
    pub(super) fn has(&self, kind: TypeId) -> bool {
        let shelf = self.shelves.get(kind.0 as usize);
        shelf.is_some_and(|shelf| !shelf.kept.is_empty())
    }

    /// A value by type and number.
    #[inline]
    pub(super) fn get(&self, kind: TypeId, number: u32) -> &Kept {
        &self.shelves[kind.0 as usize].kept[number as usize]
    }

    /// How many values of this very type are kept.
    #[cfg(test)]
    pub(super) fn count(&self, kind: TypeId) -> usize {
        self.shelves[kind.0 as usize].kept.len()
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
            number: 0,
            cost: 0,
        }
    }

    #[test]
    fn drawn_by_cost_dear_values_are_rare_and_selections_make_rarer() {
        let mut pool = Pool::new(1, 50, 16, Draw::Cheaper);
        let mut stream = Seed(1).stream();
        // Costs are time and calls: 1, 4 with the root of 4 calls, 100.
        for (steps, cost) in [(1, 0), (4, 0), (1, 99)] {
            let one = Kept {
                cost,
                ..kept(steps)
            };
            pool.offer(TypeId(0), one, &mut stream);
        }
        let mut count = |pool: &Pool, number: u32| {
            let drawn = (0..11_350).filter(|_| pool.draw(TypeId(0), &mut stream) == number);
            drawn.count()
        };
        // The weights are 1, 1/8 and 1/100.
        assert!((9_800..10_200).contains(&count(&pool, 0)));
        assert!((60..140).contains(&count(&pool, 2)));
        pool.selected(TypeId(0), 0);
        // Now 1/2, 1/8 and 1/100.
        assert!((8_700..9_200).contains(&count(&pool, 0)));
    }

    #[test]
    fn a_full_shelf_stays_full_and_prefers_short_sequences() {
        let mut pool = Pool::new(1, 50, 16, Draw::Shorter);
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
