//! Mutants of C sources.
//!
//! [`mutants`] works on the tokens of [`lex`] and on an outline of the file: which tokens are code of a function body,
//! where its statements, conditions, labels and returns are, and as much of the declared types as the file itself
//! tells. It is not a C parser and expands no macro; the outline is a guess where C cannot be read without its headers.
//! A wrong guess costs a mutant that is missing or does not compile, never a panic and never a change in a
//! preprocessor line, a declared type, an array size, a prototype or a string.
//!
//! Source: the ARTsum paper, Section 4.2.3, which made mutants of `grep` by exchanging `break` and `continue`, the labels
//! of `goto`s, and arithmetic and logical operators, one change each; and the kinds of change that C mutation tools such
//! as Proteum (Section 4.2.2) have in common.
//!
//! Differences: the further operators of [`Operator`] are added. Of Proteum's 71 operators those that need the scope of
//! variables (one variable for another) or code around the program (traps) are not here.
//!
//! # For the driver that compiles the mutants
//!
//! - Write each mutant under the *same file name* in a folder of its own and compile it by the same relative path:
//!   `__FILE__` and the symbol table hold the name.
//! - Compile with `-g0` when objects are compared ([`filter_by_object_code`](crate::filter_by_object_code)): debug
//!   information holds lines and columns. Every mutant has the lines of the original, so `__LINE__` and `assert` agree. Compare at `-O1` or above: without optimisation few equivalent mutants look equal.
//! - `__DATE__` and `__TIME__` make every object differ; define them away.
//! - A mutant may read a variable that it no longer sets. `-ftrivial-auto-var-init=zero` (GCC 12, Clang 16) makes such
//!   a mutant give the same output in every run.

mod code;
mod conditional;
mod constants;
mod declaration;
mod file_scope;
mod flow;
mod lex;
mod operand;
mod operators;
mod outline;
mod site;
mod statement;
mod types;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

pub use lex::{Token, TokenKind, lex};

use crate::{Mutant, Operator};
use code::Code;
use outline::outline;
use site::Sites;

/// Which mutants to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The operators to use.
    pub operators: BTreeSet<Operator>,
    /// Only mutants that start in one of these line ranges; empty for all lines.
    pub lines: Vec<RangeInclusive<usize>>,
    /// Only mutants inside the bodies of these functions; empty for the whole file.
    pub functions: Vec<String>,
    /// Whether the constants of `case` labels are changed too. Many such mutants do not compile, because a label with
    /// the new value is there already.
    pub case_labels: bool,
}

impl Default for Options {
    /// All operators, the whole file, no `case` labels.
    fn default() -> Options {
        Options {
            operators: Operator::ALL.into_iter().collect(),
            lines: Vec::new(),
            functions: Vec::new(),
            case_labels: false,
        }
    }
}

/// A function that the source defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its lines, from the first of its header to that of its closing brace.
    pub lines: RangeInclusive<usize>,
}

/// All mutants of a source that the options allow, in the order of their places. Accepts any text.
pub fn mutants(source: &str, options: &Options) -> Vec<Mutant> {
    let code = Code::new(source);
    let outline = outline(&code, options.case_labels);
    let mut sites = Sites::new(&code, &outline, options);
    operators::visit(&mut sites);
    constants::visit(&mut sites);
    flow::visit(&mut sites);
    sites.into_mutants()
}

/// The functions that a source defines, in order: what [`Options::functions`] can name.
pub fn functions(source: &str) -> Vec<Function> {
    let code = Code::new(source);
    let outline = outline(&code, false);
    let lines = site::Lines::new(source);
    let describe = |function: &outline::FunctionOutline<'_>| Function {
        name: function.name.to_owned(),
        lines: lines.line(code.start(function.header.start))
            ..=lines.line(code.start(function.body.end)),
    };
    outline.functions.iter().map(describe).collect()
}
