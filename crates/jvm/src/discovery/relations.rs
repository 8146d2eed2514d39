//! Who extends or implements a type, and who gives one: among the subject's classes, its class path, and the packages of the JDK
//! that inputs usually come from.
//!
//! A JDK has tens of thousands of classes, and most of them are no inputs for anybody; so only the heads of some packages are
//! read, once, when first asked: those that inputs usually come from, and for a type of the JDK also its own package and those
//! whose classes are known to give or extend such types.

use super::archive::Lookup;
use super::error::Error;
use super::hierarchy::{Hierarchy, Origin};
use super::jdk::Jdk;
use super::subject::Subject;
use super::summary::{Summary, package_of};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Packages of the JDK whose classes are looked at for every type.
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

/// Packages of the JDK whose classes are looked at only for types of another package: what makes or extends those is in them.
const BESIDE: &[(&str, &[&str])] = &[
    (
        "javax/xml/transform",
        &[
            "javax/xml/transform/dom",
            "javax/xml/transform/sax",
            "javax/xml/transform/stream",
        ],
    ),
    ("org/w3c/dom", &["javax/xml/parsers"]),
    ("org/xml/sax", &["javax/xml/parsers", "org/xml/sax/helpers"]),
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

    /// The names of the classes with members that give one of some types, in the order of these, among what was read so far.
    pub fn givers<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let givers = names.flat_map(|name| self.givers.get(name).into_iter().flatten());
        let givers = givers.filter(|giver| seen.insert(giver.as_str()));
        givers.cloned().collect()
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
        let known = hierarchy.get(name)?;
        let of_jdk = known.is_some_and(|known| known.origin == Origin::Jdk);
        let own = of_jdk.then(|| package_of(name));
        let beside = BESIDE.iter().filter(|(package, _)| own == Some(package));
        let beside = beside.flat_map(|(_, beside)| beside.iter().copied());
        let packages = PACKAGES.iter().copied().chain(own).chain(beside);
        let mut packages: Vec<&str> = packages.collect();
        packages.retain(|package| self.packages.insert((*package).to_owned()));
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
