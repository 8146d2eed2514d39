//! Java literals: values of tests and observations as source code writes them, in ASCII only.
//!
//! Texts and characters outside ASCII are escaped, so that the files mean the same whatever encoding a build assumes.

use super::reason::Reason;
use super::source_name::{CLASS, END};
use crate::observed::ObservedValue;
use classfile::descriptor::Kind;
use engine::Value;

/// What a string constant of a class file may take, in bytes.
const LONGEST_CONSTANT: usize = 65_535;

/// The primitive kind that a type is or boxes.
pub fn unboxed(descriptor: &str) -> Option<Kind> {
    let kind = match descriptor {
        "Z" | "Ljava/lang/Boolean;" => Kind::Boolean,
        "B" | "Ljava/lang/Byte;" => Kind::Byte,
        "C" | "Ljava/lang/Character;" => Kind::Char,
        "S" | "Ljava/lang/Short;" => Kind::Short,
        "I" | "Ljava/lang/Integer;" => Kind::Int,
        "J" | "Ljava/lang/Long;" => Kind::Long,
        "F" | "Ljava/lang/Float;" => Kind::Float,
        "D" | "Ljava/lang/Double;" => Kind::Double,
        _ => return None,
    };
    Some(kind)
}

/// A literal of a test where a value of the described type is asked for.
pub fn of_value(value: &Value, descriptor: &str) -> Result<String, Reason> {
    let wrong = || Reason::Literal(format!("{value:?} as `{descriptor}`"));
    match (value, unboxed(descriptor)) {
        (Value::Nothing, _) => Ok("null".to_owned()),
        (Value::Text(text), None) => of_text(&text.encode_utf16().collect::<Vec<_>>()),
        (Value::Bool(value), Some(Kind::Boolean) | None) => Ok(value.to_string()),
        (Value::Int(number), Some(kind)) => of_integer(*number, kind).ok_or_else(wrong),
        (Value::Int(number), None) => {
            let kind = i32::try_from(*number).map_or(Kind::Long, |_| Kind::Int);
            of_integer(*number, kind).ok_or_else(wrong)
        }
        (Value::Float(number), Some(Kind::Float)) => Ok(of_float(*number as f32)),
        (Value::Float(number), Some(Kind::Double) | None) => Ok(of_double(*number)),
        _ => Err(wrong()),
    }
}

/// The type of a literal where a value of the described type is asked for; `None` for `null`.
pub fn type_of_value<'a>(value: &Value, descriptor: &'a str) -> Option<&'a str> {
    match (value, unboxed(descriptor)) {
        (Value::Nothing, _) => None,
        (Value::Text(_), _) => Some("Ljava/lang/String;"),
        (_, Some(kind)) => Some(letter(kind)),
        (Value::Bool(_), None) => Some("Z"),
        (Value::Int(number), None) => Some(i32::try_from(*number).map_or("J", |_| "I")),
        (Value::Float(_), None) => Some("D"),
    }
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "Z",
        Kind::Byte => "B",
        Kind::Char => "C",
        Kind::Short => "S",
        Kind::Int => "I",
        Kind::Long => "J",
        Kind::Float => "F",
        _ => "D",
    }
}

/// The observed primitive or string as a literal, with casts where a smaller type has no literal of its own.
pub fn of_observed(value: &ObservedValue) -> Option<String> {
    let text = match value {
        ObservedValue::Null => "null".to_owned(),
        ObservedValue::Boolean(value) => value.to_string(),
        ObservedValue::Byte(number) => of_integer(i64::from(*number), Kind::Byte)?,
        ObservedValue::Short(number) => of_integer(i64::from(*number), Kind::Short)?,
        ObservedValue::Char(unit) => of_char(*unit),
        ObservedValue::Int(number) => of_integer(i64::from(*number), Kind::Int)?,
        ObservedValue::Long(number) => of_integer(*number, Kind::Long)?,
        ObservedValue::Float(bits) => of_float(f32::from_bits(*bits)),
        ObservedValue::Double(bits) => of_double(f64::from_bits(*bits)),
        ObservedValue::Text(units) => of_text(units).ok()?,
        _ => return None,
    };
    Some(text)
}

fn of_integer(number: i64, kind: Kind) -> Option<String> {
    let text = match kind {
        Kind::Byte => format!("(byte) {}", i8::try_from(number).ok()?),
        Kind::Short => format!("(short) {}", i16::try_from(number).ok()?),
        Kind::Char => of_char(u16::try_from(number).ok()?),
        Kind::Int => match i32::try_from(number).ok()? {
            i32::MIN => constant("Integer", "MIN_VALUE"),
            i32::MAX => constant("Integer", "MAX_VALUE"),
            number => number.to_string(),
        },
        Kind::Long => match number {
            i64::MIN => constant("Long", "MIN_VALUE"),
            i64::MAX => constant("Long", "MAX_VALUE"),
            number => format!("{number}L"),
        },
        Kind::Float => of_float(number as f32),
        Kind::Double => of_double(number as f64),
        _ => return None,
    };
    Some(text)
}

