//! `compare` on subjects other than Java classes, end to end: a harness, a module, a program. One run each, by executions, so that the
//! numbers repeat.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::path::Path;
use support::{Project, Sample, code, stderr, stdout};

fn example(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(folder.join(path)).unwrap()
}

/// Guides with the share that their only run covers.
fn shares(output: &std::process::Output) -> Vec<(String, f64)> {
    assert_eq!(code(output), 0, "{}", stderr(output));
    let record: Value = serde_json::from_str(&stdout(output)).unwrap();
    let guides = record["guides"].as_array().unwrap().iter();
    let share = |guide: &Value| {
        let name = guide["guide"].as_str().unwrap().to_owned();
        (name, guide["mean"].as_f64().unwrap())
    };
    assert_eq!(record["runs"].as_array().unwrap().len(), 2);
    guides.map(share).collect()
}

const BUDGET: [&str; 5] = ["--runs", "1", "--executions", "120", "--json"];

fn covers_something(shares: &[(String, f64)], names: [&str; 2]) {
    let found: Vec<&str> = shares.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(found, names);
    assert!(
        shares.iter().all(|(_, share)| (0.1..=1.0).contains(share)),
        "{shares:?}"
    );
}

#[test]
fn guides_are_compared_on_a_harness() {
    let project = Project::new(&[
        ("avl.tstl", &example("python/avl/avl.tstl")),
        ("avltree.py", &example("python/avl/avltree.py")),
    ]);
    let words = ["compare", "avl.tstl", "--guides", "random;loc,swarm"];
    let output = project.run(&[&words[..], &BUDGET].concat());
    covers_something(&shares(&output), ["random", "loc,swarm"]);
}

#[test]
fn guides_are_compared_on_a_module() {
    let project = Project::new(&[("shop.py", &example("shop/shop.py"))]);
    let words = ["compare", "shop.py", "--guides", "random,auto"];
    let output = project.run(&[&words[..], &BUDGET].concat());
    covers_something(&shares(&output), ["random", "auto"]);
}

#[test]
fn guides_are_compared_on_a_program() {
    let sample = Sample::new();
    let words = ["compare", "divide.toml", "--guides", "random,art-sum"];
    let output = sample.run(&[&words[..], &BUDGET].concat());
    covers_something(&shares(&output), ["random", "art-sum"]);
    let wrong = ["compare", "divide.toml", "--guides", "random,grt"];
    let output = sample.run(&[&wrong[..], &BUDGET].concat());
    assert_eq!(code(&output), 3, "{}", stdout(&output));
}
