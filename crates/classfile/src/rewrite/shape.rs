//! The control flow of a method's code, as much of it as moving instructions needs.
//!
//! One pass over the bytes finds the jumps with their targets and marks what each offset is. Relies on code that
//! `Code::parse` has checked. Types on the stack are never looked at.

use crate::code::Code;
use crate::opcode::{Flow, Opcode, OperandKind};

/// An instruction starts here.
pub(super) const START: u8 = 1;
/// A basic block starts here.
pub(super) const LEADER: u8 = 2;
/// A jump leads here.
pub(super) const JUMPED: u8 = 4;
/// More than one jump leads here, or an exception handler starts here.
pub(super) const SHARED: u8 = 8;
/// The instruction before, or the start of the method, goes on to here.
pub(super) const REACHED: u8 = 16;
/// The line table has an entry here.
pub(super) const LINE: u8 = 32;

/// An instruction after which control does not simply go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub pc: u32,
    pub length: u32,
    pub opcode: Opcode,
    pub flow: Flow,
    /// Where a conditional, a goto or a subroutine call leads.
    pub target: u32,
    /// The ways out of a switch, as a range of [`Shape::ways`]: the default, then the cases in the order of their keys.
    pub ways: (u32, u32),
}

/// One way out of a switch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// `None` for the default.
    pub key: Option<i32>,
    pub target: u32,
}

/// What one pass over a method's code finds. Made once and filled again for every method.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub jumps: Vec<Jump>,
    pub ways: Vec<Way>,
    /// What each offset is; one more than the code is long.
    pub marks: Vec<u8>,
}

impl Shape {
    pub(super) fn read(&mut self, code: &Code) {
        self.jumps.clear();
        self.ways.clear();
        self.marks.clear();
        self.marks.resize(code.bytes.len() + 1, 0);
        self.marks[0] = LEADER;
        self.instructions(&code.bytes);
        for handler in &code.handlers {
            self.marks[usize::from(handler.target)] |= LEADER | JUMPED | SHARED;
        }
    }

    fn instructions(&mut self, code: &[u8]) {
        let mut pc = 0;
        let mut mark = START | REACHED;
        while pc < code.len() {
            self.marks[pc] |= mark;
            let opcode = code[pc];
            let plain = PLAIN_LENGTHS[usize::from(opcode)];
            if plain != 0 {
                pc += usize::from(plain);
                mark = START | REACHED;
                continue;
            }
            let length = length(code, pc);
            if opcode == Opcode::WIDE.0 && code[pc + 1] != Opcode::RET.0 {
                pc += length;
                mark = START | REACHED;
                continue;
            }
            let flow = self.jump(code, pc, length);
            pc += length;
            mark = match flow.falls_through() {
                true => START | LEADER | REACHED,
                false => START | LEADER,
            };
        }
    }

    fn jump(&mut self, code: &[u8], pc: usize, length: usize) -> Flow {
        let opcode = match code[pc] {
            wide if wide == Opcode::WIDE.0 => Opcode(code[pc + 1]),
            opcode => Opcode(opcode),
        };
        let info = opcode.info();
        let mut jump = Jump {
            pc: pc as u32,
            length: length as u32,
            opcode,
            flow: info.flow,
            target: 0,
            ways: (0, 0),
        };
        match info.operands {
            OperandKind::Branch => {
                jump.target = target(pc, i32::from(short(code, pc + 1)));
                self.mark_target(jump.target);
            }
            OperandKind::WideBranch => {
                jump.target = target(pc, int(code, pc + 1));
                self.mark_target(jump.target);
            }
            OperandKind::TableSwitch | OperandKind::LookupSwitch => {
                let from = self.ways.len() as u32;
                self.switch(code, pc);
                jump.ways = (from, self.ways.len() as u32);
            }
            _ => {}
        }
        self.jumps.push(jump);
        info.flow
    }

