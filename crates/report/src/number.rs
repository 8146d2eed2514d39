//! How numbers are written for people: tables, axes and sentences share these rules.
//!
//! Files for programs (CSV, JSON) do not use them; they carry full precision. A number that is not finite is written `-`
//! everywhere, so no report ever shows `NaN`.

/// What stands in for a missing or undefined value.
pub const ABSENT: &str = "-";

/// An integer with commas between groups of three digits.
#[must_use]
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a fixed number of decimals.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return ABSENT.to_owned();
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        // A rounded negative number must not read `-0.00`.
        Some(rest)
            if rest
                .chars()
                .all(|character| character == '0' || character == '.') =>
        {
            rest.to_owned()
        }
        _ => text,
    }
}

/// A number with at least `digits` significant digits; integer digits are never rounded away. Very small and very large
/// numbers get an exponent.
#[must_use]
pub fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return ABSENT.to_owned();
    }
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    let digits = digits.max(1);
    if !(1e-4..1e9).contains(&size) {
        return format!("{value:.precision$e}", precision = digits - 1);
    }
    // The exponent is read after rounding, because rounding can add a digit (0.9996 becomes 1.00, not 1.000).
    let rounded = format!("{size:.precision$e}", precision = digits - 1);
    let magnitude: i32 = rounded
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    fixed(value, (digits as i32 - 1 - magnitude).max(0) as usize)
}

/// A share as a percentage.
#[must_use]
pub fn percent(share: f64, decimals: usize) -> String {
    if share.is_finite() {
        format!("{} %", fixed(share * 100.0, decimals))
    } else {
        ABSENT.to_owned()
    }
}

/// A p-value: three decimals, or `<0.001`.
#[must_use]
pub fn p_value(p: f64) -> String {
    if p < 0.001 {
        "<0.001".to_owned()
    } else {
        fixed(p, 3)
    }
}

/// A duration in the unit that suits it.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        _ if !seconds.is_finite() => ABSENT.to_owned(),
        s if s < 0.0 => format!("-{}", duration(-s)),
        0.0 => "0 s".to_owned(),
        s if s < 9.995e-7 => format!("{} ns", significant(s * 1e9, 3)),
        s if s < 9.995e-4 => format!("{} us", significant(s * 1e6, 3)),
        s if s < 0.9995 => format!("{} ms", significant(s * 1e3, 3)),
        s if s < 119.5 => format!("{} s", significant(s, 3)),
        s => {
            let whole = s.round() as u64;
            let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
            if hours > 0 {
                format!("{} h {minutes} min", count(hours))
            } else {
                format!("{minutes} min {rest} s")
            }
        }
    }
}

/// A count with its noun, in the plural when it must be.
#[must_use]
pub fn counted(value: u64, singular: &str, plural: &str) -> String {
    format!(
        "{} {}",
        count(value),
        if value == 1 { singular } else { plural }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_three() {
        let texts: Vec<String> = [0, 7, 999, 1000, 123_456, 1_234_567].map(count).into();
        assert_eq!(texts, ["0", "7", "999", "1,000", "123,456", "1,234,567"]);
    }

    #[test]
    fn significant_digits_keep_the_integer_part() {
        let cases = [
            (0.0, "0"),
            (1234.5, "1234"),
            (12.345, "12.3"),
            (0.945, "0.945"),
            (0.00012345, "0.000123"),
            (0.0000123, "1.23e-5"),
            (-2.5, "-2.50"),
            (1e12, "1.00e12"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value, 3), text);
        }
    }

    #[test]
    fn undefined_numbers_are_written_as_absent() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(significant(value, 3), ABSENT);
            assert_eq!(fixed(value, 2), ABSENT);
            assert_eq!(percent(value, 1), ABSENT);
            assert_eq!(duration(value), ABSENT);
        }
        assert_eq!(p_value(f64::NAN), ABSENT);
    }

    #[test]
    fn rounding_never_leaves_a_negative_zero() {
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(fixed(-0.01, 2), "-0.01");
    }

    #[test]
    fn durations_choose_their_unit() {
        let cases = [
            (0.0, "0 s"),
            (0.000_000_35, "350 ns"),
            (0.000_064, "64.0 us"),
            (0.25, "250 ms"),
            (0.9999, "1.00 s"),
            (59.94, "59.9 s"),
            (125.0, "2 min 5 s"),
            (3725.0, "1 h 2 min"),
        ];
        for (value, text) in cases {
            assert_eq!(duration(value), text);
        }
    }
}
