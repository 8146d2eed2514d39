//! What a check found, with its place in the specification.

use crate::spec::{Fault, Span, Spec, SpecError};
use serde::Serialize;
use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The specification does not say what it seems to.
    Error,
    /// It may be meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// Something that a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The category it is about.
    pub category: Option<String>,
    /// The choice it is about.
    pub choice: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was found.
    pub message: String,
    /// A text or input that shows it.
    pub example: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
    #[serde(skip)]
    place: SpecError,
}

/// The longest example that is shown in full, in characters.
const MAX_EXAMPLE: usize = 200;

impl Finding {
    pub(super) fn new(
        spec: &Spec,
        severity: Severity,
        span: &Span,
        message: impl Into<String>,
    ) -> Finding {
        let place = spec.source.error(Fault::new(span.clone(), ""));
        Finding {
            severity,
            category: None,
            choice: None,
            line: place.line,
            column: place.column,
            message: message.into(),
            example: None,
            hint: None,
            place,
        }
    }

    pub(super) fn hint(&mut self, hint: impl Into<String>) -> &mut Finding {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a text, quoted and shortened.
    pub(super) fn text(&mut self, text: &str) -> &mut Finding {
        self.example(format!("{:?}", shortened(text)))
    }

    pub(super) fn example(&mut self, example: impl Into<String>) -> &mut Finding {
        self.example = Some(shortened(&example.into()));
        self
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_EXAMPLE).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.severity, self.message)?;
        write!(f, "{}", self.place.place())?;
        if let Some(example) = &self.example {
            write!(f, "\nexample: {example}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}
