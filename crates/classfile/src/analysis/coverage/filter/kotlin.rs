//! What the Kotlin compiler adds: tests of `lateinit`, `!!` and casts, `when` over all values and over strings, masks of
//! default arguments, copies of inlined functions.

use std::collections::BTreeSet;

use super::{Output, matcher::Matcher, whole::annotations};
use crate::analysis::coverage::listing::Listing;
use crate::descriptor::{MethodType, Type};
use crate::instruction::Operand;
use crate::opcode::Opcode;

const INTRINSICS: &str = "kotlin/jvm/internal/Intrinsics";

pub(super) fn is_kotlin(listing: &Listing) -> bool {
    let annotations = annotations(&listing.class.attributes, listing.pool());
    annotations.contains(&"Lkotlin/Metadata;")
}

/// Whether a method of a Kotlin class has no line: the compiler made it.
pub(super) fn is_without_lines(listing: &Listing) -> bool {
    let delegates = || {
        let mut matcher = Matcher::new(listing);
        let to_default = |listing: &Listing, at: usize| {
            let owner = listing.member(at).map(|named| named.owner);
            listing.opcode(at) == Opcode::INVOKESTATIC
                && owner.is_some_and(|owner| owner.ends_with("$DefaultImpls"))
        };
        let this = |listing: &Listing, at: usize| listing.local(at) == Some(0);
        matcher.at(0).test(this).test(to_default).fits() && listing.opcode(0) == Opcode::ALOAD
    };
    let has_source = listing.class.attribute("SourceFile").is_some();
    is_kotlin(listing) && ((has_source && listing.lines.starts().is_empty()) || delegates())
}

/// Whether a synthetic method of a Kotlin class holds written code: default arguments and coroutines.
pub(super) fn is_written(listing: &Listing) -> bool {
    let last = parameters(listing).pop();
    listing.name.ends_with("$default")
        || is_default_constructor(listing)
        || last.is_some_and(|last| last.text() == "Lkotlin/coroutines/Continuation;")
}

pub(super) fn filter(listing: &Listing, output: &mut Output) {
    // Shapes that name Kotlin's own classes are left out of all classes, the others only of Kotlin's.
    if is_kotlin(listing) {
        inlined(listing, output);
        default_arguments(listing, output);
    }
    for index in 0..listing.len() {
        match listing.opcode(index) {
            Opcode::IFNONNULL => null_test(listing, index, output),
            Opcode::NEW => when_without_else(listing, index, output),
            Opcode::INVOKEVIRTUAL if index > 0 => when_string(listing, index - 1, output),
            _ => {}
        }
    }
}

/// `lateinit`, `!!`, and `as` to a type that is never null.
fn null_test(listing: &Listing, index: usize, output: &mut Output) {
    let late = (
        INTRINSICS,
        "throwUninitializedPropertyAccessException",
        "(Ljava/lang/String;)V",
    );
    let mut matcher = Matcher::new(listing);
    let late = matcher
        .at(index + 1)
        .is(Opcode::LDC)
        .call(Opcode::INVOKESTATIC, late)
        .last();
    let asserted = matcher
        .at(index + 1)
        .call(Opcode::INVOKESTATIC, (INTRINSICS, "throwNpe", "()V"))
        .last();
    const CAST: &str = "kotlin/TypeCastException";
    let cast = matcher
        .at(index + 1)
        .test(|listing, at| is_new(listing, at, CAST))
        .is(Opcode::DUP)
        .test(|listing, at| is_text(listing, at, "null cannot be cast to non-null type"))
        .call(
            Opcode::INVOKESPECIAL,
            (CAST, "<init>", "(Ljava/lang/String;)V"),
        )
        .is(Opcode::ATHROW)
        .last();
    let cast = cast.filter(|last| listing.jump(index) == Some(last + 1));
    if let Some(last) = late.or(asserted).or(cast) {
        output.ignore(index, last);
    }
}

/// The exception at the end of a `when` that covers all values.
fn when_without_else(listing: &Listing, index: usize, output: &mut Output) {
    const EXCEPTION: &str = "kotlin/NoWhenBranchMatchedException";
    let mut matcher = Matcher::new(listing);
    let last = matcher
        .at(index)
        .test(|listing, at| is_new(listing, at, EXCEPTION))
        .is(Opcode::DUP)
        .call(Opcode::INVOKESPECIAL, (EXCEPTION, "<init>", "()V"))
        .is(Opcode::ATHROW)
        .last();
    let Some(last) = last.filter(|_| listing.is_labelled(index)) else {
        return;
    };
    for at in (0..=last).rev() {
        if listing.opcode(at) == Opcode::IFEQ && listing.jump(at) == Some(index) {
            output.ignore(at, at);
            output.ignore(index, last);
            return;
        }
        if let Operand::Switch(switch) = &listing.instructions[at].operand
            && listing.index(switch.default) == Some(index)
        {
            let cases = switch.cases.iter();
            let cases = cases.filter_map(|(_, target)| listing.index(*target));
            output.replaced.push((at, cases.collect()));
            output.ignore(index, last);
            return;
        }
    }
}

