//! Declarations: which names they declare, and which parts of their initialisers may be changed.
//!
//! Everything of a declaration but its initialisers stays as it is. The initialiser of a local variable is an
//! expression like any other; those of tables, static and file-scope variables must stay constant, so only the numbers
//! and characters in them are changed.

use std::ops::Range;

use super::outline::{Touch, Walker};
use super::types::{Base, Class, NameSpace, parenthesised_type, read_base};

/// Operators and macros whose parentheses hold a type or are never evaluated.
#[rustfmt::skip]
const NOT_EVALUATED: &[&str] = &[
    "_Alignof", "_Generic", "__asm", "__asm__", "__attribute", "__attribute__", "__builtin_offsetof", "__typeof__",
    "alignof", "asm", "offsetof", "sizeof", "typeof", "va_arg",
];

/// The name a declarator declares, and what it adds to its base type.
struct Declarator<'a> {
    name: &'a str,
    stars: i32,
    arrays: i32,
    is_function_pointer: bool,
}

impl Declarator<'_> {
    fn class(&self, base: Class) -> Class {
        let levels = self.stars + self.arrays;
        if self.is_function_pointer {
            return Class {
                base: Base::Function,
                level: levels,
            };
        }
        base.raised(levels)
    }
}

impl<'a> Walker<'a, '_> {
    /// A declaration without its semicolon.
    pub fn declaration(&mut self, range: Range<usize>) {
        let words: Vec<&str> = range
            .clone()
            .take(8)
            .map(|index| self.code.text(index))
            .collect();
        let constant = self.function.is_none()
            || words
                .iter()
                .any(|word| matches!(*word, "static" | "extern"));
        let space = if words.contains(&"typedef") {
            NameSpace::Type
        } else {
            self.space()
        };
        let (base, declarators) = read_base(self.code, &self.outline.names, range.start, range.end);
        self.members(range.start..declarators);
        for part in self.code.split(declarators..range.end, ",") {
            let assign = self.code.find(part.clone(), "=");
            let Some(declarator) = self.declarator(part.start..assign.unwrap_or(part.end)) else {
                continue;
            };
            self.outline
                .names
                .declare(space, declarator.name, declarator.class(base));
            if let Some(assign) = assign {
                self.initialiser(assign + 1..part.end, &declarator, base, constant);
            }
        }
    }

    /// A parameter: specifiers and one declarator.
    pub fn parameter(&mut self, range: Range<usize>) {
        let space = self.space();
        self.declare_all(space, range);
    }

    /// Declares the names of a declaration without initialisers.
    fn declare_all(&mut self, space: NameSpace, range: Range<usize>) {
        let (base, declarators) = read_base(self.code, &self.outline.names, range.start, range.end);
        for part in self.code.split(declarators..range.end, ",") {
            let width = self.code.find(part.clone(), ":").unwrap_or(part.end);
            if let Some(declarator) = self.declarator(part.start..width) {
                self.outline
                    .names
                    .declare(space, declarator.name, declarator.class(base));
            }
        }
    }

    /// The members of a `struct` or `union` body among the specifiers.
    fn members(&mut self, specifiers: Range<usize>) {
        let words = specifiers
            .clone()
            .take_while(|index| !self.code.is(*index, "{"));
        let is_record = words
            .clone()
            .any(|index| self.code.is_any(index, &["struct", "union"]));
        let open = specifiers.start + words.count();
        let Some(close) = self
            .code
            .close(open)
            .filter(|close| is_record && *close < specifiers.end)
        else {
            return;
        };
        for member in self.code.split(open + 1..close, ";") {
            self.declare_all(NameSpace::Member, member);
        }
    }

    fn declarator(&self, range: Range<usize>) -> Option<Declarator<'a>> {
        let code = self.code;
        let mut name = None;
        let mut declarator = Declarator {
            name: "",
            stars: 0,
            arrays: 0,
            is_function_pointer: false,
        };
        let mut index = range.start;
        while index < range.end {
            match code.text(index) {
                "*" => declarator.stars += 1,
                "[" => declarator.arrays += 1,
                // `(*name)(…)` points to a function, `(*name)[…]` to an array.
                "(" if name.is_none() => {
                    let close = code.close(index)?.min(range.end);
                    let inner = || index + 1..close;
                    name = inner().find(|index| code.is_identifier(*index));
                    let stars = inner().filter(|index| code.is(*index, "*")).count();
                    declarator.stars += i32::try_from(stars).ok()?;
                    declarator.is_function_pointer = stars > 0 && code.is(close + 1, "(");
                }
                _ if code.is_identifier(index) => name = name.or(Some(index)),
                _ => {}
            }
            index = code.skip(index);
        }
        declarator.name = code.text(name?);
        Some(declarator)
    }

    fn initialiser(
        &mut self,
        range: Range<usize>,
        declarator: &Declarator<'a>,
        base: Class,
        constant: bool,
    ) {
        if range.is_empty() {
            return;
        }
        let class = declarator.class(base);
        if self.code.is(range.start, "{") {
            // The 0 in a table of pointers is a null pointer.
            if declarator.stars == 0 {
                self.table(range.start);
            }
        } else if !constant && (!class.is_pointer() || range.len() > 1) {
            self.expression(range);
        } else if constant && !class.is_pointer() {
            self.outline.expression_starts.insert(range.start);
            self.constants(range);
        }
    }

    /// The braces of an initialiser or compound literal.
    fn table(&mut self, open: usize) {
        if let Some(close) = self.code.close(open) {
            self.constants(open + 1..close);
        }
    }

    /// Allows numbers and characters of a range to change, but not designators, casts and what is not evaluated.
    fn constants(&mut self, range: Range<usize>) {
        self.set_touch(range.clone(), Touch::Constants);
        let mut index = range.start;
        while index < range.end {
            let code = self.code;
            let designates =
                code.is(index, "[") && index > 0 && code.is_any(index - 1, &["{", ",", "]"]);
            index = if designates {
                self.keep(index)
            } else {
                self.keep_if_not_evaluated(index)
            };
        }
    }

    /// An expression outside of declarations' types: all of it may change but casts and what is not evaluated.
    pub fn expression(&mut self, range: Range<usize>) {
        self.outline.expression_starts.insert(range.start);
        self.set_touch(range.clone(), Touch::Everything);
        let mut index = range.start;
        while index < range.end {
            index = match self.code.close(index).filter(|_| self.code.is(index, "{")) {
                Some(close) if index > 0 && self.code.is(index - 1, "(") => {
                    self.set_touch(index..close + 1, Touch::Nothing);
                    self.block(index);
                    close + 1
                }
                Some(close) => {
                    self.table(index);
                    close + 1
                }
                None => self.keep_if_not_evaluated(index),
            };
        }
    }

    /// Protects a cast or the operand of `sizeof` and its kin; gives the token to go on with.
    fn keep_if_not_evaluated(&mut self, index: usize) -> usize {
        let code = self.code;
        if NOT_EVALUATED.contains(&code.text(index)) && code.is(index + 1, "(") {
            return self.keep(index + 1);
        }
        if parenthesised_type(code, &self.outline.names, index).is_some() {
            return self.keep(index);
        }
        index + 1
    }

    fn keep(&mut self, open: usize) -> usize {
        let next = self.code.skip(open);
        self.set_touch(open..next, Touch::Nothing);
        next
    }
}
