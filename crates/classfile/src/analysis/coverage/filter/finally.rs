//! Copies of `finally` blocks.
//!
//! A compiler writes the block once for every exit of the protected code and once for exceptions, in a handler for everything
//! that ends by throwing again. The handler's copy stands for all: the others are found at the exits of the protected ranges
//! and merged with it.

use std::collections::{BTreeMap, BTreeSet};

use super::Output;
use crate::analysis::coverage::listing::{Listing, Range};
use crate::opcode::{Flow, Opcode};

pub(super) fn filter(listing: &Listing, output: &mut Output) {
    let all = listing.ranges.iter().filter(|range| range.class.is_none());
    let handlers: BTreeSet<usize> = all.map(|range| range.target).collect();
    for handler in handlers {
        let size = size(listing, handler);
        if size > 0 {
            let copies = Copies {
                listing,
                handler,
                size,
            };
            copies.find(output);
        }
    }
}

struct Copies<'l, 'c> {
    listing: &'l Listing<'c>,
    /// The `astore` that the handler starts with.
    handler: usize,
    /// How many instructions the block has.
    size: usize,
}

impl Copies<'_, '_> {
    fn find(&self, output: &mut Output) {
        let listing = self.listing;
        let mut inside = vec![false; listing.len() + 1];
        // How often the handler protects the same instructions against everything.
        let mut bounds: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for range in listing.ranges.iter().filter(|range| self.is_own(range)) {
            inside[range.start..range.end.max(range.start)].fill(true);
            if range.class.is_none() {
                *bounds.entry((range.start, range.end)).or_default() += 1;
            }
        }
        for range in &listing.ranges {
            if self.is_own(range) {
                self.exits(range, &inside, output);
            }
            let same = bounds.get(&(range.start, range.end)).copied();
            let itself = usize::from(self.is_own(range) && range.class.is_none());
            // An empty catch block has only a store before its copy.
            let after = range.target + 1;
            if same.unwrap_or(0) > itself && inside.get(after) == Some(&false) {
                self.merge(after, output);
            }
        }
    }

    fn is_own(&self, range: &Range) -> bool {
        range.target == self.handler
    }

    /// Looks for copies where control leaves a range.
    fn exits(&self, range: &Range, inside: &[bool], output: &mut Output) {
        let mut goes_on = false;
        for index in range.start..range.end {
            if let Some(target) = self.listing.jump(index)
                && !inside[target]
            {
                self.merge(target, output);
            }
            goes_on = !matches!(
                self.listing.flow(index),
                Flow::Goto | Flow::Return | Flow::Throw
            );
        }
        if goes_on && inside.get(range.end) == Some(&false) {
            self.merge(range.end, output);
        }
    }

    fn merge(&self, copy: usize, output: &mut Output) {
        let first = self.handler + 1;
        let same = (0..self.size).all(|step| {
            copy + step < self.listing.len()
                && self.listing.opcode(first + step) == self.listing.opcode(copy + step)
        });
        if !same {
            return;
        }
        output.ignore(self.handler, self.handler);
        for step in 0..self.size {
            output.merge(first + step, copy + step);
        }
        // The load and the throw at the handler's end.
        output.ignore(first + self.size, first + self.size + 1);
        let behind = copy + self.size;
        if self.listing.opcode(behind) == Opcode::GOTO {
            output.ignore(behind, behind);
        }
    }
}

/// How many instructions are between the store of the exception and its throwing; 0 when the handler is no `finally`.
fn size(listing: &Listing, handler: usize) -> usize {
    if listing.opcode(handler) != Opcode::ASTORE {
        return 0;
    }
    let thrown = listing.local(handler);
    let load = (handler + 1..listing.len())
        .find(|at| listing.opcode(*at) == Opcode::ALOAD && listing.local(*at) == thrown);
    match load {
        Some(load) if listing.opcode(load + 1) == Opcode::ATHROW => load - handler - 1,
        _ => 0,
    }
}
