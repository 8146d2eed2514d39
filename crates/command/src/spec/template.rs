//! Templates: text with `{category}`, `{input}` and `{= expression}` in it.

use super::place::{Fault, Span};
use crate::expression::{Context, Expression, Names, Stage};
use engine::similar;

/// A piece of a template.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text as it is.
    Text(String),
    /// The text of a category, by index.
    Category(usize),
    /// The text of the whole-input generator.
    Input,
    /// The value of an expression.
    Expression(Expression),
}

/// A parsed template.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// Its pieces; no two neighbours are text.
    pub parts: Vec<Part>,
}

impl Template {
    /// Parses a template; places in the fault are relative to `text`.
    pub fn parse(text: &str, names: &Names<'_>) -> Result<Template, Fault> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut at = 0;
        while let Some(found) = text[at..].find(['{', '}']) {
            let brace = at + found;
            plain.push_str(&text[at..brace]);
            let symbol = &text[brace..=brace];
            if text[brace + 1..].starts_with(symbol) {
                plain.push_str(symbol);
                at = brace + 2;
                continue;
            }
            if symbol == "}" {
                return Err(Fault::new(brace..brace + 1, "this brace closes nothing")
                    .hint("a brace as text is written `}}`"));
            }
            let end = closing(text, brace)?;
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(placeholder(&text[brace + 1..end], brace + 1, names)?);
            at = end + 1;
        }
        plain.push_str(&text[at..]);
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Template { parts })
    }

    /// Appends the text of the template.
    pub fn render(&self, context: &Context<'_>, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Category(category) => {
                    out.push_str(context.field(*category).unwrap_or_default());
                }
                Part::Input => out.push_str(context.whole),
                Part::Expression(expression) => out.push_str(&expression.text(context)),
            }
        }
    }

    /// Whether it has placeholders and all of them are absent.
    pub fn is_absent(&self, context: &Context<'_>) -> bool {
        let mut absent = self.parts.iter().filter_map(|part| part.is_absent(context));
        let first = absent.next();
        first == Some(true) && absent.all(|absent| absent)
    }

    /// Whether any of its placeholders is absent.
    pub fn lacks_any(&self, context: &Context<'_>) -> bool {
        self.parts
            .iter()
            .any(|part| part.is_absent(context) == Some(true))
    }

    /// The categories it names, by index.
    pub fn fields(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().flat_map(|part| match part {
            Part::Category(category) => std::slice::from_ref(category).iter().copied(),
            Part::Expression(expression) => expression.fields().iter().copied(),
            _ => [].iter().copied(),
        })
    }

    /// Whether it needs the text of the whole-input generator.
    pub fn uses_input(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Input => true,
            Part::Expression(expression) => expression.uses_input(),
            _ => false,
        })
    }
}

impl Part {
    /// Whether a placeholder is absent; `None` for text, and for expressions that name no category.
    fn is_absent(&self, context: &Context<'_>) -> Option<bool> {
        match self {
            Part::Text(_) => None,
            Part::Category(category) => Some(context.field(*category).is_none()),
            Part::Input => Some(false),
            Part::Expression(expression) if expression.fields().is_empty() => None,
            Part::Expression(expression) => {
                let mut fields = expression.fields().iter();
                Some(fields.all(|field| context.field(*field).is_none()))
            }
        }
    }
}

/// Where the placeholder that opens at `brace` ends; quotes protect braces inside an expression.
fn closing(text: &str, brace: usize) -> Result<usize, Fault> {
    let expression = text[brace + 1..].starts_with('=');
    let mut quoted = false;
    for (offset, character) in text[brace..].char_indices() {
        match character {
            '\'' if expression => quoted = !quoted,
            '}' if !quoted => return Ok(brace + offset),
            _ => {}
        }
    }
    let fault = Fault::new(brace..brace + 1, "this brace is not closed");
    Err(fault.hint("a brace as text is written `{{`"))
}

fn placeholder(inside: &str, start: usize, names: &Names<'_>) -> Result<Part, Fault> {
    if let Some(expression) = inside.strip_prefix('=') {
        let shift = |mut fault: Fault| {
            fault.span = fault.span.start + start + 1..fault.span.end + start + 1;
            fault
        };
        let expression = Expression::parse(expression, names).map_err(shift)?;
        return Ok(Part::Expression(expression));
    }
    let span = start..start + inside.len();
    if inside.ends_with("...") {
        let fault = Fault::new(span, format!("`{{{inside}}}` must stand alone"));
        return Err(fault.hint("an element of `args` that is split holds nothing else"));
    }
    named(inside, span, names)
}

/// The placeholder for a category's name or for `input`.
pub(super) fn named(name: &str, span: Span, names: &Names<'_>) -> Result<Part, Fault> {
    if let Some(category) = names.categories.iter().position(|c| c == name) {
        if names.stage == Stage::Making && names.read_off[category] {
            let cause = format!("`{name}` is read off the finished input, so it has no text yet");
            return Err(Fault::new(span, cause));
        }
        return Ok(Part::Category(category));
    }
    if name == "input" && names.has_input {
        return Ok(Part::Input);
    }
    if name == "input" {
        let fault = Fault::new(span, "there is no whole-input generator");
        return Err(fault.hint("add an `[input]` table"));
    }
    let mut fault = Fault::new(span, format!("there is no category `{name}`"));
    let known = names.categories.iter().map(String::as_str);
    fault.hint = match name.is_empty() {
        true => Some("a brace as text is written `{{`".to_owned()),
        false => similar::hint(name, known),
    };
    Err(fault)
}
