//! Context-free grammars: what they are made of, that every symbol ends, and the least depth of its derivations.
//!
//! How they are written is the matter of `bnf`, how texts are derived that of `derive`.

use super::bnf;
use super::pattern::Pattern;
use crate::spec::{Fault, Span};

/// The most symbols and texts that the shallowest texts of a rule may need.
const MAX_SHALLOW: u64 = 10_000;

/// The number of a symbol in its grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymbolId(pub usize);

/// A part of an alternative.
#[derive(Clone, Debug)]
pub enum Item {
    /// Text as it is.
    Text(String),
    /// Text matched by a regular expression.
    Pattern(Pattern),
    /// A text derived from a symbol.
    Symbol(SymbolId),
}

/// One way to derive a symbol.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// What stands after each other.
    pub items: Vec<Item>,
    /// Its chance relative to the other alternatives.
    pub weight: f64,
    /// The depth of its shallowest derivation tree, at least 1.
    pub min_depth: u32,
}

/// All ways to derive a symbol.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The symbol's name, without angle brackets.
    pub name: String,
    /// Where it is defined, in bytes of the grammar's text.
    pub span: Span,
    /// The alternatives, at least one.
    pub alternatives: Vec<Alternative>,
    /// The depth of its shallowest derivation tree, at least 1.
    pub min_depth: u32,
    /// The alternatives by least depth, each with the sum of the weights up to it.
    pub(super) by_depth: Vec<(usize, f64)>,
}

/// A checked grammar: every symbol is defined and derives at least one text.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// The rules; a [`SymbolId`] is an index into them.
    pub rules: Vec<Rule>,
}

impl Grammar {
    /// Parses the rules; places in the faults are relative to `text`.
    pub fn parse(text: &str, max_repeat: u32) -> Result<Grammar, Vec<Fault>> {
        let (mut grammar, mut faults) = bnf::rules(text, max_repeat);
        if faults.is_empty() {
            faults = grammar.measure();
        }
        match faults.is_empty() {
            true => Ok(grammar),
            false => Err(faults),
        }
    }

    /// The symbol of this name.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.rules
            .iter()
            .position(|rule| rule.name == name)
            .map(SymbolId)
    }

    /// The rule of a symbol.
    pub fn rule(&self, symbol: SymbolId) -> &Rule {
        &self.rules[symbol.0]
    }

    /// For each rule, whether any of these symbols leads to it.
    pub fn reachable(&self, from: &[SymbolId]) -> Vec<bool> {
        let mut reached = vec![false; self.rules.len()];
        let mut work = from.to_vec();
        while let Some(symbol) = work.pop() {
            if std::mem::replace(&mut reached[symbol.0], true) {
                continue;
            }
            let items = self.rules[symbol.0]
                .alternatives
                .iter()
                .flat_map(|a| &a.items);
            work.extend(items.filter_map(|item| match item {
                Item::Symbol(symbol) => Some(*symbol),
                _ => None,
            }));
        }
        reached
    }

    /// Computes the least depths, level by level, and finds what never ends or cannot end small.
    fn measure(&mut self) -> Vec<Fault> {
        let mut shallow: Vec<u64> = vec![0; self.rules.len()];
        for depth in 1.. {
            let done: Vec<(usize, u64)> = (0..self.rules.len())
                .filter(|index| self.rules[*index].min_depth == u32::MAX)
                .filter_map(|index| Some((index, self.size_now(index, &shallow)?)))
                .collect();
            if done.is_empty() {
                break;
            }
            for (index, size) in done {
                self.rules[index].min_depth = depth;
                shallow[index] = size;
            }
        }
        for index in 0..self.rules.len() {
            for alternative in 0..self.rules[index].alternatives.len() {
                let depth = self.depth_of(&self.rules[index].alternatives[alternative]);
                self.rules[index].alternatives[alternative].min_depth = depth;
            }
            self.rules[index].order();
        }
        let rules = self.rules.iter().zip(&shallow);
        rules.filter_map(|(rule, size)| rule.check(*size)).collect()
    }

    /// The largest number of symbols and texts among the alternatives that can be derived from the rules finished so far.
    fn size_now(&self, rule: usize, shallow: &[u64]) -> Option<u64> {
        let size = |alternative: &Alternative| {
            alternative
                .items
                .iter()
                .try_fold(1_u64, |sum, item| match item {
                    Item::Symbol(symbol) if self.rules[symbol.0].min_depth == u32::MAX => None,
                    Item::Symbol(symbol) => Some(sum.saturating_add(shallow[symbol.0])),
                    _ => Some(sum.saturating_add(1)),
                })
        };
        self.rules[rule].alternatives.iter().filter_map(size).max()
    }

    fn depth_of(&self, alternative: &Alternative) -> u32 {
        let depth = |item: &Item| match item {
            Item::Symbol(symbol) => self.rules[symbol.0].min_depth,
            _ => 0,
        };
        let below = alternative.items.iter().map(depth).max().unwrap_or(0);
        below.saturating_add(1)
    }
}

impl Rule {
    fn order(&mut self) {
        let mut order: Vec<usize> = (0..self.alternatives.len()).collect();
        order.sort_by_key(|index| self.alternatives[*index].min_depth);
        let mut sum = 0.0;
        let summed = order.into_iter().map(|index| {
            sum += self.alternatives[index].weight;
            (index, sum)
        });
        self.by_depth = summed.collect();
    }

    fn check(&self, shallow: u64) -> Option<Fault> {
        let name = &self.name;
        if self.min_depth == u32::MAX {
            let cause = format!("`<{name}>` never ends: each alternative leads back to it");
            let hint = "add an alternative without recursion";
            return Some(Fault::new(self.span.clone(), cause).hint(hint));
        }
        if shallow > MAX_SHALLOW {
            let cause = format!(
                "even the shallowest text of `<{name}>` needs over {MAX_SHALLOW} symbols and texts"
            );
            return Some(Fault::new(self.span.clone(), cause));
        }
        None
    }
}

impl Alternative {
    pub(super) fn empty() -> Alternative {
        Alternative {
            items: Vec::new(),
            weight: 1.0,
            min_depth: u32::MAX,
        }
    }
}
