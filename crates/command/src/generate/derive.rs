//! Derives texts from the symbols of a grammar.
//!
//! Every alternative knows the least depth of its derivation trees, so one that cannot be finished within the remaining
//! depth is never begun. A work list takes the place of recursion.

use super::grammar::{Alternative, Grammar, Item, Rule, SymbolId};
use super::{MAX_TEXT, Problem};
use engine::Stream;

/// After so many items only alternatives of the least depth are taken, to come to an end.
const SOFT_ITEMS: usize = 20_000;

/// More items than this, done or still to do, are given up.
const HARD_ITEMS: usize = 1_000_000;

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
        let mut done = 0;
        while let Some((item, depth)) = work.pop() {
            done += 1;
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Pattern(pattern) => pattern.make(stream, out)?,
                Item::Symbol(symbol) => {
                    let rule = self.rule(*symbol);
                    let depth = match done > SOFT_ITEMS {
                        true => rule.min_depth,
                        false => depth,
                    };
                    let items = rule.choose(depth, stream).items.iter().rev();
                    work.extend(items.map(|item| (item, depth.saturating_sub(1))));
                }
            }
            if out.len() - start > MAX_TEXT || done + work.len() > HARD_ITEMS {
                return Err(Problem::TooLarge(self.rule(symbol).name.clone()));
            }
        }
        Ok(())
    }
}

impl Rule {
    /// One alternative by weight, among those that fit into the depth.
    fn choose(&self, depth: u32, stream: &mut Stream) -> &Alternative {
        let order = &self.by_depth;
        let fits = |(index, _): &(usize, f64)| self.alternatives[*index].min_depth <= depth;
        // Below the least depth nothing fits; the shallowest alternative is then the nearest to what was asked.
        let fitting = order.partition_point(fits).max(1);
        let total = order[fitting - 1].1;
        let chosen = match total > 0.0 {
            true => {
                let point = stream.unit() * total;
                order
                    .partition_point(|(_, sum)| *sum <= point)
                    .min(fitting - 1)
            }
            false => stream.index(fitting),
        };
        &self.alternatives[order[chosen].0]
    }
}
