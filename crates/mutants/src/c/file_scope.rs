//! File scope: tells function definitions from everything else between them.
//!
//! Definitions may be of either style, with the parameter types in the parentheses or (before 1989) in declarations
//! between the parentheses and the body. Prototypes and type definitions only leave names behind.

use std::ops::Range;

use super::code::Code;
use super::lex::TokenKind;
use super::outline::{FunctionOutline, Walker};
use super::types::{NameSpace, is_type_keyword, read_base};

impl<'a> Walker<'a, '_> {
    /// The whole file.
    pub fn file(&mut self) {
        let code = self.code;
        let mut start = 0;
        let mut index = 0;
        while index < code.len() {
            match code.text(index) {
                ";" if !has_old_parameters(code, start..index) => {
                    self.declaration(start..index);
                    index += 1;
                    start = index;
                }
                "{" if self.belongs_to_declaration(start, index) => index = code.skip(index),
                "{" => {
                    index = self.braces(start, index);
                    start = index;
                }
                "}" => {
                    index += 1;
                    start = index;
                }
                _ => index = code.skip(index),
            }
        }
    }

    /// Whether braces at file scope are the body of a type or an initialiser.
    fn belongs_to_declaration(&self, start: usize, open: usize) -> bool {
        let code = self.code;
        let is_record = |index: usize| code.is_any(index, &["struct", "union", "enum"]);
        let tagged = (open.saturating_sub(2).max(start)..open).any(is_record);
        code.find(start..open, "=").is_some()
            || tagged
            || (function_name(code, start..open).is_none() && (start..open).any(is_record))
    }

    /// Other braces at file scope; gives the token after them, or the first inside of `extern "C" {`.
    fn braces(&mut self, start: usize, open: usize) -> usize {
        let code = self.code;
        let close = code.close(open).unwrap_or(code.len());
        if open == start + 2
            && code.is(start, "extern")
            && code.kind(start + 1) == TokenKind::String
        {
            return open + 1;
        }
        if let Some(name) = function_name(code, start..open) {
            self.function_definition(start..open, name, close);
        }
        close + 1
    }

    fn function_definition(&mut self, header: Range<usize>, name: usize, close: usize) {
        let code = self.code;
        let (base, declarator) = read_base(code, &self.outline.names, header.start, name);
        let stars = (declarator..name)
            .filter(|index| code.is(*index, "*"))
            .count();
        let returns = base.raised(i32::try_from(stars).unwrap_or(i32::MAX));
        self.outline
            .names
            .declare(NameSpace::File, code.text(name), returns);
        let body = header.end + 1..close;
        let body_brace = header.end;
        self.function = Some(self.outline.functions.len());
        self.outline.functions.push(FunctionOutline {
            name: code.text(name),
            header,
            body: body.clone(),
            returns,
            labels: Vec::new(),
            gotos: Vec::new(),
        });
        self.loops = 0;
        self.parameters(name + 1, body_brace);
        self.statements(body);
        self.function = None;
    }

    /// The parameters in the parentheses at `open` and in the declarations between them and the body's brace.
    fn parameters(&mut self, open: usize, body: usize) {
        let Some(close) = self.code.close(open) else {
            return;
        };
        for parameter in self.code.split(open + 1..close, ",") {
            // In an old definition the parentheses hold bare names, whose types follow.
            if parameter.len() > 1 {
                self.parameter(parameter);
            }
        }
        if self.code.is(body.saturating_sub(1), ";") {
            for declaration in self.code.split(close + 1..body - 1, ";") {
                self.declaration(declaration);
            }
        }
    }
}

/// The name in the header of a function definition.
fn function_name(code: &Code<'_>, header: Range<usize>) -> Option<usize> {
    let named = |index: &usize| starts_call(code, *index);
    if header.is_empty() || code.find(header.clone(), "=").is_some() {
        return None;
    }
    if code.is(header.end - 1, ";") {
        return top_level(code, header).find(named);
    }
    let last_part = code.split(header.clone(), ";").pop().unwrap_or(header);
    let last = top_level(code, last_part.clone()).filter(named).last();
    // A function that returns a pointer to a function has its name inside of parentheses.
    last.or_else(|| last_part.clone().find(named))
        .filter(|_| code.find(last_part, "(").is_some())
}

/// Whether a name with parentheses stands here.
fn starts_call(code: &Code<'_>, index: usize) -> bool {
    code.is_identifier(index) && code.is(index + 1, "(")
}

/// The tokens of a range outside of inner groups.
fn top_level<'c>(code: &'c Code<'_>, range: Range<usize>) -> impl Iterator<Item = usize> + 'c {
    let end = range.end;
    std::iter::successors(Some(range.start), |index| Some(code.skip(*index)))
        .take_while(move |index| *index < end)
}

/// Whether a declaration that a semicolon ends is really the first part of an old function header: bare names in
/// parentheses, then a type and what it declares.
fn has_old_parameters(code: &Code<'_>, range: Range<usize>) -> bool {
    let Some(name) = top_level(code, range.clone()).find(|index| starts_call(code, *index)) else {
        return false;
    };
    let Some(close) = code.close(name + 1).filter(|close| *close > name + 2) else {
        return false;
    };
    let bare = (name + 2..close).all(|index| code.is_identifier(index) || code.is(index, ","));
    let after = close + 1;
    if !bare || after >= range.end {
        return false;
    }
    if code.is_identifier(after) {
        return code.is_identifier(after + 1) || code.is(after + 1, "*");
    }
    is_type_keyword(code.text(after)) && !code.text(after).starts_with("__attribute")
}
