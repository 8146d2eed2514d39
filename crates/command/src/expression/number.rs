//! Numbers of expressions: whole where possible, decimal otherwise, and never infinite or undefined.

use std::cmp::Ordering;
use std::fmt;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Whole(i64),
    /// Any other finite number, and whole ones beyond the range of `i64`.
    Decimal(f64),
}

/// Decimal numbers below this are written as whole ones when they are whole.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Number {
    /// The number nearest to an `f64`: infinities saturate, "not a number" is 0.
    pub fn decimal(value: f64) -> Number {
        if value.is_nan() {
            Number::Whole(0)
        } else if value.fract() == 0.0 && value.abs() <= EXACT {
            Number::Whole(value as i64)
        } else {
            Number::Decimal(value.clamp(f64::MIN, f64::MAX))
        }
    }

    /// The number a text starts with, after white space: a sign, digits, and a point with digits; 0 if there is none.
    pub fn leading(text: &str) -> Number {
        let text = text.trim_start();
        let bytes = text.as_bytes();
        let digits_from = |from: usize| {
            let rest = bytes[from..].iter();
            from + rest.take_while(|byte| byte.is_ascii_digit()).count()
        };
        let sign = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
        let whole_end = digits_from(sign);
        if whole_end == sign {
            return Number::Whole(0);
        }
        let mut end = whole_end;
        if bytes.get(whole_end) == Some(&b'.') {
            let fraction_end = digits_from(whole_end + 1);
            if fraction_end > whole_end + 1 {
                end = fraction_end;
            }
        }
        match text[..end].parse::<i64>() {
            Ok(whole) => Number::Whole(whole),
            Err(_) => Number::decimal(text[..end].parse().unwrap_or(0.0)),
        }
    }

    /// Whether a text is a whole or decimal number and nothing else.
    pub fn is_number(text: &str) -> bool {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        match unsigned.split_once('.') {
            Some((whole, fraction)) => digits(whole) && digits(fraction),
            None => digits(unsigned),
        }
    }

    /// Its value in floating point.
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Decimal(decimal) => decimal,
        }
    }

    /// The largest whole number that is not above it, saturating.
    pub fn floor(self) -> i64 {
        match self {
            Number::Whole(whole) => whole,
            Number::Decimal(decimal) => decimal.floor() as i64,
        }
    }

    /// The smallest whole number that is not below it, saturating.
    pub fn ceil(self) -> i64 {
        match self {
            Number::Whole(whole) => whole,
            Number::Decimal(decimal) => decimal.ceil() as i64,
        }
    }

    /// Which of two is larger.
    pub fn compare(self, other: Number) -> Ordering {
        match (self, other) {
            (Number::Whole(a), Number::Whole(b)) => a.cmp(&b),
            (a, b) => a.to_f64().total_cmp(&b.to_f64()),
        }
    }

    /// Applies an operation on whole numbers where it has a result, else the one on decimal numbers.
    fn combine(
        self,
        other: Number,
        whole: fn(i64, i64) -> Option<i64>,
        decimal: fn(f64, f64) -> f64,
    ) -> Number {
        if let (Number::Whole(a), Number::Whole(b)) = (self, other)
            && let Some(result) = whole(a, b)
        {
            return Number::Whole(result);
        }
        Number::decimal(decimal(self.to_f64(), other.to_f64()))
    }

    /// The sum.
    pub fn plus(self, other: Number) -> Number {
        self.combine(other, i64::checked_add, |a, b| a + b)
    }

    /// The difference.
    pub fn minus(self, other: Number) -> Number {
        self.combine(other, i64::checked_sub, |a, b| a - b)
    }

    /// The product.
    pub fn times(self, other: Number) -> Number {
        self.combine(other, i64::checked_mul, |a, b| a * b)
    }

    /// The quotient, decimal where it does not come out even; 0 when dividing by 0.
    pub fn divided_by(self, other: Number) -> Number {
        if other.to_f64() == 0.0 {
            return Number::Whole(0);
        }
        let even = |a: i64, b: i64| (a.checked_rem(b)? == 0).then(|| a.checked_div(b))?;
        self.combine(other, even, |a, b| a / b)
    }

    /// The remainder, never negative; 0 when dividing by 0.
    pub fn modulo(self, other: Number) -> Number {
        if other.to_f64() == 0.0 {
            return Number::Whole(0);
        }
        self.combine(other, i64::checked_rem_euclid, f64::rem_euclid)
    }

    /// The same without its sign.
    pub fn abs(self) -> Number {
        match self {
            Number::Whole(whole) => whole
                .checked_abs()
                .map_or(Number::Decimal(-(whole as f64)), Number::Whole),
            Number::Decimal(decimal) => Number::Decimal(decimal.abs()),
        }
    }
}

impl From<bool> for Number {
    fn from(truth: bool) -> Number {
        Number::Whole(i64::from(truth))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Whole(whole) => whole.fmt(f),
            Number::Decimal(decimal) => decimal.fmt(f),
        }
    }
}
