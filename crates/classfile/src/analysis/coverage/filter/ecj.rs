//! The closing code of try-with-resources, as the Eclipse compiler makes it.
//!
//! One handler for everything closes all resources, each with a null test, and gathers suppressed exceptions; the normal path
//! closes them in the same order.

use super::{Output, matcher::Matcher};
use crate::analysis::coverage::listing::Listing;
use crate::opcode::Opcode;

pub(super) fn filter(listing: &Listing, output: &mut Output) {
    for range in listing.ranges.iter().filter(|range| range.class.is_none()) {
        if !with_flow_out(listing, range.target, output) {
            without_flow_out(listing, range.target, output);
        }
    }
}

/// Control goes on behind the statement.
fn with_flow_out(listing: &Listing, start: usize, output: &mut Output) -> bool {
    let mut matcher = Matcher::new(listing);
    matcher.at(start).variable(Opcode::ASTORE, "primary");
    close_and_throw(&mut matcher, "r0");
    for number in 1.. {
        let name = format!("r{number}");
        let before = matcher.last();
        close(&mut matcher, &name);
        if !matcher.fits() {
            resume(&mut matcher, before);
            break;
        }
        matcher.jump(Opcode::GOTO, &format!("{name}.end"));
        suppress(&mut matcher, &name);
        close_and_throw(&mut matcher, &name);
    }
    suppress(&mut matcher, "last");
    matcher
        .variable(Opcode::ALOAD, "primary")
        .is(Opcode::ATHROW);
    let Some(end) = matcher.last() else {
        return false;
    };
    let Some(first) = normal_path(&mut matcher, start) else {
        return false;
    };
    let Some(last) = matcher.is(Opcode::GOTO).last() else {
        return false;
    };
    output.ignore(first, last);
    output.ignore(start, end);
    true
}

/// The statement ends by returning or throwing.
fn without_flow_out(listing: &Listing, start: usize, output: &mut Output) {
    let mut matcher = Matcher::new(listing);
    matcher.at(start).variable(Opcode::ASTORE, "primary");
    let mut resources = 0;
    loop {
        let name = format!("r{resources}");
        let before = matcher.last();
        close_and_throw(&mut matcher, &name);
        suppress(&mut matcher, &name);
        if !matcher.fits() {
            resume(&mut matcher, before);
            break;
        }
        resources += 1;
    }
    matcher
        .variable(Opcode::ALOAD, "primary")
        .is(Opcode::ATHROW);
    let Some(end) = matcher.last() else {
        return;
    };
    let Some(first) = normal_path(&mut matcher, start) else {
        return;
    };
    for number in 1..resources {
        close(&mut matcher, &format!("r{number}"));
    }
    if let Some(last) = matcher.last() {
        output.ignore(first, last);
        output.ignore(start, end);
    }
}

fn resume(matcher: &mut Matcher, last: Option<usize>) {
    if let Some(last) = last {
        matcher.at(last + 1);
    }
}

/// Looks back from the handler for the closing of the first resource.
fn normal_path(matcher: &mut Matcher, start: usize) -> Option<usize> {
    (0..=start).rev().find(|first| {
        matcher.at(*first);
        close(matcher, "r0");
        matcher.fits()
    })
}

fn close(matcher: &mut Matcher, name: &str) {
    matcher
        .variable(Opcode::ALOAD, name)
        .jump(Opcode::IFNULL, &format!("{name}.end"))
        .close(name);
}

fn close_and_throw(matcher: &mut Matcher, name: &str) {
    matcher
        .variable(Opcode::ALOAD, name)
        .jump(Opcode::IFNULL, name)
        .close(name)
        .label(name)
        .variable(Opcode::ALOAD, "primary")
        .is(Opcode::ATHROW);
}

fn suppress(matcher: &mut Matcher, name: &str) {
    let thrown = &format!("{name}.thrown");
    let start = &format!("{name}.start");
    let end = &format!("{name}.suppressed");
    matcher
        .variable(Opcode::ASTORE, thrown)
        .variable(Opcode::ALOAD, "primary")
        .jump(Opcode::IFNONNULL, start)
        .variable(Opcode::ALOAD, thrown)
        .variable(Opcode::ASTORE, "primary")
        .jump(Opcode::GOTO, end)
        .label(start)
        .variable(Opcode::ALOAD, "primary")
        .variable(Opcode::ALOAD, thrown)
        .jump(Opcode::IF_ACMPEQ, end)
        .variable(Opcode::ALOAD, "primary")
        .variable(Opcode::ALOAD, thrown)
        .add_suppressed()
        .label(end);
}
