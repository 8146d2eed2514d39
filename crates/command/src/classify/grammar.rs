//! Whether a symbol of the grammar derives a text.
//!
//! Earley's algorithm (J. Earley, "An efficient context-free parsing algorithm", Communications of the ACM 13(2), 1970),
//! with the treatment of empty derivations by Aycock and Horspool ("Practical Earley parsing", The Computer Journal 45(6),
//! 2002). Left recursion and ambiguity need no care.
//!
//! Differences:
//! - terminals are texts and regular expressions, so a step may go forward by any number of bytes;
//! - it only says where derivations end, and keeps no trees;
//! - it gives up, finding nothing, after [`MAX_ITEMS`] items.

use super::terminal::Terminal;
use crate::generate::{Grammar, Item, SymbolId};
use std::collections::BTreeSet;

/// The most items of one parse.
const MAX_ITEMS: usize = 1_000_000;

/// A grammar made ready for parsing.
pub(super) struct Parser<'s> {
    /// All alternatives of all rules, one after the other.
    rows: Vec<Row<'s>>,
    /// For each symbol, where its alternatives start in `rows`.
    starts: Vec<usize>,
    /// For each symbol, whether it derives the empty text.
    empty: Vec<bool>,
}

/// An alternative of a symbol.
struct Row<'s> {
    symbol: SymbolId,
    steps: Vec<Step<'s>>,
}

enum Step<'s> {
    Text(&'s str),
    Pattern(Terminal<'s>),
    Symbol(SymbolId),
}

/// How far an alternative has got, and where it began.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Progress {
    row: usize,
    step: usize,
    origin: usize,
}

impl<'s> Parser<'s> {
    pub fn new(grammar: &'s Grammar) -> Parser<'s> {
        let mut rows = Vec::new();
        let mut starts = Vec::new();
        for (index, rule) in grammar.rules.iter().enumerate() {
            starts.push(rows.len());
            for alternative in &rule.alternatives {
                let steps = alternative.items.iter().map(|item| match item {
                    Item::Text(text) => Step::Text(text),
                    Item::Pattern(pattern) => Step::Pattern(Terminal::new(pattern)),
                    Item::Symbol(symbol) => Step::Symbol(*symbol),
                });
                rows.push(Row {
                    symbol: SymbolId(index),
                    steps: steps.collect(),
                });
            }
        }
        starts.push(rows.len());
        let empty = empty_symbols(&rows, grammar.rules.len());
        Parser {
            rows,
            starts,
            empty,
        }
    }

    /// Whether the symbol derives this text.
    pub fn derives(&self, symbol: SymbolId, text: &str) -> bool {
        self.ends(symbol, text).last() == Some(&text.len())
    }

    /// The lengths of the starts of this text that the symbol derives, in ascending order.
    pub fn ends(&self, symbol: SymbolId, text: &str) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut chart = Chart {
            parser: self,
            text,
            sets: Vec::new(),
            items: 0,
        };
        chart.sets.resize_with(text.len() + 1, Set::default);
        chart.predict(symbol, 0);
        for at in 0..=text.len() {
            let mut next = 0;
            while let Some(item) = chart.sets[at].items.get(next).copied() {
                chart.advance(item, at);
                next += 1;
                if chart.items > MAX_ITEMS {
                    return Vec::new();
                }
            }
            let done = |item: &Progress| {
                let row = &self.rows[item.row];
                row.symbol == symbol && item.origin == 0 && item.step == row.steps.len()
            };
            ends.extend(chart.sets[at].items.iter().any(done).then_some(at));
            // Only the items that wait for a symbol are looked at again.
            chart.sets[at].seen = BTreeSet::new();
        }
        ends
    }
}

/// The symbols that derive the empty text, by going over the rules until nothing changes.
fn empty_symbols(rows: &[Row<'_>], symbols: usize) -> Vec<bool> {
    let mut empty = vec![false; symbols];
    loop {
        let is_empty = |step: &Step<'_>| match step {
            Step::Text(text) => text.is_empty(),
            Step::Pattern(terminal) => terminal.matches(""),
            Step::Symbol(symbol) => empty[symbol.0],
        };
        let found: Vec<SymbolId> = rows
            .iter()
            .filter(|row| !empty[row.symbol.0] && row.steps.iter().all(is_empty))
            .map(|row| row.symbol)
            .collect();
        if found.is_empty() {
            return empty;
        }
        for symbol in found {
            empty[symbol.0] = true;
        }
    }
}

/// The items that end at one place of the text.
#[derive(Default)]
struct Set {
    items: Vec<Progress>,
    seen: BTreeSet<Progress>,
    predicted: BTreeSet<SymbolId>,
}

struct Chart<'p, 't> {
    parser: &'p Parser<'p>,
    text: &'t str,
    sets: Vec<Set>,
    items: usize,
}

impl Chart<'_, '_> {
    fn add(&mut self, item: Progress, at: usize) {
        let set = &mut self.sets[at];
        if set.seen.insert(item) {
            set.items.push(item);
            self.items += 1;
        }
    }

    fn predict(&mut self, symbol: SymbolId, at: usize) {
        if !self.sets[at].predicted.insert(symbol) {
            return;
        }
        for row in self.parser.starts[symbol.0]..self.parser.starts[symbol.0 + 1] {
            let item = Progress {
                row,
                step: 0,
                origin: at,
            };
            self.add(item, at);
        }
    }

    fn advance(&mut self, item: Progress, at: usize) {
        let parser = self.parser;
        let row = &parser.rows[item.row];
        let next = Progress {
            step: item.step + 1,
            ..item
        };
        match row.steps.get(item.step) {
            None => self.complete(row.symbol, item.origin, at),
            Some(Step::Text(text)) => {
                if self.text[at..].starts_with(text) {
                    self.add(next, at + text.len());
                }
            }
            Some(Step::Pattern(terminal)) => {
                for end in terminal.ends(&self.text[at..]) {
                    self.add(next, at + end);
                }
            }
            Some(Step::Symbol(symbol)) => {
                self.predict(*symbol, at);
                if parser.empty[symbol.0] {
                    self.add(next, at);
                }
            }
        }
    }

    /// Moves on all items that waited for this symbol where it began.
    fn complete(&mut self, symbol: SymbolId, origin: usize, at: usize) {
        let waits = |item: &&Progress| {
            let step = self.parser.rows[item.row].steps.get(item.step);
            matches!(step, Some(Step::Symbol(waited)) if *waited == symbol)
        };
        let waiting: Vec<Progress> = self.sets[origin]
            .items
            .iter()
            .filter(waits)
            .copied()
            .collect();
        for item in waiting {
            let next = Progress {
                step: item.step + 1,
                ..item
            };
            self.add(next, at);
        }
    }
}
