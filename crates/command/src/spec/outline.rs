//! What must be known of all categories before any of them can be compiled: names, choices, properties, and which of them
//! are read off the finished input.

use super::place::Fault;
use super::reader::{Entry, Problems};
use crate::expression::{Names, Stage};
use crate::generate::{Grammar, SymbolId};

/// The most categories of one specification.
pub const MAX_CATEGORIES: usize = 1000;

/// The most properties of one specification.
pub const MAX_PROPERTIES: usize = 1000;

/// Names that expressions and templates use for themselves.
const RESERVED: [&str; 9] = [
    "text",
    "value",
    "stdin",
    "args",
    "input",
    "otherwise",
    "and",
    "or",
    "not",
];

/// The names of a specification.
#[derive(Default)]
pub(super) struct Outline {
    pub categories: Vec<String>,
    pub choices: Vec<Vec<String>>,
    pub read_off: Vec<bool>,
    pub properties: Vec<String>,
    pub has_input: bool,
    /// Whether there is a `[grammar]`, right or wrong.
    pub has_grammar: bool,
    /// `None` where the rules are wrong, so that no more is said about symbols.
    pub grammar: Option<Grammar>,
    pub max_depth: u32,
    /// The symbols that generators start from.
    pub used_symbols: Vec<SymbolId>,
}

impl Outline {
    /// Reads the names; what is wrong with the values is found later, when they are compiled.
    pub fn read(categories: &[Entry<'_>], has_input: bool, problems: &mut Problems<'_>) -> Outline {
        let mut outline = Outline {
            has_input,
            max_depth: super::generator::DEFAULT_DEPTH,
            ..Outline::default()
        };
        let source = problems.source;
        let mut ignored = Problems {
            source,
            errors: Vec::new(),
        };
        for category in categories {
            check_name("category", category, problems);
            if is_reserved(&category.key) {
                let cause = format!("`{}` has a meaning of its own in expressions", category.key);
                let fault = Fault::new(category.key_span.clone(), cause);
                problems.add(fault.hint("give the category another name"));
            }
            outline.add(category, &mut ignored);
        }
        if categories.len() > MAX_CATEGORIES {
            let cause = format!("there are more than {MAX_CATEGORIES} categories");
            problems.at(&categories[MAX_CATEGORIES].key_span, cause);
        }
        if outline.properties.len() > MAX_PROPERTIES {
            let cause = format!("there are more than {MAX_PROPERTIES} properties");
            problems.at(&(0..0), cause);
        }
        outline
    }

    fn add(&mut self, category: &Entry<'_>, ignored: &mut Problems<'_>) {
        let mut derived = false;
        let mut has_from = false;
        let mut choices = Vec::new();
        if let Some(mut table) = category.table("", ignored) {
            let flag = table.get("derived");
            derived = flag.and_then(|flag| flag.boolean(ignored)).unwrap_or(false);
            has_from = table.get("from").is_some();
            let entries = table.get("choice").map(|choice| choice.entries(ignored));
            for choice in entries.unwrap_or_default() {
                self.add_properties(&choice, ignored);
                choices.push(choice.key);
            }
        }
        self.categories.push(category.key.clone());
        self.read_off.push(derived || (has_from && self.has_input));
        self.choices.push(choices);
    }

    fn add_properties(&mut self, choice: &Entry<'_>, ignored: &mut Problems<'_>) {
        let Some(mut table) = choice.table("", ignored) else {
            return;
        };
        let otherwise = table.get("else").and_then(|table| table.table("", ignored));
        let own = table.get("property");
        let other = otherwise.and_then(|mut table| table.get("property"));
        for entry in own.into_iter().chain(other) {
            for property in entry.texts(ignored) {
                let full = self.properties.len() > MAX_PROPERTIES;
                if !full && !self.properties.iter().any(|known| known == property.text) {
                    self.properties.push(property.text.to_owned());
                }
            }
        }
    }

    /// What expressions may name at a stage.
    pub fn names(&self, stage: Stage) -> Names<'_> {
        Names {
            categories: &self.categories,
            read_off: &self.read_off,
            has_input: self.has_input,
            stage,
        }
    }
}

/// Whether a category cannot have this name, because expressions and conditions use it for themselves.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Reports a name that conditions and expressions could not spell.
pub(super) fn check_name(what: &str, entry: &Entry<'_>, problems: &mut Problems<'_>) {
    if !is_name(&entry.key) {
        let key = entry.key.escape_debug();
        let fault = Fault::new(
            entry.key_span.clone(),
            format!("`{key}` is no name for a {what}"),
        );
        problems.add(fault.hint("names start with a letter and hold letters, digits, `-` and `_`"));
    }
}

/// Whether a text is a name: an ASCII letter, then ASCII letters, digits, `-` and `_`.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}
