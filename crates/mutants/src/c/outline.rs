//! What the passes over a file find out before any mutant is made: which tokens may be changed, and where statements,
//! conditions, jumps, labels and returns are.

use std::collections::BTreeSet;
use std::ops::Range;

use super::code::Code;
use super::types::{Class, NameSpace, Names};

/// How much of a token may be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    Nothing,
    /// Numbers and character constants only.
    Constants,
    Everything,
}

/// A function definition, in token numbers.
pub(super) struct FunctionOutline<'a> {
    pub name: &'a str,
    pub header: Range<usize>,
    /// The body without its braces; the end is the closing brace.
    pub body: Range<usize>,
    /// The type it returns.
    pub returns: Class,
    pub labels: Vec<usize>,
    /// The labels named by `goto`s.
    pub gotos: Vec<usize>,
}

/// A `break` or `continue`.
pub(super) struct LoopJump {
    pub token: usize,
    /// Whether a loop is around it, so that `continue` is allowed.
    pub in_loop: bool,
}

/// The outline of a file.
pub(super) struct Outline<'a> {
    pub touch: Vec<Touch>,
    pub names: Names<'a>,
    pub functions: Vec<FunctionOutline<'a>>,
    /// The statements that can be left out.
    pub statements: Vec<Range<usize>>,
    /// The conditions of `if`, `while`, `do` and `for`.
    pub conditions: Vec<Range<usize>>,
    pub loop_jumps: Vec<LoopJump>,
    /// The returned expressions.
    pub returned: Vec<Range<usize>>,
    /// The first tokens of expressions and statements: nothing to the left belongs to them.
    pub expression_starts: BTreeSet<usize>,
}

impl Outline<'_> {
    /// The number of the function whose body holds a token.
    pub fn function_at(&self, token: usize) -> Option<usize> {
        let next = self
            .functions
            .partition_point(|function| function.body.start <= token);
        let index = next.checked_sub(1)?;
        (token < self.functions[index].body.end).then_some(index)
    }
}

/// Builds an outline while it walks over a file. The steps are spread over the files of this folder: declarations,
/// file scope, statements.
pub(super) struct Walker<'a, 'c> {
    pub code: &'c Code<'a>,
    pub outline: Outline<'a>,
    pub case_labels: Touch,
    /// The function that is walked through.
    pub function: Option<usize>,
    /// How many loops are around the present statement.
    pub loops: usize,
    /// How many statements are around the present one.
    pub depth: usize,
}

impl Walker<'_, '_> {
    /// Where names declared at the present place are known.
    pub fn space(&self) -> NameSpace {
        self.function.map_or(NameSpace::File, NameSpace::Function)
    }

    pub fn set_touch(&mut self, range: Range<usize>, touch: Touch) {
        let end = range.end.min(self.outline.touch.len());
        if range.start < end {
            self.outline.touch[range.start..end].fill(touch);
        }
    }
}

/// Walks over a file; with `case_labels` the constants of `case` labels may be changed.
pub(super) fn outline<'a>(code: &Code<'a>, case_labels: bool) -> Outline<'a> {
    let outline = Outline {
        touch: vec![Touch::Nothing; code.len()],
        names: Names::default(),
        functions: Vec::new(),
        statements: Vec::new(),
        conditions: Vec::new(),
        loop_jumps: Vec::new(),
        returned: Vec::new(),
        expression_starts: BTreeSet::new(),
    };
    let case_labels = if case_labels {
        Touch::Constants
    } else {
        Touch::Nothing
    };
    let mut walker = Walker {
        code,
        outline,
        case_labels,
        function: None,
        loops: 0,
        depth: 0,
    };
    walker.file();
    walker.outline
}
