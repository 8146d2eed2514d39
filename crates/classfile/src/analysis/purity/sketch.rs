//! What one method does, seen from its parameters: what it writes to, whom it calls with what, what it returns.
//!
//! Values are sets of sources: parameters, static fields, results of calls. Objects that the method makes have none.

use super::LAST_PARAMETER;
use super::lambda::body;
use super::state::{State, join, shuffle};
use crate::analysis::flow::{BlockId, EdgeKind, FlowGraph};
use crate::class::ClassFile;
use crate::code::Code;
use crate::descriptor::{MethodType, Type};
use crate::instruction::{Instruction, Operand};
use crate::member::Member;
use crate::opcode::{Opcode, slots};
use std::collections::{BTreeMap, BTreeSet};

/// A set of sources: parameters in the low bits, then static state, then calls by their numbers.
pub(super) type Sources = u128;

/// The first bit of calls; those that find no bit of their own share the last one.
pub(super) const FIRST_CALL: u32 = LAST_PARAMETER + 2;
pub(super) const MOST_CALLS: usize = (u128::BITS - FIRST_CALL) as usize;

const STATIC: Sources = super::STATIC as Sources;

/// Methods with more blocks times variables than this are not interpreted.
const MOST_SLOTS: usize = 1_000_000;

/// How a call finds its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dispatch {
    /// What is named.
    Exact,
    /// What the receiver's class has in its place.
    Virtual,
}

/// A call with the sources of its arguments, the receiver first.
#[derive(Clone, Debug)]
pub(super) struct SketchedCall {
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    pub dispatch: Dispatch,
    pub receiver: bool,
    pub arguments: Vec<Sources>,
}

/// What a method does.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketch {
    /// What it writes to itself.
    pub writes: Sources,
    /// What it returns.
    pub returns: Sources,
    /// Whom it calls, by offset.
    pub calls: Vec<SketchedCall>,
}

/// The sketch of a method's code.
pub(super) fn sketch(class: &ClassFile, method: &Member, code: &Code) -> Sketch {
    let flow = FlowGraph::of(code);
    let mut machine = Machine {
        class,
        sketch: Sketch::default(),
        numbers: BTreeMap::new(),
    };
    if flow.blocks.len() * usize::from(code.max_locals) > MOST_SLOTS {
        return machine.sketch;
    }
    let mut bodies: Vec<Vec<Instruction>> = vec![Vec::new(); flow.blocks.len()];
    for instruction in code.instructions() {
        if let Some(BlockId(block)) = flow.block_at(instruction.pc) {
            bodies[block].push(instruction);
        }
    }
    machine.run(&flow, &bodies, entry(class, method));
    machine.sketch
}

/// The state at the entry: the parameters in their variables.
fn entry(class: &ClassFile, method: &Member) -> State {
    const ACC_STATIC: u16 = 0x0008;
    let mut locals = Vec::new();
    let mut parameter = 0;
    let mut put = |locals: &mut Vec<Sources>, slots: u16| {
        locals.push(Sources::from(super::parameter(parameter)));
        locals.extend(std::iter::repeat_n(0, usize::from(slots) - 1));
        parameter += 1;
    };
    if method.access & ACC_STATIC == 0 {
        put(&mut locals, 1);
    }
    if let Ok(descriptor) = MethodType::parse(method.descriptor(&class.pool)) {
        for one in descriptor.parameters() {
            put(&mut locals, one.slots());
        }
    }
    State {
        locals,
        stack: Vec::new(),
    }
}

struct Machine<'c> {
    class: &'c ClassFile<'c>,
    sketch: Sketch,
    /// The number of the call at each offset.
    numbers: BTreeMap<u32, usize>,
}

