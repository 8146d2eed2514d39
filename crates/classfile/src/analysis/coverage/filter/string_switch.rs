//! `switch` over strings, as javac and ecj make it.
//!
//! javac makes two switches, one over hash codes and one over numbers of cases; only the second counts. ecj makes one over hash
//! codes, whose branches are replaced by the cases.

use std::collections::BTreeSet;

use super::{Output, matcher::Matcher};
use crate::analysis::coverage::listing::Listing;
use crate::instruction::Operand;
use crate::opcode::Opcode;

const EQUALS: (&str, &str, &str) = ("java/lang/String", "equals", "(Ljava/lang/Object;)Z");
const HASH_CODE: (&str, &str, &str) = ("java/lang/String", "hashCode", "()I");

pub(super) fn filter(listing: &Listing, output: &mut Output) {
    for (index, instruction) in listing.instructions.iter().enumerate() {
        let Operand::Switch(switch) = &instruction.operand else {
            continue;
        };
        let Some(default) = listing.index(switch.default) else {
            continue;
        };
        if by_javac(listing, index, default) {
            output.ignore(index, default - 1);
        } else {
            by_ecj(listing, index, default, switch.cases.len(), output);
        }
    }
}

/// Whether the switch is the first of two; the second is at the default of the first.
fn by_javac(listing: &Listing, index: usize, default: usize) -> bool {
    let Some(start) = index.checked_sub(4) else {
        return false;
    };
    // JaCoCo does not know the switch where a line or a variable starts amid its head.
    if (start + 1..=index).any(|at| listing.is_labelled(at)) {
        return false;
    }
    let mut matcher = Matcher::new(listing);
    matcher
        .at(start)
        .is(Opcode::ICONST_M1)
        .variable(Opcode::ISTORE, "case")
        .variable(Opcode::ALOAD, "text")
        .call(Opcode::INVOKEVIRTUAL, HASH_CODE)
        .any();
    loop {
        matcher
            .variable(Opcode::ALOAD, "text")
            .is(Opcode::LDC)
            .call(Opcode::INVOKEVIRTUAL, EQUALS)
            .is(Opcode::IFEQ)
            .any()
            .variable(Opcode::ISTORE, "case");
        match matcher.last() {
            None => return false,
            Some(last) if last + 1 == default => break,
            Some(_) => {}
        }
        matcher.test(|listing, at| {
            listing.opcode(at) == Opcode::GOTO && listing.jump(at) == Some(default)
        });
    }
    matcher
        .variable(Opcode::ILOAD, "case")
        .test(|listing, at| matches!(listing.instructions[at].operand, Operand::Switch(_)));
    matcher.fits()
}

fn by_ecj(listing: &Listing, index: usize, default: usize, hashes: usize, output: &mut Output) {
    let Some(start) = index.checked_sub(2).filter(|_| hashes > 0) else {
        return;
    };
    let mut matcher = Matcher::new(listing);
    matcher
        .at(start)
        .variable(Opcode::ASTORE, "text")
        .call(Opcode::INVOKEVIRTUAL, HASH_CODE)
        .any();
    let mut cases = BTreeSet::from([default]);
    for _ in 0..hashes {
        loop {
            matcher
                .variable(Opcode::ALOAD, "text")
                .is(Opcode::LDC)
                .call(Opcode::INVOKEVIRTUAL, EQUALS)
                .is(Opcode::IFNE);
            let Some(last) = matcher.last() else {
                return;
            };
            cases.extend(listing.jump(last));
            if listing.opcode(last + 1) == Opcode::GOTO {
                matcher.any();
                break;
            }
            if last + 1 == default {
                break;
            }
        }
    }
    if let Some(last) = matcher.last() {
        output.ignore(index + 1, last);
        output.replaced.push((index, cases));
    }
}
