//! Which classes and methods of a subject are under test: patterns, the entry, changes since a revision.
//!
//! Several patterns of one kind widen the choice, different kinds narrow it. A pattern that fits nothing is an error.

use super::changes::{Changes, Span};
use super::error::Error;
use super::pattern::Pattern;
use super::summary::{MemberSummary, Summary};
use engine::similar;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;

/// What a user asked to be tested. The default is everything but deprecated members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Patterns over classes, by full or simple name; a class stands for the classes nested in it too.
    pub classes: Vec<Pattern>,
    /// Patterns over packages.
    pub packages: Vec<Pattern>,
    /// Patterns over methods: `parse`, `Foo.parse`, `org.example.Foo.parse`, each also with parameter types in parentheses.
    pub methods: Vec<Pattern>,
    /// The one operation: a class with a `main` method, or a static method.
    pub entry: Option<String>,
    /// Only methods that changed since a revision.
    pub since: Option<Since>,
    /// What to do with deprecated members.
    pub deprecated: Deprecated,
}

/// A revision to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// As git names it.
    pub revision: String,
    /// A folder in the repository that holds the subject's sources.
    pub folder: PathBuf,
}

/// What to do with deprecated members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deprecated {
    /// They are not called.
    #[default]
    Avoided,
    /// They are tested like others.
    Tested,
}

/// A method: class, name and descriptor.
pub type MethodKey = (String, String, String);

/// What the filters let through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Classes under test, in internal form.
    pub classes: BTreeSet<String>,
    /// The methods under test, where not all of these classes are.
    pub methods: Option<BTreeSet<MethodKey>>,
}

impl Selection {
    /// Whether a method or constructor of a class under test is itself to be tested.
    pub fn has_method(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let key = || (class.to_owned(), name.to_owned(), descriptor.to_owned());
        self.methods
            .as_ref()
            .is_none_or(|methods| methods.contains(&key()))
    }
}

impl Filters {
    /// Whether no filter chooses among the classes.
    pub fn is_everything(&self) -> bool {
        let patterns = [&self.classes, &self.packages, &self.methods];
        patterns.iter().all(|patterns| patterns.is_empty())
            && self.since.is_none()
            && self.entry.is_none()
    }

    /// Applies the filters to all readable classes of a subject.
    pub fn select(&self, summaries: &[Rc<Summary>]) -> Result<Selection, Error> {
        let named = Named::of(summaries);
        let mut selection = Selection {
            classes: self.classes(&named)?,
            methods: None,
        };
        // Where no class of the subject is usable, the reasons say more than an error could.
        if selection.classes.is_empty() && !summaries.is_empty() {
            return Err(Error::NothingSelected);
        }
        let mut keep = |methods: BTreeSet<MethodKey>| {
            let kept = match selection.methods.take() {
                Some(before) => before.intersection(&methods).cloned().collect(),
                None => methods,
            };
            selection.methods = Some(kept);
        };
        let chosen: Vec<&Rc<Summary>> = summaries
            .iter()
            .filter(|class| selection.classes.contains(&class.name))
            .collect();
        if !self.methods.is_empty() {
            keep(self.methods(&chosen)?);
        }
        if let Some(since) = &self.since {
            keep(changed(since, &chosen)?);
        }
        if let Some(methods) = &selection.methods {
            if methods.is_empty() {
                return Err(Error::NothingSelected);
            }
            let classes: BTreeSet<&str> = methods.iter().map(|key| key.0.as_str()).collect();
            selection
                .classes
                .retain(|class| classes.contains(class.as_str()));
        }
        Ok(selection)
    }

    fn classes(&self, named: &Named) -> Result<BTreeSet<String>, Error> {
        let mut chosen: BTreeSet<String> = named
            .classes
            .keys()
            .map(|name| (*name).to_owned())
            .collect();
        if !self.packages.is_empty() {
            let mut fitting = BTreeSet::new();
            for pattern in &self.packages {
                let fits = |class: &&&Summary| pattern.matches(&class.package().replace('/', "."));
                let classes: Vec<&&Summary> = named.classes.values().filter(fits).collect();
                if classes.is_empty() {
                    return Err(no_match("package", pattern, named.packages()));
                }
                fitting.extend(classes.iter().map(|class| class.name.clone()));
            }
            chosen.retain(|class| fitting.contains(class));
        }
        if !self.classes.is_empty() {
            let mut fitting = BTreeSet::new();
            for pattern in &self.classes {
                let classes = named
                    .classes
                    .keys()
                    .filter(|class| named.fits(class, pattern));
                let classes: Vec<String> = classes.map(|class| (*class).to_owned()).collect();
                if classes.is_empty() {
                    return Err(no_match("class", pattern, named.class_names(pattern)));
                }
                fitting.extend(classes);
            }
            chosen.retain(|class| fitting.contains(class));
        }
        Ok(chosen)
    }

    fn methods(&self, classes: &[&Rc<Summary>]) -> Result<BTreeSet<MethodKey>, Error> {
        let mut chosen = BTreeSet::new();
        for pattern in &self.methods {
            let pattern = MethodPattern::new(pattern);
            let mut found = false;
            for class in classes {
                let fitting = class
                    .methods
                    .iter()
                    .filter(|method| pattern.matches(class, method));
                for method in fitting {
                    found = true;
                    chosen.insert(key(class, method));
                }
            }
            if !found {
                let mut names: Vec<String> = Vec::new();
                for class in classes {
                    names.extend(
                        class
                            .methods
                            .iter()
                            .map(|method| pattern.shape(class, method)),
                    );
                }
                return Err(no_match("method", pattern.pattern, names));
            }
        }
        Ok(chosen)
    }
}

