//! Whole and decimal numbers between two bounds.

use super::{Making, Problem};
use crate::expression::{Context, Expression, Number};
use engine::Stream;
use std::fmt::Write;

/// The widest zero padding.
pub const MAX_WIDTH: u32 = 1000;

/// The most digits after the point.
pub const MAX_DECIMALS: u32 = 17;

/// Up to here every whole number is an exact `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// An end of a range.
#[derive(Clone, Debug)]
pub enum Bound {
    /// A number.
    Number(Number),
    /// Computed from other categories.
    Expression(Expression),
}

impl Bound {
    /// Its value.
    pub fn number(&self, context: &Context<'_>) -> Number {
        match self {
            Bound::Number(number) => *number,
            Bound::Expression(expression) => expression.number(context),
        }
    }

    /// Its value where it depends on nothing.
    pub fn constant(&self) -> Option<Number> {
        match self {
            Bound::Number(number) => Some(*number),
            Bound::Expression(_) => None,
        }
    }
}

/// Whole numbers from `low` in steps up to `high`.
#[derive(Clone, Debug)]
pub struct IntRange {
    /// The lower end, included.
    pub low: Bound,
    /// The upper end, included.
    pub high: Bound,
    /// The distance of neighbours, at least 1.
    pub step: u64,
    /// The least number of characters, sign included, reached by zeros.
    pub width: u32,
    /// The base in which they are written, 2 to 36.
    pub base: u32,
}

impl IntRange {
    /// The ends as whole numbers; `None` where nothing lies between.
    pub fn ends(&self, context: &Context<'_>) -> Option<(i64, i64)> {
        let low = self.low.number(context).ceil();
        let high = self.high.number(context).floor();
        (low <= high).then_some((low, high))
    }

    pub(super) fn make(
        &self,
        making: &mut Making<'_, '_>,
        out: &mut String,
    ) -> Result<(), Problem> {
        let Some((low, high)) = self.ends(&making.context) else {
            return Err(empty(&self.low, &self.high, &making.context));
        };
        let drawn = if self.step == 1 {
            making.stream.range(low, high)
        } else {
            let steps = high.wrapping_sub(low) as u64 / self.step;
            low.wrapping_add(making.stream.below(steps + 1).wrapping_mul(self.step) as i64)
        };
        self.write(drawn, out);
        Ok(())
    }

    /// Appends a number as this range writes it.
    pub fn write(&self, number: i64, out: &mut String) {
        let mut digits = [0_u8; 64];
        let mut start = digits.len();
        let mut rest = number.unsigned_abs();
        loop {
            // Dividing by a constant is several times faster, and nearly all numbers are decimal.
            let digit = match self.base {
                10 => (rest % 10, rest / 10),
                base => (rest % u64::from(base), rest / u64::from(base)),
            };
            start -= 1;
            digits[start] = DIGITS[digit.0 as usize];
            rest = digit.1;
            if rest == 0 {
                break;
            }
        }
        let sign = usize::from(number < 0);
        out.push_str(&"-"[..sign]);
        let length = sign + digits.len() - start;
        for _ in length..self.width as usize {
            out.push('0');
        }
        out.push_str(std::str::from_utf8(&digits[start..]).expect("digits are ASCII"));
    }
}

/// Decimal numbers from `low` to `high`.
#[derive(Clone, Debug)]
pub struct FloatRange {
    /// The lower end, included.
    pub low: Bound,
    /// The upper end, included.
    pub high: Bound,
    /// Digits after the point.
    pub decimals: u32,
}

impl FloatRange {
    pub(super) fn make(
        &self,
        making: &mut Making<'_, '_>,
        out: &mut String,
    ) -> Result<(), Problem> {
        let low = self.low.number(&making.context).to_f64();
        let high = self.high.number(&making.context).to_f64();
        let drawn = self.draw(low, high, making.stream);
        let drawn = drawn.ok_or_else(|| empty(&self.low, &self.high, &making.context))?;
        let precision = self.decimals as usize;
        write!(out, "{drawn:.precision$}").expect("a string takes any text");
        Ok(())
    }

    /// A number between the ends that has this many decimals, if there is one.
    pub fn draw(&self, low: f64, high: f64, stream: &mut Stream) -> Option<f64> {
        if low > high {
            return None;
        }
        let scale = 10_f64.powi(self.decimals as i32);
        let (first, last) = ((low * scale).ceil(), (high * scale).floor());
        if first.abs().max(last.abs()) < EXACT {
            // On the grid of written numbers, so that writing cannot round beyond an end.
            let (first, last) = self.adjust(low, high, first as i64, last as i64);
            let drawn = (first <= last).then(|| stream.range(first, last))?;
            return Some(drawn as f64 / scale);
        }
        let drawn = low + (high - low) * stream.unit();
        Some(match drawn.is_finite() {
            true => drawn.clamp(low, high),
            false => low,
        })
    }

    /// Takes back a scaled end that scaling has rounded past the real one, and adds one it has rounded away.
    fn adjust(&self, low: f64, high: f64, first: i64, last: i64) -> (i64, i64) {
        let scale = 10_f64.powi(self.decimals as i32);
        let inside = |grid: i64| (low..=high).contains(&(grid as f64 / scale));
        let first = (first - 1..=first + 1).find(|grid| inside(*grid));
        let last = (last - 1..=last + 1).rev().find(|grid| inside(*grid));
        match (first, last) {
            (Some(first), Some(last)) => (first, last),
            _ => (1, 0),
        }
    }
}

fn empty(low: &Bound, high: &Bound, context: &Context<'_>) -> Problem {
    Problem::EmptyRange {
        low: low.number(context).to_string(),
        high: high.number(context).to_string(),
    }
}
