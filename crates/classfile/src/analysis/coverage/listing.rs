//! One method as the counting rules see it: a list of instructions with lines, handlers and labels.
//!
//! Short and wide forms of an instruction are one opcode here, because the rules compare instructions by what they do.

use super::Rules;
use crate::analysis::lines::Lines;
use crate::attributes;
use crate::class::ClassFile;
use crate::code::Code;
use crate::error::Error;
use crate::frames::Frames;
use crate::instruction::{Instruction, Operand};
use crate::member::Member;
use crate::opcode::{Flow, Opcode};
use crate::pool::{ConstantPool, MemberRef};

/// An exception handler with instruction numbers instead of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range<'c> {
    pub start: usize,
    pub end: usize,
    pub target: usize,
    /// What is caught; `None` for everything.
    pub class: Option<&'c str>,
}

/// The instructions of a method.
pub(super) struct Listing<'c> {
    pub rules: Rules,
    pub class: &'c ClassFile<'c>,
    pub access: u16,
    pub name: &'c str,
    pub descriptor: &'c str,
    pub instructions: Vec<Instruction>,
    pub lines: Lines,
    pub ranges: Vec<Range<'c>>,
    labelled: Vec<bool>,
}

impl<'c> Listing<'c> {
    /// The listing of the method of this number; `None` without code.
    pub fn of(
        class: &'c ClassFile<'c>,
        method: usize,
        rules: Rules,
    ) -> Result<Option<Listing<'c>>, Error> {
        let member = &class.methods[method];
        let Some(code) = member.code(&class.pool)? else {
            return Ok(None);
        };
        let mut listing = Listing {
            rules,
            class,
            access: member.access,
            name: member.name(&class.pool),
            descriptor: member.descriptor(&class.pool),
            instructions: code.instructions().collect(),
            lines: Lines::of(&code, &class.pool)?,
            ranges: Vec::new(),
            labelled: Vec::new(),
        };
        for handler in &code.handlers {
            let end = u32::from(handler.end);
            let (Some(start), Some(target)) = (
                listing.index(u32::from(handler.start)),
                listing.index(u32::from(handler.target)),
            ) else {
                continue;
            };
            listing.ranges.push(Range {
                start,
                end: listing.index(end).unwrap_or(listing.instructions.len()),
                target,
                class: class.pool.class_name(handler.class).ok(),
            });
        }
        listing.labelled = listing.labels(member, &code);
        Ok(Some(listing))
    }

    pub fn pool(&self) -> &'c ConstantPool<'c> {
        &self.class.pool
    }

    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// The number of the instruction at an offset.
    pub fn index(&self, pc: u32) -> Option<usize> {
        self.instructions
            .binary_search_by_key(&pc, |instruction| instruction.pc)
            .ok()
    }

    pub fn pc(&self, index: usize) -> u32 {
        self.instructions[index].pc
    }

    /// What the instruction does, without its form; `nop` behind the end, where nothing matches.
    pub fn opcode(&self, index: usize) -> Opcode {
        let instruction = self.instructions.get(index);
        instruction.map_or(Opcode::NOP, |instruction| plain(instruction.opcode))
    }

    pub fn flow(&self, index: usize) -> Flow {
        self.instructions[index].flow()
    }

    /// The local variable of a load, a store or a `ret`.
    pub fn local(&self, index: usize) -> Option<u16> {
        match self.instructions.get(index)?.operand {
            Operand::Local(local) => Some(local),
            _ => None,
        }
    }

    /// Where a jump leads.
    pub fn jump(&self, index: usize) -> Option<usize> {
        match self.instructions.get(index)?.operand {
            Operand::Branch(target) => self.index(target),
            _ => None,
        }
    }

    /// The field or method an instruction names.
    pub fn member(&self, index: usize) -> Option<MemberRef<'c>> {
        let constant = self.instructions.get(index)?.constant()?;
        self.pool().member(constant).ok()
    }

    /// The class an instruction names.
    pub fn class_operand(&self, index: usize) -> Option<&'c str> {
        let constant = self.instructions.get(index)?.constant()?;
        self.pool().class_name(constant).ok()
    }

    /// Whether a jump, a handler, a line, a frame or a variable refers to the instruction.
    pub fn is_labelled(&self, index: usize) -> bool {
        self.labelled[index]
    }

    fn labels(&self, member: &Member, code: &Code) -> Vec<bool> {
        let mut labelled = vec![false; self.len() + 1];
        for (index, instruction) in self.instructions.iter().enumerate() {
            labelled[index] |= self.lines.starts_at(instruction.pc);
            match &instruction.operand {
                Operand::Branch(target) => self.mark(&mut labelled, *target),
                Operand::Switch(switch) => {
                    for target in switch.targets() {
                        self.mark(&mut labelled, target);
                    }
                }
                _ => {}
            }
        }
        for range in &self.ranges {
            for index in [range.start, range.end, range.target] {
                labelled[index] = true;
            }
        }
        // Malformed frames and tables only hide labels of code that nothing reaches.
        let frames = Frames::parse(self.class, member, code);
        for frame in frames.map(|frames| frames.list).unwrap_or_default() {
            self.mark(&mut labelled, frame.offset);
        }
        for attribute in &code.attributes {
            let name = attribute.name(self.pool());
            if name != "LocalVariableTable" && name != "LocalVariableTypeTable" {
                continue;
            }
            let variables = attributes::local_variables(attribute, self.pool());
            for variable in variables.unwrap_or_default() {
                let start = u32::from(variable.start);
                self.mark(&mut labelled, start);
                self.mark(&mut labelled, start + u32::from(variable.length));
            }
        }
        labelled
    }

    fn mark(&self, labelled: &mut [bool], pc: u32) {
        if let Some(index) = self.index(pc) {
            labelled[index] = true;
        }
    }
}

/// The opcode of the plain form: `aload` for `aload_0`, `goto` for `goto_w`, `ldc` for `ldc_w`.
fn plain(opcode: Opcode) -> Opcode {
    match opcode.0 {
        19 | 20 => Opcode::LDC,
        number @ 26..=45 => Opcode(21 + (number - 26) / 4),
        number @ 59..=78 => Opcode(54 + (number - 59) / 4),
        200 => Opcode::GOTO,
        201 => Opcode::JSR,
        number => Opcode(number),
    }
}
