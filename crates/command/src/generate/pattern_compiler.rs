//! Compiles the syntax tree of a regular expression to a sampler.
//!
//! The syntax tree is used, not the simpler form behind it, because only there can be seen what a pattern names: characters
//! that are written out are all used, while open classes (`.`, `\w`, `[^x]`, `\p{L}`) give printable ASCII where they
//! contain any.

use super::characters::{Characters, merged};
use super::pattern::Sampler;
use crate::spec::{Fault, Span};
use regex_syntax::ast::{self, Ast, ClassSet, ClassSetItem, Flag, FlagsItemKind, GroupKind};
use regex_syntax::hir::{Class, HirKind, translate::TranslatorBuilder};

/// What a pattern was compiled to.
pub(super) struct Compiled {
    pub sampler: Sampler,
    /// It has assertions, which a sample may fail.
    pub assertions: bool,
    /// White space is ignored up to its end.
    pub ignores_space: bool,
}

/// Compiles a pattern whose syntax tree this is; places in the fault are relative to it.
pub(super) fn compile(pattern: &str, ast: &Ast, max_repeat: u32) -> Result<Compiled, Fault> {
    let mut compiler = Compiler {
        pattern,
        max_repeat,
        flags: Flags::default(),
        assertions: false,
    };
    Ok(Compiled {
        sampler: compiler.sampler(ast)?,
        assertions: compiler.assertions,
        ignores_space: compiler.flags.ignore_space,
    })
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
