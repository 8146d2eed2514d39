//! What guides are told about a subject: constants over classes, static effects, and what is left where a class is broken.
#![allow(clippy::unwrap_used)]

mod support;

use classfile::{ClassFile, Constant};
use engine::Value;
use engine::calls::{CHANGES_STATIC, Knowledge};
use jvm::coverage::Coverage;
use jvm::discovery::{Discovered, Filters, Jdk, Subject, discover};
use jvm::knowledge::knowledge;
use std::path::Path;
use support::{compile, javas};

/// What is found in the classes of `testdata/knowledge`, after `change` had a look at their files.
fn found(parts: &[&str], change: impl Fn(&Path)) -> (Discovered, Knowledge) {
    let java = &javas()[0];
    let folder = tempfile::tempdir().unwrap();
    compile(java, "knowledge", folder.path(), &[]);
    change(folder.path());
    let jdk = Jdk::open(&java.home).unwrap();
    let subject = Subject::open(&[folder.path().to_owned()], &[], java.version as u16).unwrap();
    let discovered = discover(&subject, &jdk, &Filters::default()).unwrap();
    let known = knowledge(&subject, &jdk, &discovered, &Coverage::default(), parts);
    (discovered, known)
}

/// What is told of an operation of a class.
fn of<T: Copy>(discovered: &Discovered, told: &[T], owner: &str, name: &str) -> T {
    let mut operations = discovered.model.operations.iter();
    let index = operations.position(|one| one.owner == owner && one.name == name);
    told[index.unwrap()]
}

#[test]
fn constants_that_are_made_from_those_of_later_classes_are_folded() {
    let (_, known) = found(&["constants"], |_| {});
    let alpha = known.documents.iter().find(|one| one.name == "known/Alpha");
    let constants = &alpha.unwrap().constants;
    let folded = constants
        .iter()
        .any(|(value, _)| *value == Value::Int(9423));
    assert!(folded, "{constants:?}");
}

#[test]
fn what_changes_static_state_is_told_apart_from_what_only_looks() {
    let (discovered, known) = found(&["impurity"], |_| {});
    let changes = |name: &str| of(&discovered, &known.changes, "known/Counter", name);
    assert_eq!(changes("countAll"), CHANGES_STATIC);
    assert_eq!(changes("countOwn"), 1);
    assert_eq!(changes("countBoth"), 1 | CHANGES_STATIC);
    assert_eq!(changes("look"), 0);
}

#[test]
fn a_class_whose_code_cannot_be_followed_spoils_only_its_own_lines() {
    let (discovered, known) = found(&["loc-calls"], |folder| {
        let file = folder.join("known/Zeta.class");
        let mut bytes = std::fs::read(&file).unwrap();
        // The attribute that lambdas are made by, its length and the number of its entries, of which there are not so many.
        let class = ClassFile::parse(&bytes).unwrap();
        let named = |one: &(u16, &Constant)| match one.1 {
            Constant::Utf8(text) => **text == *b"BootstrapMethods",
            _ => false,
        };
        let (name, _) = class.pool.iter().find(named).unwrap();
        let [high, low] = name.to_be_bytes();
        let begins = |one: &[u8]| *one == [high, low, 0, 0];
        let at = bytes.windows(4).rposition(begins).unwrap();
        bytes[at + 6] = 0x7f;
        std::fs::write(&file, bytes).unwrap();
    });
    let lines = |owner, name| of(&discovered, &known.reachable_lines, owner, name);
    assert_eq!(lines("known/Zeta", "scaled"), 0);
    assert_eq!(lines("known/Counter", "countBoth"), 3);
}
