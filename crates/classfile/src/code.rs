//! The code of a method: bytes, exception handlers, and the attributes that go with them.
//!
//! Everything a reader of instructions relies on is checked once, when the code is parsed: opcodes, lengths, targets,
//! handlers, the kinds of constants. Types on the stack are not checked; the JVM's verifier does that.

use std::borrow::Cow;

use crate::attribute::Attribute;
use crate::error::{Error, ErrorKind};
use crate::instruction::{Instruction, Operand};
use crate::opcode::{Opcode, OperandKind};
use crate::pool::{Constant, ConstantPool};
use crate::reader::{Reader, count};

/// The content of a `Code` attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code<'a> {
    /// How many slots the stack needs.
    pub max_stack: u16,
    /// How many slots the local variables need.
    pub max_locals: u16,
    /// The instructions.
    pub bytes: Cow<'a, [u8]>,
    /// The exception handlers; the first that fits is taken.
    pub handlers: Vec<Handler>,
    /// Line tables, frames and the like.
    pub attributes: Vec<Attribute<'a>>,
    /// Where the instructions start in the file, for error messages.
    pub offset: u32,
    /// Whether the header has the short form of class versions before 45.3.
    pub short: bool,
}

/// An exception handler: covers `start` up to and without `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The first instruction covered.
    pub start: u16,
    /// The first instruction after those, or the length of the code.
    pub end: u16,
    /// Where control goes.
    pub target: u16,
    /// The class constant of what is caught; 0 for everything.
    pub class: u16,
}

impl<'a> Code<'a> {
    /// Reads and checks the content of a `Code` attribute.
    pub fn parse(attribute: &'a Attribute, pool: &ConstantPool) -> Result<Code<'a>, Error> {
        let mut reader = attribute.reader();
        let short = pool.short_code();
        let (max_stack, max_locals, length) = match short {
            true => {
                let (stack, locals) = (reader.u8()?, reader.u8()?);
                (stack.into(), locals.into(), reader.u16()?.into())
            }
            false => (reader.u16()?, reader.u16()?, reader.u32()?),
        };
        if length == 0 || length > u32::from(u16::MAX) {
            return Err(reader.error(ErrorKind::CodeLength { length }));
        }
        let offset = reader.offset();
        let bytes = Cow::Borrowed(reader.take(length as usize)?);
        let handlers = handlers(&mut reader)?;
        let attributes = Attribute::read_all(&mut reader, pool)?;
        reader.finish()?;
        let code = Code {
            max_stack,
            max_locals,
            bytes,
            handlers,
            attributes,
            offset,
            short,
        };
        code.check(pool)?;
        Ok(code)
    }

    /// The content of the attribute.
    ///
    /// # Panics
    /// When a list is longer than the format allows. No parsed list is.
    pub fn write(&self) -> Vec<u8> {
        let size = self.bytes.len() + self.handlers.len() * 8 + 16;
        let mut out = Vec::with_capacity(size + Attribute::size_all(&self.attributes));
        match self.short {
            true => {
                out.extend([self.max_stack as u8, self.max_locals as u8]);
                out.extend(count(self.bytes.len()));
            }
            false => {
                out.extend(self.max_stack.to_be_bytes());
                out.extend(self.max_locals.to_be_bytes());
                out.extend([0, 0]);
                out.extend(count(self.bytes.len()));
            }
        }
        out.extend_from_slice(&self.bytes);
        out.extend(count(self.handlers.len()));
        for handler in &self.handlers {
            for part in [handler.start, handler.end, handler.target, handler.class] {
                out.extend(part.to_be_bytes());
            }
        }
        Attribute::write_all(&self.attributes, &mut out);
        out
    }

    /// The attribute of this name.
    pub fn attribute(&self, pool: &ConstantPool, name: &str) -> Option<&Attribute<'a>> {
        Attribute::find(&self.attributes, pool, name)
    }

    /// The instructions in order. Ends early at bytes that [`Code::check`] refuses.
    pub fn instructions(&self) -> Instructions<'_> {
        Instructions {
            code: &self.bytes,
            pc: 0,
        }
    }

    /// The instruction at an offset; `None` where the bytes make none.
    pub fn at(&self, pc: u32) -> Option<Instruction> {
        Instruction::decode(&self.bytes, pc).ok()
    }

    /// Checks what [`Code::parse`] promises: all instructions decode, jumps and handlers name instructions, constants have
    /// the kinds that the instructions need.
    pub fn check(&self, pool: &ConstantPool) -> Result<(), Error> {
        let place = |error: Error| Error {
            offset: error.offset.saturating_add(self.offset),
            ..error
        };
        let starts = self.check_instructions(pool).map_err(place)?;
        self.check_handlers(pool, &starts).map_err(place)
    }

    /// Decodes all instructions and tells where they start.
    fn check_instructions(&self, pool: &ConstantPool) -> Result<Places, Error> {
        let mut starts = Places::new(self.bytes.len());
        let mut targets = Places::new(self.bytes.len());
        let mut pc = 0;
        while (pc as usize) < self.bytes.len() {
            let plain = PLAIN_LENGTHS[usize::from(self.bytes[pc as usize])];
            if plain != 0 && pc as usize + usize::from(plain) <= self.bytes.len() {
                starts.add(pc);
                pc += u32::from(plain);
                continue;
            }
            let instruction = Instruction::decode(&self.bytes, pc)?;
            starts.add(pc);
            match &instruction.operand {
                Operand::Branch(target) => targets.add(*target),
                Operand::Switch(switch) => switch.targets().for_each(|target| targets.add(target)),
                _ => {}
            }
            if let Some(index) = instruction.constant()
                && let Some(wanted) = unfit(instruction.opcode.info().operands, pool, index)
            {
                let mut error = pool.mismatch(index, wanted);
                error.offset = pc;
                return Err(error);
            }
            pc = instruction.next();
        }
        match starts.include(&targets) {
            true => Ok(starts),
            false => Err(self.wrong_jump(&starts)),
        }
    }

    /// The jump that does not lead to an instruction.
    fn wrong_jump(&self, starts: &Places) -> Error {
        for instruction in self.instructions() {
            let wrong = match &instruction.operand {
                Operand::Branch(target) => (!starts.has(*target)).then_some(*target),
                Operand::Switch(switch) => switch.targets().find(|target| !starts.has(*target)),
                _ => None,
            };
            if let Some(target) = wrong {
                let target = i64::from(target);
                return Error::at(instruction.pc as usize, ErrorKind::Jump { target });
            }
        }
        unreachable!("called because there is one")
    }

    fn check_handlers(&self, pool: &ConstantPool, starts: &Places) -> Result<(), Error> {
        let length = self.bytes.len();
        for (number, handler) in self.handlers.iter().enumerate() {
            let number = number as u16;
            // The handlers follow the code and their count.
            let at = length + 2 + usize::from(number) * 8;
            let end = usize::from(handler.end);
            let fits = handler.start < handler.end
                && starts.has(handler.start.into())
                && (end == length || starts.has(handler.end.into()))
                && starts.has(handler.target.into());
            if !fits {
                return Err(Error::at(at, ErrorKind::Handler { number }));
            }
            if handler.class != 0
                && let Err(mut error) = pool.class_name(handler.class)
            {
                error.offset = u32::try_from(at).unwrap_or(u32::MAX);
                return Err(error);
            }
        }
        Ok(())
    }
}

