//! Parses `if` conditions and compiles them to the engine's [`Condition`].
//!
//! Conditions speak of the choices made so far; they know no texts and no numbers. Those belong to expressions.

use super::place::{Fault, Span};
use engine::frames::{Condition, PropertyId};
use engine::similar;
use std::collections::BTreeMap;

/// How deep a condition may nest.
pub const MAX_NESTING: usize = 100;

/// What a condition may name.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'a> {
    /// The names of all categories of the file, in order.
    pub categories: &'a [String],
    /// The names of the choices of each.
    pub choices: &'a [Vec<String>],
    /// For each category, whether it is read off the finished input, so that no condition can name it.
    pub read_off: &'a [bool],
    /// The index of the category whose condition this is.
    pub here: usize,
    /// The properties that earlier categories bring.
    pub properties: &'a BTreeMap<String, PropertyId>,
    /// The properties that any category brings, for better messages.
    pub all_properties: &'a [String],
}

/// Parses a condition; places in the fault are relative to `text`.
pub fn parse_condition(text: &str, earlier: &Earlier<'_>) -> Result<Condition, Fault> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        end: text.len(),
        earlier,
        nesting: 0,
    };
    let condition = parser.any()?;
    match parser.tokens.get(parser.at) {
        None => Ok(condition),
        Some((token, span)) => Err(Fault::new(span.clone(), format!("unexpected `{token}`"))
            .hint("expected `&&`, `||` or the end")),
    }
}

/// Names and symbols.
fn tokens(text: &str) -> Result<Vec<(&str, Span)>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let symbol = ["&&", "||", "!=", "!", "=", "(", ")"]
            .into_iter()
            .find(|symbol| rest.starts_with(symbol));
        let length = match symbol {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            Some(symbol) => symbol.len(),
            None if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            None => {
                let span = at..at + first.len_utf8();
                let cause = format!("unexpected character `{}`", first.escape_debug());
                let hint = "a condition is made of `category = choice`, `category`, properties, `!`, `&&`, `||`";
                return Err(Fault::new(span, cause).hint(hint));
            }
        };
        tokens.push((&rest[..length], at..at + length));
        at += length;
    }
    Ok(tokens)
}

struct Parser<'a> {
    tokens: Vec<(&'a str, Span)>,
    at: usize,
    end: usize,
    earlier: &'a Earlier<'a>,
    nesting: usize,
}

