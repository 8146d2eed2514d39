//! Shapes that JaCoCo leaves out only since later versions: `assert`, switches over all values, record patterns.

use super::{Output, matcher::Matcher};
use crate::analysis::coverage::listing::Listing;
use crate::instruction::Operand;
use crate::opcode::Opcode;
use crate::rewrite::Side;

const MATCH: &str = "java/lang/MatchException";
const FLAG: &str = "$assertionsDisabled";

pub(super) fn filter(listing: &Listing, output: &mut Output) {
    for index in 0..listing.len() {
        match listing.opcode(index) {
            Opcode::IFNE if index > 0 && is_flag(listing, index - 1, Opcode::GETSTATIC) => {
                output.ignore(index, index);
            }
            Opcode::LDC => set_flag(listing, index, output),
            Opcode::TABLESWITCH | Opcode::LOOKUPSWITCH => exhaustive(listing, index, output),
            _ => {}
        }
    }
    let handlers = listing.ranges.iter();
    for range in handlers.filter(|range| range.class == Some("java/lang/Throwable")) {
        record_pattern(listing, range.target, output);
    }
}

fn is_flag(listing: &Listing, at: usize, opcode: Opcode) -> bool {
    let named = listing.member(at);
    listing.opcode(at) == opcode && named.is_some_and(|named| named.name == FLAG)
}

/// The start of a class initialiser that asks whether assertions are on.
fn set_flag(listing: &Listing, index: usize, output: &mut Output) {
    let mut matcher = Matcher::new(listing);
    let asks = ("java/lang/Class", "desiredAssertionStatus", "()Z");
    let last = matcher
        .at(index)
        .is(Opcode::LDC)
        .call(Opcode::INVOKEVIRTUAL, asks)
        .is(Opcode::IFNE)
        .is(Opcode::ICONST_1)
        .is(Opcode::GOTO)
        .is(Opcode::ICONST_0)
        .test(|listing, at| is_flag(listing, at, Opcode::PUTSTATIC))
        .last();
    if let Some(last) = last.filter(|_| listing.name == "<clinit>") {
        output.ignore(index, last);
    }
}

/// The default that the compiler adds to a switch whose cases are all there can be.
fn exhaustive(listing: &Listing, index: usize, output: &mut Output) {
    const CHANGED: &str = "java/lang/IncompatibleClassChangeError";
    let Operand::Switch(switch) = &listing.instructions[index].operand else {
        return;
    };
    let Some(default) = listing.index(switch.default) else {
        return;
    };
    let mut matcher = Matcher::new(listing);
    let changed = matcher
        .at(default)
        .test(|listing, at| is_new(listing, at, CHANGED))
        .is(Opcode::DUP)
        .call(Opcode::INVOKESPECIAL, (CHANGED, "<init>", "()V"))
        .is(Opcode::ATHROW)
        .last();
    let unmatched = matcher
        .at(default)
        .test(|listing, at| is_new(listing, at, MATCH))
        .is(Opcode::DUP)
        .is(Opcode::ACONST_NULL)
        .is(Opcode::ACONST_NULL)
        .test(is_made)
        .is(Opcode::ATHROW)
        .last();
    if let Some(last) = changed.or(unmatched) {
        output.ignore(default, last);
        output.dropped.insert((index, Side::Default));
    }
}

/// The handler for exceptions of accessors in a record pattern.
fn record_pattern(listing: &Listing, start: usize, output: &mut Output) {
    let text = ("java/lang/Throwable", "toString", "()Ljava/lang/String;");
    let mut matcher = Matcher::new(listing);
    let last = matcher
        .at(start)
        .variable(Opcode::ASTORE, "cause")
        .test(|listing, at| is_new(listing, at, MATCH))
        .is(Opcode::DUP)
        .variable(Opcode::ALOAD, "cause")
        .call(Opcode::INVOKEVIRTUAL, text)
        .variable(Opcode::ALOAD, "cause")
        .test(is_made)
        .is(Opcode::ATHROW)
        .last();
    if let Some(last) = last {
        output.ignore(start, last);
    }
}

fn is_new(listing: &Listing, at: usize, class: &str) -> bool {
    listing.opcode(at) == Opcode::NEW && listing.class_operand(at) == Some(class)
}

/// A call of the constructor of `MatchException`.
fn is_made(listing: &Listing, at: usize) -> bool {
    let owner = listing.member(at).map(|named| named.owner);
    listing.opcode(at) == Opcode::INVOKESPECIAL && owner == Some(MATCH)
}
