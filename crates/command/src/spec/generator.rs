//! Reads generators: one key that says what kind it is, and the options of that kind.

use super::outline::Outline;
use super::place::Fault;
use super::reader::{Entry, Problems, TableReader};
use super::run::{not_empty, template};
use crate::expression::{Context, Expression, Number, Stage};
use crate::generate::{
    Bound, FloatRange, Generator, IntRange, Lines, Loaded, MAX_DECIMALS, MAX_LINES, MAX_WIDTH,
    Pattern,
};
use engine::Seed;
use engine::similar;

/// How deep derivations go where nothing is said.
pub const DEFAULT_DEPTH: u32 = 12;

/// The deepest derivation that can be asked for.
const MAX_DEPTH: i64 = 1000;

/// How often an open repetition of a regular expression repeats at most, where nothing is said.
pub const DEFAULT_REPEAT: u32 = 8;

/// The most that can be asked for.
const MAX_REPEAT: i64 = 10_000;

/// The most generators of one `any`.
const MAX_ANY: usize = 1000;

/// How deep generators may contain each other.
const MAX_NESTING: usize = 16;

/// The keys that make a generator.
pub(super) const KINDS: [&str; 12] = [
    "literal", "int", "float", "regex", "pick", "any", "lines", "grammar", "text", "file",
    "line-of", "command",
];

/// Options and the kind each belongs to.
const OPTIONS: [(&str, &str); 11] = [
    ("step", "int"),
    ("width", "int"),
    ("base", "int"),
    ("decimals", "float"),
    ("max-repeat", "regex"),
    ("count", "lines"),
    ("end", "lines"),
    ("separator", "lines"),
    ("sorted", "lines"),
    ("unique", "lines"),
    ("max-depth", "grammar"),
];

/// Why a table gave no generator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NoGenerator {
    /// No key says what kind it is.
    Missing,
    /// What is wrong with it has been reported.
    Reported,
}

/// The generator of a table. The caller asks for the remaining keys.
pub(super) fn read_generator(
    table: &mut TableReader<'_>,
    outline: &mut Outline,
    nesting: usize,
    problems: &mut Problems<'_>,
) -> Result<Generator, NoGenerator> {
    let mut kinds = KINDS.iter().filter_map(|kind| table.get(kind));
    let kind = kinds.next().ok_or(NoGenerator::Missing)?;
    if let Some(second) = kinds.next() {
        let cause = format!("both `{}` and `{}` are given", kind.key, second.key);
        let fault = Fault::new(second.key_span, cause);
        problems.add(fault.hint("a choice has exactly one generator; combine several with `any`"));
    }
    drop(kinds);
    if nesting > MAX_NESTING {
        let cause = format!("generators nest deeper than {MAX_NESTING} levels");
        problems.at(&kind.key_span, cause);
        return Err(NoGenerator::Reported);
    }
    let mut reading = Reading {
        table,
        outline,
        nesting,
        problems,
    };
    let generator = reading.kind(&kind);
    reading.foreign_options(&kind.key);
    generator.ok_or(NoGenerator::Reported)
}

struct Reading<'r, 'd, 's> {
    table: &'r mut TableReader<'d>,
    outline: &'r mut Outline,
    nesting: usize,
    problems: &'r mut Problems<'s>,
}

impl<'d> Reading<'_, 'd, '_> {
    fn kind(&mut self, kind: &Entry<'d>) -> Option<Generator> {
        match kind.key.as_str() {
            "literal" => {
                let literal = kind.text(self.problems)?;
                Some(Generator::Literal(literal.text.to_owned()))
            }
            "int" => self.int(kind),
            "float" => self.float(kind),
            "regex" => self.regex(kind),
            "pick" => {
                let texts = kind.texts(self.problems);
                let texts = texts.iter().map(|spot| spot.text.to_owned()).collect();
                self.not_empty_list(kind, texts).map(Generator::Pick)
            }
            "any" => self.any(kind),
            "lines" => self.lines(kind),
            "grammar" => self.grammar(kind),
            "text" => template(kind, self.outline, self.problems).map(Generator::Text),
            "file" => self.loaded(kind).map(Generator::File),
            "line-of" => self.loaded(kind).map(Generator::LineOf),
            _ => {
                let words = kind.texts(self.problems);
                let words = words.iter().map(|spot| spot.text.to_owned()).collect();
                self.not_empty_list(kind, words).map(Generator::Command)
            }
        }
    }

    fn foreign_options(&mut self, kind: &str) {
        for (option, owner) in OPTIONS {
            if owner == kind {
                continue;
            }
            if let Some(entry) = self.table.get(option) {
                let cause = format!("`{option}` has no meaning beside `{kind}`");
                let fault = Fault::new(entry.key_span, cause);
                self.problems
                    .add(fault.hint(format!("it belongs to `{owner}`")));
            }
        }
    }

    fn not_empty_list(&mut self, kind: &Entry<'_>, texts: Vec<String>) -> Option<Vec<String>> {
        if texts.is_empty() && kind.is_list() {
            let cause = format!("`{}` must not be empty", kind.key);
            self.problems.at(&kind.span, cause);
        }
        (!texts.is_empty()).then_some(texts)
    }

