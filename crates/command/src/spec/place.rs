//! Where something stands in a specification, and errors that show it.
//!
//! Nothing here knows the language: sub-parsers report a [`Fault`] relative to the text they were given, and the reader
//! turns it into a [`SpecError`] with file, line and column.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most errors that are reported at once.
pub const MAX_ERRORS: usize = 20;

/// How much of a long line is shown before and after the place of an error, in characters.
const SHOWN_BEFORE: usize = 80;
const SHOWN_AFTER: usize = 120;

/// A range of bytes of the specification's text.
pub type Span = Range<usize>;

/// A problem at a range of bytes of some piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, in bytes of the text that was parsed.
    pub span: Span,
    /// What is wrong.
    pub cause: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Fault {
    /// A fault without a hint.
    pub fn new(span: Span, cause: impl Into<String>) -> Fault {
        Fault {
            span,
            cause: cause.into(),
            hint: None,
        }
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = Some(hint.into());
        self
    }
}

/// The text of a specification and the name it is shown under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    label: PathBuf,
    text: Arc<str>,
}

impl Source {
    /// A source shown under this name.
    pub fn new(label: &Path, text: &str) -> Source {
        Source {
            label: label.to_owned(),
            text: Arc::from(text),
        }
    }

    /// The name it is shown under: the path of the file.
    pub fn label(&self) -> &Path {
        &self.label
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte, both from 1; columns count characters.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let offset = self.floor(offset);
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (line, self.text[line_start..offset].chars().count() + 1)
    }

    /// An error that points at a range of this text.
    pub fn error(&self, fault: Fault) -> SpecError {
        let (start, mut end) = (self.floor(fault.span.start), self.floor(fault.span.end));
        let (line, column) = self.line_and_column(start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &self.text[start..];
        let line_end = start + rest.find('\n').unwrap_or(rest.len());
        end = end.clamp(start, line_end);
        let (before, after) = (&self.text[line_start..start], &self.text[start..line_end]);
        let (source_line, indent) = window(before, after.trim_end_matches('\r'));
        SpecError {
            file: self.label.clone(),
            line,
            column,
            text: self.text[start..end].chars().take(SHOWN_AFTER).collect(),
            source_line,
            indent,
            cause: fault.cause,
            hint: fault.hint,
        }
    }

    /// The last character boundary at or before an offset.
    fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// The part of a line that is shown, and the number of its characters before the place.
fn window(before: &str, after: &str) -> (String, usize) {
    let count = before.chars().count();
    let cut = count > SHOWN_BEFORE;
    let mut shown: String = match cut {
        true => "…"
            .chars()
            .chain(before.chars().skip(count - SHOWN_BEFORE))
            .collect(),
        false => before.to_owned(),
    };
    let indent = if cut { SHOWN_BEFORE + 1 } else { count };
    shown.extend(after.chars().take(SHOWN_AFTER));
    if after.chars().nth(SHOWN_AFTER).is_some() {
        shown.push('…');
    }
    (shown, indent)
}

/// One thing that is wrong with a specification, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SpecError {
    /// The file, as it was named.
    pub file: PathBuf,
    /// The line, from 1; 0 where the file could not be read at all.
    pub line: usize,
    /// The column in characters, from 1; 0 where the file could not be read at all.
    pub column: usize,
    /// The offending text, cut at the end of its first line.
    pub text: String,
    /// The line it stands in, shortened where it is very long.
    pub source_line: String,
    indent: usize,
    /// What is wrong.
    pub cause: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl SpecError {
    /// An error about a file as a whole.
    pub fn whole_file(file: &Path, cause: impl Into<String>) -> SpecError {
        SpecError {
            file: file.to_owned(),
            line: 0,
            column: 0,
            text: String::new(),
            source_line: String::new(),
            indent: 0,
            cause: cause.into(),
            hint: None,
        }
    }

    /// The place in the file, with its line underlined where the file could be read.
    pub fn place(&self) -> String {
        let file = self.file.display();
        if self.line == 0 {
            return format!("  --> {file}");
        }
        let (line, column) = (self.line, self.column);
        let gutter = " ".repeat(line.to_string().len());
        let indent = self.source_line.chars().take(self.indent);
        let indent: String = indent.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let marks = "^".repeat(self.text.trim_end().chars().count().max(1));
        let source_line = &self.source_line;
        format!(
            "{gutter} --> {file}:{line}:{column}\n{gutter} |\n{line} | {source_line}\n{gutter} | {indent}{marks}"
        )
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}\n{}", self.cause, self.place())?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Everything that is wrong with a specification; never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SpecErrors(pub Vec<SpecError>);

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{error}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_shows_its_line_and_underlines_the_text() {
        let source = Source::new(Path::new("a.toml"), "x = 1\nabsent = \"é\" y\n");
        let error = source.error(Fault::new(20..21, "unexpected `y`").hint("remove it"));
        assert_eq!(
            error.to_string(),
            "error: unexpected `y`\n  --> a.toml:2:14\n  |\n2 | absent = \"é\" y\n  |              ^\nhint: remove it"
        );
    }

    #[test]
    fn a_place_past_the_end_or_inside_a_character_is_moved_back() {
        let source = Source::new(Path::new("a.toml"), "é");
        assert_eq!(source.error(Fault::new(1..9, "x")).column, 1);
        assert_eq!(source.error(Fault::new(90..99, "x")).column, 2);
    }
}
