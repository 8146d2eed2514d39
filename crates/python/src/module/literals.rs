//! Literals for built-in types: fixed ones, pieces of the module's constants, and texts that its regular expressions match.

use engine::{Literal, Origin, Value};
use serde_json::Value as Json;

use super::discovered::Discovered;
use super::kind::Kind;

/// The most pieces of a module.
const MOST_PIECES: usize = 120;

/// Pools of literals for the built-in types.
#[derive(Debug, Default)]
pub struct Literals {
    ints: Vec<Literal>,
    floats: Vec<Literal>,
    texts: Vec<Literal>,
    bytes: Vec<Literal>,
    /// Short pieces that texts are put together from.
    pub pieces: Vec<Literal>,
}

fn builtin(value: Value) -> Literal {
    let origin = Origin::Builtin;
    Literal { value, origin }
}

/// A literal in the form of the protocol, and whether it is bytes; `None` for one that the engine cannot hold.
pub fn read(json: &Json) -> Option<(Value, bool)> {
    let value = match json.as_array()?.as_slice() {
        [Json::Null] => Value::Nothing,
        [Json::Bool(bool)] => Value::Bool(*bool),
        [Json::Number(number)] => Value::Int(number.as_i64()?),
        [Json::String(text)] => Value::Text(text.clone()),
        [Json::String(tag), Json::String(text)] => match tag.as_str() {
            "b" => return Some((Value::Text(text.clone()), true)),
            "f" => Value::Float(text.parse().ok()?),
            _ => return None,
        },
        _ => return None,
    };
    Some((value, false))
}

fn add(pool: &mut Vec<Literal>, literal: Literal) {
    if pool.len() < MOST_PIECES && !pool.iter().any(|one| one.value == literal.value) {
        pool.push(literal);
    }
}

impl Literals {
    /// The pools of a module.
    pub fn of(module: &Discovered) -> Literals {
        let ints = [
            0, 1, 2, -1, 3, 5, 7, 10, 12, 16, 31, 64, 100, 255, 1000, -2, -7, 2024, 65536,
        ];
        let floats = [0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 0.1, 3.75, 100.0, 1e10, 1e-7];
        let others = [f64::INFINITY, f64::NAN];
        let texts = [
            "",
            "a",
            "b",
            "abc",
            "A",
            "Hello, World",
            "x y z",
            " ",
            "0",
            "1",
            "12",
            "-3",
            "3.5",
            "1e5",
            "a-b",
            "a_b",
            "a.b",
            "a/b",
            "a,b",
            "a=1",
            "key: value",
            "line\nline",
            "\t",
            "ä€",
            "<a>b</a>",
            "[1, 2]",
            "(a)",
            "{x}",
            "%s",
            "\\",
            "\"q\"",
            "'q'",
            "#",
            "None",
            "true",
            "2024-01-31",
            "a@b.c",
            "http://a.b/c?d=e#f",
            "aaa",
            "CamelCase",
            "snake_case",
        ];
        let pieces = [
            "a", "b", "0", "1", " ", "\n", ".", ",", "-", "_", ":", "=", "(", ")", "[", "]", "{",
            "}", "\"", "'", "/", "\\", "x", "\n    ", ": ", ", ",
        ];
        let bytes = [
            "",
            "a",
            "abc",
            "\0",
            "\u{ff}\u{fe}",
            "hello world",
            "\r\n",
            "1234",
            "aaaa",
            "\u{80}",
        ];
        let text = |text: &&str| builtin(Value::Text((*text).to_owned()));
        let mut literals = Literals {
            ints: ints.map(|one| builtin(Value::Int(one))).to_vec(),
            floats: floats
                .into_iter()
                .chain(others)
                .map(|one| builtin(Value::Float(one)))
                .collect(),
            texts: texts.iter().map(text).collect(),
            bytes: bytes.iter().map(text).collect(),
            pieces: pieces.iter().map(text).collect(),
        };
        literals.mine(module);
        literals
    }

    /// Takes short pieces from the constants of the source, and texts for its regular expressions. Whole constants are for the part
    /// `constants` of a guide.
    fn mine(&mut self, module: &Discovered) {
        for (json, line) in &module.constants {
            let Some((value, false)) = read(json) else {
                continue;
            };
            let short = matches!(&value, Value::Text(text) if !text.is_empty() && text.chars().count() <= 12);
            if short {
                let origin = Origin::Mined(format!("line {line}"));
                add(&mut self.pieces, Literal { value, origin });
            }
        }
        for text in &module.texts {
            let origin = Origin::Mined("regular expression".to_owned());
            let value = Value::Text(text.clone());
            let literal = Literal { value, origin };
            add(&mut self.pieces, literal.clone());
            self.texts.push(literal);
        }
    }

    /// The literals of a type, and whether its texts mean bytes.
    pub fn of_kind(&self, kind: &Kind) -> (Vec<Literal>, bool) {
        let has = |name: &str| kind.members().contains(&Kind::builtin(name));
        let any = kind.members().contains(&Kind::Any);
        let written = |one: &Kind| matches!(one, Kind::Literal(values) if values.iter().all(|text| text.starts_with("[\"b\",")));
        let bytes = !any && !has("str") && (has("bytes") || kind.members().iter().any(written));
        let mut all = Vec::new();
        if any || has("str") {
            all.extend_from_slice(&self.texts);
        }
        if bytes {
            all.extend_from_slice(&self.bytes);
        }
        if any || has("int") {
            all.extend_from_slice(&self.ints);
        }
        if any || has("float") {
            all.extend_from_slice(&self.floats);
        }
        if any || has("bool") {
            all.extend([false, true].map(|one| builtin(Value::Bool(one))));
        }
        for member in kind.members() {
            if let Kind::Literal(values) = member {
                let json = values
                    .iter()
                    .filter_map(|text| serde_json::from_str(text).ok());
                let read = json.filter_map(|json: Json| read(&json));
                all.extend(
                    read.filter(|(_, is_bytes)| *is_bytes == bytes)
                        .map(|(value, _)| builtin(value)),
                );
            }
        }
        all.retain(|one| one.value != Value::Nothing);
        (all, bytes)
    }
}
