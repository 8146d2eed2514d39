//! Regular expressions as generators: a sampler for the texts they match as a whole.
//!
//! The sampler is built from the syntax tree, because only there can be seen what a pattern names: characters that are
//! written out are all used, while open classes (`.`, `\w`, `[^x]`, `\p{L}`) give printable ASCII where they contain any.
//! Assertions (`^`, `$`, `\b`) give no text of their own; a pattern that has them is sampled until a text matches.

use super::Problem;
use crate::spec::{Fault, Span, compile_regex, parse_regex};
use engine::{Seed, Stream};
use regex::Regex;
use regex_syntax::ast::{self, Ast, ClassSet, ClassSetItem, Flag, FlagsItemKind, GroupKind};
use regex_syntax::hir::{Class, HirKind, translate::TranslatorBuilder};

/// The most characters a text of one pattern may have.
pub const MAX_PATTERN_TEXT: u64 = 65_536;

/// How many samples are tried when a pattern has assertions.
const TRIES: usize = 200;

/// A regular expression that can be matched and sampled.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    whole: Regex,
    sampler: Sampler,
    checked: bool,
}

#[derive(Clone, Debug)]
enum Sampler {
    Text(String),
    Class(Characters),
    Repeat(Box<Sampler>, u32, u32),
    Row(Vec<Sampler>),
    Either(Vec<Sampler>),
}

/// A set of characters as ranges of code points.
#[derive(Clone, Debug, Default)]
struct Characters {
    ranges: Vec<(u32, u32)>,
    total: u64,
}

impl Pattern {
    /// Compiles a pattern; places in the fault are relative to it.
    pub fn compile(pattern: &str, max_repeat: u32) -> Result<Pattern, Fault> {
        let ast = parse_regex(pattern)?;
        let mut compiler = Compiler {
            pattern,
            max_repeat,
            flags: Flags::default(),
            assertions: false,
        };
        let sampler = compiler.sampler(&ast)?;
        if sampler.longest() > MAX_PATTERN_TEXT {
            let cause = format!("its texts can be longer than {MAX_PATTERN_TEXT} characters");
            let hint = "use smaller repetition counts, or a smaller `max-repeat`";
            return Err(Fault::new(0..pattern.len(), cause).hint(hint));
        }
        // Where space is ignored up to the end, a comment could swallow what is put behind the pattern.
        let end = if compiler.flags.ignore_space {
            "\n"
        } else {
            ""
        };
        let whole = compile_regex(&format!(r"\A(?:{pattern}{end})\z")).map_err(|fault| Fault {
            span: 0..pattern.len(),
            ..fault
        })?;
        let pattern = Pattern {
            source: pattern.to_owned(),
            whole,
            sampler,
            checked: compiler.assertions,
        };
        pattern.try_out()
    }

    /// The pattern as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it matches a text from start to end.
    pub fn matches(&self, text: &str) -> bool {
        self.whole.is_match(text)
    }

    /// Appends a text that it matches.
    pub fn make(&self, stream: &mut Stream, out: &mut String) -> Result<(), Problem> {
        let start = out.len();
        if !self.checked {
            self.sampler.sample(stream, out);
            return Ok(());
        }
        for _ in 0..TRIES {
            self.sampler.sample(stream, out);
            if self.matches(&out[start..]) {
                return Ok(());
            }
            out.truncate(start);
        }
        Err(Problem::NoMatch(self.source.clone()))
    }

    /// Refuses a pattern whose assertions no sample satisfies.
    fn try_out(self) -> Result<Pattern, Fault> {
        let mut text = String::new();
        match self.make(&mut Seed(0).stream(), &mut text) {
            Ok(()) => Ok(self),
            Err(_) => {
                let cause =
                    format!("none of {TRIES} samples satisfied the assertions of this pattern");
                let hint = "the pattern must match the whole text, so `^` and `$` are not needed";
                Err(Fault::new(0..self.source.len(), cause).hint(hint))
            }
        }
    }
}

impl Sampler {
    fn sample(&self, stream: &mut Stream, out: &mut String) {
        match self {
            Sampler::Text(text) => out.push_str(text),
            Sampler::Class(characters) => out.push(characters.draw(stream)),
            Sampler::Repeat(inner, least, most) => {
                let count = stream.range(i64::from(*least), i64::from(*most));
                for _ in 0..count {
                    inner.sample(stream, out);
                }
            }
            Sampler::Row(parts) => parts.iter().for_each(|part| part.sample(stream, out)),
            Sampler::Either(parts) => parts[stream.index(parts.len())].sample(stream, out),
        }
    }

    /// The length of the longest text, in characters; empty repetitions count too, because they take time.
    fn longest(&self) -> u64 {
        match self {
            Sampler::Text(text) => text.chars().count() as u64,
            Sampler::Class(_) => 1,
            Sampler::Repeat(inner, _, most) => {
                inner.longest().max(1).saturating_mul(u64::from(*most))
            }
            Sampler::Row(parts) => {
                let lengths = parts.iter().map(Sampler::longest);
                lengths.fold(0, u64::saturating_add)
            }
            Sampler::Either(parts) => parts.iter().map(Sampler::longest).max().unwrap_or(0),
        }
    }
}