/// A constant of a class of `java.lang`.
fn constant(class: &str, name: &str) -> String {
    format!("{CLASS}java/lang/{class}{END}.{name}")
}

fn of_float(number: f32) -> String {
    let name = if number.is_nan() {
        "NaN"
    } else if number == f32::INFINITY {
        "POSITIVE_INFINITY"
    } else if number == f32::NEG_INFINITY {
        "NEGATIVE_INFINITY"
    } else if number == f32::MAX {
        "MAX_VALUE"
    } else if number.to_bits() == 1 {
        "MIN_VALUE"
    } else {
        return format!("{number:?}f");
    };
    constant("Float", name)
}

fn of_double(number: f64) -> String {
    let name = if number.is_nan() {
        "NaN"
    } else if number == f64::INFINITY {
        "POSITIVE_INFINITY"
    } else if number == f64::NEG_INFINITY {
        "NEGATIVE_INFINITY"
    } else if number == f64::MAX {
        "MAX_VALUE"
    } else if number.to_bits() == 1 {
        "MIN_VALUE"
    } else {
        return format!("{number:?}");
    };
    constant("Double", name)
}

/// A character literal.
pub fn of_char(unit: u16) -> String {
    match unit {
        0x27 => "'\\''".to_owned(),
        0x22 => "'\"'".to_owned(),
        _ => format!("'{}'", escaped(unit)),
    }
}

/// A string literal, unless it is too long for a class file.
pub fn of_text(units: &[u16]) -> Result<String, Reason> {
    let bytes: usize = units.iter().map(|&unit| modified_utf8(unit)).sum();
    if bytes > LONGEST_CONSTANT {
        return Err(Reason::LongText { bytes });
    }
    let text: String = units.iter().map(|&unit| escaped(unit)).collect();
    Ok(format!("\"{text}\""))
}

fn modified_utf8(unit: u16) -> usize {
    match unit {
        1..=0x7f => 1,
        0 | 0x80..=0x7ff => 2,
        _ => 3,
    }
}

/// A unit inside quotes.
fn escaped(unit: u16) -> String {
    match unit {
        0x0a => "\\n".to_owned(),
        0x0d => "\\r".to_owned(),
        0x09 => "\\t".to_owned(),
        0x08 => "\\b".to_owned(),
        0x0c => "\\f".to_owned(),
        0x22 => "\\\"".to_owned(),
        0x5c => "\\\\".to_owned(),
        0x20..=0x7e => char::from(unit as u8).to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: Value, descriptor: &str) -> String {
        let text = of_value(&value, descriptor).unwrap();
        text.replace([CLASS, END], "").replace("java/lang/", "")
    }

    #[test]
    fn numbers_are_written_as_their_type_asks() {
        for (number, descriptor, expected) in [
            (5, "I", "5"),
            (-5, "J", "-5L"),
            (-5, "B", "(byte) -5"),
            (7, "S", "(short) 7"),
            (97, "C", "'a'"),
            (10, "C", "'\\n'"),
            (0xd800, "C", "'\\ud800'"),
            (i64::from(i32::MIN), "I", "Integer.MIN_VALUE"),
            (i64::MAX, "J", "Long.MAX_VALUE"),
            (3, "Ljava/lang/Long;", "3L"),
            (3, "Ljava/lang/Object;", "3"),
            (1 << 40, "Ljava/lang/Object;", "1099511627776L"),
        ] {
            assert_eq!(written(Value::Int(number), descriptor), expected);
        }
        assert!(of_value(&Value::Int(300), "B").is_err());
    }

    #[test]
    fn special_floating_point_numbers_have_names() {
        for (number, expected) in [
            (f64::NAN, "Double.NaN"),
            (f64::NEG_INFINITY, "Double.NEGATIVE_INFINITY"),
            (f64::MAX, "Double.MAX_VALUE"),
            (f64::from_bits(1), "Double.MIN_VALUE"),
            (-0.0, "-0.0"),
            (1e300, "1e300"),
            (0.1, "0.1"),
        ] {
            assert_eq!(written(Value::Float(number), "D"), expected);
        }
        assert_eq!(written(Value::Float(0.1), "F"), "0.1f");
    }

    #[test]
    fn texts_are_ascii_and_bounded() {
        let text = Value::Text("a\"b\\\n\u{0}é\u{1f600}".to_owned());
        assert_eq!(
            of_value(&text, "Ljava/lang/String;").unwrap(),
            "\"a\\\"b\\\\\\n\\u0000\\u00e9\\ud83d\\ude00\""
        );
        let long = Value::Text("é".repeat(32_768));
        assert_eq!(
            of_value(&long, "Ljava/lang/String;"),
            Err(Reason::LongText { bytes: 65_536 })
        );
    }
}
