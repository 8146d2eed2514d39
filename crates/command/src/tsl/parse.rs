//! Reads TSL line by line.

use crate::spec::{
    Earlier, Fault, MAX_CATEGORIES, MAX_CHOICES, MAX_ERRORS, MAX_PROPERTIES, MAX_SPEC, Span,
    parse_condition,
};
use engine::frames::{Condition, PropertyId};
use engine::similar;
use std::collections::BTreeMap;

/// A category of a TSL file.
#[derive(Clone, Debug)]
pub(super) struct Category {
    pub name: String,
    pub span: Span,
    pub choices: Vec<Choice>,
}

/// A choice of a TSL file.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    pub text: String,
    pub span: Span,
    /// The condition, with properties by number.
    pub condition: Option<Condition>,
    pub effects: Effects,
    pub otherwise: Option<Effects>,
}

/// What constraints say about a choice.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub properties: Vec<String>,
    pub single: bool,
    pub error: bool,
}

/// A parsed file.
#[derive(Clone, Debug, Default)]
pub(super) struct Categories {
    pub categories: Vec<Category>,
    /// The properties by number.
    pub properties: Vec<String>,
}

const CONSTRAINTS: [&str; 5] = ["property", "if", "else", "single", "error"];

/// Parses a file; places in the faults are relative to it.
pub(super) fn parse(text: &str) -> Result<Categories, Vec<Fault>> {
    let mut parser = Parser::default();
    if text.len() > MAX_SPEC {
        let cause = format!("the specification is longer than {MAX_SPEC} bytes");
        return Err(vec![Fault::new(0..0, cause)]);
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default().trim_end();
        let indent = content.len() - content.trim_start().len();
        if let Err(fault) = parser.line(content.trim_start(), start + indent) {
            parser.faults.push(fault);
        }
        if parser.faults.len() >= MAX_ERRORS {
            break;
        }
        start += line.len();
    }
    parser.finish(text.len())
}

#[derive(Default)]
struct Parser {
    found: Categories,
    /// Properties that earlier categories bring, and all seen so far.
    earlier: BTreeMap<String, PropertyId>,
    in_else: bool,
    faults: Vec<Fault>,
}

impl Parser {
    fn line(&mut self, line: &str, at: usize) -> Result<(), Fault> {
        if line.is_empty() {
            return Ok(());
        }
        if line.starts_with('[') {
            return self.constraints(line, at);
        }
        let (head, constraints) = line.split_at(line.find('[').unwrap_or(line.len()));
        let name = head.trim_end();
        if constraints.is_empty() && name.ends_with(':') {
            return self.category(name[..name.len() - 1].trim_end(), at);
        }
        let span = at..at + name.len();
        if name.ends_with(':') {
            return Err(Fault::new(span, "a category has no constraints")
                .hint("put them behind its choices"));
        }
        let Some(text) = name.strip_suffix('.') else {
            return Err(Fault::new(span, "expected a category or a choice")
                .hint("a category ends in `:`, a choice in `.`"));
        };
        self.choice(text.trim_end(), span)?;
        self.constraints(constraints, at + head.len())
    }

    fn category(&mut self, name: &str, at: usize) -> Result<(), Fault> {
        self.remember();
        if name.is_empty() {
            return Err(Fault::new(at..at + 1, "the category has no name"));
        }
        if self.found.categories.len() >= MAX_CATEGORIES {
            let cause = format!("there are more than {MAX_CATEGORIES} categories");
            return Err(Fault::new(at..at + name.len(), cause));
        }
        self.found.categories.push(Category {
            name: name.to_owned(),
            span: at..at + name.len(),
            choices: Vec::new(),
        });
        Ok(())
    }

    /// From the next category on, conditions can ask for the properties of this one.
    fn remember(&mut self) {
        let Some(category) = self.found.categories.last() else {
            return;
        };
        for choice in &category.choices {
            let effects = [Some(&choice.effects), choice.otherwise.as_ref()];
            for name in effects.into_iter().flatten().flat_map(|e| &e.properties) {
                let number = self.found.properties.iter().position(|known| known == name);
                let number = number.and_then(|number| u16::try_from(number).ok());
                if let Some(number) = number {
                    self.earlier.insert(name.clone(), PropertyId(number));
                }
            }
        }
    }

    fn choice(&mut self, text: &str, span: Span) -> Result<(), Fault> {
        self.in_else = false;
        let Some(category) = self.found.categories.last_mut() else {
            return Err(
                Fault::new(span, "a choice before any category").hint("a category ends in `:`")
            );
        };
        if text.is_empty() {
            return Err(Fault::new(span, "the choice has no name"));
        }
        if category.choices.len() >= MAX_CHOICES {
            let cause = format!("there are more than {MAX_CHOICES} choices");
            return Err(Fault::new(span, cause));
        }
        category.choices.push(Choice {
            text: text.to_owned(),
            span,
            ..Choice::default()
        });
        Ok(())
    }

