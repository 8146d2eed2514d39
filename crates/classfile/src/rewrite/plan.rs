//! An insertion plan: what is put where in one method.
//!
//! Inserted code is straight: it has no jumps, it leaves stack and locals as it finds them, and it may throw. So frames keep
//! their shapes and nothing has to be inferred. A plan may also add one int local that lives through the whole method.

use super::shape::{Jump, Shape};
use crate::opcode::{Flow, Opcode};
use crate::rewrite::place::{Place, Side};

/// Insertions for one method. Made once and filled again for every method.
#[derive(Debug, Default)]
pub struct Plan {
    pub(super) code: Vec<u8>,
    pub(super) edits: Vec<Edit>,
    pub(super) stack: u16,
    pub(super) local: Option<u16>,
}

/// A piece of inserted code: `start..end` of [`Plan::code`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    pub pc: u32,
    pub slot: Slot,
    pub start: u32,
    pub end: u32,
}

impl Edit {
    pub(super) fn length(&self) -> u32 {
        self.end - self.start
    }
}

/// Where at an instruction a piece goes, in the order of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Entry,
    Before,
    Replace,
    After,
    Taken,
    Default,
    Case(i32),
}

impl Plan {
    /// A plan that changes nothing.
    pub fn new() -> Plan {
        Plan::default()
    }

    /// Makes this a plan that changes nothing.
    pub fn clear(&mut self) {
        self.code.clear();
        self.edits.clear();
        self.stack = 0;
        self.local = None;
    }

    /// Whether the plan changes nothing.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.local.is_none()
    }

    /// Puts straight code at a place, after what was put there before. It may need `stack` slots more than there are.
    ///
    /// The code must have no jumps and leave the stack as it was. A place that the method does not have is ignored.
    pub fn insert(&mut self, place: Place, code: &[u8], stack: u16) {
        let start = self.code.len();
        self.code.extend_from_slice(code);
        self.stack = self.stack.max(stack);
        let (pc, slot) = slot(place);
        self.add(pc, slot, start);
    }

    /// Puts straight code in the place of an instruction that does not jump, with the same effect on the types of stack and
    /// locals. It may need `stack` slots more than the instruction.
    pub fn replace(&mut self, pc: u32, code: &[u8], stack: u16) {
        let start = self.code.len();
        self.code.extend_from_slice(code);
        self.stack = self.stack.max(stack);
        self.add_empty(pc, Slot::Replace, start);
    }

    /// Adds an int local that is zero at entry and lives through the method. Its number is the method's `max_locals`.
    pub fn add_local(&mut self, max_locals: u16) -> u16 {
        self.local = Some(max_locals);
        max_locals
    }

    /// Ends a piece of code that started at `start` of [`Plan::code`]; nothing happens if it is empty.
    pub(super) fn add(&mut self, pc: u32, slot: Slot, start: usize) {
        if self.code.len() > start {
            self.add_empty(pc, slot, start);
        }
    }

    fn add_empty(&mut self, pc: u32, slot: Slot, start: usize) {
        let (start, end) = (start as u32, self.code.len() as u32);
        self.edits.push(Edit {
            pc,
            slot,
            start,
            end,
        });
    }

    /// Drops pieces for places that the method does not have and sorts the rest; those for one slot stay in the order in
    /// which they came. What belongs to an edge that is the only way to its target moves there, which saves an island.
    pub(super) fn finish(&mut self, shape: &Shape) {
        self.start_local();
        self.edits.retain(|edit| shape.is_instruction(edit.pc));
        self.edits.sort_by_key(|edit| (edit.pc, edit.slot));
        let mut jumps = shape.jumps.iter().peekable();
        let mut moved = false;
        self.edits.retain_mut(|edit| {
            while jumps.next_if(|jump| jump.pc < edit.pc).is_some() {}
            let jump = jumps.peek().filter(|jump| jump.pc == edit.pc);
            let target = match (edit.slot, jump) {
                (Slot::Entry | Slot::Before, _) | (Slot::Replace, None) => return true,
                (Slot::After, None) => return true,
                (Slot::After, Some(jump)) => return jump.flow.falls_through(),
                (Slot::Taken, Some(jump)) if jump.flow == Flow::Branch => jump.target,
                (Slot::Default | Slot::Case(_), Some(jump)) => match way(shape, jump, edit.slot) {
                    Some(target) => target,
                    None => return false,
                },
                _ => return false,
            };
            if shape.only_way(target) {
                (edit.pc, edit.slot) = (target, Slot::Before);
                moved = true;
            }
            true
        });
        if moved {
            self.edits.sort_by_key(|edit| (edit.pc, edit.slot));
        }
    }

    fn start_local(&mut self) {
        if let Some(local) = self.local {
            let start = self.code.len();
            self.code.push(Opcode::ICONST_0.0);
            match u8::try_from(local) {
                Ok(local) => self.code.extend([Opcode::ISTORE.0, local]),
                Err(_) => {
                    self.code.extend([Opcode::WIDE.0, Opcode::ISTORE.0]);
                    self.code.extend(local.to_be_bytes());
                }
            }
            self.stack = self.stack.max(1);
            self.add(0, Slot::Entry, start);
            // The local must be there for everything else that stands at the entry.
            self.edits.rotate_right(1);
        }
    }
}

/// Where a switch goes for a slot.
fn way(shape: &Shape, jump: &Jump, slot: Slot) -> Option<u32> {
    let ways = shape.ways(jump);
    let (default, cases) = ways.split_first()?;
    match slot {
        Slot::Case(key) => {
            let at = cases.binary_search_by_key(&Some(key), |way| way.key).ok()?;
            Some(cases[at].target)
        }
        _ => Some(default.target),
    }
}

/// The offset and slot of a place.
pub(super) fn slot(place: Place) -> (u32, Slot) {
    match place {
        Place::Entry => (0, Slot::Entry),
        Place::Before(pc) => (pc, Slot::Before),
        Place::After(pc) | Place::Edge(pc, Side::Fall) => (pc, Slot::After),
        Place::Edge(pc, Side::Taken) => (pc, Slot::Taken),
        Place::Edge(pc, Side::Default) => (pc, Slot::Default),
        Place::Edge(pc, Side::Case(key)) => (pc, Slot::Case(key)),
    }
}
