//! Arithmetic and bit operations for one another, signs dropped, `++` for `--`.
//!
//! What cannot make a difference is left out: `x + 0`, `x * 1`, a shift by 0.

use classfile::{Opcode, Operand};

use super::method::Pushed;
use super::mutant::{Change, Sites};
use crate::Operator;

/// For ints, with what takes their place; longs follow one opcode later, floats two, doubles three.
const ARITHMETIC: [(Opcode, Opcode); 5] = [
    (Opcode::IADD, Opcode::ISUB),
    (Opcode::ISUB, Opcode::IADD),
    (Opcode::IMUL, Opcode::IDIV),
    (Opcode::IDIV, Opcode::IMUL),
    (Opcode::IREM, Opcode::IMUL),
];

/// For ints; longs follow one opcode later.
const BITWISE: [(Opcode, Opcode); 6] = [
    (Opcode::IAND, Opcode::IOR),
    (Opcode::IOR, Opcode::IAND),
    (Opcode::IXOR, Opcode::IAND),
    (Opcode::ISHL, Opcode::ISHR),
    (Opcode::ISHR, Opcode::ISHL),
    (Opcode::IUSHR, Opcode::ISHL),
];

pub(super) fn visit(sites: &mut Sites, index: usize) {
    let opcode = sites.method.instructions[index].opcode;
    operators(sites, index, opcode);
    match opcode {
        Opcode::INEG | Opcode::LNEG | Opcode::FNEG | Opcode::DNEG => {
            sites.add(
                Operator::Arithmetic,
                index,
                Change::Drop,
                opcode.name(),
                "nothing",
            );
        }
        Opcode::IINC => increment(sites, index),
        _ => {}
    }
}

fn operators(sites: &mut Sites, index: usize, opcode: Opcode) {
    let shifted = |base: Opcode, by: u8| Opcode(base.0 + by);
    for (from, to) in ARITHMETIC {
        for kind in 0..4 {
            if shifted(from, kind) == opcode && !is_neutral(sites, index, from) {
                sites.swap(Operator::Arithmetic, index, shifted(to, kind));
            }
        }
    }
    for (from, to) in BITWISE {
        for kind in 0..2 {
            if shifted(from, kind) == opcode && !is_neutral(sites, index, from) {
                sites.swap(Operator::Bitwise, index, shifted(to, kind));
            }
        }
    }
}

/// Whether the right operand is a constant with which the operator and its replacement give the same.
fn is_neutral(sites: &Sites, index: usize, base: Opcode) -> bool {
    let method = sites.method;
    let before = method.only_before(index);
    let Some(right) = before.and_then(|before| method.pushed(before)) else {
        return false;
    };
    let neutral = match base {
        Opcode::IADD | Opcode::ISUB | Opcode::ISHL | Opcode::ISHR | Opcode::IUSHR => 0,
        Opcode::IMUL | Opcode::IDIV => 1,
        _ => return false,
    };
    // Adding a floating zero can change the sign of a zero, so only whole numbers are neutral there.
    match right {
        Pushed::Int(value) => value == neutral,
        Pushed::Long(value) => value == neutral.into(),
        Pushed::Float(value) => neutral == 1 && value == 1.0,
        Pushed::Double(value) => neutral == 1 && value == 1.0,
        Pushed::Text(_) | Pushed::Null => false,
    }
}

fn increment(sites: &mut Sites, index: usize) {
    let Operand::Increment { by, .. } = sites.method.instructions[index].operand else {
        return;
    };
    let Some(to) = by.checked_neg().filter(|to| *to != by) else {
        return;
    };
    let (original, replacement) = (format!("iinc {by}"), format!("iinc {to}"));
    sites.add(
        Operator::Increment,
        index,
        Change::Increment(to),
        &original,
        &replacement,
    );
}
