//! When coverage of harnesses is measured, end to end.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::Output;
use support::{Project, code, stderr, stdout};

const AVL: &str = "../../examples/python/avl";

fn avl() -> Project {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(AVL);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    Project::new(&[
        ("avl.tstl", &read("avl.tstl")),
        ("avltree.py", &read("avltree.py")),
    ])
}

fn record(output: &Output) -> Value {
    assert!([0, 1].contains(&code(output)), "{}", stderr(output));
    serde_json::from_str(&stdout(output)).unwrap()
}

/// Runs `generate` with some options; the run folder is `out`.
fn generate(project: &Project, options: &[&str]) -> Value {
    let words = [
        "generate",
        "avl.tstl",
        "--out",
        "out",
        "--json",
        "--force",
        "--no-reduce",
    ];
    record(&project.run(&[&words[..], options].concat()))
}

fn branches(record: &Value) -> u64 {
    assert_eq!(record["criteria"][0]["criterion"], "branch");
    record["criteria"][0]["covered"].as_u64().unwrap()
}

/// Whether a run measured coverage while its tests ran: only then does its curve grow.
fn measured(record: &Value) -> bool {
    let points = record["curve"].as_array().unwrap();
    let grew = points.iter().any(|point| point["goals"][0] != 0);
    assert_eq!(grew, record["replayed"].is_null(), "{record}");
    grew
}

#[test]
fn coverage_is_measured_while_tests_run_only_where_something_needs_it() {
    let project = avl();
    let budget = ["--executions", "64"];
    let run = |options: &[&str]| generate(&project, &[&budget[..], options].concat());
    for guide in ["random", "loc", "swarm", "loc,swarm"] {
        let record = run(&["--guide", guide]);
        assert!(!measured(&record), "{guide}");
        assert!(branches(&record) > 10, "{guide}: {record}");
        assert!(record["coverage-cost"].as_f64().unwrap() > 0.0, "{guide}");
    }
    assert!(measured(&run(&["--guide", "ga"])));
    assert!(measured(&run(&[])), "`auto` needs it");
    let plain = run(&["--guide", "auto", "--arms", "random;swarm"]);
    assert!(measured(&plain), "it compares guides by what they cover");
    let even = run(&["--guide", "ensemble", "--arms", "random;swarm"]);
    assert!(!measured(&even));
    for needed in [
        &["--coverage"][..],
        &["--until", "coverage=99%"],
        &["--tests", "100"],
    ] {
        let record = run(&[&["--guide", "random"][..], needed].concat());
        assert!(measured(&record), "{needed:?}");
    }
}

#[test]
fn the_settings_may_ask_for_coverage_and_a_flag_for_none() {
    let project = avl();
    std::fs::write(project.path("testhound.toml"), "coverage = true\n").unwrap();
    let run = |options: &[&str]| {
        let words = ["--guide", "random", "--executions", "16"];
        generate(&project, &[&words[..], options].concat())
    };
    assert!(measured(&run(&[])));
    assert!(!measured(&run(&["--no-coverage"])));
}

#[test]
fn tests_without_coverage_are_those_with_it_and_the_suite_repeats() {
    let project = avl();
    let suite = |options: &[&str]| {
        let words = ["--guide", "loc", "--executions", "128"];
        let record = generate(&project, &[&words[..], options].concat());
        let text = std::fs::read_to_string(project.path("out/suite/test_avl.py")).unwrap();
        (record["failures"].clone(), branches(&record), text)
    };
    let one = suite(&["--jobs", "1"]);
    assert_eq!(one, suite(&["--jobs", "2"]));
    let with = suite(&["--coverage", "--jobs", "1"]);
    assert_eq!(one.0, with.0, "the same tests fail in the same way");
    assert!(one.1 <= with.1, "{} {}", one.1, with.1);
}

#[test]
fn a_run_without_coverage_that_goes_on_keeps_what_its_first_tests_cover() {
    let project = avl();
    let first = generate(&project, &["--guide", "random", "--executions", "96"]);
    let words = ["generate", "avl.tstl", "--out", "out", "--json", "--resume"];
    let again = record(&project.run(&[&words[..], &["--executions", "97"]].concat()));
    assert_eq!(again["executions"], 97);
    assert!(again["replayed"].as_u64() >= first["replayed"].as_u64());
    assert!(branches(&again) >= branches(&first));
}