    fn option(&mut self, key: &'static str, low: i64, high: i64) -> Option<u32> {
        let entry = self.table.get(key)?;
        let number = entry.whole(low, high, self.problems)?;
        u32::try_from(number).ok()
    }

    fn int(&mut self, kind: &Entry<'d>) -> Option<Generator> {
        let step = self.table.get("step");
        let step = step.and_then(|step| step.whole(1, i64::MAX, self.problems));
        let width = self.option("width", 0, i64::from(MAX_WIDTH)).unwrap_or(0);
        let base = self.option("base", 2, 36).unwrap_or(10);
        let (low, high) = self.ends(kind, true)?;
        let range = IntRange {
            low,
            high,
            step: step.unwrap_or(1).unsigned_abs(),
            width,
            base,
        };
        let constant = range.low.constant().zip(range.high.constant());
        if let Some((low, high)) = constant
            && range.ends(&Context::default()).is_none()
        {
            let cause = format!("no whole number lies between {low} and {high}");
            let fault = Fault::new(kind.span.clone(), cause);
            self.problems.add(fault.hint("the lower end comes first"));
            return None;
        }
        Some(Generator::Int(range))
    }

    fn float(&mut self, kind: &Entry<'d>) -> Option<Generator> {
        let decimals = self
            .option("decimals", 0, i64::from(MAX_DECIMALS))
            .unwrap_or(2);
        let (low, high) = self.ends(kind, false)?;
        let range = FloatRange {
            low,
            high,
            decimals,
        };
        if let Some((low, high)) = range.low.constant().zip(range.high.constant())
            && range
                .draw(low.to_f64(), high.to_f64(), &mut Seed(0).stream())
                .is_none()
        {
            let cause = format!("no number with {decimals} decimals lies between {low} and {high}");
            let hint = match low.to_f64() > high.to_f64() {
                true => "the lower end comes first",
                false => "allow more `decimals`",
            };
            self.problems
                .add(Fault::new(kind.span.clone(), cause).hint(hint));
            return None;
        }
        Some(Generator::Float(range))
    }

    fn ends(&mut self, entry: &Entry<'d>, whole: bool) -> Option<(Bound, Bound)> {
        let list = entry.list(self.problems)?;
        let [low, high] = list.as_slice() else {
            let cause = format!("`{}` must be a list of two: `[low, high]`", entry.key);
            self.problems.at(&entry.span, cause);
            return None;
        };
        let low = self.bound(low, whole);
        let high = self.bound(high, whole);
        low.zip(high)
    }

    fn bound(&mut self, entry: &Entry<'d>, whole: bool) -> Option<Bound> {
        if !entry.is_text() {
            if let Some(number) = entry.as_whole() {
                return Some(Bound::Number(Number::Whole(number)));
            }
            let number = entry.number(self.problems)?;
            if whole && number.fract() != 0.0 {
                let cause = "the end of a range of whole numbers must be one itself";
                self.problems.at(&entry.span, cause);
                return None;
            }
            return Some(Bound::Number(Number::decimal(number)));
        }
        let spot = entry.text(self.problems)?;
        match Expression::parse(spot.text, &self.outline.names(Stage::Making)) {
            Ok(expression) if expression.fields().is_empty() && !expression.uses_input() => {
                let number = expression.number(&Context::default());
                Some(Bound::Number(number))
            }
            Ok(expression) => Some(Bound::Expression(expression)),
            Err(fault) => {
                let fault = spot.lift(self.problems.source, fault);
                self.problems.add(fault);
                None
            }
        }
    }

    fn regex(&mut self, kind: &Entry<'d>) -> Option<Generator> {
        let repeat = self
            .option("max-repeat", 0, MAX_REPEAT)
            .unwrap_or(DEFAULT_REPEAT);
        let spot = kind.text(self.problems)?;
        match Pattern::compile(spot.text, repeat) {
            Ok(pattern) => Some(Generator::Regex(pattern)),
            Err(fault) => {
                let fault = spot.lift(self.problems.source, fault);
                self.problems.add(fault);
                None
            }
        }
    }

    fn inner(&mut self, mut table: TableReader<'d>) -> Option<Generator> {
        let generator = read_generator(&mut table, self.outline, self.nesting + 1, self.problems);
        if matches!(generator, Err(NoGenerator::Missing)) {
            no_generator(&table, self.problems);
        }
        table.finish(self.problems);
        generator.ok()
    }

    fn any(&mut self, kind: &Entry<'d>) -> Option<Generator> {
        let mut generators = Vec::new();
        let list = kind.list(self.problems)?;
        for element in &list {
            let Some(mut table) = element.table("a generator of `any`", self.problems) else {
                continue;
            };
            let weight = table.get("weight");
            let weight = weight.map_or(Some(1.0), |weight| weight.weight(self.problems));
            generators.extend(weight.zip(self.inner(table)));
        }
        if list.is_empty() || list.len() > MAX_ANY {
            let cause = format!("`any` must have from 1 to {MAX_ANY} generators");
            self.problems.at(&kind.span, cause);
        }
        if !generators.is_empty() && generators.iter().all(|(weight, _)| *weight == 0.0) {
            self.problems.at(&kind.span, "all weights are 0");
            return None;
        }
        (!generators.is_empty() && generators.len() == list.len())
            .then_some(Generator::Any(generators))
    }

