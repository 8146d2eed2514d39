//! Generators: how a choice is turned into text.
//!
//! They are compiled when the specification is read and draw from a stream they are given. They start no process and read no
//! file: helper programs are run by a function of the caller, and files are read when the specification is loaded.

mod bnf;
mod characters;
mod concretise;
mod derive;
mod from;
mod grammar;
mod lines;
mod numbers;
mod order;
mod pattern;
mod pattern_compiler;

pub use grammar::{Alternative, Grammar, Item, Rule, SymbolId};
pub use lines::{Lines, MAX_LINES};
pub use numbers::{Bound, FloatRange, IntRange, MAX_DECIMALS, MAX_WIDTH};
pub(crate) use order::making_order;
pub use pattern::{MAX_PATTERN_TEXT, Pattern};

use crate::expression::Context;
use crate::spec::{Span, Template};
use engine::Stream;
use thiserror::Error;

/// The most bytes a generator may build up; literals and files of any size are copied as they are.
pub const MAX_TEXT: usize = 1 << 20;

/// How many generators may be asked for one text; only generators inside `lines` ever get near it.
pub const MAX_STEPS: u32 = 1_000_000;

/// The most bytes of one input.
pub const MAX_INPUT: usize = 64 << 20;

/// Runs a helper command with a seed and returns what it printed, or why that failed.
pub type Helpers<'a> = dyn FnMut(&[String], u64) -> Result<String, String> + 'a;

/// How one text is made.
#[derive(Clone, Debug)]
pub enum Generator {
    /// This text.
    Literal(String),
    /// A whole number.
    Int(IntRange),
    /// A decimal number.
    Float(FloatRange),
    /// A text matched by a regular expression.
    Regex(Pattern),
    /// One of these.
    Pick(Vec<String>),
    /// What one of these gives, by weight.
    Any(Vec<(f64, Generator)>),
    /// Several texts.
    Lines(Box<Lines>),
    /// A text derived from a symbol of the grammar.
    Grammar {
        /// The symbol.
        symbol: SymbolId,
        /// The deepest derivation tree.
        max_depth: u32,
    },
    /// A template over other categories.
    Text(Template),
    /// The contents of a file.
    File(Loaded),
    /// One line of a file.
    LineOf(Loaded),
    /// What a helper program prints.
    Command(Vec<String>),
}

/// A file named by a generator.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The path as it is written.
    pub path: String,
    /// Where it is written.
    pub span: Span,
    /// The file's lines for `line-of`, its whole contents as the only element for `file`; empty until it is loaded.
    pub texts: Vec<String>,
}

/// What a generator works with while it makes a text.
pub struct Making<'a, 'h> {
    /// The texts made so far.
    pub context: Context<'a>,
    /// Where random numbers come from.
    pub stream: &'a mut Stream,
    /// The grammar of the specification.
    pub grammar: &'a Grammar,
    /// Runs helper commands.
    pub helpers: &'a mut Helpers<'h>,
    /// How many more generators may be asked; [`MAX_STEPS`] at the start of a text.
    pub steps: u32,
}

/// Why a text could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("cannot make a text for {place}: {problem}")]
pub struct GenerateError {
    /// For what: `` `category=choice` ``, `` `[input]` `` for the whole-input generator, `` `[run]` `` for the whole.
    pub place: String,
    /// What went wrong.
    pub problem: Problem,
}

