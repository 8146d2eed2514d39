//! What one instruction does to what is known.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::environment::Environment;
use super::fold::fold;
use super::state::{State, Value};
use super::{Known, Origin, Use};
use crate::attributes::BootstrapMethod;
use crate::class::ClassFile;
use crate::descriptor::Kind;
use crate::instruction::{Instruction, Operand};
use crate::opcode::{Flow, Opcode, OperandKind};

/// Interprets instructions of one class.
pub(super) struct Machine<'m> {
    pub class: &'m ClassFile<'m>,
    pub environment: &'m Environment,
    /// How the dynamic call sites of the class are made, once one is met.
    pub bootstraps: OnceCell<Vec<BootstrapMethod>>,
    /// What the method returns.
    pub result: Option<Kind>,
    /// The constants met, by offset.
    pub uses: BTreeMap<u32, Vec<Use>>,
    /// The values stored in static fields of the class; `None` where several or unknown.
    pub stored: BTreeMap<String, Option<Known>>,
}

impl Machine<'_> {
    pub fn step(&mut self, instruction: &Instruction, state: &mut State) {
        let opcode = instruction.opcode;
        match &instruction.operand {
            Operand::Local(local) => self.local(instruction, *local, state),
            Operand::Increment { local, by } => self.increment(instruction.pc, *local, *by, state),
            Operand::Switch(switch) => {
                state.pop();
                for (key, _) in &switch.cases {
                    self.meet(instruction.pc, Known::Int(*key), Origin::SwitchKey);
                }
            }
            Operand::Pool(_) | Operand::Interface { .. } | Operand::Dynamic(_) => {
                self.constant(instruction, state);
            }
            Operand::MultiArray { dimensions, .. } => {
                for _ in 0..*dimensions {
                    state.pop();
                }
                state.push(Value::Unknown);
            }
            _ => match opcode.info().operands {
                OperandKind::FixedValue(value) => self.fixed(instruction, value.into(), state),
                OperandKind::Byte | OperandKind::Short => match instruction.operand {
                    Operand::Value(value) => self.fixed(instruction, value, state),
                    _ => self.plain(instruction, state),
                },
                _ => self.plain(instruction, state),
            },
        }
    }

    /// Notes a constant and gives it as a value.
    pub(super) fn meet(&mut self, pc: u32, value: Known, origin: Origin) -> Value {
        let kind = value.kind();
        let uses = self.uses.entry(pc).or_default();
        if !uses.iter().any(|one| one.value == value) {
            uses.push(Use {
                pc,
                value: value.clone(),
                origin,
                kind,
            });
        }
        Value::Known(value, Some(pc))
    }

    /// Says as what a value is used.
    pub(super) fn used_as(&mut self, value: &Value, kind: Kind) {
        let Value::Known(known, Some(pc)) = value else {
            return;
        };
        for one in self.uses.entry(*pc).or_default() {
            let untold = one.kind == one.value.kind() && one.value == *known;
            if untold && kind.letter() == one.kind.letter() {
                one.kind = kind;
            }
        }
    }

    fn fixed(&mut self, instruction: &Instruction, value: i32, state: &mut State) {
        let letter = instruction.opcode.info().pushes;
        let known = match letter {
            "J" => Known::Long(value.into()),
            "F" => Known::Float((value as f32).to_bits()),
            "D" => Known::Double(f64::from(value).to_bits()),
            _ => Known::Int(value),
        };
        let slots = known.kind().slots();
        let value = self.meet(instruction.pc, known, Origin::Literal);
        state.put(value, slots);
    }

    fn local(&mut self, instruction: &Instruction, local: u16, state: &mut State) {
        let info = instruction.opcode.info();
        let wide = |letters: &str| {
            if letters == "J" || letters == "D" {
                2
            } else {
                1
            }
        };
        if !info.pushes.is_empty() {
            state.put(state.load(local), wide(info.pushes));
        } else if !info.pops.is_empty() {
            let slots = wide(info.pops);
            let value = state.take(slots);
            state.store(local, value);
            if slots == 2 {
                state.store(local.saturating_add(1), Value::Unknown);
            }
        }
    }

    fn increment(&mut self, pc: u32, local: u16, by: i16, state: &mut State) {
        self.meet(pc, Known::Int(by.into()), Origin::Literal);
        let value = match state.load(local) {
            Value::Known(Known::Int(value), _) => {
                let sum = Known::Int(value.wrapping_add(by.into()));
                self.meet(pc, sum, Origin::Folded)
            }
            _ => Value::Unknown,
        };
        state.store(local, value);
    }

    /// Instructions whose effect is all in the table: arithmetic, arrays, stack shuffling, jumps, returns.
    fn plain(&mut self, instruction: &Instruction, state: &mut State) {
        let opcode = instruction.opcode;
        match opcode {
            Opcode::ACONST_NULL => {
                let null = self.meet(instruction.pc, Known::Null, Origin::Literal);
                return state.push(null);
            }
            _ if (Opcode::POP..=Opcode::SWAP).contains(&opcode) => return shuffle(opcode, state),
            _ => {}
        }
        let info = opcode.info();
        let mut operands: Vec<Value> = Vec::new();
        for letter in info.pops.chars().rev() {
            operands.push(state.take(slots(letter)));
        }
        operands.reverse();
        let element = match opcode {
            Opcode::BASTORE => Some(Kind::Byte),
            Opcode::CASTORE => Some(Kind::Char),
            Opcode::SASTORE => Some(Kind::Short),
            _ if info.flow == Flow::Return => self.result,
            _ => None,
        };
        if let (Some(kind), Some(value)) = (element, operands.last()) {
            self.used_as(value, kind);
        }
        if opcode == Opcode::AASTORE || info.flow == Flow::Return {
            operands.iter().for_each(|value| escape(state, value));
        }
        let known: Vec<&Known> = operands.iter().filter_map(as_known).collect();
        let folded = (!known.is_empty() && known.len() == operands.len())
            .then(|| fold(opcode, &known))
            .flatten();
        let result = folded.map_or(Value::Unknown, |value| {
            self.meet(instruction.pc, value, Origin::Folded)
        });
        for letter in info.pushes.chars() {
            state.put(result.clone(), slots(letter));
        }
    }
}

pub(super) fn as_known(value: &Value) -> Option<&Known> {
    match value {
        Value::Known(known, _) => Some(known),
        _ => None,
    }
}

/// A builder that others can reach may change unseen.
pub(super) fn escape(state: &mut State, value: &Value) {
    if let Value::Builder(builder) = value {
        state.builders.remove(builder);
        let slots = state.stack.iter_mut().chain(&mut state.locals);
        for slot in slots.filter(|slot| *slot == value) {
            *slot = Value::Unknown;
        }
    }
}

fn slots(letter: char) -> u16 {
    if matches!(letter, 'J' | 'D' | 'W') {
        2
    } else {
        1
    }
}

/// The instructions that only move slots.
fn shuffle(opcode: Opcode, state: &mut State) {
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
    let mut slots: Vec<Value> = (0..taken).map(|_| state.pop()).collect();
    slots.reverse();
    for slot in put {
        state.push(slots[*slot].clone());
    }
}