    fn switch(&mut self, code: &[u8], pc: usize) {
        let body = (pc + 4) & !3;
        self.way(None, target(pc, int(code, body)));
        if code[pc] == Opcode::TABLESWITCH.0 {
            let low = int(code, body + 4);
            let count = int(code, body + 8).wrapping_sub(low).wrapping_add(1);
            for number in 0..count {
                let at = body + 12 + 4 * number as usize;
                self.way(Some(low.wrapping_add(number)), target(pc, int(code, at)));
            }
        } else {
            for number in 0..int(code, body + 4) {
                let at = body + 8 + 8 * number as usize;
                self.way(Some(int(code, at)), target(pc, int(code, at + 4)));
            }
        }
    }

    fn way(&mut self, key: Option<i32>, target: u32) {
        self.ways.push(Way { key, target });
        self.mark_target(target);
    }

    fn mark_target(&mut self, target: u32) {
        let mark = &mut self.marks[target as usize];
        *mark |= match *mark & JUMPED {
            0 => LEADER | JUMPED,
            _ => SHARED,
        };
    }

    pub(super) fn is_instruction(&self, pc: u32) -> bool {
        let mark = self.marks.get(pc as usize);
        mark.is_some_and(|mark| mark & START != 0)
    }

    /// Whether control gets to a jump's target in no other way, so that what belongs to the edge may stand before it.
    pub(super) fn only_way(&self, target: u32) -> bool {
        self.marks[target as usize] & (JUMPED | SHARED | REACHED) == JUMPED
    }

    pub(super) fn ways(&self, jump: &Jump) -> &[Way] {
        &self.ways[jump.ways.0 as usize..jump.ways.1 as usize]
    }
}

fn target(pc: usize, offset: i32) -> u32 {
    (pc as u32).wrapping_add_signed(offset)
}

pub(super) fn short(bytes: &[u8], at: usize) -> i16 {
    i16::from_be_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn int(bytes: &[u8], at: usize) -> i32 {
    i32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The length of the instruction at an offset.
pub(super) fn length(code: &[u8], pc: usize) -> usize {
    let body = (pc + 4) & !3;
    match Opcode(code[pc]) {
        Opcode::TABLESWITCH => {
            let count = i64::from(int(code, body + 8)) - i64::from(int(code, body + 4)) + 1;
            body + 12 + 4 * count as usize - pc
        }
        Opcode::LOOKUPSWITCH => body + 8 + 8 * int(code, body + 4) as usize - pc,
        Opcode::WIDE if code[pc + 1] == Opcode::IINC.0 => 6,
        Opcode::WIDE => 4,
        opcode => LENGTHS[usize::from(opcode.0)].into(),
    }
}

/// Lengths of instructions that always have the same; 0 for the others.
const LENGTHS: [u8; 256] = lengths();

/// Lengths of instructions that go on to the next; 0 for jumps and what needs a closer look.
pub(super) const PLAIN_LENGTHS: [u8; 256] = plain_lengths();

const fn lengths() -> [u8; 256] {
    let mut lengths = [1; 256];
    let mut opcode = 0;
    while opcode < 256 {
        lengths[opcode] = match Opcode(opcode as u8).info().operands {
            OperandKind::None | OperandKind::FixedValue(_) | OperandKind::FixedLocal(_) => 1,
            OperandKind::Byte
            | OperandKind::ArrayType
            | OperandKind::Local
            | OperandKind::Loadable1 => 2,
            OperandKind::Short
            | OperandKind::Increment
            | OperandKind::Loadable
            | OperandKind::Loadable2
            | OperandKind::Field
            | OperandKind::Method
            | OperandKind::AnyMethod
            | OperandKind::Class
            | OperandKind::Branch => 3,
            OperandKind::MultiArray => 4,
            OperandKind::InterfaceMethod | OperandKind::CallSite | OperandKind::WideBranch => 5,
            OperandKind::TableSwitch | OperandKind::LookupSwitch | OperandKind::Wide => 0,
        };
        opcode += 1;
    }
    lengths
}

const fn plain_lengths() -> [u8; 256] {
    let mut lengths = lengths();
    let mut opcode = 0;
    while opcode < 256 {
        if !matches!(Opcode(opcode as u8).info().flow, Flow::Next) {
            lengths[opcode] = 0;
        }
        opcode += 1;
    }
    lengths
}
