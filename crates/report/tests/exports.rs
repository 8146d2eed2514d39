//! LCOV, JaCoCo XML and SARIF: expected text, and the rules of each format checked by reading the text back.

#![allow(clippy::unwrap_used)]

#[path = "samples/jvm.rs"]
#[allow(dead_code)]
mod samples;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use report::{jacoco, jvm, lcov, sarif};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn lcov_text() -> String {
    lcov::document(&samples::classes(), &|path| format!("src/{path}"))
}

#[test]
fn the_tracefile_is_as_expected() {
    insta::assert_snapshot!(lcov_text());
}

/// Sums of a tracefile: the written totals, and the same counted from its records.
#[derive(Debug, Default, PartialEq)]
struct Sums {
    lines: (u64, u64),
    branches: (u64, u64),
    functions: (u64, u64),
}

fn number(text: &str) -> u64 {
    text.parse().unwrap()
}

fn read_lcov(text: &str) -> BTreeMap<String, (Sums, Sums)> {
    let (mut files, mut open) = (BTreeMap::new(), None);
    for line in text.lines() {
        if line == "end_of_record" {
            let (name, written, counted, names) = open.take().expect("a file is open");
            assert!(
                BTreeSet::<String>::is_empty(&names),
                "every FN has its FNDA"
            );
            assert!(
                files.insert(name, (written, counted)).is_none(),
                "a file comes once"
            );
            continue;
        }
        let (key, value) = line.split_once(':').expect("every record has a colon");
        if key == "TN" {
            assert!(open.is_none());
            continue;
        }
        if key == "SF" {
            open = Some((
                value.to_owned(),
                Sums::default(),
                Sums::default(),
                BTreeSet::new(),
            ));
            continue;
        }
        let (_, written, counted, names) = open.as_mut().expect("records belong to a file");
        let fields: Vec<&str> = value.split(',').collect();
        match (key, fields.as_slice()) {
            ("FN", [line, name]) => {
                assert!(
                    number(line) > 0 && names.insert((*name).to_owned()),
                    "names are unique"
                );
            }
            ("FNDA", [tests, name]) => {
                assert!(names.remove(*name));
                counted.functions.0 += 1;
                counted.functions.1 += u64::from(number(tests) > 0);
            }
            ("BRDA", [line, block, side, taken]) => {
                let _ = (number(line), number(block), number(side));
                counted.branches.0 += 1;
                counted.branches.1 += u64::from(*taken != "-" && number(taken) > 0);
            }
            ("DA", [line, tests]) => {
                assert!(number(line) > 0);
                counted.lines.0 += 1;
                counted.lines.1 += u64::from(number(tests) > 0);
            }
            ("FNF", [n]) => written.functions.0 = number(n),
            ("FNH", [n]) => written.functions.1 = number(n),
            ("BRF", [n]) => written.branches.0 = number(n),
            ("BRH", [n]) => written.branches.1 = number(n),
            ("LF", [n]) => written.lines.0 = number(n),
            ("LH", [n]) => written.lines.1 = number(n),
            _ => panic!("unknown record `{line}`"),
        }
    }
    assert!(open.is_none(), "every file ends");
    files
}

#[test]
fn a_tracefile_read_back_has_the_sums_it_states() {
    let files = read_lcov(&lcov_text());
    assert!(files.keys().eq(["src/org/example/Words.java"]));
    for (written, counted) in files.values() {
        assert_eq!(written, counted);
    }
    let words = &files["src/org/example/Words.java"].0;
    assert_eq!((words.lines, words.branches), ((5, 3), (7, 2)));
}

#[test]
fn names_with_commas_and_line_feeds_stay_one_field() {
    let mut classes = samples::classes();
    classes[2].methods[0].name = "odd,\nname".into();
    assert_eq!(
        read_lcov(&lcov::document(&classes, &str::to_owned)).len(),
        1
    );
}

fn attribute(element: &BytesStart<'_>, name: &str) -> String {
    let found = element.try_get_attribute(name).unwrap();
    found
        .unwrap_or_else(|| panic!("attribute `{name}`"))
        .normalized_value(quick_xml::XmlVersion::Explicit1_0)
        .unwrap()
        .into_owned()
}

/// Elements that the document type allows inside of each, with the attributes it requires.
const CONTENT: [(&str, &[&str], &[&str]); 7] = [
    ("report", &["package", "counter"], &["name"]),
    ("package", &["class", "sourcefile", "counter"], &["name"]),
    ("class", &["method", "counter"], &["name"]),
    ("method", &["counter"], &["name", "desc"]),
    ("sourcefile", &["line", "counter"], &["name"]),
    ("line", &[], &["nr"]),
    ("counter", &[], &["type", "missed", "covered"]),
];