fn handlers(reader: &mut Reader) -> Result<Vec<Handler>, Error> {
    let count = reader.u16()?;
    let bytes = reader.take(usize::from(count) * 8)?;
    let part = |entry: &[u8], at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
    let handlers = bytes.chunks_exact(8).map(|entry| Handler {
        start: part(entry, 0),
        end: part(entry, 2),
        target: part(entry, 4),
        class: part(entry, 6),
    });
    Ok(handlers.collect())
}

/// What an instruction needs of a constant, if the constant is not that.
fn unfit(kind: OperandKind, pool: &ConstantPool, index: u16) -> Option<&'static str> {
    let constant = pool.get(index).unwrap_or(&Constant::Gap);
    let (fits, wanted) = match kind {
        OperandKind::Loadable1 | OperandKind::Loadable => {
            let fits = matches!(
                constant,
                Constant::Integer(_)
                    | Constant::Float(_)
                    | Constant::String(_)
                    | Constant::Class(_)
                    | Constant::MethodHandle(..)
                    | Constant::MethodType(_)
                    | Constant::Dynamic(..)
            );
            (fits, "a loadable constant of one slot")
        }
        OperandKind::Loadable2 => {
            let fits = matches!(
                constant,
                Constant::Long(_) | Constant::Double(_) | Constant::Dynamic(..)
            );
            (fits, "a long or double")
        }
        OperandKind::Field => (matches!(constant, Constant::Field(..)), "a field"),
        OperandKind::Method => (matches!(constant, Constant::Method(..)), "a method"),
        OperandKind::AnyMethod => {
            let fits = matches!(
                constant,
                Constant::Method(..) | Constant::InterfaceMethod(..)
            );
            (fits, "a method")
        }
        OperandKind::InterfaceMethod => {
            let fits = matches!(constant, Constant::InterfaceMethod(..));
            (fits, "an interface method")
        }
        OperandKind::CallSite => {
            let fits = matches!(constant, Constant::InvokeDynamic(..));
            (fits, "a dynamic call site")
        }
        OperandKind::Class | OperandKind::MultiArray => {
            (matches!(constant, Constant::Class(_)), "a class")
        }
        _ => (true, ""),
    };
    (!fits).then_some(wanted)
}

/// The lengths of instructions whose operands can be anything, so that nothing is to check; 0 for the others.
const PLAIN_LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut opcode = 0;
    while opcode < 256 {
        lengths[opcode] = match Opcode(opcode as u8).info().operands {
            _ if !Opcode(opcode as u8).is_legal() => 0,
            OperandKind::None | OperandKind::FixedValue(_) | OperandKind::FixedLocal(_) => 1,
            OperandKind::Byte | OperandKind::Local => 2,
            OperandKind::Short | OperandKind::Increment => 3,
            _ => 0,
        };
        opcode += 1;
    }
    lengths
};

/// A set of places in the code, one bit per byte.
struct Places(Vec<u64>);

impl Places {
    fn new(length: usize) -> Places {
        Places(vec![0; length.div_ceil(64)])
    }

    /// Adds a place inside the code.
    fn add(&mut self, pc: u32) {
        self.0[pc as usize / 64] |= 1 << (pc % 64);
    }

    fn has(&self, pc: u32) -> bool {
        let word = self.0.get(pc as usize / 64);
        word.is_some_and(|word| word >> (pc % 64) & 1 == 1)
    }

    fn include(&self, others: &Places) -> bool {
        let mut pairs = self.0.iter().zip(&others.0);
        pairs.all(|(own, other)| other & !own == 0)
    }
}

/// Iterates over the instructions of a code.
#[derive(Clone, Debug)]
pub struct Instructions<'c> {
    code: &'c [u8],
    pc: u32,
}

impl Iterator for Instructions<'_> {
    type Item = Instruction;

    fn next(&mut self) -> Option<Instruction> {
        if self.pc as usize >= self.code.len() {
            return None;
        }
        let instruction = Instruction::decode(self.code, self.pc).ok()?;
        self.pc = instruction.next();
        Some(instruction)
    }
}

#[cfg(test)]
mod tests;
