//! Values as Python source.

use std::fmt::Write;

use engine::Value;

/// A value as an expression.
pub fn literal(value: &Value, bytes: bool) -> String {
    match value {
        Value::Nothing => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => float(*number),
        Value::Text(text) if bytes => format!("b{}", quoted(text, true)),
        Value::Text(text) => quoted(text, false),
    }
}

fn float(number: f64) -> String {
    if number.is_nan() {
        "float(\"nan\")".to_owned()
    } else if number.is_infinite() {
        let sign = if number < 0.0 { "-" } else { "" };
        format!("float(\"{sign}inf\")")
    } else {
        format!("{number:?}")
    }
}

/// A text in double quotes; for bytes, characters above 255 are left out and those above 126 escaped.
pub fn quoted(text: &str, bytes: bool) -> String {
    let mut source = String::from("\"");
    for one in text.chars() {
        match one {
            '"' => source.push_str("\\\""),
            '\\' => source.push_str("\\\\"),
            '\n' => source.push_str("\\n"),
            '\r' => source.push_str("\\r"),
            '\t' => source.push_str("\\t"),
            ' '..='~' => source.push(one),
            _ if bytes && one as u32 > 255 => {}
            _ if bytes || (one as u32) < 256 && one.is_control() => {
                let _ = write!(source, "\\x{:02x}", one as u32);
            }
            _ if one.is_alphanumeric() => source.push(one),
            _ if (one as u32) < 0x10000 => {
                let _ = write!(source, "\\u{:04x}", one as u32);
            }
            _ => {
                let _ = write!(source, "\\U{:08x}", one as u32);
            }
        }
    }
    source.push('"');
    source
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_python_reads_them() {
        let text = |text: &str| literal(&Value::Text(text.to_owned()), false);
        assert_eq!(text("a\"b\\\n\0"), r#""a\"b\\\n\x00""#);
        assert_eq!(text("ä\u{2028}😀"), r#""ä\u2028\U0001f600""#);
        let bytes = literal(&Value::Text("aÿ€".to_owned()), true);
        assert_eq!(bytes, r#"b"a\xff""#);
        assert_eq!(
            literal(&Value::Float(f64::NEG_INFINITY), false),
            "float(\"-inf\")"
        );
        assert_eq!(literal(&Value::Float(1e300), false), "1e300");
        assert_eq!(literal(&Value::Nothing, false), "None");
    }
}