fn check(element: &BytesStart<'_>, parents: &[String]) -> String {
    let name = element.name().as_ref().to_owned();
    let rule = CONTENT
        .iter()
        .find(|rule| rule.0 == name)
        .expect("a known element");
    match parents.last() {
        Some(parent) => {
            let parent = CONTENT.iter().find(|rule| rule.0 == parent).unwrap();
            assert!(
                parent.1.contains(&name.as_str()),
                "`{name}` in `{}`",
                parent.0
            );
        }
        None => assert_eq!(name, "report"),
    }
    for required in rule.2 {
        attribute(element, required);
    }
    name
}

/// The document's counters by the path of their element, as (type, missed, covered).
fn read_jacoco(text: &str) -> BTreeMap<String, Vec<(String, u64, u64)>> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let (mut counters, mut parents, mut names) = (BTreeMap::new(), Vec::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(element) => {
                parents.push(check(&element, &parents));
                names.push(attribute(&element, "name"));
            }
            Event::End(_) => {
                parents.pop();
                names.pop();
            }
            Event::Empty(element) if check(&element, &parents) == "counter" => {
                let value = |name| number(&attribute(&element, name));
                let counter = (
                    attribute(&element, "type"),
                    value("missed"),
                    value("covered"),
                );
                let at: &mut Vec<_> = counters.entry(names.join(" ")).or_default();
                at.push(counter);
            }
            _ => {}
        }
    }
    assert!(parents.is_empty());
    counters
}

#[test]
fn the_jacoco_document_is_as_expected() {
    insta::assert_snapshot!(jacoco::document("words", &samples::classes()));
}

#[test]
fn the_jacoco_document_follows_its_document_type_and_adds_up() {
    let counters = read_jacoco(&jacoco::document("words", &samples::classes()));
    let counter = |path: &str, name: &str| {
        let found = counters[path].iter().find(|counter| counter.0 == name);
        found.map(|counter| (counter.1, counter.2))
    };
    let class = "words org/example org/example/Words";
    assert_eq!(counter(class, "LINE"), Some((1, 3)));
    assert_eq!(counter(class, "BRANCH"), Some((2, 2)));
    assert_eq!(counter(class, "COMPLEXITY"), Some((2, 3)));
    let file = "words org/example Words.java";
    assert_eq!(counter(file, "LINE"), Some((2, 3)));
    assert_eq!(counter(file, "CLASS"), Some((1, 1)));
    assert_eq!(counter("words", "METHOD"), Some((1, 4)));
    assert_eq!(counter("words", "BRANCH"), Some((5, 4)));
    let totals = jvm::totals(&samples::classes());
    assert_eq!(
        counter("words", "BRANCH"),
        Some((totals.branch.missed(), totals.branch.covered))
    );
}

#[test]
fn names_of_every_kind_of_character_keep_the_jacoco_document_well_formed() {
    let mut classes = samples::classes();
    classes[2].name = "p/<&\"'\0\u{ffff}".into();
    classes[2].methods[0].name = "\x1b\n".into();
    assert!(!read_jacoco(&jacoco::document("<", &classes)).is_empty());
}

fn sarif_text() -> String {
    let failures = [samples::failure(0), samples::failure(1)];
    sarif::document("testhound 0.1.0", &failures, &|path| {
        format!("src dir/{path}")
    })
}

#[test]
fn the_sarif_log_is_as_expected() {
    insta::assert_snapshot!(sarif_text());
}

/// What the standard requires of the objects that are used: sections 3.13, 3.14, 3.18, 3.19, 3.27, 3.28 and 3.29.
#[test]
fn the_sarif_log_has_what_the_standard_requires() {
    let log: Value = serde_json::from_str(&sarif_text()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].as_str().is_some_and(|name| !name.is_empty()));
    let rules = driver["rules"].as_array().unwrap();
    let ids: BTreeSet<&str> = rules
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), rules.len(), "rule ids are unique");
    for result in run["results"].as_array().unwrap() {
        let rule = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[rule]["id"], result["ruleId"]);
        assert!(
            result["message"]["text"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        assert!(result["occurrenceCount"].as_u64().unwrap() >= 1);
        assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        for location in result["locations"].as_array().into_iter().flatten() {
            let physical = &location["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
            assert_eq!(uri, "src%20dir/org/example/Words.java");
            assert_eq!(physical["region"]["startLine"], 20);
        }
    }
    let stack = &run["results"][0]["stacks"][0]["frames"];
    assert_eq!(stack.as_array().unwrap().len(), 3);
    assert!(
        stack[0]["location"].get("physicalLocation").is_none(),
        "sources of others cannot be opened"
    );
}

#[test]
fn a_run_without_failures_is_a_log_without_results() {
    let log: Value = serde_json::from_str(&sarif::document("x", &[], &str::to_owned)).unwrap();
    assert_eq!(log["runs"][0]["results"], Value::Array(vec![]));
}
