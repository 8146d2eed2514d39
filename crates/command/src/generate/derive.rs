//! Derives texts from the symbols of a grammar.
//!
//! Every alternative knows the least depth of its derivation trees, so one that cannot be finished within the remaining
//! depth is never begun. A work list takes the place of recursion.

use super::grammar::{Alternative, Grammar, Item, Rule, SymbolId};
use super::{MAX_TEXT, Problem};
use engine::Stream;

/// After so many symbols only alternatives of the least depth are taken, to come to an end.
const SOFT_SYMBOLS: usize = 10_000;

/// More symbols than this are given up.
const HARD_SYMBOLS: usize = 1_000_000;

impl Grammar {
    /// Appends a text of this symbol whose derivation tree has at most this depth. The depth must not be below the
    /// symbol's least one.
    pub fn derive(
        &self,
        symbol: SymbolId,
        max_depth: u32,
        stream: &mut Stream,
        out: &mut String,
    ) -> Result<(), Problem> {
        let start = out.len();
        let first = Item::Symbol(symbol);
        let mut work: Vec<(&Item, u32)> = vec![(&first, max_depth)];
        let mut symbols = 0;
        while let Some((item, depth)) = work.pop() {
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Pattern(pattern) => pattern.make(stream, out)?,
                Item::Symbol(symbol) => {
                    symbols += 1;
                    let rule = self.rule(*symbol);
                    let depth = match symbols > SOFT_SYMBOLS {
                        true => rule.min_depth,
                        false => depth,
                    };
                    let items = &choose(rule, depth, stream).items;
                    work.extend(
                        items
                            .iter()
                            .rev()
                            .map(|item| (item, depth.saturating_sub(1))),
                    );
                }
            }
            if out.len() - start > MAX_TEXT || symbols > HARD_SYMBOLS {
                return Err(Problem::TooLarge(self.rule(symbol).name.clone()));
            }
        }
        Ok(())
    }
}

/// One alternative by weight, among those that fit into the depth.
fn choose<'g>(rule: &'g Rule, depth: u32, stream: &mut Stream) -> &'g Alternative {
    let fitting = || {
        let alternatives = rule.alternatives.iter();
        alternatives.filter(move |alternative| alternative.min_depth <= depth)
    };
    let total: f64 = fitting().map(|alternative| alternative.weight).sum();
    let mut point = stream.unit() * total;
    let mut last = None;
    for alternative in fitting() {
        point -= alternative.weight;
        if point < 0.0 {
            return alternative;
        }
        last = Some(alternative);
    }
    // Reached by rounding, where all weights are 0, or where the depth is below the rule's least one.
    let least = || rule.alternatives.iter().min_by_key(|a| a.min_depth);
    last.or_else(least).unwrap_or(&rule.alternatives[0])
}
