//! Grammars in Backus-Naur form: parsing, checking, and the least depth of every symbol.
//!
//! A rule is `<name> ::= alternative | alternative`, over as many lines as it needs. An alternative is a row of symbols
//! `<name>`, texts in double or single quotes (with `\n`, `\t`, `\\` and escaped quotes) and regular expressions between
//! slashes; it may end in `; [weight N]`. A `#` outside quotes starts a comment.

use super::pattern::Pattern;
use crate::spec::{Fault, Span, similar};
use std::collections::BTreeMap;

/// The most rules of one grammar.
const MAX_RULES: usize = 5000;

/// The most symbols and texts that the shallowest texts of a rule may need.
const MAX_SHALLOW: u64 = 10_000;

/// The number of a symbol in its grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymbolId(pub usize);

/// A part of an alternative.
#[derive(Clone, Debug)]
pub enum Item {
    /// Text as it is.
    Text(String),
    /// Text matched by a regular expression.
    Pattern(Pattern),
    /// A text derived from a symbol.
    Symbol(SymbolId),
}

/// One way to derive a symbol.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// What stands after each other.
    pub items: Vec<Item>,
    /// Its chance relative to the other alternatives.
    pub weight: f64,
    /// The depth of its shallowest derivation tree, at least 1.
    pub min_depth: u32,
}

/// All ways to derive a symbol.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The symbol's name, without angle brackets.
    pub name: String,
    /// Where it is defined, in bytes of the grammar's text.
    pub span: Span,
    /// The alternatives, at least one.
    pub alternatives: Vec<Alternative>,
    /// The depth of its shallowest derivation tree, at least 1.
    pub min_depth: u32,
    /// The alternatives by least depth, each with the sum of the weights up to it.
    pub(super) by_depth: Vec<(usize, f64)>,
}

/// A checked grammar: every symbol is defined and derives at least one text.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// The rules; a [`SymbolId`] is an index into them.
    pub rules: Vec<Rule>,
}

impl Grammar {
    /// Parses the rules; places in the faults are relative to `text`.
    pub fn parse(text: &str, max_repeat: u32) -> Result<Grammar, Vec<Fault>> {
        let tokens = tokens(text).map_err(|fault| vec![fault])?;
        let (mut grammar, mut faults) = rules(text, &tokens, max_repeat);
        if faults.is_empty() {
            faults = grammar.measure();
        }
        match faults.is_empty() {
            true => Ok(grammar),
            false => Err(faults),
        }
    }

    /// The symbol of this name.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.rules
            .iter()
            .position(|rule| rule.name == name)
            .map(SymbolId)
    }

    /// The rule of a symbol.
    pub fn rule(&self, symbol: SymbolId) -> &Rule {
        &self.rules[symbol.0]
    }

    /// For each rule, whether any of these symbols leads to it.
    pub fn reachable(&self, from: &[SymbolId]) -> Vec<bool> {
        let mut reached = vec![false; self.rules.len()];
        let mut work = from.to_vec();
        while let Some(symbol) = work.pop() {
            if std::mem::replace(&mut reached[symbol.0], true) {
                continue;
            }
            let items = self.rules[symbol.0]
                .alternatives
                .iter()
                .flat_map(|a| &a.items);
            work.extend(items.filter_map(|item| match item {
                Item::Symbol(symbol) => Some(*symbol),
                _ => None,
            }));
        }
        reached
    }

    /// Computes the least depths, level by level, and finds what never ends or cannot end small.
    fn measure(&mut self) -> Vec<Fault> {
        let mut shallow: Vec<u64> = vec![0; self.rules.len()];
        for depth in 1.. {
            let done: Vec<(usize, u64)> = (0..self.rules.len())
                .filter(|index| self.rules[*index].min_depth == u32::MAX)
                .filter_map(|index| Some((index, self.size_now(index, &shallow)?)))
                .collect();
            if done.is_empty() {
                break;
            }
            for (index, size) in done {
                self.rules[index].min_depth = depth;
                shallow[index] = size;
            }
        }
        for index in 0..self.rules.len() {
            for alternative in 0..self.rules[index].alternatives.len() {
                let depth = self.depth_of(&self.rules[index].alternatives[alternative]);
                self.rules[index].alternatives[alternative].min_depth = depth;
            }
            self.rules[index].order();
        }
        let rules = self.rules.iter().zip(&shallow);
        rules.filter_map(|(rule, size)| rule.check(*size)).collect()
    }

    /// The largest number of symbols and texts among the alternatives that can be derived from the rules finished so far.
    fn size_now(&self, rule: usize, shallow: &[u64]) -> Option<u64> {
        let size = |alternative: &Alternative| {
            alternative
                .items
                .iter()
                .try_fold(1_u64, |sum, item| match item {
                    Item::Symbol(symbol) if self.rules[symbol.0].min_depth == u32::MAX => None,
                    Item::Symbol(symbol) => Some(sum.saturating_add(shallow[symbol.0])),
                    _ => Some(sum.saturating_add(1)),
                })
        };
        self.rules[rule].alternatives.iter().filter_map(size).max()
    }

    fn depth_of(&self, alternative: &Alternative) -> u32 {
        let depth = |item: &Item| match item {
            Item::Symbol(symbol) => self.rules[symbol.0].min_depth,
            _ => 0,
        };
        let below = alternative.items.iter().map(depth).max().unwrap_or(0);
        below.saturating_add(1)
    }
}

impl Rule {
    fn order(&mut self) {
        let mut order: Vec<usize> = (0..self.alternatives.len()).collect();
        order.sort_by_key(|index| self.alternatives[*index].min_depth);
        let mut sum = 0.0;
        let summed = order.into_iter().map(|index| {
            sum += self.alternatives[index].weight;
            (index, sum)
        });
        self.by_depth = summed.collect();
    }

    fn check(&self, shallow: u64) -> Option<Fault> {
        let name = &self.name;
        if self.min_depth == u32::MAX {
            let cause = format!("`<{name}>` never ends: each alternative leads back to it");
            let hint = "add an alternative without recursion";
            return Some(Fault::new(self.span.clone(), cause).hint(hint));
        }
        if shallow > MAX_SHALLOW {
            let cause = format!(
                "even the shallowest text of `<{name}>` needs over {MAX_SHALLOW} symbols and texts"
            );
            return Some(Fault::new(self.span.clone(), cause));
        }
        None
    }
}

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

/// Groups tokens into rules. Least depths are still unknown, written as `u32::MAX`.
fn rules(text: &str, tokens: &[(Token, Span)], max_repeat: u32) -> (Grammar, Vec<Fault>) {
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

impl Alternative {
    fn empty() -> Alternative {
        Alternative {
            items: Vec::new(),
            weight: 1.0,
            min_depth: u32::MAX,
        }
    }
}
