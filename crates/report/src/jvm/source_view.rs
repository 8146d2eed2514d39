//! Source files with what was covered of each line, folded per file.
//!
//! A line is partly covered when one of its branch sides was not taken. Lines past the end of a text (a source of another
//! version) are not shown.

use super::{ClassRecord, Counter, SourceText};
use crate::html::{Block, LineState, SourceLine};
use crate::number;
use std::collections::BTreeMap;

/// What is known of a line.
#[derive(Debug, Default)]
struct Known {
    tests: u64,
    branch: Counter,
}

/// The sources that belong to some class, in the order of their paths.
pub(super) fn source_view(classes: &[ClassRecord], sources: &[SourceText]) -> Vec<Block> {
    let mut files: BTreeMap<String, BTreeMap<u32, Known>> = BTreeMap::new();
    for class in classes {
        if let Some(path) = class.source_path() {
            add(files.entry(path).or_default(), class);
        }
    }
    let texts: BTreeMap<&str, &str> = sources
        .iter()
        .map(|source| (source.path.as_str(), source.text.as_str()))
        .collect();
    let view = |(path, lines): (&String, &BTreeMap<u32, Known>)| {
        let text = texts.get(path.as_str())?;
        let mut counter = Counter::default();
        for line in lines.values() {
            counter += Counter::one(line.tests > 0);
        }
        let summary = format!(
            "`{path}`: {} of {} lines",
            number::count(counter.covered),
            number::count(counter.total)
        );
        Some(Block::Details(summary, vec![source(text, lines)]))
    };
    files.iter().filter_map(view).collect()
}

fn add(lines: &mut BTreeMap<u32, Known>, class: &ClassRecord) {
    for method in &class.methods {
        for line in &method.lines {
            let known = lines.entry(line.line).or_default();
            known.tests = known.tests.max(line.tests);
        }
        for branch in &method.branches {
            if let Some(line) = branch.line {
                lines.entry(line).or_default().branch += branch.counter();
            }
        }
    }
}

fn source(text: &str, lines: &BTreeMap<u32, Known>) -> Block {
    let line = |(number, text): (u32, &str)| {
        let (state, note) = lines.get(&number).map_or_else(
            || (LineState::Plain, String::new()),
            |known| (known.state(), known.note()),
        );
        SourceLine {
            number,
            text: text.to_owned(),
            state,
            note,
        }
    };
    Block::Source((1..).zip(text.lines()).map(line).collect())
}

impl Known {
    fn state(&self) -> LineState {
        match self.tests {
            0 => LineState::Missed,
            _ if self.branch.missed() > 0 => LineState::Partly,
            _ => LineState::Covered,
        }
    }

    fn note(&self) -> String {
        let tests = number::counted(self.tests, "test", "tests");
        match self.branch.total {
            0 => tests,
            total => format!("{tests}, {} of {total} branches", self.branch.covered),
        }
    }
}
