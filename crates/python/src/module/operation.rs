//! Operations as workers and test files call them.

use serde::Serialize;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    /// Calls a function of a module or a static or class method.
    Function,
    /// Makes an object.
    Constructor,
    /// Calls a method of its first argument, or an operator.
    Method,
    /// Reads an attribute of its first argument.
    Getter,
    /// Sets an attribute of its first argument to its second one.
    Setter,
    /// Everything that an iterator gives.
    Drain,
    /// A value that a module has by name.
    Constant,
    /// A value by an expression.
    Expression,
    /// What an expression with a hole makes of its argument.
    Wrap,
    /// A list of its arguments.
    List,
    /// A set of its arguments.
    Set,
    /// A frozen set of its arguments.
    FrozenSet,
    /// A tuple of its arguments.
    Tuple,
    /// A dictionary of its arguments: keys and values in turn.
    Dict,
    /// An iterator over its arguments.
    Iterator,
    /// Its argument.
    Value,
    /// A text of its arguments.
    Concatenation,
}

impl OperationKind {
    /// Its name in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            OperationKind::Function => "function",
            OperationKind::Constructor => "constructor",
            OperationKind::Method => "method",
            OperationKind::Getter => "getter",
            OperationKind::Setter => "setter",
            OperationKind::Drain => "drain",
            OperationKind::Constant => "constant",
            OperationKind::Expression => "expression",
            OperationKind::Wrap => "wrap",
            OperationKind::List => "list",
            OperationKind::Set => "set",
            OperationKind::FrozenSet => "frozenset",
            OperationKind::Tuple => "tuple",
            OperationKind::Dict => "dict",
            OperationKind::Iterator => "iterator",
            OperationKind::Value => "value",
            OperationKind::Concatenation => "concatenation",
        }
    }
}

/// An operation as workers and test files call it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModuleOperation {
    /// What it does.
    pub kind: OperationKind,
    /// The module that has it; empty for built-in ones.
    pub module: String,
    /// Its path there, or the source of an expression; `{}` is the hole of one that has a hole.
    pub path: String,
    /// Its last name.
    pub name: String,
    /// The keyword of every parameter that is given by name.
    pub names: Vec<Option<String>>,
    /// The names of all parameters.
    #[serde(skip)]
    pub parameters: Vec<String>,
    /// Whether it is under test.
    pub tested: bool,
    /// Whether its author annotated all parameters fully.
    pub typed: bool,
    /// Whether its result has to be awaited.
    pub awaits: bool,
    /// Whether it is a generator, which is drained.
    pub yields: bool,
    /// Whether it gives a context manager, which is entered and left.
    pub enters: bool,
    /// Whether the texts of a parameter mean bytes.
    #[serde(skip)]
    pub bytes: Vec<bool>,
    /// Whether giving nothing for a parameter means leaving it out.
    #[serde(skip)]
    pub optional: Vec<bool>,
    /// How often it is drawn.
    #[serde(skip)]
    pub weight: f64,
    /// Source lines.
    #[serde(skip)]
    pub lines: Option<u32>,
}

impl ModuleOperation {
    /// An operation that only makes values.
    pub fn auxiliary(kind: OperationKind, name: &str, bytes: Vec<bool>) -> ModuleOperation {
        ModuleOperation {
            kind,
            module: String::new(),
            path: String::new(),
            name: name.to_owned(),
            names: vec![None; bytes.len()],
            parameters: Vec::new(),
            tested: false,
            typed: true,
            awaits: false,
            yields: false,
            enters: false,
            optional: vec![false; bytes.len()],
            bytes,
            weight: 1.0,
            lines: None,
        }
    }
}