impl Characters {
    fn add(&mut self, start: u32, end: u32) {
        // Surrogates are no characters, but ranges may run over them.
        for (start, end) in [(start, end.min(0xd7ff)), (start.max(0xe000), end)] {
            if start <= end {
                self.total += u64::from(end - start) + 1;
                self.ranges.push((start, end));
            }
        }
    }

    fn intersect(&self, low: u32, high: u32) -> Characters {
        let mut inside = Characters::default();
        for (start, end) in &self.ranges {
            inside.add(*start.max(&low), *end.min(&high));
        }
        inside
    }

    fn draw(&self, stream: &mut Stream) -> char {
        let mut index = stream.below(self.total.max(1)) as u32;
        for (start, end) in &self.ranges {
            let count = end - start + 1;
            if index < count {
                return char::from_u32(start + index).unwrap_or('?');
            }
            index -= count;
        }
        '?'
    }
}

/// The flags that change what a pattern matches.
#[derive(Clone, Copy)]
struct Flags {
    ignore_case: bool,
    dot_is_all: bool,
    unicode: bool,
    ignore_space: bool,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            ignore_case: false,
            dot_is_all: false,
            unicode: true,
            ignore_space: false,
        }
    }
}

struct Compiler<'p> {
    pattern: &'p str,
    max_repeat: u32,
    flags: Flags,
    assertions: bool,
}

