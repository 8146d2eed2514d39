//! Turns changes of tokens into mutants: places, filters, and blanks where a replacement would run into its neighbours.

use std::ops::Range;

use super::Options;
use super::code::Code;
use super::lex::lex;
use super::operand::Operands;
use super::outline::{Outline, Touch};
use crate::{Mutant, MutantId, Operator, Span};

/// Finds the line of a byte offset.
pub(super) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub fn new(source: &str) -> Lines {
        let ends = source
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n');
        Lines {
            starts: std::iter::once(0)
                .chain(ends.map(|(offset, _)| offset + 1))
                .collect(),
        }
    }

    /// The line of a byte offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The column of a byte offset, in bytes from 1.
    fn column(&self, offset: usize) -> usize {
        offset - self.starts[self.line(offset) - 1] + 1
    }
}

/// The places of a file where mutants are made, and the mutants made so far.
pub(super) struct Sites<'a, 'c> {
    pub code: &'c Code<'a>,
    pub outline: &'c Outline<'a>,
    options: &'c Options,
    lines: Lines,
    mutants: Vec<Mutant>,
}

impl<'a, 'c> Sites<'a, 'c> {
    pub fn new(
        code: &'c Code<'a>,
        outline: &'c Outline<'a>,
        options: &'c Options,
    ) -> Sites<'a, 'c> {
        Sites {
            code,
            outline,
            options,
            lines: Lines::new(code.source),
            mutants: Vec::new(),
        }
    }

    pub fn operands(&self) -> Operands<'a, 'c> {
        Operands {
            code: self.code,
            outline: self.outline,
        }
    }

    /// The tokens that may be changed to this degree at least.
    pub fn tokens(&self, touch: Touch) -> impl Iterator<Item = usize> + use<'c, 'a> {
        let outline = self.outline;
        let allowed = move |index: &usize| match outline.touch[*index] {
            Touch::Nothing => false,
            Touch::Constants => touch == Touch::Constants,
            Touch::Everything => true,
        };
        (0..outline.touch.len()).filter(allowed)
    }

    /// The text of a range of tokens with what stands between them.
    pub fn source(&self, range: &Range<usize>) -> &'a str {
        self.code
            .span(range)
            .map_or("", |span| &self.code.source[span.start..span.end])
    }

    /// Makes the mutant that replaces a range of tokens, unless the options or the place forbid it.
    pub fn replace(&mut self, operator: Operator, range: Range<usize>, replacement: &str) {
        // A stray `#` after a dropped token could begin a preprocessor line.
        let exposes_directive = replacement.is_empty() && self.code.is_any(range.end, &["#", "%:"]);
        let Some(span) = self.code.span(&range).filter(|_| !exposes_directive) else {
            return;
        };
        if !self.allows(operator, range.start, span) || self.code.holds_directive(span) {
            return;
        }
        let original = &self.code.source[span.start..span.end];
        let replacement = self.separated(&range, span, &keep_lines(original, replacement));
        if replacement == original {
            return;
        }
        self.mutants.push(Mutant {
            id: MutantId::new(operator, span.start, &replacement),
            operator,
            span,
            line: self.lines.line(span.start),
            column: self.lines.column(span.start),
            original: original.to_owned(),
            replacement,
        });
    }

    fn allows(&self, operator: Operator, token: usize, span: Span) -> bool {
        let Options {
            operators,
            lines,
            functions,
            ..
        } = self.options;
        let line = self.lines.line(span.start);
        let function = self
            .outline
            .function_at(token)
            .map(|index| self.outline.functions[index].name);
        operators.contains(&operator)
            && (lines.is_empty() || lines.iter().any(|range| range.contains(&line)))
            && (functions.is_empty()
                || functions.iter().any(|name| Some(name.as_str()) == function))
    }

    /// The replacement with a blank on each side where it would else make another token with its neighbour:
    /// `a+*b` must not become `a/*b`.
    fn separated(&self, range: &Range<usize>, span: Span, replacement: &str) -> String {
        let (before, after) = self.neighbours(range, span);
        let joins = |left: &str, right: &str| {
            let text = [left, right].concat();
            !left.is_empty()
                && !right.is_empty()
                && !lex(&text).iter().any(|token| token.start == left.len())
        };
        if replacement.is_empty() {
            return if joins(before, after) {
                " ".to_owned()
            } else {
                String::new()
            };
        }
        let left = if joins(before, replacement) { " " } else { "" };
        let right = if joins(replacement, after) { " " } else { "" };
        [left, replacement, right].concat()
    }

    /// The texts that touch a range of tokens with no blank between: a token, or the mark that begins a comment.
    fn neighbours(&self, range: &Range<usize>, span: Span) -> (&'a str, &'a str) {
        let code = self.code;
        let touching = |index: usize| {
            code.span(&(index..index + 1))
                .unwrap_or(Span { start: 0, end: 0 })
        };
        let before = range
            .start
            .checked_sub(1)
            .map(touching)
            .filter(|before| before.end == span.start);
        let after = touching(range.end);
        let rest = &code.source[span.end..];
        let after_end = if after.start == span.end {
            after.end
        } else if rest.starts_with("/*") || rest.starts_with("//") {
            span.end + 2
        } else {
            span.end
        };
        (
            before.map_or("", |before| &code.source[before.start..before.end]),
            &code.source[span.end..after_end],
        )
    }

    /// The mutants in the order of their places.
    pub fn into_mutants(mut self) -> Vec<Mutant> {
        self.mutants
            .sort_by_key(|mutant| (mutant.span, mutant.operator));
        self.mutants
    }
}

/// The replacement with as many line ends as the original, so that the lines below keep their numbers. They come first:
/// what follows on the last line must not begin a line.
fn keep_lines(original: &str, replacement: &str) -> String {
    let line_ends = |text: &str| text.matches('\n').count();
    let missing = line_ends(original).saturating_sub(line_ends(replacement));
    ["\n".repeat(missing).as_str(), replacement].concat()
}
