//! One mutant of a source text: what it replaces, where, and by what.
//!
//! A mutant holds no copy of the source; [`Mutant::apply`] makes the mutated text from it. It knows nothing of the
//! language it was made for.

use std::fmt;

use crate::Operator;

/// A range of bytes in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset past the last byte.
    pub end: usize,
}

/// Names a mutant of a source text, the same in every run: operator, byte offset, and a hash of the replacement, as in
/// `relational-1042-94f721b2`. Safe as a file name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MutantId(String);

impl MutantId {
    /// The id of the mutant that puts `replacement` at byte `offset`.
    pub fn new(operator: Operator, offset: usize, replacement: &str) -> MutantId {
        MutantId(format!(
            "{operator}-{offset}-{:08x}",
            fnv1a(replacement.as_bytes())
        ))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MutantId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

/// The 32-bit FNV-1a hash: ids must not change with the compiler's own hasher.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// One change to one place of a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The same in every run over the same source.
    pub id: MutantId,
    /// The kind of mistake.
    pub operator: Operator,
    /// The bytes that are replaced.
    pub span: Span,
    /// Line of the first replaced byte, from 1.
    pub line: usize,
    /// Column of the first replaced byte, in bytes from 1.
    pub column: usize,
    /// The text that is replaced.
    pub original: String,
    /// The text that takes its place.
    pub replacement: String,
}

/// A mutant was applied to a text it was not made from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "mutant `{id}` does not fit: the source has no `{original}` at byte {offset}\nhint: list the mutants again"
)]
pub struct StaleMutant {
    /// The mutant.
    pub id: MutantId,
    /// The byte offset looked at.
    pub offset: usize,
    /// The text expected there.
    pub original: String,
}

impl Mutant {
    /// The mutated source. Fails when `source` does not hold the original text at the mutant's place.
    pub fn apply(&self, source: &str) -> Result<String, StaleMutant> {
        let Span { start, end } = self.span;
        if source.get(start..end) != Some(self.original.as_str()) {
            return Err(StaleMutant {
                id: self.id.clone(),
                offset: start,
                original: self.original.clone(),
            });
        }
        Ok([&source[..start], &self.replacement, &source[end..]].concat())
    }
}

impl fmt::Display for Mutant {
    /// One line, as in ``line 42: relational: `<` -> `<=` ``.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (original, replacement) = (one_line(&self.original), one_line(&self.replacement));
        write!(
            formatter,
            "line {}: {}: `{original}` -> `{replacement}`",
            self.line, self.operator
        )
    }
}

/// The text with each run of white space as one blank, cut in the middle when it is long.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 72;
    const KEPT_AT_EACH_END: usize = 34;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = words.chars().count();
    if length <= LONGEST {
        return words;
    }
    let head: String = words.chars().take(KEPT_AT_EACH_END).collect();
    let tail: String = words.chars().skip(length - KEPT_AT_EACH_END).collect();
    format!("{head} .. {tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(original: &str, replacement: &str) -> Mutant {
        Mutant {
            id: MutantId::new(Operator::Relational, 2, replacement),
            operator: Operator::Relational,
            span: Span {
                start: 2,
                end: 2 + original.len(),
            },
            line: 1,
            column: 3,
            original: original.to_owned(),
            replacement: replacement.to_owned(),
        }
    }

    #[test]
    fn apply_replaces_the_span_alone() {
        assert_eq!(
            mutant("<", "<=").apply("a < b < c"),
            Ok("a <= b < c".to_owned())
        );
    }

    #[test]
    fn apply_refuses_a_text_without_the_original_at_its_place() {
        let stale = mutant("<", "<=").apply("ab < c").unwrap_err();
        assert_eq!((stale.offset, stale.original.as_str()), (2, "<"));
        assert!(mutant("<", "<=").apply("").is_err());
        assert!(
            mutant("<", "<=").apply("aé<").is_err(),
            "the span may cut a character"
        );
    }

    #[test]
    fn the_description_is_one_line_and_short() {
        assert_eq!(
            mutant("<", "<=").to_string(),
            "line 1: relational: `<` -> `<=`"
        );
        assert_eq!(
            mutant("a\n\t  b", ";\n").to_string(),
            "line 1: relational: `a b` -> `;`"
        );
        let long = mutant(&"wörd ".repeat(40), ";").to_string();
        assert!(long.chars().count() < 110, "{long}");
    }

    #[test]
    fn ids_differ_in_operator_offset_and_replacement_and_never_change() {
        let id = MutantId::new(Operator::Relational, 1042, "<=");
        assert_eq!(id.as_str(), "relational-1042-94f721b2");
        assert_ne!(id, MutantId::new(Operator::Relational, 1042, ">="));
        assert_ne!(id, MutantId::new(Operator::Relational, 1043, "<="));
        assert_ne!(id, MutantId::new(Operator::Logical, 1042, "<="));
    }
}
