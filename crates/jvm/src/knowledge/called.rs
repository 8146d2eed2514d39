//! The classes beside those under test that their code may lead to: others of the subject, and those of its class path. The JDK's are left
//! out: their size says nothing about the subject.
//!
//! Nothing is resolved here. A class is taken if one that is taken names it, nearest ones first.

use crate::discovery::Subject;
use classfile::analysis::calls::CallGraph;
use classfile::analysis::hierarchy::Hierarchy;
use classfile::{ClassFile, Constant};
use std::collections::{BTreeSet, VecDeque};

/// Methods that are followed at most: what they reach is kept as a bit for each pair of them, which is 50 MB.
const MOST_METHODS: usize = 20_000;

/// The class files that classes under test name, directly or not.
pub fn classes(under_test: &[&ClassFile], subject: &Subject) -> Vec<Vec<u8>> {
    let lookups = subject.lookups();
    let find = |name: &str| match subject.classes.get(name) {
        Some(class) => Some(class.bytes.clone()),
        None => lookups.iter().find_map(|entry| entry.class(name)),
    };
    named(under_test, &find, MOST_METHODS)
}

/// The class files that others name, as far as they are found and have not more methods than `most` together.
fn named(
    others: &[&ClassFile],
    find: &dyn Fn(&str) -> Option<Vec<u8>>,
    most: usize,
) -> Vec<Vec<u8>> {
    let mut seen: BTreeSet<String> = others.iter().map(|one| one.name().to_owned()).collect();
    let mut open: VecDeque<String> = others.iter().flat_map(|one| names(one)).collect();
    let mut methods: usize = others.iter().map(|one| one.methods.len()).sum();
    let mut found = Vec::new();
    while let Some(name) = open.pop_front() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let Some(bytes) = find(&name) else {
            continue;
        };
        let Some((more, count)) = readable(&bytes) else {
            continue;
        };
        methods += count;
        if methods > most {
            break;
        }
        open.extend(more);
        found.push(bytes);
    }
    found
}

/// What a class names and how many methods it has; nothing if its code cannot be followed, which would spoil the graph of all.
fn readable(bytes: &[u8]) -> Option<(Vec<String>, usize)> {
    let class = ClassFile::parse(bytes).ok()?;
    let mut hierarchy = Hierarchy::default();
    hierarchy.add(&class);
    CallGraph::of(&hierarchy, &[&class]).ok()?;
    Some((names(&class), class.methods.len()))
}

/// The classes that a class file names; arrays have no code.
fn names(class: &ClassFile) -> Vec<String> {
    let constants = class.pool.iter();
    let names = constants.filter_map(|(index, constant)| match constant {
        Constant::Class(_) => class.pool.class_name(index).ok(),
        _ => None,
    });
    names
        .filter(|name| !name.starts_with('['))
        .map(str::to_owned)
        .collect()
}
