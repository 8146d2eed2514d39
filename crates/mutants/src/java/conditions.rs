//! Conditional jumps: the boundary moved, the condition turned round.

use classfile::Opcode;

use super::mutant::Sites;
use crate::Operator;

/// Jumps with what they become when the boundary moves.
const BOUNDARY: [(Opcode, Opcode); 8] = [
    (Opcode::IFLT, Opcode::IFLE),
    (Opcode::IFLE, Opcode::IFLT),
    (Opcode::IFGT, Opcode::IFGE),
    (Opcode::IFGE, Opcode::IFGT),
    (Opcode::IF_ICMPLT, Opcode::IF_ICMPLE),
    (Opcode::IF_ICMPLE, Opcode::IF_ICMPLT),
    (Opcode::IF_ICMPGT, Opcode::IF_ICMPGE),
    (Opcode::IF_ICMPGE, Opcode::IF_ICMPGT),
];

/// Pairs of jumps that are taken when the other is not.
const OPPOSITE: [(Opcode, Opcode); 8] = [
    (Opcode::IFEQ, Opcode::IFNE),
    (Opcode::IFLT, Opcode::IFGE),
    (Opcode::IFGT, Opcode::IFLE),
    (Opcode::IF_ICMPEQ, Opcode::IF_ICMPNE),
    (Opcode::IF_ICMPLT, Opcode::IF_ICMPGE),
    (Opcode::IF_ICMPGT, Opcode::IF_ICMPLE),
    (Opcode::IF_ACMPEQ, Opcode::IF_ACMPNE),
    (Opcode::IFNULL, Opcode::IFNONNULL),
];

pub(super) fn visit(sites: &mut Sites, index: usize) {
    let opcode = sites.method.instructions[index].opcode;
    if let Some((_, moved)) = BOUNDARY.iter().find(|(from, _)| *from == opcode) {
        sites.swap(Operator::Relational, index, *moved);
    }
    for (one, other) in OPPOSITE {
        if one == opcode {
            sites.swap(Operator::ConditionNegation, index, other);
        } else if other == opcode {
            sites.swap(Operator::ConditionNegation, index, one);
        }
    }
}
