//! One instruction of a method, decoded.
//!
//! Decoding allocates only for switches. Jump targets are offsets from the start of the code, never relative.

mod effect;

use crate::error::{Error, ErrorKind};
use crate::opcode::{Flow, Opcode, OperandKind};

pub use effect::StackEffect;

/// An instruction at its place. `wide` is not an instruction of its own: the widened one is given, with its whole length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Where it starts in the code.
    pub pc: u32,
    /// How many bytes it takes, `wide` and padding included.
    pub length: u32,
    /// What it does.
    pub opcode: Opcode,
    /// What it does it to.
    pub operand: Operand,
}

/// The operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// No operand.
    None,
    /// The number of `bipush`, `sipush` and the constants `iconst_0` to `dconst_1`; the element type of `newarray`.
    Value(i32),
    /// A local variable, also that of `iload_0` and its like.
    Local(u16),
    /// A local variable and what `iinc` adds to it.
    Increment {
        /// The variable.
        local: u16,
        /// The number added.
        by: i16,
    },
    /// A constant.
    Pool(u16),
    /// The target of a jump.
    Branch(u32),
    /// The targets of a switch.
    Switch(Box<Switch>),
    /// The method of an `invokeinterface`.
    Interface {
        /// The constant.
        index: u16,
        /// The number of argument slots, as in the file.
        count: u8,
    },
    /// The call site of an `invokedynamic`.
    Dynamic(u16),
    /// The type of a `multianewarray`.
    MultiArray {
        /// The class constant of the array type.
        index: u16,
        /// How many dimensions are made.
        dimensions: u8,
    },
}

/// The targets of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Where all other values go.
    pub default: u32,
    /// The values with their targets, in rising order.
    pub cases: Vec<(i32, u32)>,
    /// Whether it is a `tableswitch`.
    pub table: bool,
}

impl Switch {
    /// All targets, the default first. The same one may come several times.
    pub fn targets(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.default).chain(self.cases.iter().map(|(_, target)| *target))
    }
}

impl Instruction {
    /// The offset of the instruction after this one.
    pub fn next(&self) -> u32 {
        self.pc + self.length
    }

    /// Where control goes, apart from exceptions.
    pub fn flow(&self) -> Flow {
        self.opcode.info().flow
    }

    /// Whether it was widened by `wide`.
    pub fn is_wide(&self) -> bool {
        match self.opcode.info().operands {
            OperandKind::Local => self.length == 4,
            OperandKind::Increment => self.length == 6,
            _ => false,
        }
    }

    /// The constant it refers to.
    pub fn constant(&self) -> Option<u16> {
        match self.operand {
            Operand::Pool(index)
            | Operand::Interface { index, .. }
            | Operand::Dynamic(index)
            | Operand::MultiArray { index, .. } => Some(index),
            _ => None,
        }
    }

    /// Decodes the instruction at `pc` of the code. Targets are inside the code afterwards, maybe amid an instruction.
    /// The error's offset is counted from the start of the code.
    pub fn decode(code: &[u8], pc: u32) -> Result<Instruction, Error> {
        let bytes = Bytes { code, pc };
        let opcode = Opcode(bytes.u8(0)?);
        if !opcode.is_legal() {
            let kind = ErrorKind::Opcode { opcode: opcode.0 };
            return Err(bytes.error(kind));
        }
        let kind = opcode.info().operands;
        let (length, operand) = match kind {
            OperandKind::Wide => return bytes.wide(),
            OperandKind::TableSwitch => bytes.table_switch()?,
            OperandKind::LookupSwitch => bytes.lookup_switch()?,
            _ => bytes.operand(kind)?,
        };
        Ok(Instruction {
            pc,
            length,
            opcode,
            operand,
        })
    }
}

/// The code around an instruction.
#[derive(Clone, Copy)]
struct Bytes<'a> {
    code: &'a [u8],
    pc: u32,
}

