//! Where the values on the stack and in the variables come from, at one point of a method.

use super::sketch::Sources;
use crate::opcode::Opcode;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub locals: Vec<Sources>,
    pub stack: Vec<Sources>,
}

impl State {
    pub(super) fn pop(&mut self) -> Sources {
        self.stack.pop().unwrap_or(0)
    }

    pub(super) fn take(&mut self, slots: u16) -> Sources {
        (0..slots).fold(0, |all, _| all | self.pop())
    }

    pub(super) fn put(&mut self, value: Sources, slots: u16) {
        if slots > 0 {
            self.stack.push(value);
            self.stack
                .extend(std::iter::repeat_n(0, usize::from(slots) - 1));
        }
    }

    pub(super) fn store(&mut self, local: u16, value: Sources) {
        let local = usize::from(local);
        self.locals.resize(self.locals.len().max(local + 1), 0);
        self.locals[local] = value;
    }

    /// Joins another state; says whether anything changed.
    pub(super) fn join(&mut self, other: &State) -> bool {
        join(&mut self.stack, &other.stack) | join(&mut self.locals, &other.locals)
    }
}

/// Joins slots with others; says whether anything changed.
pub(super) fn join(slots: &mut Vec<Sources>, others: &[Sources]) -> bool {
    slots.resize(slots.len().max(others.len()), 0);
    let mut changed = false;
    for (slot, other) in slots.iter_mut().zip(others) {
        changed |= *slot | other != *slot;
        *slot |= other;
    }
    changed
}

/// The instructions that only move slots.
pub(super) fn shuffle(opcode: Opcode, state: &mut State) {
    // How many slots are taken, and which of them are put back, counted from the deepest.
    let (taken, put): (usize, &[usize]) = match opcode {
        Opcode::POP => (1, &[]),
        Opcode::POP2 => (2, &[]),
        Opcode::DUP => (1, &[0, 0]),
        Opcode::DUP_X1 => (2, &[1, 0, 1]),
        Opcode::DUP_X2 => (3, &[2, 0, 1, 2]),
        Opcode::DUP2 => (2, &[0, 1, 0, 1]),
        Opcode::DUP2_X1 => (3, &[1, 2, 0, 1, 2]),
        Opcode::DUP2_X2 => (4, &[2, 3, 0, 1, 2, 3]),
        _ => (2, &[1, 0]),
    };
    let mut moved: Vec<Sources> = (0..taken).map(|_| state.pop()).collect();
    moved.reverse();
    for slot in put {
        state.stack.push(moved[*slot]);
    }
}
