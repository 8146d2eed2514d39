//! What is known at one point of a method: stack, local variables, contents of string builders.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Known;

/// One slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Anything, also the second slot of a long or double.
    Unknown,
    /// A known value, and the instruction that gave it where there is only one.
    Known(Known, Option<u32>),
    /// A string builder made by the `new` at this offset.
    Builder(u32),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub stack: Vec<Value>,
    /// Variables behind the last one that was stored are unknown.
    pub locals: Vec<Value>,
    /// What the builders hold, by their `new`; those that are missing hold something unknown.
    pub builders: BTreeMap<u32, Arc<str>>,
}

impl State {
    /// A handler starts with the exception alone; builders may have been changed anywhere.
    pub fn at_handler(&self) -> State {
        State {
            stack: vec![Value::Unknown],
            locals: self.locals.clone(),
            builders: BTreeMap::new(),
        }
    }

    /// Takes one slot; what is not there is unknown.
    pub fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::Unknown)
    }

    pub fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    /// Takes a value of one or two slots.
    pub fn take(&mut self, slots: u16) -> Value {
        if slots == 2 {
            self.pop();
        }
        self.pop()
    }

    /// Puts a value of one or two slots.
    pub fn put(&mut self, value: Value, slots: u16) {
        self.push(value);
        if slots == 2 {
            self.push(Value::Unknown);
        }
    }

    pub fn load(&self, local: u16) -> Value {
        let value = self.locals.get(usize::from(local));
        value.cloned().unwrap_or(Value::Unknown)
    }

    pub fn store(&mut self, local: u16, value: Value) {
        let local = usize::from(local);
        if local >= self.locals.len() {
            self.locals.resize(local + 1, Value::Unknown);
        }
        self.locals[local] = value;
    }

    /// A new builder; older ones from the same place can no longer be told from it.
    pub fn new_builder(&mut self, pc: u32) {
        let slots = self.stack.iter_mut().chain(&mut self.locals);
        for slot in slots.filter(|slot| **slot == Value::Builder(pc)) {
            *slot = Value::Unknown;
        }
        self.builders.remove(&pc);
        self.push(Value::Builder(pc));
    }

    /// Keeps what both states agree on; says whether anything changed.
    pub fn merge(&mut self, other: &State) -> bool {
        let before = self.clone();
        merge_slots(&mut self.stack, &other.stack);
        merge_slots(&mut self.locals, &other.locals);
        self.builders
            .retain(|pc, text| other.builders.get(pc) == Some(text));
        *self != before
    }
}

fn merge_slots(slots: &mut Vec<Value>, others: &[Value]) {
    slots.truncate(others.len());
    for (slot, other) in slots.iter_mut().zip(others) {
        *slot = match (&*slot, other) {
            (Value::Known(a, at), Value::Known(b, from)) if a == b => {
                Value::Known(a.clone(), at.filter(|_| at == from))
            }
            (a, b) if a == b => continue,
            _ => Value::Unknown,
        };
    }
}
