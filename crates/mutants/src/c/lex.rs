//! The tokens of a C source.
//!
//! Written for a text that is changed in place and written back, so nothing is thrown away: white space, comments and
//! preprocessor lines are tokens too, and all tokens put together are the source. It accepts any text. What C does not
//! know becomes [`TokenKind::Unknown`]; a comment or literal without an end stops at the end of the file or line.
//!
//! It does not expand macros, does not follow includes, knows no trigraphs, and does not join an identifier or operator
//! that a backslash-newline cuts in two.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Blanks, line ends, and a backslash before a line end.
    Whitespace,
    /// `/* … */` or `// …`.
    Comment,
    /// A whole preprocessor line with its continuation lines and comments, without the last line end.
    Directive,
    /// A name that is not a keyword.
    Identifier,
    /// A keyword of C11, or one of the common spellings of compilers' own.
    Keyword,
    /// A preprocessing number with its suffix.
    Number,
    /// A character constant with its prefix.
    Char,
    /// A string literal with its prefix.
    String,
    /// An operator, bracket or separator, digraphs included.
    Punctuator,
    /// A character that starts no token of C.
    Unknown,
}

/// A piece of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// Byte offset in the source.
    pub start: usize,
    /// The text.
    pub text: &'a str,
}

impl Token<'_> {
    /// Byte offset past the token.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert",
    "_Thread_local", "__asm", "__asm__", "__attribute", "__attribute__", "__const", "__extension__", "__inline",
    "__inline__", "__restrict", "__restrict__", "__signed__", "__typeof__", "__volatile__", "asm", "auto", "break",
    "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for", "goto",
    "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
    "switch", "typedef", "typeof", "union", "unsigned", "void", "volatile", "while",
];

/// Longest first, so that the first match is the right one.
const PUNCTUATORS: &[&str] = &[
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:", "[", "]",
    "(", ")", "{", "}", ".", "&", "*", "+", "-", "~", "!", "/", "%", "<", ">", "^", "|", "?", ":",
    ";", "=", ",", "#",
];

/// Cuts a source into tokens; their texts put together are the source.
pub fn lex(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut at_line_start = true;
    while start < source.len() {
        let (kind, length) = next_token(&source[start..], at_line_start);
        let text = &source[start..start + length];
        at_line_start = match kind {
            TokenKind::Whitespace => at_line_start || ends_a_line(text),
            TokenKind::Comment => at_line_start,
            _ => false,
        };
        tokens.push(Token { kind, start, text });
        start += length;
    }
    tokens
}

/// Whether white space holds a line end that no backslash takes away.
fn ends_a_line(space: &str) -> bool {
    let mut escaped = false;
    space.chars().any(|character| {
        let ends = character == '\n' && !escaped;
        escaped = character == '\\' || (escaped && character == '\r');
        ends
    })
}

/// The kind and length of the token that a non-empty rest begins with.
fn next_token(rest: &str, at_line_start: bool) -> (TokenKind, usize) {
    let first = rest.chars().next().unwrap_or_default();
    let space = space_length(rest);
    if space > 0 {
        return (TokenKind::Whitespace, space);
    }
    if let Some(length) = comment_length(rest) {
        return (TokenKind::Comment, length);
    }
    if at_line_start && (rest.starts_with('#') || rest.starts_with("%:")) {
        return (TokenKind::Directive, directive_length(rest));
    }
    if let Some(found) = literal(rest) {
        return found;
    }
    if starts_number(rest) {
        return (TokenKind::Number, number_length(rest));
    }
    if is_name_start(first) {
        let length = rest
            .find(|character| !is_name_part(character))
            .unwrap_or(rest.len());
        let keyword = KEYWORDS.contains(&&rest[..length]);
        return (
            if keyword {
                TokenKind::Keyword
            } else {
                TokenKind::Identifier
            },
            length,
        );
    }
    match PUNCTUATORS
        .iter()
        .find(|punctuator| rest.starts_with(**punctuator))
    {
        Some(punctuator) => (TokenKind::Punctuator, punctuator.len()),
        None => (TokenKind::Unknown, first.len_utf8()),
    }
}

fn is_name_start(character: char) -> bool {
    character == '_' || character == '$' || character.is_alphabetic()
}

fn is_name_part(character: char) -> bool {
    is_name_start(character) || character.is_alphanumeric()
}

/// The length of a backslash and the line end after it.
fn splice_length(rest: &str) -> Option<usize> {
    [("\\\n", 2), ("\\\r\n", 3)]
        .into_iter()
        .find(|(splice, _)| rest.starts_with(splice))
        .map(|(_, length)| length)
}

fn space_length(rest: &str) -> usize {
    let mut length = 0;
    while let Some(character) = rest[length..].chars().next() {
        length += match splice_length(&rest[length..]) {
            Some(splice) => splice,
            None if character.is_whitespace() => character.len_utf8(),
            None => break,
        };
    }
    length
}

fn comment_length(rest: &str) -> Option<usize> {
    if let Some(body) = rest.strip_prefix("/*") {
        return Some(body.find("*/").map_or(rest.len(), |end| end + 4));
    }
    rest.starts_with("//").then(|| line_length(rest))
}

/// The length up to the first line end that no backslash takes away.
fn line_length(rest: &str) -> usize {
    let mut length = 0;
    while let Some(character) = rest[length..].chars().next() {
        match splice_length(&rest[length..]) {
            Some(splice) => length += splice,
            None if character == '\n' => break,
            None => length += character.len_utf8(),
        }
    }
    length
}

