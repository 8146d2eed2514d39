//! Making the mutated class.
//!
//! New code that fits into the bytes of the old instruction goes there, followed by `nop`s; longer code goes in by an
//! insertion plan, which moves the rest of the method. Neither changes the types on the stack or in the locals.

use std::borrow::Cow;

use classfile::descriptor::{MethodType, Type};
use classfile::rewrite::{Place, Plan, Probes, Refused, Rewriter};
use classfile::{ClassFile, Code, ConstantPool, Error, Instruction, Opcode, Operand, PoolFull};

use super::method::Pushed;
use super::mutant::{Change, ClassMutant, Returned};
use crate::MutantId;

/// Why a mutant cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// The class file cannot be read.
    #[error(transparent)]
    Class(#[from] Error),
    /// The class has no such instruction.
    #[error(
        "mutant `{id}` does not fit: `{class}` has no `{opcode}` at offset {pc} of `{method}`\nhint: list the mutants again"
    )]
    Stale {
        /// The mutant.
        id: MutantId,
        /// The class.
        class: String,
        /// The method, with its descriptor.
        method: String,
        /// The offset looked at.
        pc: u32,
        /// The instruction expected there.
        opcode: &'static str,
    },
    /// The mutated method would outgrow the format.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The constant pool cannot take what the mutant needs.
    #[error(transparent)]
    Pool(#[from] PoolFull),
}

impl ClassMutant {
    /// The mutated class file. Fails when the class does not hold the mutant's instruction at its place.
    pub fn apply(&self, bytes: &[u8]) -> Result<Vec<u8>, ApplyError> {
        let mut class = ClassFile::parse(bytes)?;
        let number = class.methods.iter().position(|member| {
            member.name(&class.pool) == self.method
                && member.descriptor(&class.pool) == self.descriptor
        });
        let number = number.ok_or_else(|| self.stale())?;
        let original = class.clone();
        let code = original.methods[number].code(&original.pool)?;
        let code = code.ok_or_else(|| self.stale())?;
        let instruction = code.at(self.pc).ok_or_else(|| self.stale())?;
        if instruction.opcode != self.opcode {
            return Err(self.stale());
        }
        let new = self.code(&instruction, &mut class.pool)?;
        let (start, end) = (instruction.pc as usize, instruction.next() as usize);
        if new.len() <= end - start {
            let mut patched = code.bytes.to_vec();
            patched[start..end].fill(Opcode::NOP.0);
            patched[start..start + new.len()].copy_from_slice(&new);
            let code = Code {
                bytes: Cow::Owned(patched),
                ..code.clone()
            };
            set_code(&mut class, number, code.write());
        } else {
            let mut plan = Plan::new();
            match &self.change {
                // The return itself stays, since plans hold straight code only. A box of a long needs a slot more than the box.
                Change::Return(_) => plan.insert(Place::Before(self.pc), &new, 1),
                _ => plan.replace(self.pc, &new, 0),
            }
            Rewriter::new(Probes::default()).apply(&mut class, number as u16, &mut plan)?;
        }
        Ok(class.write())
    }

    fn stale(&self) -> ApplyError {
        ApplyError::Stale {
            id: self.id.clone(),
            class: self.class.clone(),
            method: format!("{}{}", self.method, self.descriptor),
            pc: self.pc,
            opcode: self.opcode.name(),
        }
    }

    /// What stands in the place of the instruction.
    fn code(&self, old: &Instruction, pool: &mut ConstantPool) -> Result<Vec<u8>, ApplyError> {
        let mut new = Vec::new();
        match &self.change {
            Change::Opcode(opcode) => {
                new.push(opcode.0);
                if let Operand::Branch(target) = old.operand {
                    // Targets are kept as they are in the file: relative to the instruction.
                    let relative = (i64::from(target) - i64::from(old.pc)) as i16;
                    new.extend(relative.to_be_bytes());
                }
            }
            Change::Increment(by) => increment(old, *by, &mut new),
            Change::Drop => new.push(Opcode::NOP.0),
            Change::RemoveCall => remove_call(old, pool, &mut new).ok_or_else(|| self.stale())?,
            Change::Push(value) => push(value, pool, &mut new)?,
            Change::Return(value) => {
                new.push(match old.opcode {
                    Opcode::LRETURN | Opcode::DRETURN => Opcode::POP2.0,
                    _ => Opcode::POP.0,
                });
                returned(value, pool, &mut new)?;
            }
        }
        Ok(new)
    }
}

fn set_code(class: &mut ClassFile, number: usize, content: Vec<u8>) {
    let ClassFile { pool, methods, .. } = class;
    for attribute in &mut methods[number].attributes {
        if pool.is_utf8(attribute.name, "Code") {
            attribute.info = Cow::Owned(content);
            return;
        }
    }
}

