//! The code of a new method: instructions with labels, frames and handlers.

use super::BuildError;
use crate::frames::{Frames, VerificationType};
use crate::instruction::{Instruction, Operand};
use crate::member::Member;
use crate::opcode::{Flow, Opcode, OperandKind, slots};
use crate::pool::{Constant, ConstantPool, MemberRef};

/// A place in the code, maybe not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(pub(super) u32);

/// A jump that is filled in at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// The instruction that distances are counted from.
    pub(super) from: u32,
    /// Where the distance is written.
    pub(super) at: u32,
    pub(super) wide: bool,
    pub(super) label: Label,
}

/// A frame: its place, the locals and the stack.
#[derive(Clone, Debug)]
pub(super) struct FrameAt {
    pub(super) offset: u32,
    pub(super) locals: Vec<VerificationType>,
    pub(super) stack: Vec<VerificationType>,
}

/// The code of a method being built. Methods that refer to constants take the pool of the class.
#[derive(Clone, Debug)]
pub struct CodeBuilder {
    pub(super) member: Member<'static>,
    pub(super) entry: Frames,
    pub(super) bytes: Vec<u8>,
    pub(super) labels: Vec<Option<u32>>,
    pub(super) jumps: Vec<Jump>,
    pub(super) handlers: Vec<(Label, Label, Label, u16)>,
    pub(super) frames: Vec<FrameAt>,
    pub(super) depth: u16,
    pub(super) max_stack: u16,
    pub(super) max_locals: u16,
}

impl CodeBuilder {
    pub(super) fn new(member: Member<'static>, entry: Frames) -> CodeBuilder {
        let max_locals = entry.initial().iter().map(width).sum();
        CodeBuilder {
            member,
            entry,
            bytes: Vec::new(),
            labels: Vec::new(),
            jumps: Vec::new(),
            handlers: Vec::new(),
            frames: Vec::new(),
            depth: 0,
            max_stack: 0,
            max_locals,
        }
    }

    /// The types of the local variables at the method's entry.
    pub fn entry_locals(&self) -> &[VerificationType] {
        self.entry.initial()
    }

