//! The one expression language of specifications: `match` predicates, bounds such as `"own-altitude + 1"`, and `{= …}` in
//! templates.
//!
//! An expression is parsed once, with places for errors, into a tree in which every node already knows whether numbers or
//! texts are wanted. Evaluation is total: it neither fails nor panics. Whole numbers that overflow go on as decimal ones,
//! decimal ones saturate, and division by zero gives 0. There are no variables, loops or definitions.

mod evaluate;
mod lex;
mod number;
mod parse;
mod tree;

pub use evaluate::Context;
pub use number::Number;
pub use parse::{MAX_HEIGHT, Names, Stage};

use crate::spec::Fault;
use std::borrow::Cow;

/// A compiled expression.
#[derive(Clone, Debug)]
pub struct Expression {
    tree: tree::Node,
    source: String,
    fields: Vec<usize>,
    uses_input: bool,
    uses_run: bool,
}

impl Expression {
    /// Parses an expression; places in the fault are relative to `text`.
    pub fn parse(text: &str, names: &Names<'_>) -> Result<Expression, Fault> {
        let parsed = parse::parse(text, names)?;
        Ok(Expression {
            tree: parsed.tree,
            source: text.trim().to_owned(),
            fields: parsed.fields,
            uses_input: parsed.uses_input,
            uses_run: parsed.uses_run,
        })
    }

    /// The text it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The categories it names, by index, in ascending order.
    pub fn fields(&self) -> &[usize] {
        &self.fields
    }

    /// Whether it names `input`, the text of the whole-input generator.
    pub fn uses_input(&self) -> bool {
        self.uses_input
    }

    /// Whether it names arguments, standard input, files or variables of the finished input.
    pub fn uses_run(&self) -> bool {
        self.uses_run
    }

    /// Whether it holds: a number that is not 0, or a text that is not empty.
    pub fn holds(&self, context: &Context<'_>) -> bool {
        self.tree.truth(context)
    }

    /// Its value as a number; a text counts as the number it starts with.
    pub fn number(&self, context: &Context<'_>) -> Number {
        self.tree.number(context)
    }

    /// Its value as a text.
    pub fn text<'a>(&'a self, context: &Context<'a>) -> Cow<'a, str> {
        self.tree.text(context)
    }
}

#[cfg(test)]
mod tests;