/// A preprocessor line ends at its line end, but neither inside a block comment nor at the quote marks of a literal.
fn directive_length(rest: &str) -> usize {
    let mut length = 0;
    while let Some(character) = rest[length..].chars().next() {
        let here = &rest[length..];
        length += if let Some(part) = splice_length(here).or_else(|| comment_length(here)) {
            part
        } else if character == '"' || character == '\'' {
            quoted_length(here, character)
        } else if character == '\n' {
            break;
        } else {
            character.len_utf8()
        };
    }
    length
}

/// A string or character constant with an optional encoding prefix.
fn literal(rest: &str) -> Option<(TokenKind, usize)> {
    let prefix = ["u8", "u", "U", "L", ""].into_iter().find(|prefix| {
        rest.strip_prefix(prefix)
            .is_some_and(|quoted| quoted.starts_with('"') || quoted.starts_with('\''))
    })?;
    let quoted = &rest[prefix.len()..];
    let (kind, quote) = if quoted.starts_with('"') {
        (TokenKind::String, '"')
    } else {
        (TokenKind::Char, '\'')
    };
    Some((kind, prefix.len() + quoted_length(quoted, quote)))
}

/// The length of a literal from its opening quote; without a closing one it ends before the line end.
fn quoted_length(quoted: &str, quote: char) -> usize {
    let mut length = quote.len_utf8();
    while let Some(character) = quoted[length..].chars().next() {
        if let Some(splice) = splice_length(&quoted[length..]) {
            length += splice;
            continue;
        }
        if character == '\n' {
            break;
        }
        length += character.len_utf8();
        if character == quote {
            break;
        }
        let escaped = quoted[length..].chars().next();
        if character == '\\'
            && let Some(escaped) = escaped.filter(|escaped| *escaped != '\n')
        {
            length += escaped.len_utf8();
        }
    }
    length
}

fn starts_number(rest: &str) -> bool {
    rest.strip_prefix('.')
        .unwrap_or(rest)
        .starts_with(|character: char| character.is_ascii_digit())
}

/// The length of a preprocessing number: digits, letters, dots, signed exponents and C23 digit separators.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut length = 1;
    while let Some(character) = rest[length..].chars().next() {
        let exponent = matches!(bytes[length - 1], b'e' | b'E' | b'p' | b'P');
        let next_is_digit = bytes.get(length + 1).is_some_and(u8::is_ascii_alphanumeric);
        let belongs = is_name_part(character)
            || character == '.'
            || (exponent && (character == '+' || character == '-'))
            || (character == '\'' && next_is_digit);
        if !belongs {
            break;
        }
        length += character.len_utf8();
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens that are not white space, as `kind text` lines.
    fn listing(source: &str) -> Vec<String> {
        let tokens = lex(source);
        let visible = tokens
            .iter()
            .filter(|token| token.kind != TokenKind::Whitespace);
        visible
            .map(|token| format!("{:?} {}", token.kind, token.text))
            .collect()
    }

    #[test]
    fn comment_marks_in_strings_and_quotes_in_comments_mean_nothing() {
        let expected = [
            "String \"/*\"",
            "Comment /*\"*/",
            "Char '\"'",
            "Comment // '",
            "Identifier x",
        ];
        assert_eq!(listing("\"/*\" /*\"*/ '\"' // '\nx"), expected);
    }

    #[test]
    fn a_directive_takes_its_continuation_lines_and_block_comments() {
        let source = "#define A \\\n  1 /* two\n lines */ 2\nx # y";
        let expected = [
            "Directive #define A \\\n  1 /* two\n lines */ 2",
            "Identifier x",
            "Punctuator #",
            "Identifier y",
        ];
        assert_eq!(listing(source), expected);
    }

    #[test]
    fn a_directive_may_follow_a_comment_and_hold_a_comment_mark_in_a_string() {
        assert_eq!(
            listing("/* c */ #if \"/*\"\nx"),
            ["Comment /* c */", "Directive #if \"/*\"", "Identifier x"]
        );
        assert_eq!(
            listing("x \\\n#y"),
            ["Identifier x", "Punctuator #", "Identifier y"]
        );
    }

    #[test]
    fn numbers_keep_suffixes_exponents_and_separators() {
        let expected = [
            "Number 0x1Ful",
            "Number 1e-3f",
            "Number .5",
            "Number 1'000",
            "Number 0x1p+3",
        ];
        assert_eq!(listing("0x1Ful 1e-3f .5 1'000 0x1p+3"), expected);
        assert_eq!(listing("1+2"), ["Number 1", "Punctuator +", "Number 2"]);
    }

    #[test]
    fn the_longest_punctuator_wins() {
        assert_eq!(
            listing("a+++b"),
            [
                "Identifier a",
                "Punctuator ++",
                "Punctuator +",
                "Identifier b"
            ]
        );
        assert_eq!(
            listing("x>>=1"),
            ["Identifier x", "Punctuator >>=", "Number 1"]
        );
    }

    #[test]
    fn literals_keep_prefixes_and_escapes() {
        let expected = [r"Char L'\''", r#"String u8"a\"b""#, "Identifier Lx"];
        assert_eq!(listing(r#"L'\'' u8"a\"b" Lx"#), expected);
    }

    #[test]
    fn an_unfinished_literal_ends_with_its_line_and_an_unfinished_comment_with_the_file() {
        assert_eq!(listing("\"abc\nx"), ["String \"abc", "Identifier x"]);
        assert_eq!(listing("'\\\nx"), ["Char '\\\nx"]);
        assert_eq!(listing("x /* y"), ["Identifier x", "Comment /* y"]);
    }

    #[test]
    fn other_characters_are_unknown() {
        assert_eq!(
            listing("a @ \\ `"),
            ["Identifier a", "Unknown @", "Unknown \\", "Unknown `"]
        );
    }
}