fn increment(old: &Instruction, by: i16, new: &mut Vec<u8>) {
    let Operand::Increment { local, .. } = old.operand else {
        return;
    };
    match (u8::try_from(local), i8::try_from(by)) {
        (Ok(local), Ok(by)) if !old.is_wide() => new.extend([Opcode::IINC.0, local, by as u8]),
        _ => {
            new.extend([Opcode::WIDE.0, Opcode::IINC.0]);
            new.extend(local.to_be_bytes());
            new.extend(by.to_be_bytes());
        }
    }
}

/// Drops the arguments and pushes the default of the result's type.
fn remove_call(old: &Instruction, pool: &ConstantPool, new: &mut Vec<u8>) -> Option<()> {
    let member = pool.member(old.constant()?).ok()?;
    let method = MethodType::parse(member.descriptor).ok()?;
    let parameters: Vec<Type> = method.parameters().collect();
    for parameter in parameters.iter().rev() {
        new.push(match parameter.slots() {
            2 => Opcode::POP2.0,
            _ => Opcode::POP.0,
        });
    }
    if old.opcode != Opcode::INVOKESTATIC {
        new.push(Opcode::POP.0);
    }
    if let Some(result) = method.result() {
        new.push(match result.kind().letter() {
            'J' => Opcode::LCONST_0.0,
            'F' => Opcode::FCONST_0.0,
            'D' => Opcode::DCONST_0.0,
            'A' => Opcode::ACONST_NULL.0,
            _ => Opcode::ICONST_0.0,
        });
    }
    Some(())
}

fn returned(value: &Returned, pool: &mut ConstantPool, new: &mut Vec<u8>) -> Result<(), PoolFull> {
    let method = match value {
        Returned::Constant(value) => return push(value, pool, new),
        Returned::Boxed(value, owner, descriptor) => {
            push(value, pool, new)?;
            pool.add_method_ref(owner, "valueOf", descriptor)?
        }
        Returned::Call {
            owner,
            name,
            descriptor,
            interface: true,
        } => pool.add_interface_method_ref(owner, name, descriptor)?,
        Returned::Call {
            owner,
            name,
            descriptor,
            ..
        } => pool.add_method_ref(owner, name, descriptor)?,
    };
    new.push(Opcode::INVOKESTATIC.0);
    new.extend(method.to_be_bytes());
    Ok(())
}

/// Pushes a constant by the shortest instruction.
fn push(value: &Pushed, pool: &mut ConstantPool, new: &mut Vec<u8>) -> Result<(), PoolFull> {
    if push_short(value, new) {
        return Ok(());
    }
    let index = match value {
        Pushed::Int(value) => pool.add_integer(*value)?,
        Pushed::Long(value) => pool.add_long(*value)?,
        Pushed::Float(value) => pool.add_float(*value)?,
        Pushed::Double(value) => pool.add_double(*value)?,
        Pushed::Text(text) => pool.add_string(text)?,
        Pushed::Null => return Ok(()),
    };
    match (value, u8::try_from(index)) {
        (Pushed::Long(_) | Pushed::Double(_), _) => new.push(Opcode::LDC2_W.0),
        (_, Ok(index)) => {
            new.extend([Opcode::LDC.0, index]);
            return Ok(());
        }
        _ => new.push(Opcode::LDC_W.0),
    }
    new.extend(index.to_be_bytes());
    Ok(())
}

/// Pushes a constant that needs no entry of the pool; false for any other.
fn push_short(value: &Pushed, new: &mut Vec<u8>) -> bool {
    let opcode = match value {
        Pushed::Null => Opcode::ACONST_NULL,
        Pushed::Int(value @ -1..=5) => Opcode((i32::from(Opcode::ICONST_0.0) + value) as u8),
        Pushed::Int(value) => {
            if let Ok(value) = i8::try_from(*value) {
                new.extend([Opcode::BIPUSH.0, value as u8]);
            } else if let Ok(value) = i16::try_from(*value) {
                new.push(Opcode::SIPUSH.0);
                new.extend(value.to_be_bytes());
            } else {
                return false;
            }
            return true;
        }
        Pushed::Long(0) => Opcode::LCONST_0,
        Pushed::Long(1) => Opcode::LCONST_1,
        // A negative zero equals zero but is none.
        Pushed::Float(value) if value.to_bits() == 0 => Opcode::FCONST_0,
        Pushed::Float(1.0) => Opcode::FCONST_1,
        Pushed::Float(2.0) => Opcode::FCONST_2,
        Pushed::Double(value) if value.to_bits() == 0 => Opcode::DCONST_0,
        Pushed::Double(1.0) => Opcode::DCONST_1,
        Pushed::Long(_) | Pushed::Float(_) | Pushed::Double(_) | Pushed::Text(_) => return false,
    };
    new.push(opcode.0);
    true
}
