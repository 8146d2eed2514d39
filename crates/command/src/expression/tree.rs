//! The tree an expression is compiled to. What a comparison compares is decided when it is built.

use super::number::Number;
use regex::Regex;

/// A node; children are owned, heights are bounded by the parser.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Number(Number),
    Text(String),
    /// A category by index.
    Field(usize),
    OwnText,
    Stdin,
    Args,
    Input,
    Arg(Box<Node>),
    File(String),
    Env(String),
    Arithmetic(Arithmetic, Box<Node>, Box<Node>),
    Negative(Box<Node>),
    Compare(Compare, By, Box<Node>, Box<Node>),
    Matches(Box<Node>, Regex),
    Count(Box<Node>, Regex),
    Measure(Measure, Box<Node>),
    Not(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Whether a comparison is one of numbers or of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Number,
    Text,
}

/// Functions of one argument that give a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Value,
    Len,
    Lines,
    Words,
    Abs,
    Floor,
    IsNumber,
    Sorted,
    Unique,
}

impl Node {
    /// Whether the node gives a number by itself, rather than a text that could be read as one.
    pub(super) fn is_number(&self) -> bool {
        !matches!(
            self,
            Node::Text(_)
                | Node::Field(_)
                | Node::OwnText
                | Node::Stdin
                | Node::Args
                | Node::Input
                | Node::Arg(_)
                | Node::File(_)
                | Node::Env(_)
        )
    }
}
