//! Values of a table and the rules that write them for people.

use crate::escape;
use crate::number::{self, ABSENT};

/// How the values of a column are written for people. It also decides the side they are aligned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text as it is, aligned to the left.
    Text,
    /// Text cut to a number of characters, aligned to the left.
    Clipped(usize),
    /// Integers with commas.
    Count,
    /// A fixed number of decimals.
    Fixed(usize),
    /// A number of significant digits.
    Significant(usize),
    /// A share written as a percentage with a number of decimals.
    Percent(usize),
    /// A p-value.
    PValue,
    /// Seconds written in the unit that suits them.
    Duration,
}

/// The value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Words.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number; shown as absent when it is not finite.
    Number(f64),
    /// Nothing to say here.
    Absent,
}

/// A cell: its value and whether it is emphasised as significant.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The value.
    pub value: Value,
    /// Whether it is emphasised.
    pub strong: bool,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned()).into()
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Value::Text(text).into()
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Value::Count(count).into()
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Value::Number(number).into()
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Value::Absent, Value::Number).into()
    }
}

impl From<Option<u64>> for Cell {
    fn from(count: Option<u64>) -> Self {
        count.map_or(Value::Absent, Value::Count).into()
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        Self {
            value,
            strong: false,
        }
    }
}

impl Cell {
    /// A cell with nothing to say.
    #[must_use]
    pub fn absent() -> Self {
        Value::Absent.into()
    }

    /// The same cell, emphasised when `significant`.
    #[must_use]
    pub fn strong_if(mut self, significant: bool) -> Self {
        self.strong = significant;
        self
    }
}

impl Format {
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Clipped(_))
    }

    pub(super) fn show(self, value: &Value) -> String {
        let number = match value {
            Value::Absent => return ABSENT.to_owned(),
            Value::Text(text) => return self.show_text(text),
            Value::Count(count) if matches!(self, Self::Count | Self::Text) => {
                return number::count(*count);
            }
            Value::Count(count) => *count as f64,
            Value::Number(number) => *number,
        };
        match self {
            Self::Fixed(decimals) => number::fixed(number, decimals),
            Self::Significant(digits) => number::significant(number, digits),
            Self::Percent(decimals) => number::percent(number, decimals),
            Self::PValue => number::p_value(number),
            Self::Duration => number::duration(number),
            Self::Count => number::fixed(number, 0),
            Self::Text | Self::Clipped(_) => number::significant(number, 3),
        }
    }

    fn show_text(self, text: &str) -> String {
        match self {
            Self::Clipped(limit) => escape::clipped(text, limit),
            _ => escape::one_line(text),
        }
    }
}
