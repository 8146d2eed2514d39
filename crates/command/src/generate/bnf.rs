//! Grammars as they are written, in Backus-Naur form.
//!
//! A rule is `<name> ::= alternative | alternative`, over as many lines as it needs. An alternative is a row of symbols
//! `<name>`, texts in double or single quotes (with `\n`, `\t`, `\r`, `\\` and escaped quotes) and regular expressions
//! between slashes; it may end in `; [weight N]`. A `#` outside quotes starts a comment.

use super::grammar::{Alternative, Grammar, Item, Rule, SymbolId};
use super::pattern::Pattern;
use crate::spec::{Fault, Span};
use engine::similar;
use std::collections::BTreeMap;

/// The most rules of one grammar.
const MAX_RULES: usize = 5000;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// `<name>`
    Symbol(String),
    /// `::=`
    Defines,
    /// `|`
    Or,
    Text(String),
    /// A regular expression, without slashes.
    Pattern(String),
    /// `; [weight N]`
    Weight(f64),
}

fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (token, length) = match first {
            '<' => symbol(rest, at)?,
            '|' => (Token::Or, 1),
            '"' | '\'' => quoted(rest, first, at)?,
            '/' => pattern(rest, at)?,
            ';' => weight(rest, at)?,
            _ if rest.starts_with("::=") => (Token::Defines, 3),
            _ => {
                let cause = format!("unexpected character `{}`", first.escape_debug());
                let hint = "texts stand in quotes, symbols in `<…>`, regular expressions in `/…/`";
                return Err(Fault::new(at..at + first.len_utf8(), cause).hint(hint));
            }
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

fn symbol(rest: &str, at: usize) -> Result<(Token, usize), Fault> {
    let end = rest
        .find(['>', '\n'])
        .filter(|end| rest[*end..].starts_with('>'));
    let name = end.map(|end| rest[1..end].trim());
    match (name, end) {
        (Some(name), Some(end)) if !name.is_empty() => {
            Ok((Token::Symbol(name.to_owned()), end + 1))
        }
        (_, end) => {
            let length = end.map_or(1, |end| end + 1);
            Err(Fault::new(at..at + length, "a symbol is written `<name>`"))
        }
    }
}

fn quoted(rest: &str, quote: char, at: usize) -> Result<(Token, usize), Fault> {
    let mut content = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((offset, character)) = characters.next() {
        if character == quote {
            return Ok((Token::Text(content), offset + 1));
        }
        if character != '\\' {
            content.push(character);
            continue;
        }
        let escaped = characters.next().map(|(_, escaped)| escaped);
        content.push(match escaped {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(same @ ('\\' | '"' | '\'')) => same,
            other => {
                let other = other.map_or(String::new(), |c| c.escape_debug().to_string());
                let length = 1 + characters.next().map_or(0, |(next, _)| next - offset - 1);
                let span = at + offset..at + offset + length;
                let fault = Fault::new(span, format!("unknown escape `\\{other}`"));
                return Err(fault.hint("known are `\\n`, `\\t`, `\\r`, `\\\\`, `\\\"` and `\\'`"));
            }
        });
    }
    Err(Fault::new(at..at + 1, "this text has no closing quote"))
}

fn pattern(rest: &str, at: usize) -> Result<(Token, usize), Fault> {
    let mut content = String::new();
    let mut escaped = false;
    for (offset, character) in rest.char_indices().skip(1) {
        match character {
            '/' if escaped => {
                content.pop();
                content.push('/');
            }
            '/' => return Ok((Token::Pattern(content), offset + 1)),
            other => content.push(other),
        }
        escaped = character == '\\' && !escaped;
    }
    let fault = Fault::new(at..at + 1, "this regular expression has no closing `/`");
    Err(fault.hint("a slash inside is written `\\/`"))
}

fn weight(rest: &str, at: usize) -> Result<(Token, usize), Fault> {
    let close = rest
        .find([']', '\n'])
        .filter(|end| rest[*end..].starts_with(']'));
    let inside = close.and_then(|end| rest[1..end].trim_start().strip_prefix('['));
    let number = inside.and_then(|inside| inside.trim_start().strip_prefix("weight"));
    let number = number.and_then(|number| number.trim().parse::<f64>().ok());
    match (number, close) {
        (Some(weight), Some(close)) if weight.is_finite() && weight >= 0.0 => {
            Ok((Token::Weight(weight), close + 1))
        }
        _ => {
            let length = close.map_or(1, |close| close + 1);
            let cause = "expected `; [weight N]` with a number that is not negative";
            Err(Fault::new(at..at + length, cause))
        }
    }
}

/// The rules of a text. Least depths are still unknown, written as `u32::MAX`.
pub(super) fn rules(text: &str, max_repeat: u32) -> (Grammar, Vec<Fault>) {
    let tokens = match tokens(text) {
        Ok(tokens) => tokens,
        Err(fault) => return (Grammar::default(), vec![fault]),
    };
    let mut faults = Vec::new();
    let mut numbers = BTreeMap::new();
    let mut bodies: Vec<(usize, usize)> = Vec::new();
    let mut grammar = Grammar::default();
    let defines = |at: usize| matches!(tokens.get(at), Some((Token::Defines, _)));
    for (at, (token, span)) in tokens.iter().enumerate() {
        match token {
            Token::Symbol(name) if defines(at + 1) => {
                if numbers.insert(name.as_str(), grammar.rules.len()).is_some() {
                    let cause = format!("`<{name}>` is defined twice");
                    let hint = "put all alternatives into one rule, separated by `|`";
                    faults.push(Fault::new(span.clone(), cause).hint(hint));
                }
                grammar.rules.push(Rule {
                    name: name.clone(),
                    span: span.clone(),
                    alternatives: Vec::new(),
                    min_depth: u32::MAX,
                    by_depth: Vec::new(),
                });
                bodies.push((at + 2, at + 2));
            }
            Token::Defines if at > 0 && matches!(tokens[at - 1].0, Token::Symbol(_)) => {}
            _ => match bodies.last_mut() {
                Some(body) if *token != Token::Defines => body.1 = at + 1,
                _ => {
                    faults.push(Fault::new(span.clone(), "expected a rule `<name> ::= …`"));
                    return (grammar, faults);
                }
            },
        }
    }
    if grammar.rules.len() > MAX_RULES {
        let cause = format!("there are more than {MAX_RULES} rules");
        faults.push(Fault::new(grammar.rules[MAX_RULES].span.clone(), cause));
        return (grammar, faults);
    }
    if grammar.rules.is_empty() {
        let fault = Fault::new(0..text.len(), "the grammar has no rules");
        faults.push(fault.hint("a rule is written `<name> ::= \"text\" | <other>`"));
    }
    for (index, (from, to)) in bodies.into_iter().enumerate() {
        let names = |name: &str| numbers.get(name).copied();
        match alternatives(text, &tokens[from..to], &names, max_repeat) {
            Ok(alternatives) => grammar.rules[index].alternatives = alternatives,
            Err(mut fault) => {
                if let Some(unknown) = fault.cause.strip_prefix("`<") {
                    let unknown = unknown.split('>').next().unwrap_or_default();
                    fault.hint = similar::hint(unknown, numbers.keys().copied());
                }
                faults.push(fault);
            }
        }
    }
    (grammar, faults)
}

fn alternatives(
    text: &str,
    tokens: &[(Token, Span)],
    numbers: &dyn Fn(&str) -> Option<usize>,
    max_repeat: u32,
) -> Result<Vec<Alternative>, Fault> {
    let mut alternatives = vec![Alternative::empty()];
    let mut weighted = false;
    for (token, span) in tokens {
        let last = alternatives.last_mut().expect("there is always one begun");
        if weighted && *token != Token::Or {
            let cause = format!("unexpected `{}` after a weight", &text[span.clone()]);
            return Err(Fault::new(span.clone(), cause).hint("expected `|` or the next rule"));
        }
        match token {
            Token::Or => {
                alternatives.push(Alternative::empty());
                weighted = false;
            }
            Token::Weight(weight) => {
                last.weight = *weight;
                weighted = true;
            }
            Token::Text(text) => last.items.push(Item::Text(text.clone())),
            Token::Pattern(pattern) => {
                let compiled = Pattern::compile(pattern, max_repeat);
                let pattern = compiled.map_err(|fault| Fault {
                    span: span.clone(),
                    ..fault
                })?;
                last.items.push(Item::Pattern(pattern));
            }
            Token::Symbol(name) => match numbers(name) {
                Some(number) => last.items.push(Item::Symbol(SymbolId(number))),
                None => {
                    let cause = format!("`<{name}>` is not defined");
                    return Err(Fault::new(span.clone(), cause));
                }
            },
            Token::Defines => {
                return Err(Fault::new(span.clone(), "unexpected `::=`"));
            }
        }
    }
    Ok(alternatives)
}
