//! Operators for one another: `arithmetic`, `relational`, `logical`, `bitwise`, `assignment` and `increment`.
//!
//! Where the file tells that an operand is a pointer, a floating number or a structure, replacements that C does not
//! allow for it are left out.

use super::outline::Touch;
use super::site::Sites;
use crate::Operator;

const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "%"];
const RELATIONAL: &[&str] = &["<", "<=", ">", ">=", "==", "!="];
const LOGICAL: &[&str] = &["&&", "||"];
const BITWISE: &[&str] = &["&", "|", "^"];
const SHIFTS: &[&str] = &["<<", ">>"];
const ARITHMETIC_ASSIGNMENTS: &[&str] = &["=", "+=", "-=", "*=", "/=", "%="];
const BITWISE_ASSIGNMENTS: &[&str] = &["=", "&=", "|=", "^="];
const SHIFT_ASSIGNMENTS: &[&str] = &["=", "<<=", ">>="];

pub(super) fn visit(sites: &mut Sites<'_, '_>) {
    for index in sites.tokens(Touch::Everything) {
        match sites.code.text(index) {
            "+" | "-" | "*" | "/" | "%" if sites.operands().is_binary(index) => {
                arithmetic(sites, index)
            }
            "<" | "<=" | ">" | ">=" | "==" | "!=" => {
                exchange(sites, Operator::Relational, index, RELATIONAL)
            }
            "&&" | "||" if sites.operands().is_binary(index) => {
                exchange(sites, Operator::Logical, index, LOGICAL)
            }
            "&" | "|" | "^" if sites.operands().is_binary(index) => {
                exchange(sites, Operator::Bitwise, index, BITWISE)
            }
            "<<" | ">>" => exchange(sites, Operator::Bitwise, index, SHIFTS),
            "-" => sites.replace(Operator::Arithmetic, index..index + 1, ""),
            "!" => sites.replace(Operator::Logical, index..index + 1, ""),
            "~" => sites.replace(Operator::Bitwise, index..index + 1, ""),
            "=" => plain_assignment(sites, index),
            "+=" | "-=" | "*=" | "/=" | "%=" => arithmetic_assignment(sites, index),
            "&=" | "|=" | "^=" => exchange(sites, Operator::Assignment, index, BITWISE_ASSIGNMENTS),
            "<<=" | ">>=" => exchange(sites, Operator::Assignment, index, SHIFT_ASSIGNMENTS),
            "++" => increment(sites, index, "--"),
            "--" => increment(sites, index, "++"),
            _ => {}
        }
    }
}

/// Each other operator of a family in place of this one.
fn exchange(sites: &mut Sites<'_, '_>, operator: Operator, index: usize, family: &[&str]) {
    for replacement in family
        .iter()
        .filter(|replacement| !sites.code.is(index, replacement))
    {
        sites.replace(operator, index..index + 1, replacement);
    }
}

fn arithmetic(sites: &mut Sites<'_, '_>, index: usize) {
    let (left, right) = (sites.operands().left(index), sites.operands().right(index));
    let family: &[&str] = match (left.is_pointer(), right.is_pointer()) {
        (true, false) => &ARITHMETIC[..2],
        (_, true) => &[],
        _ if right.is_float() || sites.operands().left_product_is_float(index) => &ARITHMETIC[..4],
        _ => ARITHMETIC,
    };
    exchange(sites, Operator::Arithmetic, index, family);
}

fn plain_assignment(sites: &mut Sites<'_, '_>, index: usize) {
    let (left, right) = (sites.operands().left(index), sites.operands().right(index));
    if [left, right]
        .iter()
        .all(|class| !class.is_pointer() && !class.is_aggregate())
    {
        exchange(
            sites,
            Operator::Assignment,
            index,
            &ARITHMETIC_ASSIGNMENTS[..3],
        );
    }
}

fn arithmetic_assignment(sites: &mut Sites<'_, '_>, index: usize) {
    let (left, right) = (sites.operands().left(index), sites.operands().right(index));
    let family = if left.is_pointer() {
        // The right side is a number, which a pointer cannot be set to.
        &ARITHMETIC_ASSIGNMENTS[1..3]
    } else if left.is_float() || right.is_float() {
        &ARITHMETIC_ASSIGNMENTS[..5]
    } else {
        ARITHMETIC_ASSIGNMENTS
    };
    exchange(sites, Operator::Assignment, index, family);
}

/// The opposite step, and the step on the other side of a plain name where its value is used.
fn increment(sites: &mut Sites<'_, '_>, index: usize, opposite: &str) {
    let (code, outline) = (sites.code, sites.outline);
    let step = code.text(index);
    sites.replace(Operator::Increment, index..index + 1, opposite);
    let postfix = sites.operands().is_postfix(index);
    let range = if postfix {
        index - 1..index + 1
    } else {
        index..index + 2
    };
    let name = if postfix { index - 1 } else { index + 1 };
    let is_part = range.start > 0 && code.is_any(range.start - 1, &[".", "->"])
        || code.is_any(range.end, &[".", "->", "[", "("]);
    let is_alone = outline.expression_starts.contains(&range.start)
        && code.is_any(range.end, &[";", ")", ","]);
    if !code.is_identifier(name) || is_part || is_alone {
        return;
    }
    let name = code.text(name);
    let exchanged = if postfix {
        format!("{step}{name}")
    } else {
        format!("{name}{step}")
    };
    sites.replace(Operator::Increment, range, &exchanged);
}