/// What can go wrong while a text is made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Problem {
    /// The bounds leave no number.
    #[error("no number lies between {low} and {high}")]
    EmptyRange {
        /// The lower bound.
        low: String,
        /// The upper bound.
        high: String,
    },
    /// The regular expression has assertions that no sample satisfied.
    #[error("found no text that `{0}` matches")]
    NoMatch(String),
    /// The text grew too long.
    #[error("the text is longer than {MAX_TEXT} bytes")]
    TooLong,
    /// The texts put together are too long.
    #[error("the input is longer than {MAX_INPUT} bytes")]
    InputTooLong,
    /// Generators inside generators were asked too often.
    #[error("more than {MAX_STEPS} generators are needed")]
    TooManySteps,
    /// A derivation grew too large.
    #[error("the derivation of `<{0}>` is too large")]
    TooLarge(String),
    /// Fewer different lines than asked for.
    #[error("found only {found} different lines, {wanted} are needed")]
    TooFew {
        /// How many were found.
        found: usize,
        /// The least number.
        wanted: usize,
    },
    /// More lines than allowed.
    #[error("{0} lines are asked for, at most {MAX_LINES} are made")]
    TooManyLines(i64),
    /// A helper program failed.
    #[error("the helper `{command}` failed: {message}")]
    Helper {
        /// The command.
        command: String,
        /// Why.
        message: String,
    },
    /// A file was not loaded, or has no lines.
    #[error("the file `{0}` has no text to take")]
    NoText(String),
    /// The choice has no generator, only a predicate.
    #[error("this choice has no generator")]
    NoGenerator,
}

impl Generator {
    /// Appends a new text.
    pub fn make(&self, making: &mut Making<'_, '_>, out: &mut String) -> Result<(), Problem> {
        making.steps = making.steps.checked_sub(1).ok_or(Problem::TooManySteps)?;
        match self {
            Generator::Literal(text) => out.push_str(text),
            Generator::Int(range) => range.make(making, out)?,
            Generator::Float(range) => range.make(making, out)?,
            Generator::Regex(pattern) => pattern.make(making.stream, out)?,
            Generator::Pick(texts) => out.push_str(&texts[making.stream.index(texts.len())]),
            Generator::Any(generators) => weighted(generators, making.stream).make(making, out)?,
            Generator::Lines(lines) => lines.make(making, out)?,
            Generator::Grammar { symbol, max_depth } => {
                let grammar = making.grammar;
                grammar.derive(*symbol, *max_depth, making.stream, out)?;
            }
            Generator::Text(template) => template.make(&making.context, out)?,
            Generator::File(file) | Generator::LineOf(file) => {
                if file.texts.is_empty() {
                    return Err(Problem::NoText(file.path.clone()));
                }
                out.push_str(&file.texts[making.stream.index(file.texts.len())]);
            }
            Generator::Command(command) => out.push_str(&run_helper(command, making)?),
        }
        Ok(())
    }

    /// Calls `visit` with this generator and all inside it.
    pub fn visit(&self, visit: &mut dyn FnMut(&Generator)) {
        visit(self);
        match self {
            Generator::Any(generators) => generators.iter().for_each(|(_, g)| g.visit(visit)),
            Generator::Lines(lines) => lines.item.visit(visit),
            _ => {}
        }
    }

    /// Calls `visit` with this generator and all inside it, to be changed.
    pub fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Generator)) {
        visit(self);
        match self {
            Generator::Any(generators) => {
                for (_, generator) in generators {
                    generator.visit_mut(visit);
                }
            }
            Generator::Lines(lines) => lines.item.visit_mut(visit),
            _ => {}
        }
    }
}

/// One of several generators, by weight.
fn weighted<'g>(generators: &'g [(f64, Generator)], stream: &mut Stream) -> &'g Generator {
    let total: f64 = generators.iter().map(|(weight, _)| weight).sum();
    let mut point = stream.unit() * total;
    for (weight, generator) in generators {
        point -= weight;
        if point < 0.0 {
            return generator;
        }
    }
    // Only rounding gets here; a generator of weight 0 must still not be taken.
    let last = generators.iter().rev().find(|(weight, _)| *weight > 0.0);
    last.map_or(&generators[0].1, |(_, generator)| generator)
}

fn run_helper(command: &[String], making: &mut Making<'_, '_>) -> Result<String, Problem> {
    let seed = making.stream.bits();
    let mut text = (making.helpers)(command, seed).map_err(|message| Problem::Helper {
        command: command.join(" "),
        message,
    })?;
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
