//! Evaluates compiled expressions. Each node is asked for what is wanted of it (a truth, a number, a text), so that no
//! value is converted twice and texts are borrowed where they can be.

use super::number::Number;
use super::tree::{Arithmetic, By, Compare, Measure, Node};
use crate::input::Input;
use std::borrow::Cow;
use std::cmp::Ordering;

/// What an expression can see.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The text of every category; absent ones read as empty.
    pub fields: &'a [Option<String>],
    /// The text of the category whose `match` this is: `text` and `value`.
    pub own: Option<&'a str>,
    /// The text of the whole-input generator.
    pub whole: &'a str,
    /// The finished input, once there is one.
    pub input: Option<&'a Input>,
}

impl<'a> Context<'a> {
    /// The text of a category, if it is there.
    pub fn field(&self, category: usize) -> Option<&'a str> {
        self.fields.get(category)?.as_deref()
    }
}

impl Node {
    pub(super) fn truth(&self, context: &Context<'_>) -> bool {
        match self {
            Node::Compare(operator, by, left, right) => {
                let ordering = match by {
                    By::Number => left.number(context).compare(right.number(context)),
                    By::Text => left.text(context).cmp(&right.text(context)),
                };
                operator.holds(ordering)
            }
            Node::Matches(text, regex) => regex.is_match(&text.text(context)),
            Node::Not(inner) => !inner.truth(context),
            Node::All(parts) => parts.iter().all(|part| part.truth(context)),
            Node::Any(parts) => parts.iter().any(|part| part.truth(context)),
            node if node.is_number() => node.number(context) != Number::Whole(0),
            node => !node.text(context).is_empty(),
        }
    }

    pub(super) fn number(&self, context: &Context<'_>) -> Number {
        match self {
            Node::Number(number) => *number,
            Node::Arithmetic(operator, left, right) => {
                operator.apply(left.number(context), right.number(context))
            }
            Node::Negative(inner) => Number::Whole(0).minus(inner.number(context)),
            Node::Count(text, regex) => whole(regex.find_iter(&text.text(context)).count()),
            Node::Measure(measure, inner) => measure.of(inner, context),
            Node::Compare(..) | Node::Matches(..) | Node::Not(_) | Node::All(_) | Node::Any(_) => {
                Number::from(self.truth(context))
            }
            node => Number::leading(&node.text(context)),
        }
    }

    pub(super) fn text<'a>(&'a self, context: &Context<'a>) -> Cow<'a, str> {
        match self {
            Node::Text(text) => Cow::Borrowed(text),
            Node::Field(category) => Cow::Borrowed(context.field(*category).unwrap_or_default()),
            Node::OwnText => Cow::Borrowed(context.own.unwrap_or_default()),
            Node::Input => Cow::Borrowed(context.whole),
            Node::Stdin => lossy(context.input.map(|input| input.stdin.as_slice())),
            Node::Args => Cow::Owned(context.input.map_or_else(String::new, |i| i.args.join(" "))),
            Node::Arg(index) => {
                let index = index.number(context).floor();
                let index = usize::try_from(index).ok().and_then(|i| i.checked_sub(1));
                let arg = index.and_then(|index| context.input?.args.get(index));
                Cow::Borrowed(arg.map_or("", String::as_str))
            }
            Node::File(name) => {
                let file = context.input.and_then(|input| input.files.get(name));
                lossy(file.map(Vec::as_slice))
            }
            Node::Env(name) => {
                let value = context.input.and_then(|input| input.env.get(name));
                Cow::Borrowed(value.map_or("", String::as_str))
            }
            node => Cow::Owned(node.number(context).to_string()),
        }
    }
}

fn lossy(bytes: Option<&[u8]>) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.unwrap_or_default())
}

fn whole(count: usize) -> Number {
    Number::Whole(i64::try_from(count).unwrap_or(i64::MAX))
}

impl Arithmetic {
    fn apply(self, left: Number, right: Number) -> Number {
        let left_is_less = || left.compare(right) == Ordering::Less;
        match self {
            Arithmetic::Plus => left.plus(right),
            Arithmetic::Minus => left.minus(right),
            Arithmetic::Times => left.times(right),
            Arithmetic::Divide => left.divided_by(right),
            Arithmetic::Modulo => left.modulo(right),
            Arithmetic::Min if left_is_less() => left,
            Arithmetic::Max if left_is_less() => right,
            Arithmetic::Min => right,
            Arithmetic::Max => left,
        }
    }
}

impl Compare {
    fn holds(self, ordering: Ordering) -> bool {
        match self {
            Compare::Equal => ordering == Ordering::Equal,
            Compare::Unequal => ordering != Ordering::Equal,
            Compare::Less => ordering == Ordering::Less,
            Compare::LessOrEqual => ordering != Ordering::Greater,
            Compare::Greater => ordering == Ordering::Greater,
            Compare::GreaterOrEqual => ordering != Ordering::Less,
        }
    }
}

impl Measure {
    fn of(self, inner: &Node, context: &Context<'_>) -> Number {
        let text = || inner.text(context);
        match self {
            Measure::Value => inner.number(context),
            Measure::Len => whole(text().chars().count()),
            Measure::Lines => whole(text().lines().count()),
            Measure::Words => whole(text().split_whitespace().count()),
            Measure::Abs => inner.number(context).abs(),
            Measure::Floor => match inner.number(context) {
                Number::Decimal(decimal) => Number::decimal(decimal.floor()),
                number => number,
            },
            Measure::IsNumber => Number::from(Number::is_number(&text())),
            Measure::Sorted => {
                let text = text();
                Number::from(text.lines().is_sorted())
            }
            Measure::Unique => {
                let text = text();
                let mut lines: Vec<&str> = text.lines().collect();
                lines.sort_unstable();
                Number::from(lines.windows(2).all(|pair| pair[0] != pair[1]))
            }
        }
    }
}