impl Compiler<'_> {
    fn sampler(&mut self, ast: &Ast) -> Result<Sampler, Fault> {
        Ok(match ast {
            Ast::Empty(_) => Sampler::Text(String::new()),
            Ast::Flags(flags) => {
                self.set(&flags.flags);
                Sampler::Text(String::new())
            }
            Ast::Assertion(_) => {
                self.assertions = true;
                Sampler::Text(String::new())
            }
            Ast::Literal(literal) if !self.flags.ignore_case => {
                Sampler::Text(literal.c.to_string())
            }
            Ast::Literal(_) => Sampler::Class(self.named(ast)?),
            Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) => {
                Sampler::Class(self.open(ast)?)
            }
            Ast::ClassBracketed(class) => {
                let characters = self.bracketed(class)?;
                self.not_empty(characters, &class.span)?
            }
            Ast::Repetition(repetition) => {
                let (least, most) = self.counts(&repetition.op.kind);
                let inner = self.sampler(&repetition.ast)?;
                Sampler::Repeat(Box::new(inner), least, most)
            }
            Ast::Group(group) => {
                let outside = self.flags;
                if let GroupKind::NonCapturing(flags) = &group.kind {
                    self.set(flags);
                }
                let inner = self.sampler(&group.ast)?;
                self.flags = outside;
                inner
            }
            Ast::Alternation(alternation) => Sampler::Either(self.all(&alternation.asts)?),
            Ast::Concat(concat) => joined(self.all(&concat.asts)?),
        })
    }

    fn all(&mut self, asts: &[Ast]) -> Result<Vec<Sampler>, Fault> {
        asts.iter().map(|ast| self.sampler(ast)).collect()
    }

    fn set(&mut self, flags: &ast::Flags) {
        let mut on = true;
        for item in &flags.items {
            match item.kind {
                FlagsItemKind::Negation => on = false,
                FlagsItemKind::Flag(Flag::CaseInsensitive) => self.flags.ignore_case = on,
                FlagsItemKind::Flag(Flag::DotMatchesNewLine) => self.flags.dot_is_all = on,
                FlagsItemKind::Flag(Flag::Unicode) => self.flags.unicode = on,
                FlagsItemKind::Flag(Flag::IgnoreWhitespace) => self.flags.ignore_space = on,
                FlagsItemKind::Flag(_) => {}
            }
        }
    }

    fn counts(&self, kind: &ast::RepetitionKind) -> (u32, u32) {
        let open = |least: u32| (least, least.saturating_add(self.max_repeat));
        match kind {
            ast::RepetitionKind::ZeroOrOne => (0, 1),
            ast::RepetitionKind::ZeroOrMore => open(0),
            ast::RepetitionKind::OneOrMore => open(1),
            ast::RepetitionKind::Range(ast::RepetitionRange::Exactly(n)) => (*n, *n),
            ast::RepetitionKind::Range(ast::RepetitionRange::AtLeast(n)) => open(*n),
            ast::RepetitionKind::Range(ast::RepetitionRange::Bounded(low, high)) => (*low, *high),
        }
    }

    /// The characters of a bracketed class: those written out, and the printable ones of open parts.
    fn bracketed(&self, class: &ast::ClassBracketed) -> Result<Characters, Fault> {
        match &class.kind {
            ClassSet::Item(item) if !class.negated => self.item(item),
            _ => self.open(&Ast::class_bracketed(class.clone())),
        }
    }

    fn item(&self, item: &ClassSetItem) -> Result<Characters, Fault> {
        let alone = |item: &ClassSetItem| {
            Ast::class_bracketed(ast::ClassBracketed {
                span: *item.span(),
                negated: false,
                kind: ClassSet::Item(item.clone()),
            })
        };
        match item {
            ClassSetItem::Empty(_) => Ok(Characters::default()),
            ClassSetItem::Literal(_) | ClassSetItem::Range(_) => self.named(&alone(item)),
            ClassSetItem::Ascii(_) | ClassSetItem::Unicode(_) | ClassSetItem::Perl(_) => {
                self.open(&alone(item))
            }
            ClassSetItem::Bracketed(class) => self.bracketed(class),
            ClassSetItem::Union(union) => {
                let mut all = Vec::new();
                for item in &union.items {
                    all.extend(self.item(item)?.ranges);
                }
                Ok(merged(all))
            }
        }
    }

    /// All characters of a part in which they are written out.
    fn named(&self, ast: &Ast) -> Result<Characters, Fault> {
        let characters = self.characters(ast)?;
        // Ignoring case brings in the long s and the Kelvin sign, which nobody means.
        let odd = |c: char| self.flags.ignore_case && !self.pattern.contains(c);
        let ranges = characters.ranges.iter().copied();
        let meant = ranges.filter(|range| {
            !['\u{17f}', '\u{212a}']
                .iter()
                .any(|c| odd(*c) && *range == (u32::from(*c), u32::from(*c)))
        });
        Ok(merged(meant.collect()))
    }

    /// The characters of an open class: printable ASCII if it has any, else ASCII, else all.
    fn open(&self, ast: &Ast) -> Result<Characters, Fault> {
        let characters = self.characters(ast)?;
        let mut printable = characters.intersect(0x20, 0x7e);
        let only_space = printable.ranges == [(0x20, 0x20)];
        if only_space && characters.intersect(0x09, 0x09).total > 0 {
            printable.add(0x09, 0x09);
        }
        let ascii = characters.intersect(0, 0x7f);
        let best = [printable, ascii, characters].into_iter();
        match best.into_iter().find(|characters| characters.total > 0) {
            Some(characters) => Ok(characters),
            None => Err(self.nothing(ast.span())),
        }
    }

    fn not_empty(&self, characters: Characters, span: &ast::Span) -> Result<Sampler, Fault> {
        match characters.total {
            0 => Err(self.nothing(span)),
            _ => Ok(Sampler::Class(characters)),
        }
    }

    fn nothing(&self, span: &ast::Span) -> Fault {
        Fault::new(offsets(span), "this class has no characters")
    }

    fn characters(&self, ast: &Ast) -> Result<Characters, Fault> {
        let hir = self.translate(ast)?;
        let ranges: Vec<(u32, u32)> = match hir.kind() {
            HirKind::Literal(literal) => {
                let text = String::from_utf8_lossy(&literal.0);
                text.chars().map(|c| (u32::from(c), u32::from(c))).collect()
            }
            HirKind::Class(Class::Unicode(class)) => {
                let range = |r: &regex_syntax::hir::ClassUnicodeRange| (r.start(), r.end());
                let ranges = class.ranges().iter().map(range);
                ranges.map(|(s, e)| (u32::from(s), u32::from(e))).collect()
            }
            HirKind::Class(Class::Bytes(class)) => {
                let range = |r: &regex_syntax::hir::ClassBytesRange| (r.start(), r.end());
                let ranges = class.ranges().iter().map(range);
                ranges.map(|(s, e)| (u32::from(s), u32::from(e))).collect()
            }
            _ => Vec::new(),
        };
        Ok(merged(ranges))
    }

    fn translate(&self, ast: &Ast) -> Result<regex_syntax::hir::Hir, Fault> {
        let mut translator = TranslatorBuilder::new()
            .case_insensitive(self.flags.ignore_case)
            .dot_matches_new_line(self.flags.dot_is_all)
            .unicode(self.flags.unicode)
            .build();
        translator.translate(self.pattern, ast).map_err(|error| {
            let cause = format!("this regular expression is not valid: {}", error.kind());
            Fault::new(offsets(ast.span()), cause)
        })
    }
}

fn offsets(span: &ast::Span) -> Span {
    span.start.offset..span.end.offset
}

/// Sorted ranges without overlap.
fn merged(mut ranges: Vec<(u32, u32)>) -> Characters {
    ranges.sort_unstable();
    let mut characters = Characters::default();
    let mut next = 0;
    for (start, end) in ranges {
        let start = start.max(next);
        if start <= end {
            characters.add(start, end);
            next = end + 1;
        }
    }
    characters
}

/// A row in which neighbouring texts are one.
fn joined(parts: Vec<Sampler>) -> Sampler {
    let mut row: Vec<Sampler> = Vec::new();
    for part in parts {
        match (row.last_mut(), part) {
            (Some(Sampler::Text(before)), Sampler::Text(text)) => before.push_str(&text),
            (_, part) => row.push(part),
        }
    }
    Sampler::Row(row)
}
