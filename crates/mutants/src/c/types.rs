//! As much of C's types as is needed to avoid mutants that cannot compile: what a declared name is at its core, and how
//! many times it can be dereferenced.
//!
//! Names are kept per function, without blocks. A name declared twice in different ways becomes unknown, and unknown
//! operands are treated as numbers. Headers are not read.

use std::collections::BTreeMap;

use super::code::Code;
use super::lex::TokenKind;

/// What remains of a type when all its pointers and arrays are taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Integer,
    Float,
    Aggregate,
    Void,
    Function,
    Unknown,
}

/// A type, reduced to what the mutation operators ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub base: Base,
    /// Pointers and arrays around the base.
    pub level: i32,
}

impl Class {
    pub const UNKNOWN: Class = Class {
        base: Base::Unknown,
        level: 0,
    };
    pub const INTEGER: Class = Class {
        base: Base::Integer,
        level: 0,
    };
    pub const FLOAT: Class = Class {
        base: Base::Float,
        level: 0,
    };
    pub const NULL: Class = Class {
        base: Base::Void,
        level: 1,
    };
    pub const STRING: Class = Class {
        base: Base::Integer,
        level: 1,
    };

    pub fn is_pointer(self) -> bool {
        self.level > 0
    }

    pub fn is_float(self) -> bool {
        self.level == 0 && self.base == Base::Float
    }

    pub fn is_aggregate(self) -> bool {
        self.level == 0 && self.base == Base::Aggregate
    }

    /// The type one pointer or array further out (positive) or further in.
    pub fn raised(self, levels: i32) -> Class {
        Class {
            level: self.level.saturating_add(levels),
            ..self
        }
    }
}

type Scope<'a> = BTreeMap<&'a str, Class>;

/// The declared names of a file.
#[derive(Default)]
pub(super) struct Names<'a> {
    types: Scope<'a>,
    members: Scope<'a>,
    file: Scope<'a>,
    functions: Vec<Scope<'a>>,
}

/// Where a declared name is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameSpace {
    Type,
    Member,
    File,
    /// The function with this number.
    Function(usize),
}

impl<'a> Names<'a> {
    pub fn declare(&mut self, space: NameSpace, name: &'a str, class: Class) {
        let scope = match space {
            NameSpace::Type => &mut self.types,
            NameSpace::Member => &mut self.members,
            NameSpace::File => &mut self.file,
            NameSpace::Function(function) => {
                if self.functions.len() <= function {
                    self.functions.resize_with(function + 1, Scope::new);
                }
                &mut self.functions[function]
            }
        };
        let known = scope.entry(name).or_insert(class);
        if *known != class {
            *known = Class::UNKNOWN;
        }
    }

    pub fn type_name(&self, name: &str) -> Option<Class> {
        self.types.get(name).copied()
    }

    pub fn member(&self, name: &str) -> Class {
        self.members.get(name).copied().unwrap_or(Class::UNKNOWN)
    }

    pub fn variable(&self, function: Option<usize>, name: &str) -> Class {
        if name == "NULL" {
            return Class::NULL;
        }
        let local = function
            .and_then(|function| self.functions.get(function))
            .and_then(|scope| scope.get(name));
        local
            .or_else(|| self.file.get(name))
            .copied()
            .unwrap_or(Class::UNKNOWN)
    }
}

#[rustfmt::skip]
const QUALIFIERS: &[&str] = &[
    "_Atomic", "_Noreturn", "_Thread_local", "__const", "__extension__", "__inline", "__inline__", "__restrict",
    "__restrict__", "__volatile__", "auto", "const", "extern", "inline", "register", "restrict", "static", "typedef",
    "volatile",
];

#[rustfmt::skip]
const INTEGERS: &[&str] = &["_Bool", "__signed__", "char", "enum", "int", "long", "short", "signed", "unsigned"];

const FLOATS: &[&str] = &["_Complex", "_Imaginary", "double", "float"];