impl Bytes<'_> {
    fn error(&self, kind: ErrorKind) -> Error {
        Error::at(self.pc as usize, kind)
    }

    #[inline]
    fn array<const N: usize>(&self, at: u32) -> Result<[u8; N], Error> {
        let start = self.pc as usize + at as usize;
        let rest = self.code.get(start..).unwrap_or_default();
        match rest.first_chunk() {
            Some(bytes) => Ok(*bytes),
            None => Err(self.truncated(start + N)),
        }
    }

    #[cold]
    fn truncated(&self, end: usize) -> Error {
        let missing = end.saturating_sub(self.code.len()) as u64;
        self.error(ErrorKind::Truncated { missing })
    }

    fn u8(&self, at: u32) -> Result<u8, Error> {
        Ok(self.array::<1>(at)?[0])
    }

    fn u16(&self, at: u32) -> Result<u16, Error> {
        Ok(u16::from_be_bytes(self.array(at)?))
    }

    fn i16(&self, at: u32) -> Result<i16, Error> {
        Ok(i16::from_be_bytes(self.array(at)?))
    }

    fn i32(&self, at: u32) -> Result<i32, Error> {
        Ok(i32::from_be_bytes(self.array(at)?))
    }

    fn target(&self, distance: i32) -> Result<u32, Error> {
        let target = i64::from(self.pc) + i64::from(distance);
        match u32::try_from(target) {
            Ok(inside) if (inside as usize) < self.code.len() => Ok(inside),
            _ => Err(self.error(ErrorKind::Jump { target })),
        }
    }

    fn operand(&self, kind: OperandKind) -> Result<(u32, Operand), Error> {
        let decoded = match kind {
            OperandKind::FixedValue(value) => (1, Operand::Value(i32::from(value))),
            OperandKind::FixedLocal(local) => (1, Operand::Local(u16::from(local))),
            OperandKind::Byte => (2, Operand::Value(i32::from(self.u8(1)? as i8))),
            OperandKind::ArrayType => (2, Operand::Value(i32::from(self.u8(1)?))),
            OperandKind::Short => (3, Operand::Value(i32::from(self.i16(1)?))),
            OperandKind::Local => (2, Operand::Local(u16::from(self.u8(1)?))),
            OperandKind::Increment => {
                let local = u16::from(self.u8(1)?);
                let by = i16::from(self.u8(2)? as i8);
                (3, Operand::Increment { local, by })
            }
            OperandKind::Loadable1 => (2, Operand::Pool(u16::from(self.u8(1)?))),
            OperandKind::Loadable
            | OperandKind::Loadable2
            | OperandKind::Field
            | OperandKind::Method
            | OperandKind::AnyMethod
            | OperandKind::Class => (3, Operand::Pool(self.u16(1)?)),
            OperandKind::InterfaceMethod => {
                self.u8(4)?;
                let (index, count) = (self.u16(1)?, self.u8(3)?);
                (5, Operand::Interface { index, count })
            }
            OperandKind::CallSite => {
                self.u8(4)?;
                (5, Operand::Dynamic(self.u16(1)?))
            }
            OperandKind::MultiArray => {
                let (index, dimensions) = (self.u16(1)?, self.u8(3)?);
                (4, Operand::MultiArray { index, dimensions })
            }
            OperandKind::Branch => {
                let distance = i32::from(self.i16(1)?);
                (3, Operand::Branch(self.target(distance)?))
            }
            OperandKind::WideBranch => (5, Operand::Branch(self.target(self.i32(1)?)?)),
            OperandKind::None
            | OperandKind::Wide
            | OperandKind::TableSwitch
            | OperandKind::LookupSwitch => (1, Operand::None),
        };
        Ok(decoded)
    }

    fn wide(&self) -> Result<Instruction, Error> {
        let opcode = Opcode(self.u8(1)?);
        let (length, operand) = match opcode.info().operands {
            OperandKind::Local => (4, Operand::Local(self.u16(2)?)),
            OperandKind::Increment => {
                let (local, by) = (self.u16(2)?, self.i16(4)?);
                (6, Operand::Increment { local, by })
            }
            _ => return Err(self.error(ErrorKind::Wide { opcode: opcode.0 })),
        };
        Ok(Instruction {
            pc: self.pc,
            length,
            opcode,
            operand,
        })
    }

    /// Where the operands of a switch start: at the next multiple of four after the opcode.
    fn padded(&self) -> u32 {
        4 - self.pc % 4
    }

    fn table_switch(&self) -> Result<(u32, Operand), Error> {
        let start = self.padded();
        let default = self.target(self.i32(start)?)?;
        let (low, high) = (self.i32(start + 4)?, self.i32(start + 8)?);
        let count = i64::from(high) - i64::from(low) + 1;
        let count = self.cases(start + 12, count, 4)?;
        let mut cases = Vec::with_capacity(count as usize);
        for case in 0..count {
            let target = self.target(self.i32(start + 12 + case * 4)?)?;
            cases.push((low.wrapping_add(case as i32), target));
        }
        let switch = Switch {
            default,
            cases,
            table: true,
        };
        let length = start + 12 + count * 4;
        Ok((length, Operand::Switch(Box::new(switch))))
    }

    fn lookup_switch(&self) -> Result<(u32, Operand), Error> {
        let start = self.padded();
        let default = self.target(self.i32(start)?)?;
        let count = i64::from(self.i32(start + 4)?);
        let count = self.cases(start + 8, count, 8)?;
        let mut cases: Vec<(i32, u32)> = Vec::with_capacity(count as usize);
        for case in 0..count {
            let at = start + 8 + case * 8;
            let key = self.i32(at)?;
            if cases.last().is_some_and(|(last, _)| *last >= key) {
                return Err(self.error(ErrorKind::Switch));
            }
            cases.push((key, self.target(self.i32(at + 4)?)?));
        }
        let switch = Switch {
            default,
            cases,
            table: false,
        };
        let length = start + 8 + count * 8;
        Ok((length, Operand::Switch(Box::new(switch))))
    }

    /// The number of cases of a switch, when there are bytes for them.
    fn cases(&self, at: u32, count: i64, size: usize) -> Result<u32, Error> {
        let Ok(count) = u32::try_from(count) else {
            return Err(self.error(ErrorKind::Switch));
        };
        let rest = self.code.len().saturating_sub((self.pc + at) as usize);
        match (count as u64 * size as u64).checked_sub(rest as u64) {
            None | Some(0) => Ok(count),
            Some(missing) => Err(self.error(ErrorKind::Truncated { missing })),
        }
    }
}