    /// Reads the constraints of a line, all of them even where one is wrong.
    fn constraints(&mut self, text: &str, at: usize) -> Result<(), Fault> {
        let mut rest = text;
        while !rest.is_empty() {
            let start = at + text.len() - rest.len();
            if !rest.starts_with('[') {
                let fault = Fault::new(start..at + text.len(), "expected a constraint in brackets");
                return Err(fault.hint("nothing but `[…]` may follow a choice's period"));
            }
            let Some(end) = rest.find(']') else {
                return Err(Fault::new(
                    start..at + text.len(),
                    "this bracket is not closed",
                ));
            };
            if let Err(fault) = self.constraint(&rest[1..end], start + 1) {
                self.faults.push(fault);
            }
            if self.faults.len() >= MAX_ERRORS {
                return Ok(());
            }
            rest = rest[end + 1..].trim_start();
        }
        Ok(())
    }

    fn constraint(&mut self, inside: &str, at: usize) -> Result<(), Fault> {
        let indent = inside.len() - inside.trim_start().len();
        let (inside, at) = (inside.trim(), at + indent);
        let word = inside.split(|c: char| !c.is_alphanumeric()).next();
        let word = word.unwrap_or_default();
        let argument = inside[word.len()..].trim_start();
        let argument_at = at + inside.len() - argument.len();
        let span = at..at + inside.len().max(1);
        let lower = word.to_ascii_lowercase();
        if !CONSTRAINTS.contains(&lower.as_str()) {
            let mut fault = Fault::new(span, format!("unknown constraint `[{inside}]`"));
            fault.hint = similar::hint(&lower, CONSTRAINTS);
            return Err(fault);
        }
        let takes_argument = matches!(lower.as_str(), "property" | "if");
        if takes_argument == argument.is_empty() {
            let cause = match takes_argument {
                true => format!("`[{lower}]` needs something after it"),
                false => format!("`[{lower}]` takes nothing after it"),
            };
            return Err(Fault::new(span, cause));
        }
        let condition = match lower.as_str() {
            "if" => Some(self.condition(argument, argument_at)?),
            _ => None,
        };
        let Some(choice) = self
            .found
            .categories
            .last_mut()
            .and_then(|c| c.choices.last_mut())
        else {
            return Err(Fault::new(span, "a constraint before any choice"));
        };
        match lower.as_str() {
            "if" if choice.condition.is_some() => {
                Err(Fault::new(span, "a second `[if]`").hint("join conditions by `&&`"))
            }
            "if" => {
                choice.condition = condition;
                Ok(())
            }
            "else" if choice.condition.is_none() => {
                Err(Fault::new(span, "an `[else]` without an `[if]` before it"))
            }
            "else" if self.in_else => Err(Fault::new(span, "a second `[else]`")),
            "else" => {
                self.in_else = true;
                choice.otherwise = Some(Effects::default());
                Ok(())
            }
            word => {
                let effects = match (&mut choice.otherwise, self.in_else) {
                    (Some(otherwise), true) => otherwise,
                    _ => &mut choice.effects,
                };
                let properties = &mut self.found.properties;
                effects.add(word, argument, argument_at, span, properties)
            }
        }
    }

    fn condition(&self, text: &str, at: usize) -> Result<Condition, Fault> {
        let earlier = Earlier {
            categories: &[],
            choices: &[],
            read_off: &[],
            here: 0,
            properties: &self.earlier,
            all_properties: &self.found.properties,
        };
        parse_condition(text, &earlier).map_err(|mut fault| {
            fault.span = fault.span.start + at..fault.span.end + at;
            fault
        })
    }

    fn finish(mut self, end: usize) -> Result<Categories, Vec<Fault>> {
        self.found.categories.retain(|c| !c.choices.is_empty());
        if self.found.categories.is_empty() && self.faults.is_empty() {
            let fault = Fault::new(end..end, "there are no categories with choices");
            self.faults
                .push(fault.hint("a category ends in `:`, a choice in `.`"));
        }
        match self.faults.is_empty() {
            true => Ok(self.found),
            false => Err(self.faults),
        }
    }
}

impl Effects {
    fn add(
        &mut self,
        word: &str,
        argument: &str,
        at: usize,
        span: Span,
        properties: &mut Vec<String>,
    ) -> Result<(), Fault> {
        self.single |= word == "single";
        self.error |= word == "error";
        if self.single && self.error {
            self.single = false;
            return Err(Fault::new(span, "both `[single]` and `[error]`").hint("keep one of them"));
        }
        if word != "property" {
            return Ok(());
        }
        let mut start = at;
        for part in argument.split(',') {
            let name = part.trim();
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            if name.is_empty() || !name.chars().all(fits) || ["and", "or", "not"].contains(&name) {
                let cause = format!("`{name}` is no name for a property");
                let fault = Fault::new(start..start + part.len().max(1), cause);
                return Err(
                    fault.hint("names hold letters, digits, `-` and `_`; commas separate them")
                );
            }
            if !properties.iter().any(|known| known == name) {
                properties.push(name.to_owned());
            }
            if properties.len() > MAX_PROPERTIES {
                let cause = format!("there are more than {MAX_PROPERTIES} properties");
                return Err(Fault::new(start..start + part.len(), cause));
            }
            if !self.properties.iter().any(|known| known == name) {
                self.properties.push(name.to_owned());
            }
            start += part.len() + 1;
        }
        Ok(())
    }
}
