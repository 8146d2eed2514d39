//! Cuts an expression into tokens.

use super::number::Number;
use crate::spec::{Fault, Span};

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(Number),
    /// Text between single quotes; two quotes inside stand for one.
    Text(String),
    Name(String),
    /// An operator, a parenthesis or a comma; `and`, `or` and `not` come out as their symbols.
    Symbol(&'static str),
}

/// Longer symbols stand before their prefixes.
const SYMBOLS: [&str; 20] = [
    "&&", "||", "!=", "!~", "<=", ">=", "==", "=", "<", ">", "~", "!", "+", "-", "*", "/", "%",
    "(", ")", ",",
];

/// The tokens of a text, with their places.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = if first.is_ascii_digit() {
            number(&text[start..]).map_err(|cause| Fault::new(start..start + 1, cause))?
        } else if first.is_ascii_alphabetic() {
            name(&text[start..])
        } else if first == '\'' {
            quoted(&text[start..]).ok_or_else(|| {
                Fault::new(start..text.len(), "this text has no closing quote")
                    .hint("texts stand in single quotes: `'text'`")
            })?
        } else {
            symbol(&text[start..], start)?
        };
        at += length;
        tokens.push((token, start..at));
    }
    Ok(tokens)
}

fn number(text: &str) -> Result<(Token, usize), String> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(text);
    if text[length..].starts_with('.') {
        length += match digits(&text[length + 1..]) {
            0 => return Err("a number needs digits after its point".to_owned()),
            count => count + 1,
        };
    }
    Ok((Token::Number(Number::leading(&text[..length])), length))
}

fn name(text: &str) -> (Token, usize) {
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let length = text.bytes().take_while(in_name).count();
    let token = match &text[..length] {
        "and" => Token::Symbol("&&"),
        "or" => Token::Symbol("||"),
        "not" => Token::Symbol("!"),
        name => Token::Name(name.to_owned()),
    };
    (token, length)
}

fn quoted(text: &str) -> Option<(Token, usize)> {
    let mut content = String::new();
    let mut at = 1;
    loop {
        let end = at + text[at..].find('\'')?;
        content.push_str(&text[at..end]);
        at = end + 1;
        if !text[at..].starts_with('\'') {
            return Some((Token::Text(content), at));
        }
        content.push('\'');
        at += 1;
    }
}

fn symbol(text: &str, start: usize) -> Result<(Token, usize), Fault> {
    let found = SYMBOLS
        .iter()
        .find(|symbol| text.starts_with(**symbol))
        .copied();
    let fault = |length: usize, cause: String| Fault::new(start..start + length, cause);
    match found {
        Some("==") => Err(fault(2, "unexpected `==`".to_owned()).hint("equality is written `=`")),
        Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
        None if text.starts_with('"') => {
            Err(fault(1, "unexpected `\"`".to_owned())
                .hint("texts stand in single quotes: `'text'`"))
        }
        None if text.starts_with('&') => {
            Err(fault(1, "unexpected `&`".to_owned()).hint("and is written `&&`"))
        }
        None if text.starts_with('|') => {
            Err(fault(1, "unexpected `|`".to_owned()).hint("or is written `||`"))
        }
        None => {
            let first = text.chars().next().unwrap_or(' ');
            Err(fault(
                first.len_utf8(),
                format!("unexpected character `{}`", first.escape_debug()),
            ))
        }
    }
}
