//! Whether a generator could have made a text: the reverse of `generate`.
//!
//! Bounds on how far a generator goes (`max-repeat`, `max-depth`) are not bounds of what it means, so they are not asked
//! for. What a helper command prints cannot be foreseen; its choices need a `match`.

use super::grammar::Parser;
use super::terminal::Terminal;
use super::{lines, numbers};
use crate::expression::Context;
use crate::generate::{FloatRange, Generator, IntRange, Lines, SymbolId};
use crate::spec::Template;
use std::collections::BTreeSet;

/// What a recogniser may look at.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub context: Context<'a>,
    pub parser: &'a Parser<'a>,
}

/// A generator, read backwards.
#[derive(Debug)]
pub(super) enum Recogniser<'s> {
    Literal(&'s str),
    Int(&'s IntRange),
    Float(&'s FloatRange),
    Regex(Terminal<'s>),
    Among(BTreeSet<&'s str>),
    Any(Vec<Recogniser<'s>>),
    Lines(&'s Lines, Box<Recogniser<'s>>),
    Grammar(SymbolId),
    Text(&'s Template),
    /// Helper commands: nothing is recognised.
    Never,
}

impl<'s> Recogniser<'s> {
    pub fn new(generator: &'s Generator) -> Recogniser<'s> {
        let among = |texts: &'s [String]| texts.iter().map(String::as_str).collect();
        match generator {
            Generator::Literal(text) => Recogniser::Literal(text),
            Generator::Int(range) => Recogniser::Int(range),
            Generator::Float(range) => Recogniser::Float(range),
            Generator::Regex(pattern) => Recogniser::Regex(Terminal::new(pattern)),
            Generator::Pick(texts) => Recogniser::Among(among(texts)),
            Generator::Any(generators) => {
                let possible = generators.iter().filter(|(weight, _)| *weight > 0.0);
                Recogniser::Any(possible.map(|(_, g)| Recogniser::new(g)).collect())
            }
            Generator::Lines(lines) => {
                Recogniser::Lines(lines, Box::new(Recogniser::new(&lines.item)))
            }
            Generator::Grammar { symbol, .. } => Recogniser::Grammar(*symbol),
            Generator::Text(template) => Recogniser::Text(template),
            Generator::File(file) | Generator::LineOf(file) => {
                Recogniser::Among(among(&file.texts))
            }
            Generator::Command(_) => Recogniser::Never,
        }
    }

    /// Whether the generator could have made this text.
    pub fn accepts(&self, text: &str, scope: &Scope<'_>) -> bool {
        match self {
            Recogniser::Literal(literal) => *literal == text,
            Recogniser::Int(range) => numbers::is_whole_in(range, text, &scope.context),
            Recogniser::Float(range) => numbers::is_decimal_in(range, text, &scope.context),
            Recogniser::Regex(pattern) => pattern.matches(text),
            Recogniser::Among(texts) => texts.contains(text),
            Recogniser::Any(all) => all.iter().any(|one| one.accepts(text, scope)),
            Recogniser::Lines(lines, item) => lines::are_lines(lines, item, text, scope),
            Recogniser::Grammar(symbol) => scope.parser.derives(*symbol, text),
            Recogniser::Text(template) => {
                let mut rendered = String::new();
                template.render(&scope.context, &mut rendered);
                rendered == text
            }
            Recogniser::Never => false,
        }
    }

    /// Whether the generator could have made this text, as far as can be told from the text alone. Never wrongly false.
    pub fn may_accept(&self, text: &str, scope: &Scope<'_>) -> bool {
        match self {
            Recogniser::Never => true,
            _ if self.is_free() => self.accepts(text, scope),
            Recogniser::Int(range) => numbers::whole(range, text).is_some(),
            Recogniser::Float(range) => numbers::decimal(range, text).is_some(),
            Recogniser::Any(all) => all.iter().any(|one| one.may_accept(text, scope)),
            _ => true,
        }
    }

    /// Whether it depends on no other category.
    pub fn is_free(&self) -> bool {
        match self {
            Recogniser::Int(range) => {
                range.low.constant().is_some() && range.high.constant().is_some()
            }
            Recogniser::Float(range) => {
                range.low.constant().is_some() && range.high.constant().is_some()
            }
            Recogniser::Any(all) => all.iter().all(Recogniser::is_free),
            Recogniser::Lines(lines, item) => {
                let (low, high) = &lines.count;
                low.constant().is_some() && high.constant().is_some() && item.is_free()
            }
            Recogniser::Text(template) => {
                template.fields().next().is_none() && !template.uses_input()
            }
            _ => true,
        }
    }

    /// Adds the lengths of the starts of this text that the generator could have made, for some texts of other
    /// categories; false where all must be tried.
    pub fn add_ends(&self, text: &str, scope: &Scope<'_>, ends: &mut BTreeSet<usize>) -> bool {
        match self {
            Recogniser::Literal(literal) => ends.extend(start_end(text, literal)),
            Recogniser::Among(texts) => {
                ends.extend(texts.iter().filter_map(|one| start_end(text, one)));
            }
            Recogniser::Regex(terminal) => ends.extend(terminal.ends(text)),
            Recogniser::Grammar(symbol) => ends.extend(scope.parser.ends(*symbol, text)),
            Recogniser::Int(_) | Recogniser::Float(_) => {
                let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
                ends.extend(1..=text.bytes().take_while(is_digit).count());
            }
            Recogniser::Any(all) => {
                return all.iter().all(|one| one.add_ends(text, scope, ends));
            }
            Recogniser::Lines(lines, item) => {
                return lines::add_ends(lines, item, text, scope, ends);
            }
            Recogniser::Text(_) | Recogniser::Never => return false,
        }
        true
    }
}

fn start_end(text: &str, start: &str) -> Option<usize> {
    text.starts_with(start).then_some(start.len())
}
