//! How many slots an instruction takes from the stack and puts on it, also where its constant decides.

use super::{Instruction, Operand};
use crate::descriptor::{MethodType, Type};
use crate::error::{Error, ErrorKind};
use crate::opcode::{Opcode, OperandKind, slots};
use crate::pool::{Constant, ConstantPool};

/// Slots taken from the stack and put on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEffect {
    /// How many are taken.
    pub pops: u16,
    /// How many are put.
    pub pushes: u16,
}

impl Instruction {
    /// The effect on the stack. The error is that of a malformed descriptor or a wrong constant, at the constant.
    pub fn stack_effect(&self, pool: &ConstantPool) -> Result<StackEffect, Error> {
        let info = self.opcode.info();
        if let (Some(pops), Some(pushes)) = (slots(info.pops), slots(info.pushes)) {
            return Ok(StackEffect { pops, pushes });
        }
        let index = self.constant().unwrap_or_default();
        let (pops, pushes) = match info.operands {
            OperandKind::Loadable1 | OperandKind::Loadable | OperandKind::Loadable2 => {
                (0, loaded(pool, index)?)
            }
            OperandKind::Field => field(self.opcode, pool, index)?,
            OperandKind::MultiArray => match self.operand {
                Operand::MultiArray { dimensions, .. } => (u16::from(dimensions), 1),
                _ => (0, 1),
            },
            _ => call(self.opcode, pool, index)?,
        };
        Ok(StackEffect { pops, pushes })
    }
}

fn loaded(pool: &ConstantPool, index: u16) -> Result<u16, Error> {
    match pool.get(index)? {
        Constant::Long(_) | Constant::Double(_) => Ok(2),
        Constant::Dynamic(..) => {
            let (_, _, descriptor) = pool.dynamic(index)?;
            field_slots(pool, index, descriptor)
        }
        _ => Ok(1),
    }
}

fn field(opcode: Opcode, pool: &ConstantPool, index: u16) -> Result<(u16, u16), Error> {
    let value = field_slots(pool, index, pool.member(index)?.descriptor)?;
    Ok(match opcode {
        Opcode::GETSTATIC => (0, value),
        Opcode::PUTSTATIC => (value, 0),
        Opcode::GETFIELD => (1, value),
        _ => (1 + value, 0),
    })
}

fn field_slots(pool: &ConstantPool, index: u16, descriptor: &str) -> Result<u16, Error> {
    match Type::parse(descriptor) {
        Ok(found) => Ok(found.slots()),
        Err(_) => Err(malformed(pool, index)),
    }
}

fn call(opcode: Opcode, pool: &ConstantPool, index: u16) -> Result<(u16, u16), Error> {
    let (receiver, descriptor) = match opcode {
        Opcode::INVOKEDYNAMIC => (0, pool.dynamic(index)?.2),
        Opcode::INVOKESTATIC => (0, pool.member(index)?.descriptor),
        _ => (1, pool.member(index)?.descriptor),
    };
    let Ok(method) = MethodType::parse(descriptor) else {
        return Err(malformed(pool, index));
    };
    Ok((receiver + method.parameter_slots(), method.result_slots()))
}

fn malformed(pool: &ConstantPool, index: u16) -> Error {
    let what = "the descriptor of a member is malformed";
    Error::at(pool.offset(index), ErrorKind::Attribute { what })
}
