//! Names of local variables: after their types, numbered from the second on.

use super::source_name::{is_reserved, path_of};
use crate::model::JvmModel;
use classfile::descriptor::Type;
use std::collections::BTreeMap;

/// Packages begin with these words; a variable of such a name would hide them.
const PACKAGES: [&str; 6] = ["java", "javax", "org", "com", "net", "io"];

/// The names given so far in one method.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    given: BTreeMap<String, u32>,
}

impl Variables {
    /// A new name for a variable of a type: `list`, then `list2`.
    pub fn name(&mut self, model: &JvmModel, descriptor: &str) -> String {
        let word = word(model, descriptor);
        let count = self.given.entry(word.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            word
        } else {
            format!("{word}{count}")
        }
    }
}

fn word(model: &JvmModel, descriptor: &str) -> String {
    let Ok(kind) = Type::parse(descriptor) else {
        return "value".to_owned();
    };
    let innermost = kind.innermost();
    let dimensions = usize::from(kind.dimensions());
    if let Some(keyword) = innermost.kind().keyword() {
        let suffix = match dimensions {
            0 => "Value".to_owned(),
            _ => "Array".repeat(dimensions),
        };
        return keyword.to_owned() + &suffix;
    }
    let class = innermost.class_name().unwrap_or_default();
    let simple = path_of(model, class).ok().and_then(|mut path| path.pop());
    let simple: String = simple
        .unwrap_or_default()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .collect();
    let mut word = lower_first(&simple) + &"Array".repeat(dimensions);
    let number_first = word.chars().next().is_none_or(|c| c.is_ascii_digit());
    // A variable of the name of a class would hide the class, and a trailing digit looks like our numbers.
    let hides = !simple.is_empty() && word == simple || PACKAGES.contains(&word.as_str());
    if number_first {
        word = format!("value{word}");
    }
    if hides || is_reserved(&word) || word.ends_with(|c: char| c.is_ascii_digit()) {
        word.push_str("Value");
    }
    word
}

/// `List` to `list`, `URLStream` to `urlStream`, `URL` to `url`.
pub fn lower_first(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let capitals = letters.iter().take_while(|c| c.is_uppercase()).count();
    let lowered = if capitals > 1 && capitals < letters.len() && letters[capitals].is_alphabetic() {
        capitals - 1
    } else {
        capitals
    };
    let first = letters[..lowered].iter().flat_map(|c| c.to_lowercase());
    first.chain(letters[lowered..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_after_their_types() {
        let model = JvmModel::default();
        for (descriptor, expected) in [
            ("Ljava/util/List;", "list"),
            ("Ljava/net/URL;", "url"),
            ("La/HTTPClient;", "httpClient"),
            ("Ljava/util/Map$Entry;", "entry"),
            ("I", "intValue"),
            ("[I", "intArray"),
            ("[[Ljava/lang/String;", "stringArrayArray"),
            ("Ljava/lang/Class;", "classValue"),
            ("La/Java;", "javaValue"),
            ("La/b;", "bValue"),
            ("La/Vector3;", "vector3Value"),
            ("La/Foo$1;", "value"),
        ] {
            let mut variables = Variables::default();
            assert_eq!(variables.name(&model, descriptor), expected);
            assert_eq!(variables.name(&model, descriptor), format!("{expected}2"));
        }
    }
}
