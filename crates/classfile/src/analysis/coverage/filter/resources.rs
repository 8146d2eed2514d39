//! The closing code of try-with-resources, as javac makes it.
//!
//! javac 11 and later: on both paths `if (r != null) r.close()`, on the exceptional one inside a handler that adds suppressed
//! exceptions. javac 7 to 10: a variable for the primary exception, tests of it, and from 9 on a shared `$closeResource`.
//! The null test is left out for resources made by `new`.

use super::{Output, matcher::Matcher};
use crate::analysis::coverage::listing::Listing;
use crate::opcode::Opcode;

/// What the closing code looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// javac 11 and later.
    Plain { null_test: bool },
    /// javac 7 to 10, all inline.
    Inline { null_test: bool },
    /// javac 9 and 10, by a shared method.
    Shared { null_test: bool },
}

pub(super) fn filter(listing: &Listing, output: &mut Output) {
    let handlers = listing.ranges.iter();
    for range in handlers.filter(|range| range.class == Some("java/lang/Throwable")) {
        for null_test in [true, false] {
            let shape = Shape::Plain { null_test };
            try_shape(listing, range.target, shape, output);
        }
        let older = [
            Shape::Shared { null_test: false },
            Shape::Inline { null_test: true },
            Shape::Inline { null_test: false },
            Shape::Shared { null_test: true },
        ];
        for shape in older {
            if try_shape(listing, range.target, shape, output) {
                break;
            }
        }
    }
}

/// Whether the handler at `start` has the shape; then it and the closing code of the other path are left out.
fn try_shape(listing: &Listing, start: usize, shape: Shape, output: &mut Output) -> bool {
    let mut matcher = Matcher::new(listing);
    matcher.at(start);
    match shape {
        Shape::Plain { .. } => {
            matcher.variable(Opcode::ASTORE, "primary");
            close(&mut matcher, shape, "");
            matcher
                .is(Opcode::GOTO)
                .variable(Opcode::ASTORE, "thrown")
                .variable(Opcode::ALOAD, "primary")
                .variable(Opcode::ALOAD, "thrown")
                .add_suppressed()
                .variable(Opcode::ALOAD, "primary")
                .is(Opcode::ATHROW);
        }
        Shape::Inline { .. } | Shape::Shared { .. } => {
            matcher
                .variable(Opcode::ASTORE, "thrown")
                .variable(Opcode::ALOAD, "thrown")
                .variable(Opcode::ASTORE, "primary")
                .variable(Opcode::ALOAD, "thrown")
                .is(Opcode::ATHROW)
                .variable(Opcode::ASTORE, "any");
            close(&mut matcher, shape, "suppressed");
            matcher.variable(Opcode::ALOAD, "any").is(Opcode::ATHROW);
        }
    }
    let Some(end) = matcher.last() else {
        return false;
    };
    for first in (0..=start).rev() {
        matcher.at(first);
        close(&mut matcher, shape, "suppressed-normally");
        if let Some(last) = matcher.last() {
            let jumps = listing.opcode(last + 1) == Opcode::GOTO;
            output.ignore(first, if jumps { last + 1 } else { last });
            output.ignore(start, end);
            return true;
        }
    }
    false
}

/// The closing of the resource on one path; `suppressed` names the variable of a second exception.
fn close(matcher: &mut Matcher, shape: Shape, suppressed: &str) {
    let (Shape::Plain { null_test } | Shape::Inline { null_test } | Shape::Shared { null_test }) =
        shape;
    if null_test {
        matcher.variable(Opcode::ALOAD, "r").is(Opcode::IFNULL);
    }
    match shape {
        Shape::Plain { .. } => {
            matcher.close("r");
        }
        Shape::Inline { .. } => {
            matcher
                .variable(Opcode::ALOAD, "primary")
                .is(Opcode::IFNULL)
                .close("r")
                .is(Opcode::GOTO)
                .variable(Opcode::ASTORE, suppressed)
                .variable(Opcode::ALOAD, "primary")
                .variable(Opcode::ALOAD, suppressed)
                .add_suppressed()
                .is(Opcode::GOTO)
                .close("r");
        }
        Shape::Shared { .. } => {
            matcher
                .variable(Opcode::ALOAD, "primary")
                .variable(Opcode::ALOAD, "r")
                .test(calls_close_resource);
        }
    }
}

fn calls_close_resource(listing: &Listing, at: usize) -> bool {
    const DESCRIPTOR: &str = "(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V";
    let named = listing.member(at);
    let named = named.map(|named| (named.name, named.descriptor));
    listing.opcode(at) == Opcode::INVOKESTATIC && named == Some(("$closeResource", DESCRIPTOR))
}
