//! A harness that was read: pools, action classes, checks, and Python with holes. Sent to workers as it is.

use serde::Serialize;

/// A whole harness.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Harness {
    /// Raw Python, at the lines where it stands in the file; other lines are empty.
    pub raw: String,
    /// The lines of raw Python that stand after an `@`.
    pub marked: Vec<u32>,
    /// Modules that raw Python imports by plain `import`, as they are named there; they are under test.
    pub modules: Vec<String>,
    /// Modules that raw Python imports from.
    pub imported_from: Vec<String>,
    /// The pools.
    pub pools: Vec<Pool>,
    /// The action classes, in the order of the file.
    pub classes: Vec<ActionClass>,
    /// What is checked after every step.
    pub properties: Vec<Check>,
    /// What ends a test when it is false.
    pub assumptions: Vec<Check>,
    /// What is shown on replay.
    pub logs: Vec<Check>,
    /// Values that show how interesting a state is. Understood, and used by nothing.
    pub hints: Vec<Check>,
    /// What is done when a test begins.
    pub inits: Vec<Check>,
    /// What is done when a test has ended.
    pub finallys: Vec<Check>,
    /// How an action becomes one on the reference.
    pub references: Vec<Reference>,
    /// Which actions are compared with the reference.
    pub compares: Vec<Compare>,
    /// Names of features.
    pub features: Vec<String>,
    /// Modules, packages and folders under test, besides those that are imported.
    pub sources: Vec<String>,
    /// Exceptions that every action may raise.
    pub exceptions: Vec<String>,
}

/// A pool of slots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pool {
    /// Its name.
    pub name: String,
    /// How many slots it has.
    pub size: u32,
    /// Whether a reference pool mirrors it.
    pub reference: bool,
    /// Whether its values do not change.
    pub constant: bool,
    /// Whether its values are not shown.
    pub opaque: bool,
    /// The type that its values must have.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// A function that makes values comparable.
    #[serde(rename = "abstract")]
    pub abstraction: Option<String>,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

/// A line of actions: one function with slots and values as arguments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ActionClass {
    /// As written.
    pub text: String,
    /// Its line.
    pub line: u32,
    /// Its column, after the number of copies.
    pub column: u32,
    /// How often it counts.
    pub weight: u32,
    /// Whether swarm always keeps it.
    pub essential: bool,
    /// Exceptions that are expected.
    pub expected: Vec<String>,
    /// Exceptions that are only warned about.
    pub warned: Vec<String>,
    /// The holes of all its templates, in the order of the text.
    pub holes: Vec<Hole>,
    /// When it is enabled.
    pub guard: Option<Template>,
    /// What it does.
    pub body: Template,
    /// What must hold afterwards.
    pub post: Option<Template>,
    /// A call `f(…)` whose `f_before`, `f_after` and `f_check` frame the action.
    pub expect: Option<Template>,
}

/// A place in a line where a slot or a value goes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hole {
    /// A slot of a pool, by the pool's number.
    Slot {
        /// The pool.
        pool: usize,
        /// How it is used.
        how: Use,
    },
    /// One of these values.
    Value(Values),
}

/// How a slot is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Use {
    /// It is given a value: it must be empty or used.
    Assign,
    /// It must have a value, and is then used.
    Use,
    /// It must have a value, and is not marked.
    Peek,
}

/// Values to choose from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Values {
    /// Whole numbers, both ends included.
    Ints(i64, i64),
    /// Characters, both ends included.
    Chars(char, char),
    /// Pieces of text.
    Texts(Vec<String>),
}

impl Values {
    /// How many there are.
    pub fn count(&self) -> u64 {
        match self {
            Values::Ints(low, high) => high.abs_diff(*low).saturating_add(1),
            Values::Chars(low, high) => u64::from(*high as u32 - *low as u32 + 1),
            Values::Texts(texts) => texts.len() as u64,
        }
    }
}

/// Text with holes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Template {
    /// The text and the holes.
    pub parts: Vec<Part>,
    /// The line and column of each part. Text that goes on in another line is another part.
    pub places: Vec<(u32, u32)>,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Text.
    Text(String),
    /// The hole with this number.
    Hole(usize),
    /// The slot in the reference pool that mirrors the one of this hole.
    Reference(usize),
    /// The value that an expression had before the action.
    Before(Template),
}

/// A line that is evaluated for all fillings of its holes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// As written.
    pub text: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// Exceptions that are expected.
    pub expected: Vec<String>,
    /// Its holes.
    pub holes: Vec<Hole>,
    /// The Python.
    pub template: Template,
    /// Of logs: the level, and whether it is shown after the action.
    pub level: Option<(i32, bool)>,
}

/// A rule that makes an action on the reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// A regular expression of Python.
    pub pattern: String,
    /// What it is replaced by.
    pub replacement: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

/// A regular expression of Python that names actions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compare {
    /// The expression.
    pub pattern: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}