impl Parser<'_> {
    fn any(&mut self) -> Result<Condition, Fault> {
        let mut parts = vec![self.all()?];
        while self.eat("||") {
            parts.push(self.all()?);
        }
        Ok(one_or(parts, Condition::Any))
    }

    fn all(&mut self) -> Result<Condition, Fault> {
        let mut parts = vec![self.not()?];
        while self.eat("&&") {
            parts.push(self.not()?);
        }
        Ok(one_or(parts, Condition::All))
    }

    fn not(&mut self) -> Result<Condition, Fault> {
        if !self.eat("!") {
            return self.primary();
        }
        self.nest()?;
        let inner = self.not()?;
        self.nesting -= 1;
        Ok(Condition::Not(Box::new(inner)))
    }

    fn primary(&mut self) -> Result<Condition, Fault> {
        let Some((token, span)) = self.tokens.get(self.at).cloned() else {
            let cause = "the condition ends where a category or property is expected";
            return Err(Fault::new(self.end..self.end, cause));
        };
        self.at += 1;
        if token == "(" {
            self.nest()?;
            let inner = self.any()?;
            self.nesting -= 1;
            let place = self.place();
            return match self.eat(")") {
                true => Ok(inner),
                false => Err(Fault::new(place, "expected `)`")),
            };
        }
        if !symbol_of(token).starts_with(|c: char| c.is_ascii_alphanumeric()) {
            let cause = format!("unexpected `{token}`, expected a category or property");
            return Err(Fault::new(span, cause));
        }
        let equal = self.eat("=");
        if equal || self.eat("!=") {
            let is = self.choice(token, span)?;
            return Ok(match equal {
                true => is,
                false => Condition::Not(Box::new(is)),
            });
        }
        if self.earlier.categories.iter().any(|name| name == token) {
            return Ok(Condition::Present(self.category(token, span)?));
        }
        self.property(token, span)
    }

    fn choice(&mut self, category: &str, span: Span) -> Result<Condition, Fault> {
        let index = self.category(category, span)?;
        let place = self.place();
        let Some((name, span)) = self.tokens.get(self.at).cloned() else {
            let cause = format!("expected a choice of `{category}`");
            return Err(Fault::new(place, cause));
        };
        self.at += 1;
        let choices = &self.earlier.choices[index];
        match choices.iter().position(|choice| choice == name) {
            Some(position) => Ok(Condition::Is(index, position as u16 + 1)),
            None if name == "=" => {
                Err(Fault::new(span, "unexpected `=`").hint("equality is written with one `=`"))
            }
            None => {
                let cause = format!("`{category}` has no choice `{name}`");
                let mut fault = Fault::new(span, cause);
                fault.hint = similar::hint(name, choices.iter().map(String::as_str));
                Err(fault)
            }
        }
    }

    fn category(&self, name: &str, span: Span) -> Result<usize, Fault> {
        let categories = self.earlier.categories;
        let before = || categories[..self.earlier.here].iter().map(String::as_str);
        match categories.iter().position(|category| category == name) {
            Some(index) if index >= self.earlier.here => {
                let cause = format!("`{name}` does not stand earlier in the file");
                let hint = "conditions look back only; move that category up";
                Err(Fault::new(span, cause).hint(hint))
            }
            Some(index) if self.earlier.read_off[index] => {
                let cause = format!(
                    "`{name}` is read off the finished input, so no condition can ask for it"
                );
                Err(Fault::new(span, cause))
            }
            Some(index) => Ok(index),
            None => {
                let mut fault = Fault::new(span, format!("there is no category `{name}`"));
                fault.hint = similar::hint(name, before());
                Err(fault)
            }
        }
    }

    fn property(&self, name: &str, span: Span) -> Result<Condition, Fault> {
        if let Some(property) = self.earlier.properties.get(name) {
            return Ok(Condition::Property(*property));
        }
        if self.earlier.all_properties.iter().any(|p| p == name) {
            let cause = format!("no earlier category brings the property `{name}`");
            let hint = "conditions look back only; move the category that brings it up";
            return Err(Fault::new(span, cause).hint(hint));
        }
        let cause = format!("there is no category or property `{name}`");
        let mut fault = Fault::new(span, cause);
        let categories = self.earlier.categories[..self.earlier.here].iter();
        let known = self.earlier.properties.keys().chain(categories);
        fault.hint = similar::hint(name, known.map(String::as_str));
        Err(fault)
    }

    fn place(&self) -> Span {
        let token = self.tokens.get(self.at);
        token.map_or(self.end..self.end, |(_, span)| span.clone())
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = self
            .tokens
            .get(self.at)
            .is_some_and(|(t, _)| symbol_of(t) == symbol);
        self.at += usize::from(found);
        found
    }

    fn nest(&mut self) -> Result<(), Fault> {
        self.nesting += 1;
        match self.nesting > MAX_NESTING {
            true => Err(Fault::new(
                self.place(),
                format!("the condition nests deeper than {MAX_NESTING} levels"),
            )),
            false => Ok(()),
        }
    }
}

/// The symbol that a word stands for, or the token itself.
fn symbol_of(token: &str) -> &str {
    match token {
        "and" => "&&",
        "or" => "||",
        "not" => "!",
        token => token,
    }
}

fn one_or(mut parts: Vec<Condition>, build: fn(Vec<Condition>) -> Condition) -> Condition {
    match parts.len() {
        1 => parts.remove(0),
        _ => build(parts),
    }
}
