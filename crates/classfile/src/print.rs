//! Prints a class readably, for people and for tests.
//!
//! Shows names instead of numbers of constants, and lines, frames and handlers where they apply in the code. Long texts are
//! cut. A part that is malformed is printed as an error in its place, so every class that parses prints. The text is not
//! meant to be read back.

mod attribute;
mod code;
mod flags;
mod text;

use std::fmt::Write;

use crate::attributes;
use crate::class::ClassFile;
use crate::error::Error;
use crate::member::Member;

/// Lines of text with an indent.
struct Printer<'c> {
    class: &'c ClassFile<'c>,
    out: String,
    indent: usize,
}

/// The readable text of a class.
pub fn print(class: &ClassFile) -> String {
    let mut printer = Printer {
        class,
        out: String::new(),
        indent: 0,
    };
    printer.class();
    printer.out
}

impl Printer<'_> {
    /// Prints one line.
    fn line(&mut self, text: &str) {
        let indent = self.indent;
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    /// Prints what is wrong with a part.
    fn failed(&mut self, error: &Error) {
        self.line(&format!("error: {error}"));
    }

    /// Prints with a deeper indent.
    fn inside(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += 2;
        print(self);
        self.indent -= 2;
    }

    fn class(&mut self) {
        let class = self.class;
        let mut head = flags::class(class.access);
        head.push(text::short(class.name()));
        if let Some(name) = class.super_name() {
            head.push(format!("extends {}", text::short(name)));
        }
        let interfaces: Vec<String> = class.interface_names().map(text::short).collect();
        if !interfaces.is_empty() {
            head.push(format!("implements {}", interfaces.join(", ")));
        }
        self.line(&head.join(" "));
        self.inside(|printer| {
            printer.line(&format!("version {}.{}", class.major, class.minor));
            printer.attributes(&class.attributes);
            for field in &class.fields {
                printer.member(flags::field(field.access), field);
            }
            for method in &class.methods {
                printer.member(flags::method(method.access), method);
                printer.inside(|printer| printer.code(method));
            }
        });
    }

    fn member(&mut self, mut head: Vec<String>, member: &Member) {
        let pool = &self.class.pool;
        let name = text::short(member.name(pool));
        head.push(format!("{name} {}", text::short(member.descriptor(pool))));
        self.out.push('\n');
        self.line(&head.join(" "));
        self.inside(|printer| printer.attributes(&member.attributes));
    }

    /// The line table of a method as pairs of offset and line, by offset; empty when it is malformed.
    fn lines(&self, code: &crate::Code) -> Vec<(u32, u16)> {
        let pool = &self.class.pool;
        let tables = code.attributes.iter();
        let tables = tables.filter(|one| pool.is_utf8(one.name, "LineNumberTable"));
        let mut lines: Vec<(u32, u16)> = tables
            .filter_map(|table| attributes::line_numbers(table).ok())
            .flatten()
            .map(|row| (u32::from(row.pc), row.line))
            .collect();
        lines.sort_by_key(|(pc, _)| *pc);
        lines
    }
}
