//! What instructions that name a constant do: literals, fields, calls, new objects.

use super::Origin;
use super::environment::known;
use super::state::{State, Value};
use super::step::{Machine, as_known, escape};
use super::text::{call_builder, concatenate, is_builder, parameters};
use crate::attributes::{self, BootstrapMethod};
use crate::class::ClassFile;
use crate::descriptor::{Kind, Type};
use crate::instruction::Instruction;
use crate::opcode::Opcode;

impl Machine<'_> {
    pub(super) fn constant(&mut self, instruction: &Instruction, state: &mut State) {
        let index = instruction.constant().unwrap_or(0);
        let pool = &self.class.pool;
        match instruction.opcode {
            Opcode::LDC | Opcode::LDC_W | Opcode::LDC2_W => {
                let slots = if instruction.opcode == Opcode::LDC2_W {
                    2
                } else {
                    1
                };
                let value = pool.get(index).ok().and_then(|found| known(found, pool));
                let value = value.map_or(Value::Unknown, |value| {
                    self.meet(instruction.pc, value, Origin::Literal)
                });
                state.put(value, slots);
            }
            Opcode::GETSTATIC | Opcode::PUTSTATIC | Opcode::GETFIELD | Opcode::PUTFIELD => {
                self.field(instruction, index, state);
            }
            Opcode::NEW if pool.class_name(index).is_ok_and(is_builder) => {
                state.new_builder(instruction.pc);
            }
            Opcode::CHECKCAST => {}
            Opcode::NEW => state.push(Value::Unknown),
            Opcode::ANEWARRAY | Opcode::INSTANCEOF => {
                state.pop();
                state.push(Value::Unknown);
            }
            _ => self.call(instruction, index, state),
        }
    }

    fn field(&mut self, instruction: &Instruction, index: u16, state: &mut State) {
        let Ok(member) = self.class.pool.member(index) else {
            return;
        };
        let kind = Type::parse(member.descriptor).map_or(Kind::Object, Type::kind);
        let opcode = instruction.opcode;
        if opcode == Opcode::GETSTATIC || opcode == Opcode::GETFIELD {
            let value = match opcode {
                Opcode::GETSTATIC => self.environment.field(member.owner, member.name).cloned(),
                _ => {
                    state.pop();
                    None
                }
            };
            let value = value.map_or(Value::Unknown, |value| {
                let value = self.meet(instruction.pc, value, Origin::Static);
                self.used_as(&value, kind);
                value
            });
            return state.put(value, kind.slots());
        }
        let value = state.take(kind.slots());
        self.used_as(&value, kind);
        escape(state, &value);
        if opcode == Opcode::PUTFIELD {
            state.pop();
        } else if member.owner == self.class.name() {
            let known = as_known(&value).cloned();
            let stored = self.stored.entry(member.name.to_owned());
            let stored = stored.or_insert_with(|| known.clone());
            if *stored != known {
                *stored = None;
            }
        }
    }

    fn call(&mut self, instruction: &Instruction, index: u16, state: &mut State) {
        let pool = &self.class.pool;
        let dynamic = instruction.opcode == Opcode::INVOKEDYNAMIC;
        let descriptor = match dynamic {
            true => pool.dynamic(index).map(|(_, _, descriptor)| descriptor),
            false => pool.member(index).map(|member| member.descriptor),
        };
        let Some((types, result)) = descriptor.ok().and_then(parameters) else {
            return;
        };
        let mut arguments = Vec::new();
        for kind in types.into_iter().rev() {
            let value = state.take(kind.slots());
            self.used_as(&value, kind.kind());
            escape(state, &value);
            arguments.push((kind, value));
        }
        arguments.reverse();
        let mut value = Value::Unknown;
        if dynamic {
            let bootstraps = self.bootstraps.get_or_init(|| bootstraps(self.class));
            if let Some(text) = concatenate(pool, bootstraps, index, &arguments) {
                value = self.meet(instruction.pc, text, Origin::Folded);
            }
        } else if instruction.opcode != Opcode::INVOKESTATIC {
            let receiver = state.pop();
            if let (Value::Builder(builder), Ok(member)) = (&receiver, pool.member(index)) {
                value = call_builder(state, &member, *builder, &arguments);
                if let Value::Known(text, _) = value {
                    value = self.meet(instruction.pc, text, Origin::Folded);
                }
            }
        }
        if let Some(result) = result {
            state.put(value, result.slots());
        }
    }
}

fn bootstraps(class: &ClassFile) -> Vec<BootstrapMethod> {
    let attribute = class.attribute("BootstrapMethods");
    let read = attribute.map(|attribute| attributes::bootstrap_methods(attribute, &class.pool));
    read.and_then(Result::ok).unwrap_or_default()
}
