//! Which names Java source can write.

/// Words that cannot be names, contextual ones not among them.
const RESERVED: &[&str] = &[
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Whether a word can be a name. Letters beyond ASCII are taken as Unicode sees them, which is near to Java's own rule.
pub fn is_identifier(word: &str) -> bool {
    let mut letters = word.chars();
    let start = |letter: char| letter.is_alphabetic() || letter == '_' || letter == '$';
    letters.next().is_some_and(start)
        && letters.all(|letter| start(letter) || letter.is_alphanumeric())
        && !RESERVED.contains(&word)
}

/// Whether all words of a dotted name can be names.
pub fn is_dotted_name(name: &str) -> bool {
    name.split('.').all(is_identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_languages_are_recognised() {
        assert!(is_dotted_name("org.example.Foo$Bar"));
        assert!(is_identifier("größe"));
        assert!(is_identifier("record"));
        for bad in ["is-empty", "", "1a", "class", "a b", "_"] {
            assert!(!is_identifier(bad), "{bad}");
        }
        assert!(!is_dotted_name("org.new.Foo"));
    }
}
