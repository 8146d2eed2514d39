//! Patterns over methods: `parse`, `Foo.parse`, `org.example.Foo.parse`, each also with parameter types in parentheses.
//!
//! Constructors are called `<init>` or by the simple name of their class.

use super::class_names::simple_name;
use super::pattern::Pattern;
use super::summary::{MemberSummary, Summary};
use super::types;

/// A pattern over methods, taken apart.
pub struct MethodPattern<'a> {
    /// The whole pattern.
    pub pattern: &'a Pattern,
    name: Pattern,
    parameters: Option<Pattern>,
}

impl<'a> MethodPattern<'a> {
    /// Takes a pattern apart.
    pub fn new(pattern: &'a Pattern) -> MethodPattern<'a> {
        let text: String = pattern.text().split_whitespace().collect();
        let (name, parameters) = match text.split_once('(') {
            Some((name, parameters)) => (name, Some(parameters.trim_end_matches(')'))),
            None => (text.as_str(), None),
        };
        MethodPattern {
            pattern,
            name: Pattern::new(name),
            parameters: parameters.map(Pattern::new),
        }
    }

    /// Whether it means a method or constructor.
    pub fn matches(&self, class: &Summary, method: &MemberSummary) -> bool {
        let simple = simple_name(class);
        let named = |name: &str| match self.name.is_qualified() {
            true => {
                self.name.matches(&format!("{}.{name}", class.source_name))
                    || self.name.matches(&format!("{simple}.{name}"))
            }
            false => self.name.matches(name),
        };
        let fits = named(&method.name) || (method.name == "<init>" && named(simple));
        fits && method.name != "<clinit>" && self.fits_parameters(method)
    }

    fn fits_parameters(&self, method: &MemberSummary) -> bool {
        let Some(pattern) = &self.parameters else {
            return true;
        };
        let (full, simple) = parameter_lists(&method.descriptor);
        pattern.matches(&full) || pattern.matches(&simple)
    }

    /// A method's name in the form that the pattern has, for hints.
    pub fn shape(&self, class: &Summary, method: &MemberSummary) -> String {
        match self.name.text().matches('.').count() {
            0 => method.name.clone(),
            1 => format!("{}.{}", simple_name(class), method.name),
            _ => format!("{}.{}", class.source_name, method.name),
        }
    }
}

/// Parameter types separated by commas, with full and with simple names.
pub fn parameter_lists(descriptor: &str) -> (String, String) {
    let (parameters, _) = types::of_method(descriptor).unwrap_or_default();
    let full = parameters.iter().map(|one| types::plain_name(one));
    let full: Vec<String> = full.collect();
    let simple = full
        .iter()
        .map(|name| name.rsplit('.').next().unwrap_or_default());
    let simple: Vec<&str> = simple.collect();
    (full.join(","), simple.join(","))
}