impl Machine<'_> {
    fn run(&mut self, flow: &FlowGraph, bodies: &[Vec<Instruction>], entry: State) {
        let mut states: Vec<Option<State>> = vec![None; flow.blocks.len()];
        let Some(first) = states.first_mut() else {
            return;
        };
        *first = Some(entry);
        let mut work = BTreeSet::from([0]);
        while let Some(block) = work.pop_first() {
            let Some(mut state) = states[block].clone() else {
                continue;
            };
            // Variables may change anywhere in the block, and a handler sees each of their values.
            let mut seen = state.locals.clone();
            for instruction in &bodies[block] {
                self.step(instruction, &mut state);
                join(&mut seen, &state.locals);
            }
            let handled = State {
                locals: seen,
                stack: vec![0],
            };
            for edge in flow.edges.iter().filter(|edge| edge.from.0 == block) {
                let state = match edge.kind {
                    EdgeKind::Exception(_) => &handled,
                    _ => &state,
                };
                let changed = match &mut states[edge.to.0] {
                    Some(known) => known.join(state),
                    none => {
                        *none = Some(state.clone());
                        true
                    }
                };
                if changed {
                    work.insert(edge.to.0);
                }
            }
        }
    }

    fn step(&mut self, instruction: &Instruction, state: &mut State) {
        let opcode = instruction.opcode;
        let info = opcode.info();
        match opcode {
            Opcode::GETFIELD | Opcode::GETSTATIC | Opcode::PUTFIELD | Opcode::PUTSTATIC => {
                self.field(instruction, state);
            }
            Opcode::INVOKEVIRTUAL
            | Opcode::INVOKEINTERFACE
            | Opcode::INVOKESPECIAL
            | Opcode::INVOKESTATIC
            | Opcode::INVOKEDYNAMIC => self.call(instruction, state),
            Opcode::AALOAD => {
                state.pop();
            }
            Opcode::CHECKCAST => {}
            Opcode::ARETURN => self.sketch.returns |= state.pop(),
            _ if (Opcode::IASTORE..=Opcode::SASTORE).contains(&opcode) => {
                let element = slots(info.pops).unwrap_or(3) - 2;
                state.take(element + 1);
                self.sketch.writes |= state.pop();
            }
            _ if (Opcode::POP..=Opcode::SWAP).contains(&opcode) => shuffle(opcode, state),
            _ => match instruction.operand {
                Operand::Local(local) if !info.pushes.is_empty() => {
                    let value = state.locals.get(usize::from(local)).copied();
                    let wide = slots(info.pushes).unwrap_or(1);
                    state.put(value.filter(|_| wide == 1).unwrap_or(0), wide);
                }
                Operand::Local(local) if !info.pops.is_empty() => {
                    let value = state.take(slots(info.pops).unwrap_or(1));
                    state.store(local, value);
                }
                _ => self.plain(instruction, state),
            },
        }
    }

    /// Instructions that give nothing which was there before.
    fn plain(&mut self, instruction: &Instruction, state: &mut State) {
        if let Ok(effect) = instruction.stack_effect(&self.class.pool) {
            state.take(effect.pops);
            state.put(0, effect.pushes);
        }
    }

    fn field(&mut self, instruction: &Instruction, state: &mut State) {
        let index = instruction.constant().unwrap_or_default();
        let Ok(member) = self.class.pool.member(index) else {
            return;
        };
        let reference = member.descriptor.starts_with(['L', '[']);
        let wide = Type::parse(member.descriptor).map_or(1, Type::slots);
        match instruction.opcode {
            Opcode::GETSTATIC => state.put(if reference { STATIC } else { 0 }, wide),
            Opcode::GETFIELD => {
                let holder = state.pop();
                state.put(if reference { holder } else { 0 }, wide);
            }
            Opcode::PUTSTATIC => {
                state.take(wide);
                self.sketch.writes |= STATIC;
            }
            _ => {
                state.take(wide);
                self.sketch.writes |= state.pop();
            }
        }
    }

    fn call(&mut self, instruction: &Instruction, state: &mut State) {
        let pool = &self.class.pool;
        let index = instruction.constant().unwrap_or_default();
        if instruction.opcode == Opcode::INVOKEDYNAMIC {
            return self.dynamic(instruction.pc, index, state);
        }
        let Ok(member) = pool.member(index) else {
            return;
        };
        let Ok(descriptor) = MethodType::parse(member.descriptor) else {
            return;
        };
        let receiver = instruction.opcode != Opcode::INVOKESTATIC;
        let mut arguments = arguments(descriptor, state);
        if receiver {
            arguments.insert(0, state.pop());
        }
        let dispatch = match instruction.opcode {
            Opcode::INVOKEVIRTUAL | Opcode::INVOKEINTERFACE => Dispatch::Virtual,
            _ => Dispatch::Exact,
        };
        let number = self.note(
            instruction.pc,
            SketchedCall {
                owner: member.owner.to_owned(),
                name: member.name.to_owned(),
                descriptor: member.descriptor.to_owned(),
                dispatch,
                receiver,
                arguments,
            },
        );
        let result = descriptor.result();
        let reference = result.is_some_and(|result| result.text().starts_with(['L', '[']));
        let value = if reference { call_bit(number) } else { 0 };
        state.put(value, descriptor.result_slots());
    }

    /// The call at an offset, with the arguments of all ways that lead there; gives its number.
    fn note(&mut self, pc: u32, call: SketchedCall) -> usize {
        let calls = &mut self.sketch.calls;
        let number = *self.numbers.entry(pc).or_insert(calls.len());
        match calls.get_mut(number) {
            None => calls.push(call),
            Some(known) => {
                for (known, more) in known.arguments.iter_mut().zip(call.arguments) {
                    *known |= more;
                }
            }
        }
        number
    }

    /// A lambda is made of what it captures, and calling it can change that.
    fn dynamic(&mut self, pc: u32, index: u16, state: &mut State) {
        let site = self.class.pool.dynamic(index);
        let site = site
            .ok()
            .and_then(|(_, _, text)| MethodType::parse(text).ok());
        let Some(descriptor) = site else {
            return state.put(0, 1);
        };
        let captured = arguments(descriptor, state);
        let all = captured.iter().fold(0, |all, one| all | one);
        if all != 0
            && let Some(call) = body(self.class, index, &captured)
        {
            self.note(pc, call);
        }
        state.put(all, descriptor.result_slots());
    }
}

/// Takes the arguments of a call from the stack, without the receiver.
fn arguments(descriptor: MethodType, state: &mut State) -> Vec<Sources> {
    let widths: Vec<u16> = descriptor.parameters().map(Type::slots).collect();
    let mut arguments: Vec<Sources> = widths
        .iter()
        .rev()
        .map(|slots| state.take(*slots))
        .collect();
    arguments.reverse();
    arguments
}

/// The source that is the result of a call.
pub(super) fn call_bit(number: usize) -> Sources {
    1 << (FIRST_CALL as usize + number.min(MOST_CALLS - 1))
}
