//! Large jars of Debian: everything in them is discovered, and the numbers fit together.

use crate::compiler::jdks;
use jvm::discovery::{Filters, Jdk, Subject, discover};
use std::path::PathBuf;

/// `scripts/install` installs the first two; the others are looked at where they are.
const JARS: &[&str] = &[
    "commons-lang3",
    "guava",
    "joda-time",
    "jsoup",
    "kotlin-stdlib",
];

fn jars() -> Vec<PathBuf> {
    let paths = JARS
        .iter()
        .map(|name| PathBuf::from(format!("/usr/share/java/{name}.jar")));
    let (there, absent): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_file());
    let needed = absent.iter().filter(|path| {
        JARS[..2]
            .iter()
            .any(|name| path.ends_with(format!("{name}.jar")))
    });
    assert_eq!(
        needed.count(),
        0,
        "missing: {absent:?}; run scripts/install"
    );
    there
}

#[test]
fn large_jars_are_discovered_and_all_numbers_fit_together() {
    let home = jdks().pop().unwrap();
    let jdk = Jdk::open(&home).unwrap();
    for path in jars() {
        let subject = Subject::open(std::slice::from_ref(&path), &[], jdk.release()).unwrap();
        let discovered = discover(&subject, &jdk, &Filters::default()).unwrap();
        let model = &discovered.model;
        let unreadable = discovered
            .reasons
            .iter()
            .filter(|one| one.reason.code() == "unreadable-class");
        assert_eq!(unreadable.count(), 0, "{path:?}");
        println!(
            "{}: {} classes, {} operations, {} types, {} reasons",
            path.display(),
            subject.classes.len(),
            model.operations.len(),
            model.descriptors.len(),
            discovered.reasons.len()
        );
        let count = model.operations.len();
        assert_eq!(
            [count; 3],
            [
                model.calls.signatures.len(),
                discovered.operations.len(),
                discovered.packages.len()
            ]
        );
        assert_eq!(model.calls.types.len(), model.descriptors.len());
        let mut names: Vec<&str> = discovered
            .operations
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{path:?}: two operations have one name");
    }
}
