//! One mutant of a class file: where it is, what it changes, and how it is told.

use std::fmt;

use classfile::Opcode;

use super::Options;
use super::method::{Method, Pushed};
use crate::{MutantId, Operator};

/// One change to one instruction of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassMutant {
    /// The same in every run over the same class file; unique within the class.
    pub id: MutantId,
    /// The kind of mistake.
    pub operator: Operator,
    /// Internal name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Offset of the instruction in the method's code.
    pub pc: u32,
    /// The line, where the class has line numbers.
    pub line: Option<u32>,
    /// What is replaced, for people.
    pub original: String,
    /// What takes its place, for people.
    pub replacement: String,
    pub(super) opcode: Opcode,
    pub(super) change: Change,
}

/// What happens to the instruction.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// Another opcode with the same operands.
    Opcode(Opcode),
    /// `iinc` by another number.
    Increment(i16),
    /// Nothing takes its place.
    Drop,
    /// The arguments are dropped and a default takes the place of the result.
    RemoveCall,
    /// Another constant.
    Push(Pushed),
    /// The returned value is dropped and this takes its place.
    Return(Returned),
}

/// What is returned instead.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Returned {
    /// A constant.
    Constant(Pushed),
    /// A constant in a box: `owner.valueOf(constant)`.
    Boxed(Pushed, &'static str, &'static str),
    /// The result of a static method without parameters.
    Call {
        owner: &'static str,
        name: &'static str,
        descriptor: &'static str,
        interface: bool,
    },
}

/// Collects the mutants of a method.
pub(super) struct Sites<'m> {
    pub method: &'m Method<'m>,
    options: &'m Options,
    pub mutants: Vec<ClassMutant>,
}

impl<'m> Sites<'m> {
    pub fn new(method: &'m Method<'m>, options: &'m Options) -> Sites<'m> {
        Sites {
            method,
            options,
            mutants: Vec::new(),
        }
    }

    /// Adds a mutant of an instruction, if its operator is wanted.
    pub fn add(
        &mut self,
        operator: Operator,
        index: usize,
        change: Change,
        original: &str,
        replacement: &str,
    ) {
        if !self.options.operators.contains(&operator) {
            return;
        }
        let method = self.method;
        let instruction = &method.instructions[index];
        // The offset in the file is unique, offsets in the code are not.
        let offset = (method.code.offset + instruction.pc) as usize;
        self.mutants.push(ClassMutant {
            id: MutantId::new(operator, offset, replacement),
            operator,
            class: method.class.to_owned(),
            method: method.name.to_owned(),
            descriptor: method.descriptor.to_owned(),
            pc: instruction.pc,
            line: method.line(instruction.pc),
            original: original.to_owned(),
            replacement: replacement.to_owned(),
            opcode: instruction.opcode,
            change,
        });
    }

    /// Adds the mutant that swaps an opcode for another with the same operands.
    pub fn swap(&mut self, operator: Operator, index: usize, to: Opcode) {
        let from = self.method.instructions[index].opcode;
        self.add(operator, index, Change::Opcode(to), from.name(), to.name());
    }
}

impl fmt::Display for ClassMutant {
    /// One line, as in ``line 42: relational: `iflt` -> `ifle` ``.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "line {line}: ")?,
            None => write!(formatter, "offset {}: ", self.pc)?,
        }
        write!(
            formatter,
            "{}: `{}` -> `{}`",
            self.operator, self.original, self.replacement
        )
    }
}

impl fmt::Display for Pushed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pushed::Int(value) => write!(formatter, "{value}"),
            Pushed::Long(value) => write!(formatter, "{value}L"),
            Pushed::Float(value) => write!(formatter, "{value}f"),
            Pushed::Double(value) => write!(formatter, "{value:?}"),
            Pushed::Text(text) => write!(formatter, "{text:?}"),
            Pushed::Null => write!(formatter, "null"),
        }
    }
}

impl fmt::Display for Returned {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let simple = |owner: &str| owner.rsplit('/').next().unwrap_or_default().to_owned();
        match self {
            Returned::Constant(value) => write!(formatter, "{value}"),
            Returned::Boxed(value, owner, _) => {
                write!(formatter, "{}.valueOf({value})", simple(owner))
            }
            Returned::Call { owner, name, .. } => write!(formatter, "{}.{name}()", simple(owner)),
        }
    }
}