    /// The offset of the next instruction.
    pub fn offset(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// A label without a place.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Puts a label before the next instruction.
    pub fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.offset());
    }

    /// Says the types before the next instruction. Every jump target and handler needs a frame, and so does every
    /// instruction after one that control does not pass.
    pub fn frame(&mut self, locals: &[VerificationType], stack: &[VerificationType]) {
        self.depth = stack.iter().map(width).sum();
        self.max_stack = self.max_stack.max(self.depth);
        self.locals_at_least(locals.iter().map(width).sum());
        let offset = self.offset();
        // Of two frames at one place the later one counts.
        self.frames.retain(|frame| frame.offset != offset);
        self.frames.push(FrameAt {
            offset,
            locals: locals.to_vec(),
            stack: stack.to_vec(),
        });
    }

    /// Catches exceptions of a class, or all, between two labels.
    pub fn handler(
        &mut self,
        pool: &mut ConstantPool,
        range: (Label, Label),
        target: Label,
        class: Option<&str>,
    ) -> Result<(), BuildError> {
        let class = class.map_or(Ok(0), |name| pool.add_class(name))?;
        self.handlers.push((range.0, range.1, target, class));
        Ok(())
    }

    /// An instruction without operands.
    ///
    /// # Panics
    /// When the opcode has operands.
    pub fn op(&mut self, opcode: Opcode) -> Result<(), BuildError> {
        let operand = match opcode.info().operands {
            OperandKind::None => Operand::None,
            OperandKind::FixedValue(value) => Operand::Value(value.into()),
            OperandKind::FixedLocal(local) => Operand::Local(local.into()),
            kind => panic!("`{}` has operands: {kind:?}", opcode.name()),
        };
        if let Operand::Local(local) = operand {
            self.use_local(opcode, local);
        }
        self.emit(&ConstantPool::empty(), opcode, operand, &[])
    }

    /// A load, a store or a `ret`.
    pub fn local(&mut self, opcode: Opcode, local: u16) -> Result<(), BuildError> {
        self.use_local(opcode, local);
        let pool = ConstantPool::empty();
        match u8::try_from(local) {
            Ok(short) => self.emit(&pool, opcode, Operand::Local(local), &[short]),
            Err(_) => {
                self.bytes.push(Opcode::WIDE.0);
                self.emit(&pool, opcode, Operand::Local(local), &local.to_be_bytes())
            }
        }
    }

    fn use_local(&mut self, opcode: Opcode, local: u16) {
        let info = opcode.info();
        let width = slots(info.pops).max(slots(info.pushes)).unwrap_or(1).max(1);
        self.locals_at_least(local.saturating_add(width));
    }

    fn locals_at_least(&mut self, locals: u16) {
        self.max_locals = self.max_locals.max(locals);
    }

    /// Pushes an int in the shortest way.
    pub fn push_int(&mut self, pool: &mut ConstantPool, value: i32) -> Result<(), BuildError> {
        if let -1..=5 = value {
            return self.op(Opcode((i32::from(Opcode::ICONST_0.0) + value) as u8));
        }
        let operand = Operand::Value(value);
        if let Ok(byte) = i8::try_from(value) {
            return self.emit(pool, Opcode::BIPUSH, operand, &byte.to_be_bytes());
        }
        if let Ok(short) = i16::try_from(value) {
            return self.emit(pool, Opcode::SIPUSH, operand, &short.to_be_bytes());
        }
        let index = pool.add_integer(value)?;
        self.load(pool, index)
    }

    /// Pushes a constant.
    pub fn load(&mut self, pool: &ConstantPool, index: u16) -> Result<(), BuildError> {
        let operand = Operand::Pool(index);
        let two = match pool.get(index)? {
            Constant::Long(_) | Constant::Double(_) => true,
            Constant::Dynamic(..) => matches!(pool.dynamic(index)?.2, "J" | "D"),
            _ => false,
        };
        match u8::try_from(index) {
            _ if two => self.emit(pool, Opcode::LDC2_W, operand, &index.to_be_bytes()),
            Ok(short) => self.emit(pool, Opcode::LDC, operand, &[short]),
            Err(_) => self.emit(pool, Opcode::LDC_W, operand, &index.to_be_bytes()),
        }
    }

    /// An instruction about a class: `new`, `anewarray`, `checkcast`, `instanceof`.
    pub fn class(
        &mut self,
        pool: &mut ConstantPool,
        opcode: Opcode,
        name: &str,
    ) -> Result<(), BuildError> {
        let index = pool.add_class(name)?;
        self.emit(pool, opcode, Operand::Pool(index), &index.to_be_bytes())
    }

    /// A new array of a primitive type, by the number the format gives to it.
    pub fn new_array(&mut self, kind: u8) -> Result<(), BuildError> {
        let pool = ConstantPool::empty();
        let operand = Operand::Value(kind.into());
        self.emit(&pool, Opcode::NEWARRAY, operand, &[kind])
    }

    /// Reads or writes a field.
    pub fn field(
        &mut self,
        pool: &mut ConstantPool,
        opcode: Opcode,
        field: MemberRef,
    ) -> Result<(), BuildError> {
        let index = pool.add_field_ref(field.owner, field.name, field.descriptor)?;
        self.emit(pool, opcode, Operand::Pool(index), &index.to_be_bytes())
    }

    /// Calls a method.
    pub fn invoke(
        &mut self,
        pool: &mut ConstantPool,
        opcode: Opcode,
        method: MemberRef,
    ) -> Result<(), BuildError> {
        let MemberRef {
            owner,
            name,
            descriptor,
            interface,
        } = method;
        let index = match interface {
            true => pool.add_interface_method_ref(owner, name, descriptor)?,
            false => pool.add_method_ref(owner, name, descriptor)?,
        };
        let bytes = index.to_be_bytes();
        self.emit(pool, opcode, Operand::Pool(index), &bytes)?;
        if opcode == Opcode::INVOKEINTERFACE {
            let arguments = argument_slots(pool, index)?;
            self.bytes.extend([arguments, 0]);
        }
        Ok(())
    }

    /// A jump.
    pub fn branch(&mut self, opcode: Opcode, label: Label) -> Result<(), BuildError> {
        let from = self.offset();
        let wide = opcode.info().operands == OperandKind::WideBranch;
        let distance = if wide { &[0; 4][..] } else { &[0; 2] };
        self.emit(&ConstantPool::empty(), opcode, Operand::Branch(0), distance)?;
        self.jump(from, from + 1, wide, label);
        Ok(())
    }

    /// A `tableswitch` from `low` up.
    pub fn table_switch(
        &mut self,
        low: i32,
        cases: &[Label],
        default: Label,
    ) -> Result<(), BuildError> {
        let from = self.offset();
        let pool = ConstantPool::empty();
        self.emit(&pool, Opcode::TABLESWITCH, Operand::None, &[])?;
        self.pad();
        self.far(from, default);
        let high = i64::from(low) + cases.len() as i64 - 1;
        let high = i32::try_from(high).map_err(|_| self.too_long(&pool))?;
        self.bytes.extend(low.to_be_bytes());
        self.bytes.extend(high.to_be_bytes());
        for case in cases {
            self.far(from, *case);
        }
        Ok(())
    }

    /// A `lookupswitch`, its keys rising.
    pub fn lookup_switch(
        &mut self,
        cases: &[(i32, Label)],
        default: Label,
    ) -> Result<(), BuildError> {
        let from = self.offset();
        let pool = ConstantPool::empty();
        self.emit(&pool, Opcode::LOOKUPSWITCH, Operand::None, &[])?;
        self.pad();
        self.far(from, default);
        self.bytes.extend((cases.len() as u32).to_be_bytes());
        for (key, case) in cases {
            self.bytes.extend(key.to_be_bytes());
            self.far(from, *case);
        }
        Ok(())
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn far(&mut self, from: u32, label: Label) {
        self.jump(from, self.offset(), true, label);
        self.bytes.extend([0; 4]);
    }

    fn jump(&mut self, from: u32, at: u32, wide: bool, label: Label) {
        self.jumps.push(Jump {
            from,
            at,
            wide,
            label,
        });
    }

    /// Appends an instruction and counts its effect on the stack.
    fn emit(
        &mut self,
        pool: &ConstantPool,
        opcode: Opcode,
        operand: Operand,
        bytes: &[u8],
    ) -> Result<(), BuildError> {
        let at = self.offset();
        self.bytes.push(opcode.0);
        self.bytes.extend_from_slice(bytes);
        let instruction = Instruction {
            pc: at,
            length: 1,
            opcode,
            operand,
        };
        let effect = instruction.stack_effect(pool)?;
        let rest = self.depth.checked_sub(effect.pops);
        self.depth = rest.ok_or(BuildError::Underflow { at })? + effect.pushes;
        self.max_stack = self.max_stack.max(self.depth);
        if matches!(instruction.flow(), Flow::Goto | Flow::Return | Flow::Throw) {
            self.depth = 0;
        }
        Ok(())
    }

    pub(super) fn too_long(&self, pool: &ConstantPool) -> BuildError {
        let method = pool.text(self.member.name).to_owned();
        BuildError::TooLong { method }
    }
}

fn argument_slots(pool: &ConstantPool, index: u16) -> Result<u8, BuildError> {
    let method = Instruction {
        pc: 0,
        length: 5,
        opcode: Opcode::INVOKEINTERFACE,
        operand: Operand::Interface { index, count: 0 },
    };
    let pops = method.stack_effect(pool)?.pops;
    // The receiver and at most 255 slots of parameters; more is refused by the verifier.
    Ok(u8::try_from(pops).unwrap_or(u8::MAX))
}

fn width(found: &VerificationType) -> u16 {
    match found {
        VerificationType::Long | VerificationType::Double => 2,
        _ => 1,
    }
}