/// A `when` over strings: one switch over hash codes, whose branches are replaced by the cases.
fn when_string(listing: &Listing, index: usize, output: &mut Output) {
    let operand = listing
        .instructions
        .get(index + 2)
        .map(|next| &next.operand);
    let Some(Operand::Switch(switch)) = operand else {
        return;
    };
    let mut matcher = Matcher::new(listing);
    matcher
        .at(index)
        .variable(Opcode::ALOAD, "text")
        .call(
            Opcode::INVOKEVIRTUAL,
            ("java/lang/String", "hashCode", "()I"),
        )
        .any();
    let default = listing.index(switch.default);
    let mut cases: BTreeSet<usize> = default.into_iter().collect();
    for _ in &switch.cases {
        loop {
            matcher
                .variable(Opcode::ALOAD, "text")
                .is(Opcode::LDC)
                .call(
                    Opcode::INVOKEVIRTUAL,
                    ("java/lang/String", "equals", "(Ljava/lang/Object;)Z"),
                )
                .is(Opcode::IFEQ)
                .is(Opcode::GOTO);
            let Some(last) = matcher.last() else {
                return;
            };
            cases.extend(listing.jump(last));
            if listing.jump(last - 1) == default {
                break;
            }
        }
    }
    if let Some(end) = matcher.last().filter(|_| !switch.cases.is_empty()) {
        output.ignore(index + 3, end);
        output.replaced.push((index + 2, cases));
    }
}

/// The tests of the mask that says which arguments were left out.
fn default_arguments(listing: &Listing, output: &mut Output) {
    const SYNTHETIC: u16 = 0x1000;
    const UNSUPPORTED: &str = "java/lang/UnsupportedOperationException";
    let constructor = is_default_constructor(listing);
    let method = listing.name.ends_with("$default");
    // The compiler gives variables to these methods only where it inlined the function, and then nothing is left out.
    let inlined = listing.len() > 0 && listing.is_labelled(0);
    if listing.access & SYNTHETIC == 0 || !(method || constructor) || inlined {
        return;
    }
    let mut matcher = Matcher::new(listing);
    let refused = matcher
        .at(1)
        .is(Opcode::IFNULL)
        .test(|listing, at| is_new(listing, at, UNSUPPORTED))
        .is(Opcode::DUP)
        .test(|listing, at| is_text(listing, at, "Super calls with default arguments"))
        .call(
            Opcode::INVOKESPECIAL,
            (UNSUPPORTED, "<init>", "(Ljava/lang/String;)V"),
        )
        .is(Opcode::ATHROW)
        .last();
    let mut at = 0;
    if let Some(last) = refused {
        output.ignore(0, last);
        at = last + 1;
    }
    let parameters = parameters(listing);
    let before = parameters.len().saturating_sub(2);
    let slots = parameters[..before]
        .iter()
        .map(|parameter| parameter.slots());
    let mask = slots.sum::<u16>() + u16::from(constructor);
    let mut tests = Vec::new();
    while listing.opcode(at) == Opcode::ILOAD && listing.local(at) == Some(mask) {
        matcher.at(at + 2).is(Opcode::IAND).is(Opcode::IFEQ);
        let Some(last) = matcher.last() else {
            return;
        };
        tests.push(last);
        match listing.jump(last) {
            Some(target) if target > at => at = target,
            _ => break,
        }
    }
    for test in tests {
        output.ignore(test, test);
    }
}

/// Lines behind those of the source file are copies of inlined functions.
fn inlined(listing: &Listing, output: &mut Output) {
    let Some(first) = first_inlined_line(listing) else {
        return;
    };
    for index in 0..listing.len() {
        if listing.lines.at(listing.pc(index)).unwrap_or(0) >= first {
            output.ignore(index, index);
        }
    }
}

/// The first line that the source map (JSR 45) gives to another file or another line of the class's own.
fn first_inlined_line(listing: &Listing) -> Option<u32> {
    let pool = listing.pool();
    let source = listing.class.attribute("SourceFile")?;
    let source = u16::from_be_bytes(source.info.get(..2)?.try_into().ok()?);
    let source = pool.utf8(source).ok()?;
    let map = listing.class.attribute("SourceDebugExtension")?;
    let map = str::from_utf8(&map.info).ok()?;
    let (files, rest) = map.split_once("*F\n")?.1.split_once("*L\n")?;
    let mut own = BTreeSet::new();
    for line in files.lines() {
        if let Some((number, name)) = line
            .strip_prefix("+ ")
            .and_then(|rest| rest.split_once(' '))
            && name == source
        {
            own.insert(number);
        }
    }
    let mappings = rest.lines();
    let mappings = mappings.take_while(|line| *line != "*E" && !line.starts_with("*S "));
    let foreign = mappings.filter_map(|line| {
        let (from, to) = line.split_once(':')?;
        let (line, file) = from.split_once('#')?;
        let file = file.split(',').next()?;
        let start = to.split(',').next()?;
        let unmoved = own.contains(file) && line == start;
        (!unmoved).then_some(start.parse().ok()?)
    });
    foreign.min()
}

fn is_default_constructor(listing: &Listing) -> bool {
    const MARKER: &str = "Lkotlin/jvm/internal/DefaultConstructorMarker;";
    let parameters = parameters(listing);
    listing.name == "<init>"
        && parameters.len() >= 2
        && parameters.last().is_some_and(|last| last.text() == MARKER)
}

fn parameters<'c>(listing: &Listing<'c>) -> Vec<Type<'c>> {
    let parsed = MethodType::parse(listing.descriptor);
    parsed.map_or(Vec::new(), |parsed| parsed.parameters().collect())
}

fn is_new(listing: &Listing, at: usize, class: &str) -> bool {
    listing.opcode(at) == Opcode::NEW && listing.class_operand(at) == Some(class)
}

fn is_text(listing: &Listing, at: usize, start: &str) -> bool {
    let constant = listing.instructions[at].constant();
    let text = constant.and_then(|constant| listing.pool().string(constant).ok());
    listing.opcode(at) == Opcode::LDC && text.is_some_and(|text| text.starts_with(start))
}
