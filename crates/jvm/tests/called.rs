//! How much code `loc` sees in operations, and `loc-calls` behind them: that of other classes of the subject and of its class path, too.
#![allow(clippy::unwrap_used)]

mod support;

use jvm::coverage::Coverage;
use jvm::discovery::{Filters, Jdk, Pattern, Subject, discover};
use jvm::knowledge::knowledge;
use std::collections::BTreeMap;
use support::{compile, javas};

#[test]
fn lines_behind_calls_into_other_classes_count() {
    let java = &javas()[0];
    let folder = tempfile::tempdir().unwrap();
    let [library, classes] = ["library", "classes"].map(|name| folder.path().join(name));
    for folder in [&library, &classes] {
        std::fs::create_dir(folder).unwrap();
    }
    compile(java, "called/library", &library, &[]);
    let options = ["-cp", library.to_str().unwrap()];
    compile(java, "called/subject", &classes, &options);
    let jdk = Jdk::open(&java.home).unwrap();
    let reachable = |classpath: &[std::path::PathBuf]| {
        let subject = Subject::open(
            std::slice::from_ref(&classes),
            classpath,
            java.version as u16,
        )
        .unwrap();
        let filters = Filters {
            classes: vec![Pattern::new("called.Facade")],
            ..Filters::default()
        };
        let discovered = discover(&subject, &jdk, &filters).unwrap();
        let parts = ["loc-calls"];
        let known = knowledge(&subject, &jdk, &discovered, &Coverage::default(), &parts);
        let operations = discovered
            .model
            .operations
            .iter()
            .zip(known.reachable_lines);
        operations
            .filter(|(operation, _)| operation.owner == "called/Facade")
            .map(|(operation, lines)| (operation.name.clone(), lines))
            .collect::<BTreeMap<String, u64>>()
    };
    let of = |lines: [(&str, u64); 5]| lines.map(|(name, lines)| (name.to_owned(), lines)).into();
    let expected = [
        ("<init>", 1),
        ("alone", 1),
        ("four", 5),
        ("six", 7),
        ("beside", 6),
    ];
    assert_eq!(reachable(std::slice::from_ref(&library)), of(expected));
    // What is not on the class path cannot be followed.
    let expected = [
        ("<init>", 1),
        ("alone", 1),
        ("four", 1),
        ("six", 1),
        ("beside", 2),
    ];
    assert_eq!(reachable(&[]), of(expected));
}

#[test]
fn operations_have_the_lines_of_their_methods() {
    let java = &javas()[0];
    let folder = tempfile::tempdir().unwrap();
    compile(java, "called/library", folder.path(), &[]);
    let jdk = Jdk::open(&java.home).unwrap();
    let paths = [folder.path().to_owned()];
    let subject = Subject::open(&paths, &[], java.version as u16).unwrap();
    let discovered = discover(&subject, &jdk, &Filters::default()).unwrap();
    let lines = |parts: &[&str]| {
        let known = knowledge(&subject, &jdk, &discovered, &Coverage::default(), parts);
        let operations = discovered.model.operations.iter().zip(known.lines);
        operations
            .map(|(operation, lines)| (operation.name.clone(), lines))
            .collect::<BTreeMap<String, u64>>()
    };
    let of = |lines: [(&str, u64); 3]| lines.map(|(name, lines)| (name.to_owned(), lines)).into();
    assert_eq!(
        lines(&["loc"]),
        of([("<init>", 1), ("four", 4), ("six", 2)])
    );
    assert_eq!(lines(&["constants"]), BTreeMap::new(), "nobody asked");
}
