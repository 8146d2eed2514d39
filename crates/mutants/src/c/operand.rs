//! Operands: tells binary from unary operators by what stands before them, and guesses what type an operand has.

use super::code::Code;
use super::lex::TokenKind;
use super::outline::Outline;
use super::types::{Base, Class, is_pointer_run, is_type_keyword, parenthesised_type};

/// How many parentheses around an operand are looked through, how many tokens in them, and how many factors.
const DEEPEST: usize = 8;
const LONGEST_GROUP: usize = 64;
const LONGEST_PRODUCT: usize = 8;

/// Reads expressions of an outlined file.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a, 'c> {
    pub code: &'c Code<'a>,
    pub outline: &'c Outline<'a>,
}

impl Operands<'_, '_> {
    /// Whether a token can be the last of an operand, so that an operator after it is binary.
    fn ends_operand(self, index: usize) -> bool {
        match self.code.kind(index) {
            TokenKind::Identifier | TokenKind::Number | TokenKind::Char | TokenKind::String => true,
            TokenKind::Punctuator => match self.code.text(index) {
                "]" => true,
                ")" => !self.is_cast_end(index),
                "++" | "--" => self.is_postfix(index),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_cast_end(self, close: usize) -> bool {
        let Some(open) = self.code.partner(close) else {
            return false;
        };
        let measured = open > 0
            && self
                .code
                .is_any(open - 1, &["sizeof", "_Alignof", "alignof", "typeof"]);
        !measured && parenthesised_type(self.code, &self.outline.names, open).is_some()
    }

    /// Whether `++` or `--` stands after its operand.
    pub fn is_postfix(self, index: usize) -> bool {
        let before = index
            .checked_sub(1)
            .filter(|_| !self.outline.expression_starts.contains(&index));
        before.is_some_and(|before| match self.code.kind(before) {
            TokenKind::Identifier => true,
            TokenKind::Punctuator => {
                self.code.is(before, "]")
                    || (self.code.is(before, ")") && !self.is_cast_end(before))
            }
            _ => false,
        })
    }

    /// Whether an operator that may be unary has a left operand, and is not a `*` of a pointer type.
    pub fn is_binary(self, index: usize) -> bool {
        let starts = self.outline.expression_starts.contains(&index);
        let has_left = !starts
            && index
                .checked_sub(1)
                .is_some_and(|before| self.ends_operand(before));
        let in_type =
            || is_pointer_run(self.code, index) || is_type_keyword(self.code.text(index + 1));
        has_left && !(self.code.is(index, "*") && in_type())
    }

    /// The type of the operand that ends before an operator.
    pub fn left(self, operator: usize) -> Class {
        match operator.checked_sub(1) {
            Some(last) => self.class(self.operand_start(last), 0).0,
            None => Class::UNKNOWN,
        }
    }

    /// Whether a product that ends before an operator has a floating factor.
    pub fn left_product_is_float(self, operator: usize) -> bool {
        let mut operator = operator;
        for _ in 0..LONGEST_PRODUCT {
            let Some(last) = operator.checked_sub(1) else {
                return false;
            };
            let start = self.operand_start(last);
            if self.class(start, 0).0.is_float() {
                return true;
            }
            match start.checked_sub(1) {
                Some(before)
                    if self.code.is_any(before, &["*", "/", "%"]) && self.is_binary(before) =>
                {
                    operator = before;
                }
                _ => return false,
            }
        }
        false
    }

    /// The type of the operand that starts after an operator.
    pub fn right(self, operator: usize) -> Class {
        self.class(operator + 1, 0).0
    }

    /// The first token of the unary expression that ends with `last`.
    fn operand_start(self, last: usize) -> usize {
        let mut index = last;
        // Back over calls, subscripts, postfix operators and member names to the primary expression.
        while index > 0 && !self.outline.expression_starts.contains(&index) {
            let before = index - 1;
            index = match self.code.text(index) {
                ")" | "]" => match self.code.partner(index) {
                    Some(open) if open > 0 && self.ends_operand(open - 1) => open - 1,
                    Some(open) => {
                        index = open;
                        break;
                    }
                    None => break,
                },
                "++" | "--" => before,
                _ if self.code.is_any(before, &[".", "->"]) && before > 0 => before - 1,
                _ => break,
            };
        }
        self.prefix_start(index)
    }

    /// Back over prefix operators, casts and `sizeof`.
    fn prefix_start(self, primary: usize) -> usize {
        const PREFIXES: &[&str] = &["*", "&", "-", "+", "!", "~", "++", "--", "sizeof"];
        let mut index = primary;
        while index > 0 && !self.outline.expression_starts.contains(&index) {
            let before = index - 1;
            if self.code.is_any(before, PREFIXES) && !self.is_binary(before) {
                index = before;
            } else if self.code.is(before, ")") && self.is_cast_end(before) {
                index = self.code.partner(before).unwrap_or(before);
            } else {
                break;
            }
        }
        index
    }

    /// The type of the unary expression that starts here, and the token after it.
    fn class(self, start: usize, depth: usize) -> (Class, usize) {
        let code = self.code;
        let mut raise = 0;
        let mut cast = None;
        let mut index = start;
        loop {
            match code.text(index) {
                "*" => raise -= 1,
                "&" => raise += 1,
                "-" | "+" | "~" | "++" | "--" => {}
                "!" | "sizeof" | "_Alignof" => cast = cast.or(Some(Class::INTEGER.raised(raise))),
                "(" if parenthesised_type(code, &self.outline.names, index).is_some() => {
                    let class = parenthesised_type(code, &self.outline.names, index)
                        .unwrap_or(Class::UNKNOWN);
                    cast = cast.or(Some(class.raised(raise)));
                    index = code.skip(index);
                    continue;
                }
                _ => break,
            }
            index += 1;
        }
        let (class, next) = self.postfix(index, depth);
        (cast.unwrap_or_else(|| class.raised(raise)), next)
    }

    /// The type of a primary expression with its subscripts, members and calls, and the token after it.
    fn postfix(self, start: usize, depth: usize) -> (Class, usize) {
        let code = self.code;
        let mut class = match code.kind(start) {
            TokenKind::Identifier => self
                .outline
                .names
                .variable(self.outline.function_at(start), code.text(start)),
            TokenKind::Number if is_float(code.text(start)) => Class::FLOAT,
            TokenKind::Number | TokenKind::Char => Class::INTEGER,
            TokenKind::String => Class::STRING,
            _ if code.is(start, "(") => self.group(start, depth),
            _ => Class::UNKNOWN,
        };
        let mut index = code.skip(start);
        loop {
            match code.text(index) {
                "[" => class = class.raised(-1),
                "." | "->" => {
                    index += 1;
                    class = self.outline.names.member(code.text(index));
                }
                "(" if class.base == Base::Function => class = Class::UNKNOWN,
                "(" | "++" | "--" => {}
                _ => return (class, index),
            }
            index = code.skip(index);
        }
    }

    /// The type of a parenthesised expression: that of its only operand; else floating if it has a floating operand.
    fn group(self, open: usize, depth: usize) -> Class {
        let Some(close) = self.code.close(open).filter(|_| depth < DEEPEST) else {
            return Class::UNKNOWN;
        };
        let (class, next) = self.class(open + 1, depth + 1);
        if next == close {
            return class;
        }
        let function = self.outline.function_at(open);
        let floats =
            (open + 1..close)
                .take(LONGEST_GROUP)
                .any(|index| match self.code.kind(index) {
                    TokenKind::Number => is_float(self.code.text(index)),
                    TokenKind::Identifier => {
                        let name = self.code.text(index);
                        let base = self.outline.names.variable(function, name).base;
                        base == Base::Float || self.outline.names.member(name).base == Base::Float
                    }
                    _ => false,
                });
        if floats { Class::FLOAT } else { Class::UNKNOWN }
    }
}

/// Whether a number is a floating constant.
pub(super) fn is_float(number: &str) -> bool {
    let lower = number.to_ascii_lowercase();
    match lower.strip_prefix("0x") {
        Some(hexadecimal) => hexadecimal.contains(['.', 'p']),
        None => !lower.starts_with("0b") && lower.contains(['.', 'e']),
    }
}
