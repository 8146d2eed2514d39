//! Who extends or implements a type, and who gives one: among the subject's classes, its class path, and the packages of the JDK
//! that inputs usually come from.
//!
//! A JDK has tens of thousands of classes, and most of them are no inputs for anybody; so only the heads of some packages are
//! read, once, when first asked.

use super::archive::Lookup;
use super::error::Error;
use super::hierarchy::Hierarchy;
use super::jdk::Jdk;
use super::subject::Subject;
use super::summary::{Summary, package_of};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Packages of the JDK whose classes are looked at. The package of the type itself is always among them.
const PACKAGES: &[&str] = &[
    "java/io",
    "java/lang",
    "java/math",
    "java/nio",
    "java/nio/charset",
    "java/text",
    "java/time",
    "java/util",
    "java/util/concurrent",
    "java/util/concurrent/atomic",
    "java/util/regex",
];

/// The direct subtypes of types and the classes with members that give them, by internal names.
pub struct Relations<'a> {
    jdk: &'a Jdk,
    direct: BTreeMap<String, BTreeSet<String>>,
    givers: BTreeMap<String, BTreeSet<String>>,
    packages: BTreeSet<String>,
}

impl<'a> Relations<'a> {
    /// The relations among the subject's classes and on its class path.
    pub fn new(subject: &Subject, jdk: &'a Jdk, summaries: &[Rc<Summary>]) -> Relations<'a> {
        let mut relations = Relations {
            jdk,
            direct: BTreeMap::new(),
            givers: BTreeMap::new(),
            packages: BTreeSet::new(),
        };
        for summary in summaries {
            relations.add(summary);
        }
        for entry in subject.lookups() {
            relations.add_entry(&entry);
        }
        relations
    }

    fn add(&mut self, summary: &Summary) {
        for above in summary.super_name.iter().chain(&summary.interfaces) {
            let below = self.direct.entry(above.clone()).or_default();
            below.insert(summary.name.clone());
        }
        for given in &summary.gives {
            let givers = self.givers.entry(given.clone()).or_default();
            givers.insert(summary.name.clone());
        }
    }

    fn add_entry(&mut self, entry: &Lookup) {
        for name in entry.names() {
            let summary = entry.class(&name);
            if let Some(summary) = summary.and_then(|bytes| Summary::parse_head(&bytes).ok()) {
                self.add(&summary);
            }
        }
    }

    /// The names of the classes with members that give a type.
    pub fn givers(&mut self, name: &str, hierarchy: &mut Hierarchy) -> Result<Vec<String>, Error> {
        self.read_packages_for(name, hierarchy)?;
        let givers = self.givers.get(name).into_iter().flatten();
        Ok(givers.cloned().collect())
    }

    /// The names of all subtypes of a type, itself left out, nearest first.
    pub fn subtypes(
        &mut self,
        name: &str,
        hierarchy: &mut Hierarchy,
    ) -> Result<Vec<String>, Error> {
        self.read_packages_for(name, hierarchy)?;
        let mut all = Vec::new();
        let mut seen = BTreeSet::from([name.to_owned()]);
        let mut open = std::collections::VecDeque::from([name.to_owned()]);
        while let Some(one) = open.pop_front() {
            for below in self.direct.get(&one).into_iter().flatten() {
                if seen.insert(below.clone()) {
                    all.push(below.clone());
                    open.push_back(below.clone());
                }
            }
        }
        Ok(all)
    }

    fn read_packages_for(&mut self, name: &str, hierarchy: &mut Hierarchy) -> Result<(), Error> {
        let packages = PACKAGES.iter().copied().chain([package_of(name)]);
        let mut packages: Vec<&str> = packages.collect();
        packages.retain(|package| {
            self.packages.insert((*package).to_owned()) && package.starts_with("java")
        });
        if packages.is_empty() {
            return Ok(());
        }
        for name in self.jdk.names_in(&packages)? {
            if let Some(known) = hierarchy.get(&name)? {
                self.add(&known.summary);
            }
        }
        Ok(())
    }
}
