//! What is wrong with a harness: where, why, and what to do about it.

use std::fmt;

/// A place in a harness file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// A harness that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HarnessError {
    /// The name of the file.
    pub file: String,
    /// Where.
    pub place: Place,
    /// Why.
    pub cause: String,
    /// What to do about it.
    pub hint: String,
}

impl fmt::Display for HarnessError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(out, "{}:{line}:{column}: {}", self.file, self.cause)?;
        write!(out, "\nhint: {}", self.hint)
    }
}

impl std::error::Error for HarnessError {}

/// What is wrong, before the name of the file is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    pub place: Place,
    pub cause: String,
    pub hint: String,
}

impl Problem {
    pub fn new(place: Place, cause: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem {
            place,
            cause: cause.into(),
            hint: hint.into(),
        }
    }

    pub fn in_file(self, file: &str) -> HarnessError {
        HarnessError {
            file: file.to_owned(),
            place: self.place,
            cause: self.cause,
            hint: self.hint,
        }
    }
}
