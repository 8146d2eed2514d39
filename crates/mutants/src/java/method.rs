//! A method as the operators look at it: instructions by number, what may be jumped to, lines.

use std::collections::BTreeSet;

use classfile::analysis::lines::Lines;
use classfile::{
    ClassFile, Code, Constant, ConstantPool, Error, Instruction, Member, Opcode, Operand,
};

/// A method with code.
pub(super) struct Method<'m> {
    pub pool: &'m ConstantPool<'m>,
    pub class: &'m str,
    pub name: &'m str,
    pub descriptor: &'m str,
    pub code: &'m Code<'m>,
    pub instructions: Vec<Instruction>,
    /// Where control comes from elsewhere.
    targets: BTreeSet<u32>,
    lines: Lines,
}

/// A number or text that an instruction pushes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pushed {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(String),
    Null,
}

impl<'m> Method<'m> {
    pub fn new(
        class: &'m ClassFile<'m>,
        member: &'m Member<'m>,
        code: &'m Code<'m>,
    ) -> Result<Method<'m>, Error> {
        let pool = &class.pool;
        let instructions: Vec<Instruction> = code.instructions().collect();
        let mut targets: BTreeSet<u32> = code
            .handlers
            .iter()
            .map(|handler| handler.target.into())
            .collect();
        for instruction in &instructions {
            match &instruction.operand {
                Operand::Branch(target) => {
                    targets.insert(*target);
                }
                Operand::Switch(switch) => targets.extend(switch.targets()),
                _ => {}
            }
        }
        Ok(Method {
            pool,
            class: class.name(),
            name: member.name(pool),
            descriptor: member.descriptor(pool),
            code,
            instructions,
            targets,
            lines: Lines::of(code, pool)?,
        })
    }

    /// Whether control can come to the instruction from elsewhere than the one before it.
    pub fn is_target(&self, index: usize) -> bool {
        self.targets.contains(&self.instructions[index].pc)
    }

    /// The instruction before, if it is the only way to this one.
    pub fn only_before(&self, index: usize) -> Option<&Instruction> {
        let before = self.instructions.get(index.checked_sub(1)?)?;
        (!self.is_target(index) && before.flow().falls_through()).then_some(before)
    }

    /// The number of the instruction at an offset.
    pub fn index_of(&self, pc: u32) -> Option<usize> {
        self.instructions
            .binary_search_by_key(&pc, |instruction| instruction.pc)
            .ok()
    }

    /// The line of an offset.
    pub fn line(&self, pc: u32) -> Option<u32> {
        self.lines.at(pc)
    }

    /// The method that an instruction calls by name: owner, name and descriptor.
    pub fn called(&self, index: usize) -> Option<(&'m str, &'m str, &'m str)> {
        let instruction = self.instructions.get(index)?;
        let constant = match instruction.opcode {
            Opcode::INVOKEVIRTUAL
            | Opcode::INVOKESPECIAL
            | Opcode::INVOKESTATIC
            | Opcode::INVOKEINTERFACE => instruction.constant()?,
            _ => return None,
        };
        let member = self.pool.member(constant).ok()?;
        Some((member.owner, member.name, member.descriptor))
    }

    /// The field that a `getstatic` or `putstatic` names.
    pub fn static_field(&self, index: usize) -> Option<&'m str> {
        let instruction = self.instructions.get(index)?;
        match instruction.opcode {
            Opcode::GETSTATIC | Opcode::PUTSTATIC => {
                let member = self.pool.member(instruction.constant()?).ok()?;
                Some(member.name)
            }
            _ => None,
        }
    }

    pub fn opcode(&self, index: usize) -> Option<Opcode> {
        Some(self.instructions.get(index)?.opcode)
    }

    /// The constant that an instruction pushes.
    pub fn pushed(&self, instruction: &Instruction) -> Option<Pushed> {
        let value = match instruction.operand {
            Operand::Value(value) => value,
            Operand::Pool(index) => return self.loaded(instruction.opcode, index),
            _ => return (instruction.opcode == Opcode::ACONST_NULL).then_some(Pushed::Null),
        };
        Some(match instruction.opcode {
            Opcode::LCONST_0 | Opcode::LCONST_1 => Pushed::Long(value.into()),
            Opcode::FCONST_0 | Opcode::FCONST_1 | Opcode::FCONST_2 => Pushed::Float(value as f32),
            Opcode::DCONST_0 | Opcode::DCONST_1 => Pushed::Double(value.into()),
            Opcode::NEWARRAY => return None,
            _ => Pushed::Int(value),
        })
    }

    fn loaded(&self, opcode: Opcode, index: u16) -> Option<Pushed> {
        if !matches!(opcode, Opcode::LDC | Opcode::LDC_W | Opcode::LDC2_W) {
            return None;
        }
        Some(match self.pool.get(index).ok()? {
            Constant::Integer(value) => Pushed::Int(*value),
            Constant::Long(value) => Pushed::Long(*value),
            Constant::Float(bits) => Pushed::Float(f32::from_bits(*bits)),
            Constant::Double(bits) => Pushed::Double(f64::from_bits(*bits)),
            Constant::String(text) => Pushed::Text(self.pool.utf8(*text).ok()?.to_owned()),
            _ => return None,
        })
    }
}
