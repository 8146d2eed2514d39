//! Code that compilers made and no one wrote does not count.
//!
//! Each file knows some shapes of compiler-made code and tells, per method, which instructions to leave out, which are copies
//! of one another, and which branches stand for others. Source: the JaCoCo manual, "Filtering options"; the exact shapes follow
//! the filters of JaCoCo itself (package `org.jacoco.core.internal.analysis.filter`, version 0.8.6; `newer` version 0.8.14).
//!
//! Differences: the state machines of Kotlin's coroutines are counted as they are. What versions after 0.8.6 changed for
//! Kotlin is not followed, also not by the current rules.

mod ecj;
mod finally;
mod kotlin;
mod matcher;
mod newer;
mod resources;
mod string_switch;
mod synchronized;
mod whole;

use std::collections::BTreeSet;

use super::Rules;
use super::listing::Listing;
use crate::rewrite::Side;

/// What the filters say about a method.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// Instructions that do not count.
    pub ignored: BTreeSet<usize>,
    /// For each instruction, the one it is a copy of.
    copies: Vec<usize>,
    /// An instruction, and the instructions whose reaching counts as its branches.
    pub replaced: Vec<(usize, BTreeSet<usize>)>,
    /// Sides of an instruction that do not count.
    pub dropped: BTreeSet<(usize, Side)>,
}

impl Output {
    fn ignore(&mut self, first: usize, last: usize) {
        self.ignored.extend(first..=last);
    }

    fn ignore_all(&mut self, listing: &Listing) {
        self.ignored.extend(0..listing.len());
    }

    fn merge(&mut self, original: usize, copy: usize) {
        let (original, copy) = (self.original(original), self.original(copy));
        if original != copy {
            self.copies[copy] = original;
        }
    }

    /// The instruction that stands for this one and its copies.
    pub fn original(&self, index: usize) -> usize {
        let mut at = index;
        while self.copies[at] != at {
            at = self.copies[at];
        }
        at
    }
}

/// Applies all filters to a method.
pub(super) fn apply(listing: &Listing) -> Output {
    let mut output = Output {
        copies: (0..listing.len()).collect(),
        ..Output::default()
    };
    if whole::is_compiler_made(listing) {
        output.ignore_all(listing);
        return output;
    }
    synchronized::filter(listing, &mut output);
    resources::filter(listing, &mut output);
    ecj::filter(listing, &mut output);
    finally::filter(listing, &mut output);
    string_switch::filter(listing, &mut output);
    kotlin::filter(listing, &mut output);
    if listing.rules == Rules::Current {
        newer::filter(listing, &mut output);
    }
    output
}
