//! The classes of a subject by name, and which of them a pattern means.
//!
//! A class stands for the classes nested in it too, by the dollar signs that all compilers put between them.

use super::pattern::Pattern;
use super::reason::Untested;
use super::summary::{Summary, package_of};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The classes of a subject: those that could be read, and the names of the others.
pub struct ClassNames<'a> {
    classes: BTreeMap<&'a str, &'a Summary>,
    unreadable: BTreeSet<&'a str>,
}

impl<'a> ClassNames<'a> {
    /// All classes of a subject.
    pub fn of(summaries: &'a [Rc<Summary>], unreadable: &'a [Untested]) -> ClassNames<'a> {
        let pairs = summaries
            .iter()
            .map(|class| (class.name.as_str(), class.as_ref()));
        ClassNames {
            classes: pairs.collect(),
            unreadable: unreadable.iter().map(|one| one.class.as_str()).collect(),
        }
    }

    /// All readable classes in internal form.
    pub fn all(&self) -> BTreeSet<String> {
        self.classes.keys().map(|name| (*name).to_owned()).collect()
    }

    /// The readable classes of the packages that a pattern means; none where it means nothing at all.
    pub fn in_package(&self, pattern: &Pattern) -> Option<Vec<String>> {
        let fits = |class: &&&str| pattern.matches(&package_of(class).replace('/', "."));
        let found: Vec<String> = self
            .classes
            .keys()
            .filter(fits)
            .map(|class| (*class).to_owned())
            .collect();
        let known = !found.is_empty() || self.unreadable.iter().any(|class| fits(&class));
        known.then_some(found)
    }

    /// The readable classes that a pattern means; none where it means nothing at all.
    pub fn of_pattern(&self, pattern: &Pattern) -> Option<Vec<String>> {
        let fits = |class: &&&str| self.fits(class, pattern);
        let found: Vec<String> = self
            .classes
            .keys()
            .filter(fits)
            .map(|class| (*class).to_owned())
            .collect();
        let unreadable = |class: &&str| matches_name(pattern, &class.replace('/', "."));
        let known = !found.is_empty() || self.unreadable.iter().any(unreadable);
        known.then_some(found)
    }

    fn fits(&self, class: &str, pattern: &Pattern) -> bool {
        let dollars = class.match_indices('$').map(|(index, _)| &class[..index]);
        let around = dollars.filter_map(|name| self.classes.get(name));
        let own = self.classes.get(class);
        own.into_iter()
            .chain(around)
            .any(|class| matches_class(pattern, class))
    }

    /// All packages as source writes them.
    pub fn packages(&self) -> Vec<String> {
        self.classes
            .keys()
            .map(|class| package_of(class).replace('/', "."))
            .collect()
    }

    /// All classes in the form that a pattern has: full or simple.
    pub fn names_like(&self, pattern: &Pattern) -> Vec<String> {
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

/// The last part of a class's name in source.
pub fn simple_name(class: &Summary) -> &str {
    class.source_name.rsplit('.').next().unwrap_or_default()
}

fn matches_class(pattern: &Pattern, class: &Summary) -> bool {
    matches_name(pattern, &class.source_name) || pattern.matches(&class.name.replace('/', "."))
}

/// Whether a pattern means a class by its full name, or by its simple one where the pattern has no dots.
pub fn matches_name(pattern: &Pattern, name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or_default();
    pattern.matches(name) || (!pattern.is_qualified() && pattern.matches(simple))
}
