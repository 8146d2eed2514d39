//! Numbers and characters for others: the operator `constant`.
//!
//! An integer n becomes 0, 1, -1, n+1 and n-1, in its own base and with its own suffix. A floating number does the
//! same. A character becomes its two neighbours and `'\0'`. Constants of more than 64 bits, imaginary numbers and
//! characters outside of ASCII stay.

use super::lex::TokenKind;
use super::operand::is_float;
use super::outline::Touch;
use super::site::Sites;
use crate::Operator;

pub(super) fn visit(sites: &mut Sites<'_, '_>) {
    for index in sites.tokens(Touch::Constants) {
        let text = sites.code.text(index);
        let replacements = match sites.code.kind(index) {
            TokenKind::Number if is_null_pointer(sites, index) => continue,
            TokenKind::Number if is_float(text) => floats(text),
            TokenKind::Number => integers(text),
            TokenKind::Char => characters(text),
            _ => continue,
        };
        for replacement in replacements {
            sites.replace(Operator::Constant, index..index + 1, &replacement);
        }
    }
}

/// Whether a constant is compared with, assigned to or returned as a pointer.
fn is_null_pointer(sites: &Sites<'_, '_>, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else {
        return false;
    };
    match sites.code.text(before) {
        "=" | "==" | "!=" => sites.operands().left(before).is_pointer(),
        "return" => {
            let function = sites.outline.function_at(index);
            function.is_some_and(|function| sites.outline.functions[function].returns.is_pointer())
        }
        _ => false,
    }
}

/// The other values of an integer constant.
fn integers(text: &str) -> Vec<String> {
    let Some(integer) = Integer::parse(text) else {
        return Vec::new();
    };
    let value = i128::from(integer.value);
    let mut values = Vec::new();
    for other in [0, 1, -1, value + 1, value - 1] {
        if other != value && other <= i128::from(u64::MAX) && !values.contains(&other) {
            values.push(other);
        }
    }
    values
        .into_iter()
        .map(|value| integer.spell(value))
        .collect()
}

struct Integer<'a> {
    value: u64,
    /// `0x`, `0b`, `0` or nothing, as the source spells it.
    prefix: &'a str,
    suffix: &'a str,
}

impl Integer<'_> {
    fn parse(text: &str) -> Option<Integer<'_>> {
        let bytes = text.as_bytes();
        let (prefix_length, radix) = match bytes.get(1) {
            Some(b'x' | b'X') if bytes[0] == b'0' => (2, 16),
            Some(b'b' | b'B') if bytes[0] == b'0' => (2, 2),
            Some(b'0'..=b'9') if bytes[0] == b'0' => (1, 8),
            _ => (0, 10),
        };
        let (prefix, rest) = text.split_at(prefix_length);
        let is_digit = |character: char| character.is_digit(radix) || character == '\'';
        let digits_end = rest
            .find(|character| !is_digit(character))
            .unwrap_or(rest.len());
        let (digits, suffix) = rest.split_at(digits_end);
        let value = u64::from_str_radix(&digits.replace('\'', ""), radix).ok()?;
        let known = ["", "u", "l", "ul", "lu", "ll", "ull", "llu"];
        known
            .contains(&suffix.to_ascii_lowercase().as_str())
            .then_some(Integer {
                value,
                prefix,
                suffix,
            })
    }

    fn spell(&self, value: i128) -> String {
        let sign = if value < 0 { "-" } else { "" };
        let size = value.unsigned_abs();
        let digits = match self.prefix {
            "0x" => format!("{size:x}"),
            "0X" => format!("{size:X}"),
            "0b" | "0B" => format!("{size:b}"),
            "0" => format!("{size:o}"),
            _ => size.to_string(),
        };
        format!("{sign}{}{digits}{}", self.prefix, self.suffix)
    }
}

/// The other values of a floating constant. The neighbours are spelt as sums, so that no digit is lost.
fn floats(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let number = lower.trim_end_matches('l');
    let hexadecimal = lower.starts_with("0x");
    let number = if hexadecimal {
        number
    } else {
        number.trim_end_matches('f')
    };
    let suffix = &text[number.len()..];
    if suffix.len() > 1 {
        return Vec::new();
    }
    // The value of a hexadecimal constant is not needed: its neighbours only seldom are 0, 1 or -1.
    let value = if hexadecimal {
        None
    } else {
        number.replace('\'', "").parse::<f64>().ok()
    };
    if value.is_none() && !hexadecimal {
        return Vec::new();
    }
    let fixed = [(0.0, "0.0"), (1.0, "1.0"), (-1.0, "-1.0")];
    let mut replacements: Vec<String> = fixed
        .iter()
        .filter(|(other, _)| value != Some(*other))
        .map(|(_, spelling)| format!("{spelling}{suffix}"))
        .collect();
    for (sign, step) in [("+", 1.0), ("-", -1.0)] {
        let reached = value.map(|value| value + step);
        if !fixed.iter().any(|(other, _)| reached == Some(*other)) {
            replacements.push(format!("({text} {sign} 1.0{suffix})"));
        }
    }
    replacements
}