fn key(class: &Summary, method: &MemberSummary) -> MethodKey {
    (
        class.name.clone(),
        method.name.clone(),
        method.descriptor.clone(),
    )
}

fn no_match(what: &'static str, pattern: &Pattern, mut names: Vec<String>) -> Error {
    names.sort();
    names.dedup();
    let hint = similar::hint(pattern.text(), names.iter().map(String::as_str));
    Error::NoMatch {
        what,
        pattern: pattern.text().to_owned(),
        hint: hint.unwrap_or_default(),
    }
}

/// The classes by internal name.
struct Named<'a> {
    classes: BTreeMap<&'a str, &'a Summary>,
}

impl<'a> Named<'a> {
    fn of(summaries: &'a [Rc<Summary>]) -> Named<'a> {
        let pairs = summaries
            .iter()
            .map(|class| (class.name.as_str(), class.as_ref()));
        Named {
            classes: pairs.collect(),
        }
    }

    /// Whether a pattern means a class or one around it, by the dollar signs that all compilers put between them.
    fn fits(&self, class: &str, pattern: &Pattern) -> bool {
        let dollars = class.match_indices('$').map(|(index, _)| &class[..index]);
        let around = dollars.filter_map(|name| self.classes.get(name));
        let own = self.classes.get(class);
        own.into_iter()
            .chain(around)
            .any(|class| matches_class(pattern, class))
    }

    fn packages(&self) -> Vec<String> {
        self.classes
            .values()
            .map(|class| class.package().replace('/', "."))
            .collect()
    }

    fn class_names(&self, pattern: &Pattern) -> Vec<String> {
        let names = self
            .classes
            .values()
            .map(|class| match pattern.is_qualified() {
                true => class.source_name.clone(),
                false => simple_name(class).to_owned(),
            });
        names.collect()
    }
}

fn simple_name(class: &Summary) -> &str {
    class.source_name.rsplit('.').next().unwrap_or_default()
}

fn matches_class(pattern: &Pattern, class: &Summary) -> bool {
    pattern.matches(&class.source_name)
        || pattern.matches(&class.name.replace('/', "."))
        || (!pattern.is_qualified() && pattern.matches(simple_name(class)))
}

/// A pattern over methods, taken apart.
struct MethodPattern<'a> {
    pattern: &'a Pattern,
    name: Pattern,
    parameters: Option<Pattern>,
}

impl<'a> MethodPattern<'a> {
    fn new(pattern: &'a Pattern) -> MethodPattern<'a> {
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

    fn matches(&self, class: &Summary, method: &MemberSummary) -> bool {
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
    fn shape(&self, class: &Summary, method: &MemberSummary) -> String {
        match self.name.text().matches('.').count() {
            0 => method.name.clone(),
            1 => format!("{}.{}", simple_name(class), method.name),
            _ => format!("{}.{}", class.source_name, method.name),
        }
    }
}

/// Parameter types separated by commas, with full and with simple names.
pub fn parameter_lists(descriptor: &str) -> (String, String) {
    let (parameters, _) = super::types::of_method(descriptor).unwrap_or_default();
    let full = parameters.iter().map(|one| super::types::plain_name(one));
    let full: Vec<String> = full.collect();
    let simple = full
        .iter()
        .map(|name| name.rsplit('.').next().unwrap_or_default());
    let simple: Vec<&str> = simple.collect();
    (full.join(","), simple.join(","))
}

/// The methods with changed lines. Lines of a lambda count for the method that it is written in.
fn changed(since: &Since, classes: &[&Rc<Summary>]) -> Result<BTreeSet<MethodKey>, Error> {
    let changes = Changes::since(&since.revision, &since.folder)?;
    let mut files: BTreeMap<(&str, &str), Vec<&Summary>> = BTreeMap::new();
    for class in classes {
        if let Some(file) = &class.source_file {
            files
                .entry((class.package(), file))
                .or_default()
                .push(class);
        }
    }
    let mut chosen = BTreeSet::new();
    for ((package, file), classes) in files {
        let ranges = changes.of_source(package, file);
        let mut methods = Vec::new();
        for class in classes {
            let with_lines = class
                .methods
                .iter()
                .filter(|method| !method.lines.is_empty());
            methods.extend(with_lines.map(|method| (class, method)));
        }
        let spans: Vec<Span> = methods.iter().map(|(_, method)| span(method)).collect();
        let touched = Changes::touched(&ranges, &spans);
        for ((class, method), _) in methods.iter().zip(touched).filter(|(_, touched)| *touched) {
            let written_in = method
                .name
                .strip_prefix("lambda$")
                .and_then(|rest| rest.split('$').next());
            let meant = class.methods.iter().filter(|one| match written_in {
                Some(name) => one.name == if name == "new" { "<init>" } else { name },
                None => one.name == method.name && one.descriptor == method.descriptor,
            });
            chosen.extend(
                meant
                    .filter(|one| one.name != "<clinit>")
                    .map(|one| key(class, one)),
            );
        }
    }
    match chosen.is_empty() {
        true => Err(Error::NothingChanged {
            revision: since.revision.clone(),
        }),
        false => Ok(chosen),
    }
}

fn span(method: &MemberSummary) -> Span {
    Span {
        first: method.lines.first().copied().unwrap_or(0),
        last: method.lines.last().copied().unwrap_or(0),
    }
}
