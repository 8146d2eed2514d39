//! Statements of a function body: finds those that can be left out, conditions, jumps, labels and returns.
//!
//! A macro that stands for the head of a loop (`EACH(x) { … }`) is taken for one. Statements nested more than
//! [`DEEPEST`] deep are left alone, so that no input can exhaust the stack.

use std::ops::Range;

use super::outline::{LoopJump, Walker};
use super::types::starts_declaration;

const DEEPEST: usize = 200;

impl Walker<'_, '_> {
    /// A list of statements.
    pub fn statements(&mut self, range: Range<usize>) {
        let mut index = range.start;
        while index < range.end {
            index = self.statement(index, range.end);
        }
    }

    /// The statements between the braces that open here.
    pub fn block(&mut self, open: usize) {
        if let Some(close) = self.code.close(open) {
            self.nested(|walker| walker.statements(open + 1..close));
        }
    }

    fn nested(&mut self, walk: impl FnOnce(&mut Self)) {
        if self.depth < DEEPEST {
            self.depth += 1;
            walk(self);
            self.depth -= 1;
        }
    }

    /// One statement; gives the token after it.
    fn statement(&mut self, start: usize, limit: usize) -> usize {
        let start = self.labels(start, limit);
        if start >= limit {
            return limit;
        }
        match self.code.text(start) {
            "{" => {
                self.block(start);
                self.code.skip(start)
            }
            ";" | "else" | "}" => start + 1,
            "if" => self.control(start, limit, Walker::if_statement),
            "while" => self.control(start, limit, Walker::while_statement),
            "do" => self.control(start, limit, Walker::do_statement),
            "for" => self.control(start, limit, Walker::for_statement),
            "switch" => self.control(start, limit, Walker::switch_statement),
            "return" => self.return_statement(start, limit),
            "goto" => self.goto_statement(start, limit),
            "break" | "continue" => self.loop_jump(start, limit),
            "asm" | "__asm" | "__asm__" | "_Static_assert" | "static_assert" => {
                self.semicolon(start, limit).map_or(limit, |end| end + 1)
            }
            _ if starts_declaration(self.code, &self.outline.names, start) => {
                let end = self.semicolon(start, limit).unwrap_or(limit);
                self.declaration(start..end);
                end + 1
            }
            _ => self.expression_statement(start, limit),
        }
    }

    /// Steps over labels and notes their names.
    fn labels(&mut self, start: usize, limit: usize) -> usize {
        let code = self.code;
        let mut index = start;
        while index < limit {
            if code.is(index, "case") {
                let colon = self.case_colon(index + 1, limit);
                self.set_touch(index + 1..colon, self.case_labels);
                index = colon + 1;
            } else if code.is(index, "default") && code.is(index + 1, ":") {
                index += 2;
            } else if code.is_identifier(index) && code.is(index + 1, ":") {
                if let Some(function) = self.function {
                    self.outline.functions[function].labels.push(index);
                }
                index += 2;
            } else {
                break;
            }
        }
        index
    }

    /// The colon that ends a `case` label, past those of conditional expressions.
    fn case_colon(&self, start: usize, limit: usize) -> usize {
        let mut open = 0;
        let mut index = start;
        while index < limit {
            match self.code.text(index) {
                "?" => open += 1,
                ":" if open == 0 => return index,
                ":" => open -= 1,
                _ => {}
            }
            index = self.code.skip(index);
        }
        limit
    }

    fn semicolon(&self, start: usize, limit: usize) -> Option<usize> {
        self.code.find(start..limit, ";")
    }

    /// A statement that holds others. One that is nested too deep takes the rest of its block with it.
    fn control(
        &mut self,
        start: usize,
        limit: usize,
        walk: fn(&mut Self, usize, usize) -> Option<usize>,
    ) -> usize {
        let mut next = Some(limit);
        let mut walked = false;
        self.nested(|walker| {
            next = walk(walker, start, limit);
            walked = true;
        });
        if let Some(next) = next.filter(|_| walked) {
            self.outline.statements.push(start..next);
        }
        next.unwrap_or(start + 1)
    }

    /// What the parentheses after a keyword hold, and the token after them.
    fn head(&self, keyword: usize) -> Option<(Range<usize>, usize)> {
        let close = self
            .code
            .close(keyword + 1)
            .filter(|_| self.code.is(keyword + 1, "("))?;
        Some((keyword + 2..close, close + 1))
    }