#[rustfmt::skip]
const CONSTRUCTED: &[&str] = &["_Alignas", "__attribute", "__attribute__", "__typeof__", "struct", "typeof", "union"];

/// Whether a keyword can only stand in a declaration or a type name.
pub(super) fn is_type_keyword(text: &str) -> bool {
    text == "void"
        || [QUALIFIERS, INTEGERS, FLOATS, CONSTRUCTED]
            .iter()
            .any(|words| words.contains(&text))
}

/// The base of a type and the token after it. Reads specifiers and qualifiers in any order up to the declarator.
pub(super) fn read_base(
    code: &Code<'_>,
    names: &Names<'_>,
    start: usize,
    end: usize,
) -> (Class, usize) {
    let mut class = None;
    let mut index = start;
    while index < end {
        let text = code.text(index);
        if QUALIFIERS.contains(&text) {
            index += 1;
        } else if matches!(text, "_Alignas" | "__attribute" | "__attribute__") {
            index = code.skip(index + 1);
        } else if matches!(text, "struct" | "union" | "enum") {
            let base = if text == "enum" {
                Base::Integer
            } else {
                Base::Aggregate
            };
            class = Some(Class { base, level: 0 });
            index = after_tag_and_body(code, index + 1);
        } else if matches!(text, "typeof" | "__typeof__") {
            class = Some(Class::UNKNOWN);
            index = code.skip(index + 1);
        } else if FLOATS.contains(&text) {
            class = Some(Class::FLOAT);
            index += 1;
        } else if INTEGERS.contains(&text) {
            // `long double` is a floating type, so a word that came before stays.
            class = class.or(Some(Class::INTEGER));
            index += 1;
        } else if text == "void" {
            class = Some(Class {
                base: Base::Void,
                level: 0,
            });
            index += 1;
        } else if code.is_identifier(index) && class.is_none() && names_a_type(code, index, end) {
            class = Some(names.type_name(text).unwrap_or(Class::UNKNOWN));
            index += 1;
        } else {
            break;
        }
    }
    // A declaration without a type is an `int` in old C.
    (class.unwrap_or(Class::INTEGER), index.min(end))
}

/// Whether an identifier before any other type word is the type and not the declared name itself.
fn names_a_type(code: &Code<'_>, index: usize, end: usize) -> bool {
    index + 1 >= end
        || !code.is_any(index + 1, &["(", "[", "=", ",", ";", ":"])
        || code.is(index + 2, "*")
}

/// The token after the attributes, tag and braces that may follow `struct`, `union` or `enum`.
fn after_tag_and_body(code: &Code<'_>, mut index: usize) -> usize {
    if code.is_any(index, &["__attribute", "__attribute__"]) {
        index = code.skip(index + 1);
    }
    if code.is_identifier(index) {
        index += 1;
    }
    if code.is(index, "{") {
        code.skip(index)
    } else {
        index
    }
}

/// The type that parentheses hold, when they hold nothing but a type name: a cast or the operand of `sizeof`.
pub(super) fn parenthesised_type(code: &Code<'_>, names: &Names<'_>, open: usize) -> Option<Class> {
    let close = code.close(open).filter(|_| code.is(open, "("))?;
    let first = code.text(open + 1);
    let named = code.is_identifier(open + 1);
    let pointer = named && is_pointer_run(code, open + 2);
    let alone = named && close == open + 2 && is_known_type(names, first);
    if !(is_type_keyword(first) || pointer || alone) {
        return None;
    }
    let (base, declarator) = read_base(code, names, open + 1, close);
    let stars = (declarator..close)
        .filter(|index| code.is_any(*index, &["*", "["]))
        .count();
    Some(base.raised(i32::try_from(stars).unwrap_or(i32::MAX)))
}

fn is_known_type(names: &Names<'_>, name: &str) -> bool {
    names.type_name(name).is_some() || name.ends_with("_t") || matches!(name, "FILE" | "bool")
}

