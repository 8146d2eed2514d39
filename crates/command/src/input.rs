//! Concrete inputs: what a program is given when it is run. They serialise readably: bytes that are text are written as
//! text, other bytes as `{"hex": "…"}`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// All that one execution of a program is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The arguments, without the program's own name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Standard input.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "bytes")]
    pub stdin: Vec<u8>,
    /// Files, by name relative to the scratch folder.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        with = "named_bytes"
    )]
    pub files: BTreeMap<String, Vec<u8>>,
    /// Environment variables beyond the ones every program sees.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

/// The text of every category, in the order of the specification; `None` where the category is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fields(pub Vec<Option<String>>);

/// Bytes as they are written: text where they are UTF-8.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Hex { hex: String },
}

impl Written {
    fn new(bytes: &[u8]) -> Written {
        match std::str::from_utf8(bytes) {
            Ok(text) => Written::Text(text.to_owned()),
            Err(_) => Written::Hex {
                hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            },
        }
    }

    fn read(self) -> Option<Vec<u8>> {
        let hex = match self {
            Written::Text(text) => return Some(text.into_bytes()),
            Written::Hex { hex } => hex,
        };
        let digits: Option<Vec<u32>> = hex.chars().map(|digit| digit.to_digit(16)).collect();
        let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
        Some(
            digits
                .chunks_exact(2)
                .map(|pair| (pair[0] * 16 + pair[1]) as u8)
                .collect(),
        )
    }
}

mod bytes {
    use super::*;

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        Written::new(bytes).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let written = Written::deserialize(deserializer)?;
        written
            .read()
            .ok_or_else(|| D::Error::custom("not a hexadecimal text"))
    }
}

mod named_bytes {
    use super::*;

    pub fn serialize<S: Serializer>(
        files: &BTreeMap<String, Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            files
                .iter()
                .map(|(name, bytes)| (name, Written::new(bytes))),
        )
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, Vec<u8>>, D::Error> {
        let written = BTreeMap::<String, Written>::deserialize(deserializer)?;
        let read = |(name, written): (String, Written)| {
            let bytes = written.read();
            let bytes = bytes.ok_or_else(|| D::Error::custom("not a hexadecimal text"))?;
            Ok((name, bytes))
        };
        written.into_iter().map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_written_as_text_and_other_bytes_in_hex() {
        let input = Input {
            args: vec!["-n".to_owned()],
            stdin: b"a\n".to_vec(),
            files: BTreeMap::from([("x".to_owned(), vec![0xff, 0x01])]),
            env: BTreeMap::new(),
        };
        let json = serde_json::to_string(&input).unwrap();
        assert_eq!(
            json,
            r#"{"args":["-n"],"stdin":"a\n","files":{"x":{"hex":"ff01"}}}"#
        );
    }

    #[test]
    fn half_a_byte_is_refused() {
        assert!(serde_json::from_str::<Input>(r#"{"stdin":{"hex":"f"}}"#).is_err());
        assert!(serde_json::from_str::<Input>(r#"{"stdin":{"hex":"zz"}}"#).is_err());
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(any::<u8>(), 0..20)
    }

    proptest! {
        #[test]
        fn an_input_survives_being_written(
            args in proptest::collection::vec("\\PC{0,8}", 0..3),
            stdin in bytes(),
            files in proptest::collection::btree_map("[a-z/]{1,6}", bytes(), 0..3),
            env in proptest::collection::btree_map("[A-Z]{1,6}", "\\PC{0,8}", 0..3),
        ) {
            let input = Input { args, stdin, files, env };
            let json = serde_json::to_string(&input).unwrap();
            prop_assert_eq!(serde_json::from_str::<Input>(&json).unwrap(), input);
        }
    }
}
