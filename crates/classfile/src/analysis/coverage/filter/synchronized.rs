//! The handler that leaves the monitor of a `synchronized` block.

use super::{Output, matcher::Matcher};
use crate::analysis::coverage::listing::Listing;
use crate::opcode::Opcode;

pub(super) fn filter(listing: &Listing, output: &mut Output) {
    for range in &listing.ranges {
        if range.class.is_some() || range.start == range.target {
            continue;
        }
        let mut matcher = Matcher::new(listing);
        let by_javac = matcher
            .at(range.target)
            .variable(Opcode::ASTORE, "thrown")
            .is(Opcode::ALOAD)
            .is(Opcode::MONITOREXIT)
            .variable(Opcode::ALOAD, "thrown")
            .is(Opcode::ATHROW)
            .last();
        let by_ecj = matcher
            .at(range.target)
            .is(Opcode::ALOAD)
            .is(Opcode::MONITOREXIT)
            .is(Opcode::ATHROW)
            .last();
        if let Some(last) = by_javac.or(by_ecj) {
            output.ignore(range.target, last);
        }
    }
}