/// Whether only `*` and qualifiers, at least one `*`, stand from here to a closing parenthesis or a comma.
pub(super) fn is_pointer_run(code: &Code<'_>, start: usize) -> bool {
    let mut index = start;
    while code.is(index, "*") || QUALIFIERS.contains(&code.text(index)) {
        index += 1;
    }
    (start..index).any(|index| code.is(index, "*")) && code.is_any(index, &[")", ","])
}

/// Whether a statement that begins here declares something.
pub(super) fn starts_declaration(code: &Code<'_>, names: &Names<'_>, index: usize) -> bool {
    if code.kind(index) == TokenKind::Keyword {
        return is_type_keyword(code.text(index));
    }
    if !code.is_identifier(index) {
        return false;
    }
    if code.is_identifier(index + 1) || is_type_keyword(code.text(index + 1)) {
        return true;
    }
    if code.is(index + 1, "(") && code.is(index + 2, "*") && code.is_identifier(index + 3) {
        return code.is(index + 4, ")")
            && (code.is(index + 5, "(") || is_known_type(names, code.text(index)));
    }
    let mut declared = index + 1;
    while code.is(declared, "*") || QUALIFIERS.contains(&code.text(declared)) {
        declared += 1;
    }
    // `a * b;` could be a product, but one whose value nobody uses.
    declared > index + 1
        && code.is_identifier(declared)
        && code.is_any(declared + 1, &["=", ";", ",", "[", "("])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(source: &str) -> (Class, String) {
        let code = Code::new(source);
        let (class, index) = read_base(&code, &Names::default(), 0, code.len());
        (class, code.text(index).to_owned())
    }

    #[test]
    fn specifiers_are_read_up_to_the_declarator() {
        assert_eq!(
            base("static const unsigned long x"),
            (Class::INTEGER, "x".to_owned())
        );
        assert_eq!(base("long double x"), (Class::FLOAT, "x".to_owned()));
        assert_eq!(base("struct a { int b; } *x").0.base, Base::Aggregate);
        assert_eq!(base("struct a { int b; } *x").1, "*");
        assert_eq!(base("FILE *f"), (Class::UNKNOWN, "*".to_owned()));
        assert_eq!(base("main()"), (Class::INTEGER, "main".to_owned()));
    }

    #[test]
    fn casts_are_told_from_parenthesised_expressions() {
        let class = |source: &str| parenthesised_type(&Code::new(source), &Names::default(), 0);
        assert_eq!(class("(int)x"), Some(Class::INTEGER));
        assert_eq!(class("(struct a **)x").map(|class| class.level), Some(2));
        assert_eq!(class("(foo *)x").map(|class| class.level), Some(1));
        assert_eq!(class("(size_t)x"), Some(Class::UNKNOWN));
        assert_eq!(class("(a * b)"), None);
        assert_eq!(class("(a)"), None);
        assert_eq!(class("()"), None);
    }

    #[test]
    fn declarations_are_told_from_expressions() {
        let declares = |source: &str| starts_declaration(&Code::new(source), &Names::default(), 0);
        for source in [
            "int x;",
            "size_t n = 0;",
            "FILE *f;",
            "node **p = q;",
            "T (*f)(int);",
            "a * const b = c;",
        ] {
            assert!(declares(source), "{source}");
        }
        for source in [
            "x = 1;",
            "f(x);",
            "a * b + c;",
            "*p = 1;",
            "f (*p);",
            "x++;",
            "return x;",
            "",
        ] {
            assert!(!declares(source), "{source}");
        }
    }

    #[test]
    fn a_name_declared_in_two_ways_is_unknown() {
        let mut names = Names::default();
        names.declare(NameSpace::Function(1), "x", Class::INTEGER);
        names.declare(NameSpace::File, "x", Class::FLOAT);
        assert_eq!(names.variable(Some(1), "x"), Class::INTEGER);
        assert_eq!(names.variable(Some(0), "x"), Class::FLOAT);
        names.declare(NameSpace::Function(1), "x", Class::STRING);
        assert_eq!(names.variable(Some(1), "x"), Class::UNKNOWN);
    }
}
