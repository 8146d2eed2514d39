//! Whether a text is a number that a range writes.

use crate::expression::Context;
use crate::generate::{FloatRange, IntRange};

/// Up to here ranges of decimal numbers are drawn on the grid of written numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The number, where this range would write it so; its ends are not looked at.
pub(super) fn whole(range: &IntRange, text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if !unsigned.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        return None;
    }
    let number = i64::from_str_radix(text, range.base).ok()?;
    let mut written = String::with_capacity(text.len());
    range.write(number, &mut written);
    (written == text).then_some(number)
}

/// Whether the range gives this text.
pub(super) fn is_whole_in(range: &IntRange, text: &str, context: &Context<'_>) -> bool {
    let Some(number) = whole(range, text) else {
        return false;
    };
    range.ends(context).is_some_and(|(low, high)| {
        let inside = (low..=high).contains(&number);
        inside && (number.wrapping_sub(low) as u64).is_multiple_of(range.step)
    })
}

/// The number, where this range would write it so; its ends are not looked at.
pub(super) fn decimal(range: &FloatRange, text: &str) -> Option<f64> {
    let fraction = text.split_once('.').map_or(0, |(_, digits)| digits.len());
    let digits = text.bytes().next_back().is_some_and(|b| b.is_ascii_digit());
    if fraction != range.decimals as usize || !digits {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    let precision = range.decimals as usize;
    (format!("{number:.precision$}") == text).then_some(number)
}

/// Whether the range gives this text.
pub(super) fn is_decimal_in(range: &FloatRange, text: &str, context: &Context<'_>) -> bool {
    let Some(number) = decimal(range, text) else {
        return false;
    };
    let low = range.low.number(context).to_f64();
    let high = range.high.number(context).to_f64();
    let unit = 10_f64.powi(-(range.decimals as i32));
    // Where numbers are not drawn on the grid, writing may round past an end.
    let rounding = match low.abs().max(high.abs()) / unit < EXACT {
        true => 0.0,
        false => unit / 2.0,
    };
    low <= high && (low - rounding..=high + rounding).contains(&number)
}
