//! Which classes and methods of a subject are under test: patterns, the entry, changes since a revision.
//!
//! Several patterns of one kind widen the choice, different kinds narrow it. A pattern that fits nothing is an error.

use super::changes;
use super::checks::Check;
use super::class_names::{ClassNames, matches_name};
use super::error::Error;
use super::method_pattern::MethodPattern;
use super::pattern::Pattern;
use super::reason::Untested;
use super::summary::{MemberSummary, Summary, package_of};
use engine::similar;
use std::collections::BTreeSet;
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
    /// Methods by which objects check themselves.
    pub checks: Vec<Check>,
    /// Where inputs may come from besides the classes under test.
    pub inputs: Inputs,
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

/// Which members may make inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inputs {
    /// Those of the classes under test.
    #[default]
    UnderTest,
    /// Also constructors, static methods and static fields of the subject's other classes, of its class path and of the JDK,
    /// where a parameter asks for what they give.
    Everywhere,
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
    /// Whether the filters mean a class that cannot be read, so that only its name is known.
    pub fn means_unreadable(&self, class: &str) -> bool {
        let name = class.replace('/', ".");
        let package = package_of(class).replace('/', ".");
        let any = |patterns: &[Pattern], fits: &dyn Fn(&Pattern) -> bool| {
            patterns.is_empty() || patterns.iter().any(fits)
        };
        any(&self.packages, &|one| one.matches(&package))
            && any(&self.classes, &|one| matches_name(one, &name))
    }

    /// Applies the filters to all readable classes of a subject; a pattern may also mean one that is not readable.
    pub fn select(
        &self,
        summaries: &[Rc<Summary>],
        unreadable: &[Untested],
    ) -> Result<Selection, Error> {
        let named = ClassNames::of(summaries, unreadable);
        let mut selection = Selection {
            classes: self.classes(&named)?,
            methods: None,
        };
        if selection.classes.is_empty() {
            // Where the classes that are meant cannot be used, their reasons say more than an error could.
            return match unreadable
                .iter()
                .any(|one| self.means_unreadable(&one.class))
            {
                true => Ok(selection),
                false => Err(Error::NothingSelected),
            };
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
            keep(changes::changed(since, &chosen)?);
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

    fn classes(&self, named: &ClassNames) -> Result<BTreeSet<String>, Error> {
        let mut chosen = named.all();
        if !self.packages.is_empty() {
            let mut fitting = BTreeSet::new();
            for pattern in &self.packages {
                let found = named.in_package(pattern);
                let found = found.ok_or_else(|| no_match("package", pattern, named.packages()))?;
                fitting.extend(found);
            }
            chosen.retain(|class| fitting.contains(class));
        }
        if !self.classes.is_empty() {
            let mut fitting = BTreeSet::new();
            for pattern in &self.classes {
                let found = named.of_pattern(pattern);
                let names = || named.names_like(pattern);
                fitting.extend(found.ok_or_else(|| no_match("class", pattern, names()))?);
            }
            chosen.retain(|class| fitting.contains(class));
        }
        Ok(chosen)
    }

    fn methods(&self, classes: &[&Rc<Summary>]) -> Result<BTreeSet<MethodKey>, Error> {
        let mut chosen = BTreeSet::new();
        for pattern in &self.methods {
            let pattern = MethodPattern::new(pattern);
            let mut names = Vec::new();
            let mut found = false;
            for class in classes {
                for method in &class.methods {
                    if pattern.matches(class, method) {
                        found = true;
                        chosen.insert(key(class, method));
                    }
                    names.push(pattern.shape(class, method));
                }
            }
            if !found {
                return Err(no_match("method", pattern.pattern, names));
            }
        }
        Ok(chosen)
    }
}

/// Names a method of a class.
pub fn key(class: &Summary, method: &MemberSummary) -> MethodKey {
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
