//! Numbers and texts for others: 1 for 0, 0 for 1, any other number for the next, a text for the empty one and back.
//!
//! Sizes and indices of array initialisers stay, and so does a constant whose change a mutant of the return right after it
//! makes too. Constant fields and the labels of switches are not code.

use classfile::{Instruction, Opcode};

use super::method::Pushed;
use super::mutant::{Change, Sites};
use super::returns;
use crate::Operator;

pub(super) fn visit(sites: &mut Sites, index: usize) {
    let method = sites.method;
    let instruction = &method.instructions[index];
    let Some(from) = method.pushed(instruction) else {
        return;
    };
    let Some(to) = changed(&from) else {
        return;
    };
    let next = method.instructions.get(index + 1);
    if is_of_array_initialiser(sites, index, next) || returns::makes(sites, index, &to) {
        return;
    }
    let (original, replacement) = (from.to_string(), to.to_string());
    sites.add(
        Operator::Constant,
        index,
        Change::Push(to),
        &original,
        &replacement,
    );
}

fn changed(from: &Pushed) -> Option<Pushed> {
    Some(match from {
        Pushed::Int(1) => Pushed::Int(0),
        Pushed::Int(value) => Pushed::Int(value.wrapping_add(1)),
        Pushed::Long(1) => Pushed::Long(0),
        Pushed::Long(value) => Pushed::Long(value.wrapping_add(1)),
        Pushed::Float(1.0) => Pushed::Float(0.0),
        // A large number has no next one that far away; the change must be a change.
        Pushed::Float(value) if value + 1.0 != *value => Pushed::Float(value + 1.0),
        Pushed::Float(_) => Pushed::Float(1.0),
        Pushed::Double(1.0) => Pushed::Double(0.0),
        Pushed::Double(value) if value + 1.0 != *value => Pushed::Double(value + 1.0),
        Pushed::Double(_) => Pushed::Double(1.0),
        Pushed::Text(text) if text.is_empty() => Pushed::Text("mutant".to_owned()),
        Pushed::Text(_) => Pushed::Text(String::new()),
        Pushed::Null => return None,
    })
}

/// Whether it is the size of a new array that is filled at once, or an index in it.
fn is_of_array_initialiser(sites: &Sites, index: usize, next: Option<&Instruction>) -> bool {
    let method = sites.method;
    let before = method.only_before(index).map(|before| before.opcode);
    let creates =
        next.is_some_and(|next| matches!(next.opcode, Opcode::NEWARRAY | Opcode::ANEWARRAY));
    before == Some(Opcode::DUP) || creates && method.opcode(index + 2) == Some(Opcode::DUP)
}