    fn lines(&mut self, kind: &Entry<'d>) -> Option<Generator> {
        let count = self.table.get("count");
        let default = (1, 5);
        let count = match count {
            None => Some((
                Bound::Number(Number::Whole(default.0)),
                Bound::Number(Number::Whole(default.1)),
            )),
            Some(count) => self.count(&count),
        };
        let separator = self.table.get("separator");
        let separator = separator.and_then(|entry| entry.text(self.problems));
        let end = self
            .table
            .get("end")
            .and_then(|entry| entry.text(self.problems));
        let end = match (&end, &separator) {
            (Some(end), _) => end.text,
            (None, Some(_)) => "",
            (None, None) => "\n",
        };
        let sorted = self.table.get("sorted");
        let sorted = sorted.and_then(|entry| entry.boolean(self.problems));
        let unique = self.table.get("unique");
        let unique = unique.and_then(|entry| entry.boolean(self.problems));
        let table = kind.table("the generator of `lines`", self.problems)?;
        let item = self.inner(table)?;
        Some(Generator::Lines(Box::new(Lines {
            item,
            count: count?,
            end: end.to_owned(),
            separator: separator.map_or_else(String::new, |spot| spot.text.to_owned()),
            sorted: sorted.unwrap_or(false),
            unique: unique.unwrap_or(false),
        })))
    }

    fn count(&mut self, entry: &Entry<'d>) -> Option<(Bound, Bound)> {
        let (low, high) = self.ends(entry, true)?;
        let wrong = |bound: &Bound| {
            let number = bound.constant().map(Number::floor);
            number.is_some_and(|number| !(0..=MAX_LINES).contains(&number))
        };
        if wrong(&low) || wrong(&high) {
            let cause = format!("`count` must be from 0 to {MAX_LINES}");
            self.problems.at(&entry.span, cause);
            return None;
        }
        if let (Some(low), Some(high)) = (low.constant(), high.constant())
            && low.ceil() > high.floor()
        {
            let cause = format!("no whole number lies between {low} and {high}");
            self.problems.at(&entry.span, cause);
            return None;
        }
        Some((low, high))
    }

    fn grammar(&mut self, kind: &Entry<'d>) -> Option<Generator> {
        let depth = self.table.get("max-depth");
        let depth_span = depth.as_ref().map(|depth| depth.span.clone());
        let depth = depth.and_then(|depth| depth.whole(1, MAX_DEPTH, self.problems));
        let max_depth = depth.map_or(self.outline.max_depth, |depth| depth as u32);
        let spot = kind.text(self.problems)?;
        if !self.outline.has_grammar {
            let fault = Fault::new(spot.span, "there is no `[grammar]` table");
            self.problems
                .add(fault.hint("add `[grammar]` with `rules = \"\"\"…\"\"\"`"));
            return None;
        }
        let grammar = self.outline.grammar.as_ref()?;
        let name = spot.text.trim();
        let name = name
            .strip_prefix('<')
            .and_then(|n| n.strip_suffix('>'))
            .unwrap_or(name);
        let Some(symbol) = grammar.symbol(name) else {
            let cause = format!("`[grammar]` has no rule `<{name}>`");
            let mut fault = Fault::new(spot.span, cause);
            fault.hint = similar::hint(name, grammar.rules.iter().map(|rule| rule.name.as_str()));
            self.problems.add(fault);
            return None;
        };
        let least = grammar.rule(symbol).min_depth;
        self.outline.used_symbols.push(symbol);
        if max_depth < least {
            let cause =
                format!("texts of `<{name}>` need a depth of at least {least}, not {max_depth}");
            let fault = Fault::new(depth_span.unwrap_or(spot.span), cause);
            self.problems
                .add(fault.hint(format!("set `max-depth` to {least} or more")));
            return None;
        }
        Some(Generator::Grammar { symbol, max_depth })
    }

    fn loaded(&mut self, kind: &Entry<'d>) -> Option<Loaded> {
        let spot = not_empty(kind, self.problems)?;
        Some(Loaded {
            path: spot.text.to_owned(),
            span: spot.span,
            texts: Vec::new(),
        })
    }
}

/// Reports a table that should have a generator and has none.
pub(super) fn no_generator(table: &TableReader<'_>, problems: &mut Problems<'_>) {
    let cause = format!("{} has no generator", table.name);
    let fault = Fault::new(table.span.clone(), cause);
    problems.add(fault.hint(format!("add one of `{}`", KINDS.join("`, `"))));
}

/// The depth limit of `[grammar]`.
pub(super) fn read_max_depth(table: &mut TableReader<'_>, problems: &mut Problems<'_>) -> u32 {
    let depth = table.get("max-depth");
    let depth = depth.and_then(|depth| depth.whole(1, MAX_DEPTH, problems));
    depth.map_or(DEFAULT_DEPTH, |depth| depth as u32)
}