    fn condition(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.expression(range.clone());
            self.outline.conditions.push(range);
        }
    }

    fn if_statement(&mut self, start: usize, limit: usize) -> Option<usize> {
        let (condition, body) = self.head(start)?;
        self.condition(condition);
        let next = self.statement(body, limit);
        let has_else = next < limit && self.code.is(next, "else");
        Some(if has_else {
            self.statement(next + 1, limit)
        } else {
            next
        })
    }

    fn while_statement(&mut self, start: usize, limit: usize) -> Option<usize> {
        let (condition, body) = self.head(start)?;
        self.condition(condition);
        Some(self.loop_body(body, limit))
    }

    fn do_statement(&mut self, start: usize, limit: usize) -> Option<usize> {
        let next = self.loop_body(start + 1, limit);
        let head = self
            .head(next)
            .filter(|_| next < limit && self.code.is(next, "while"));
        let Some((condition, after)) = head else {
            return Some(next);
        };
        self.condition(condition);
        Some(if self.code.is(after, ";") {
            after + 1
        } else {
            after
        })
    }

    fn for_statement(&mut self, start: usize, limit: usize) -> Option<usize> {
        let (clauses, body) = self.head(start)?;
        match self.code.split(clauses.clone(), ";").as_slice() {
            [first, condition, step] => {
                if starts_declaration(self.code, &self.outline.names, first.start) {
                    self.declaration(first.clone());
                } else if !first.is_empty() {
                    self.expression(first.clone());
                }
                self.condition(condition.clone());
                if !step.is_empty() {
                    self.expression(step.clone());
                }
            }
            _ => self.expression(clauses),
        }
        Some(self.loop_body(body, limit))
    }

    fn switch_statement(&mut self, start: usize, limit: usize) -> Option<usize> {
        let (value, body) = self.head(start)?;
        self.expression(value);
        Some(self.statement(body, limit))
    }

    fn loop_body(&mut self, start: usize, limit: usize) -> usize {
        self.loops += 1;
        let next = self.statement(start, limit);
        self.loops -= 1;
        next
    }

    fn return_statement(&mut self, start: usize, limit: usize) -> usize {
        let Some(end) = self.semicolon(start, limit) else {
            return limit;
        };
        if end > start + 1 {
            self.expression(start + 1..end);
            self.outline.returned.push(start + 1..end);
        }
        // Without its last return a function would end with no value at all.
        let last = self
            .function
            .is_some_and(|function| self.outline.functions[function].body.end == end + 1);
        if !last {
            self.outline.statements.push(start..end + 1);
        }
        end + 1
    }

    fn goto_statement(&mut self, start: usize, limit: usize) -> usize {
        let Some(end) = self.semicolon(start, limit) else {
            return limit;
        };
        if self.code.is_identifier(start + 1)
            && end == start + 2
            && let Some(function) = self.function
        {
            self.outline.functions[function].gotos.push(start + 1);
        }
        self.outline.statements.push(start..end + 1);
        end + 1
    }

    fn loop_jump(&mut self, start: usize, limit: usize) -> usize {
        if !self.code.is(start + 1, ";") || start + 1 >= limit {
            return start + 1;
        }
        self.outline.loop_jumps.push(LoopJump {
            token: start,
            in_loop: self.loops > 0,
        });
        self.outline.statements.push(start..start + 2);
        start + 2
    }

    fn expression_statement(&mut self, start: usize, limit: usize) -> usize {
        if let Some(next) = self.macro_head(start, limit) {
            return next;
        }
        let end = self.semicolon(start, limit);
        self.expression(start..end.unwrap_or(limit));
        let Some(end) = end else { return limit };
        self.outline.statements.push(start..end + 1);
        end + 1
    }

    /// A macro call with no semicolon: before braces it heads a loop, before a keyword it is a statement of its own.
    fn macro_head(&mut self, start: usize, limit: usize) -> Option<usize> {
        const STATEMENTS: &[&str] = &[
            "if", "while", "do", "for", "switch", "return", "goto", "break", "continue", "case",
            "default",
        ];
        let close = self
            .code
            .close(start + 1)
            .filter(|_| self.code.is(start + 1, "("))?;
        let after = close + 1;
        if !self.code.is_identifier(start) || after >= limit {
            return None;
        }
        if self.code.is(after, "{") {
            return Some(self.control(start, limit, Walker::macro_loop));
        }
        if self.code.is_any(after, STATEMENTS) {
            self.expression(start..after);
            return Some(after);
        }
        None
    }

    fn macro_loop(&mut self, start: usize, limit: usize) -> Option<usize> {
        let (_, body) = self.head(start)?;
        self.expression(start..body);
        Some(self.loop_body(body, limit))
    }
}