/// The other values of a character constant.
fn characters(text: &str) -> Vec<String> {
    let Some((prefix, value)) = character_value(text) else {
        return Vec::new();
    };
    let mut values = vec![value + 1];
    if let Some(smaller) = value.checked_sub(1) {
        values.push(smaller);
    }
    if value > 1 {
        values.push(0);
    }
    let ascii = values.into_iter().filter(u8::is_ascii);
    ascii
        .map(|value| format!("{prefix}'{}'", spell_character(value)))
        .collect()
}

/// The prefix and the value of a constant of one ASCII character.
fn character_value(text: &str) -> Option<(&str, u8)> {
    let (prefix, quoted) = text.split_at(text.find('\'')?);
    let body = quoted.strip_prefix('\'')?.strip_suffix('\'')?;
    let value = match body.strip_prefix('\\') {
        None => u8::try_from(single(body)?).ok()?,
        Some(escape) => match single(escape) {
            Some('n') => b'\n',
            Some('t') => b'\t',
            Some('r') => b'\r',
            Some('a') => 7,
            Some('b') => 8,
            Some('f') => 12,
            Some('v') => 11,
            Some(plain @ ('\\' | '\'' | '"' | '?')) => u8::try_from(plain).ok()?,
            _ => match escape.strip_prefix('x') {
                Some(digits) => u8::from_str_radix(digits, 16).ok()?,
                None => u8::from_str_radix(escape, 8).ok()?,
            },
        },
    };
    value.is_ascii().then_some((prefix, value))
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn spell_character(value: u8) -> String {
    match value {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\\' | b'\'' => format!("\\{}", char::from(value)),
        b' '..=b'~' => char::from(value).to_string(),
        _ => format!("\\{value:o}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_base_and_suffix() {
        assert_eq!(integers("7"), ["0", "1", "-1", "8", "6"]);
        assert_eq!(
            integers("0x1Ful"),
            ["0x0ul", "0x1ul", "-0x1ul", "0x20ul", "0x1eul"]
        );
        assert_eq!(integers("010"), ["00", "01", "-01", "011", "07"]);
        assert_eq!(integers("1'000"), ["0", "1", "-1", "1001", "999"]);
    }

    #[test]
    fn values_that_fall_together_are_given_once() {
        assert_eq!(integers("0"), ["1", "-1"]);
        assert_eq!(integers("1"), ["0", "-1", "2"]);
        assert_eq!(
            integers("18446744073709551615u"),
            ["0u", "1u", "-1u", "18446744073709551614u"]
        );
        assert_eq!(floats("0.0"), ["1.0", "-1.0"]);
        assert_eq!(floats("2.0"), ["0.0", "1.0", "-1.0", "(2.0 + 1.0)"]);
    }

    #[test]
    fn what_is_no_plain_constant_stays() {
        assert_eq!(integers("18446744073709551616"), Vec::<String>::new());
        assert_eq!(integers("09"), Vec::<String>::new());
        assert_eq!(integers("3i"), Vec::<String>::new());
        assert_eq!(floats("1.5i"), Vec::<String>::new());
        assert_eq!(floats("1.5.5"), Vec::<String>::new());
    }

    #[test]
    fn floats_keep_their_suffix() {
        assert_eq!(
            floats("2.5f"),
            ["0.0f", "1.0f", "-1.0f", "(2.5f + 1.0f)", "(2.5f - 1.0f)"]
        );
        assert_eq!(
            floats("1e3L"),
            ["0.0L", "1.0L", "-1.0L", "(1e3L + 1.0L)", "(1e3L - 1.0L)"]
        );
        assert_eq!(
            floats("0x1p3"),
            ["0.0", "1.0", "-1.0", "(0x1p3 + 1.0)", "(0x1p3 - 1.0)"]
        );
    }

    #[test]
    fn characters_become_their_neighbours_and_the_null_character() {
        assert_eq!(characters("'b'"), ["'c'", "'a'", "'\\0'"]);
        assert_eq!(characters("L'&'"), ["L'\\''", "L'%'", "L'\\0'"]);
        assert_eq!(characters("'\\n'"), ["'\\13'", "'\\t'", "'\\0'"]);
        assert_eq!(characters("'\\0'"), ["'\\1'"]);
        assert_eq!(characters("'~'"), ["'\\177'", "'}'", "'\\0'"]);
        assert_eq!(characters("'\\x41'"), ["'B'", "'@'", "'\\0'"]);
    }

    #[test]
    fn characters_outside_of_ascii_and_unfinished_ones_stay() {
        for text in ["'é'", "'ab'", "''", "'", "'a", "'\\'", "'\\xff'", "'\\q'"] {
            assert_eq!(characters(text), Vec::<String>::new(), "{text}");
        }
    }
}
