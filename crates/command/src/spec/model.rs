//! What a specification says, compiled: plain data that the rest of this crate works with.

use super::place::{Fault, Source, Span, SpecError};
use super::template::Template;
use crate::expression::Expression;
use crate::generate::{Generator, Grammar};
use engine::frames::FrameSpace;
use regex::bytes::Regex;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An input specification.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The name of its file, without ending.
    pub name: String,
    /// One line for people.
    pub about: String,
    /// How the program is run.
    pub run: Run,
    /// The categories with their chances and constraints, as the engine draws them.
    pub space: FrameSpace,
    /// What the engine does not need of the categories, in the same order.
    pub categories: Vec<CategorySpec>,
    /// The whole-input generator.
    pub input: Option<Generator>,
    /// The rules of `[grammar]`; empty where there are none.
    pub grammar: Grammar,
    /// Existing inputs to learn from.
    pub learn: Option<Learn>,
    /// What counts as a failure.
    pub oracle: OracleSpec,
    /// The text it was read from, for errors with places.
    pub source: Source,
    /// Every made category and, as the number of categories, the whole input, in an order in which all references look
    /// back.
    pub(crate) order: Vec<usize>,
}

/// `[run]`: how the program is run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The program, or what it is compiled from.
    pub subject: Subject,
    /// The arguments.
    pub args: Vec<Argument>,
    /// Standard input.
    pub stdin: Template,
    /// Files to make, by name inside the scratch folder.
    pub files: BTreeMap<String, Template>,
    /// Environment variables.
    pub env: BTreeMap<String, Template>,
    /// The working folder inside the scratch folder; empty for the scratch folder itself.
    pub folder: String,
    /// How long one execution may take.
    pub timeout: Duration,
    /// What the sandbox lets the program do beyond the default.
    pub allow: Vec<Allow>,
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A name on `PATH`, or a path relative to the specification when it contains a `/`.
    Program(String),
    /// A C file, relative to the specification, that is compiled first.
    Source {
        /// The C file.
        source: String,
        /// Flags for the compiler.
        compile: Vec<String>,
        /// Where `source` is written.
        span: Span,
    },
}

/// An element of `args`.
#[derive(Clone, Debug)]
pub enum Argument {
    /// One argument; dropped when all its placeholders are absent.
    One(Template),
    /// A placeholder whose text is split at white space.
    Split(Template),
    /// Elements that are dropped together when any of their placeholders is absent; never holds a group.
    Group(Vec<Argument>),
}

/// Something the sandbox is asked to let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allow {
    /// `write:DIR`
    Write(PathBuf),
    /// `net:HOST:PORT`
    Net(String, u16),
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allow::Write(folder) => write!(f, "write:{}", folder.display()),
            Allow::Net(host, port) => write!(f, "net:{host}:{port}"),
        }
    }
}

/// What a category needs beyond its entry in the frame space.
#[derive(Clone, Debug)]
pub struct CategorySpec {
    /// One line for people.
    pub about: String,
    /// `derived = true` was given.
    pub derived: bool,
    /// Where its text stands in an existing input.
    pub from: Option<From>,
    /// Its choices; number `l` of the frame space is at index `l - 1`.
    pub choices: Vec<ChoiceSpec>,
    /// Where its name is written.
    pub span: Span,
}

/// What a choice needs beyond its entry in the frame space.
#[derive(Clone, Debug)]
pub struct ChoiceSpec {
    /// How its text is made; `None` where it is read off the finished input.
    pub generator: Option<Generator>,
    /// `match`: whether a text belongs to it.
    pub matches: Option<Expression>,
    /// Texts seen in existing inputs, from which `[learn]` draws.
    pub observed: Vec<String>,
    /// Where its name is written.
    pub span: Span,
}

/// Where the text of a category stands in an existing input.
#[derive(Clone, Debug)]
pub enum From {
    /// The i-th argument, from 1.
    Arg(usize),
    /// The argument after this one.
    After(String),
    /// The first group of this pattern in standard input.
    Stdin(Regex),
    /// The contents of a file.
    File(String),
    /// A variable.
    Env(String),
}

/// `[learn]`: a folder of existing inputs to learn from.
#[derive(Clone, Debug)]
pub struct Learn {
    /// The folder, relative to the specification.
    pub folder: String,
    /// The chance of reusing an observed text.
    pub reuse: f64,
    /// Where `folder` is written.
    pub span: Span,
}

/// `[oracle]`: what counts as a failure.
#[derive(Clone, Debug)]
pub struct OracleSpec {
    /// A signal that ends the program is a failure.
    pub signal: bool,
    /// Running into the time-out is a failure.
    pub timeout: bool,
    /// A sanitizer's report is a failure.
    pub sanitizer: bool,
    /// The exit codes that are right.
    pub exit: Option<Vec<i32>>,
    /// The exit codes that are right when the frame has an error choice.
    pub exit_on_error: Option<Vec<i32>>,
    /// Patterns that must not be in the output.
    pub forbid: Vec<Regex>,
    /// Patterns that must be in the output.
    pub require: Vec<Regex>,
    /// A program that must do the same.
    pub reference: Option<Reference>,
    /// Rewrites of the output before it is compared or stored.
    pub normalise: Vec<Normaliser>,
    /// A program that must accept the case.
    pub check: Option<Vec<String>>,
}

/// A program to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// A name on `PATH`, or a path relative to the specification when it contains a `/`.
    pub program: String,
    /// Standard output is compared.
    pub stdout: bool,
    /// The exit code is compared.
    pub exit: bool,
    /// Standard error is compared.
    pub stderr: bool,
}

/// A rewrite of output.
#[derive(Clone, Debug)]
pub struct Normaliser {
    /// What is replaced.
    pub pattern: Regex,
    /// By what; `$1` and `${name}` stand for groups.
    pub with: String,
}

impl Default for OracleSpec {
    fn default() -> OracleSpec {
        OracleSpec {
            signal: true,
            timeout: true,
            sanitizer: true,
            exit: None,
            exit_on_error: None,
            forbid: Vec::new(),
            require: Vec::new(),
            reference: None,
            normalise: Vec::new(),
            check: None,
        }
    }
}

impl Spec {
    /// The folder of the specification, to which its paths are relative.
    pub fn folder(&self) -> &Path {
        match self.source.label().parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }

    /// A path of the specification, relative to where we are.
    pub fn resolve(&self, path: &str) -> PathBuf {
        self.folder().join(path)
    }

    /// The index of a category.
    pub fn category(&self, name: &str) -> Option<usize> {
        self.space
            .categories
            .iter()
            .position(|category| category.name == name)
    }

    /// Whether a category is read off the finished input: it is derived, or has a `from` beside a whole-input generator.
    pub fn is_read_off(&self, category: usize) -> bool {
        self.space.categories[category].derived
    }

    /// An error at a place of this specification.
    pub fn error(&self, span: &Span, cause: impl Into<String>) -> SpecError {
        self.source.error(Fault::new(span.clone(), cause))
    }
}
