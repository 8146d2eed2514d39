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

fn avl() -> Project {
    Project::new(&[
        ("avl.tstl", &example("python/avl/avl.tstl")),
        ("avltree.py", &example("python/avl/avltree.py")),
    ])
}

#[test]
fn studies_tell_what_the_first_guide_needs_for_the_same_coverage_and_what_coverage_costs() {
    let project = avl();
    let words = ["compare", "avl.tstl", "--guides", "random;ga"];
    let studies = ["--same-coverage=3", "--coverage-cost"];
    let budget = ["--runs", "2", "--executions", "24", "--json"];
    let options = ["--", "--no-reduce"];
    let words = [&words[..], &studies, &budget, &options].concat();
    let output = project.run(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let reached = &record["reached"][0];
    assert_eq!(reached["guide"], "ga");
    let needed = reached["needed"].as_f64().unwrap();
    assert!((1.0..=72.0).contains(&needed), "{reached}");
    let [random, ga] = [&record["costs"][0], &record["costs"][1]];
    assert!(random["gain"].as_f64().unwrap() > 0.0, "{random}");
    assert!(ga["with"].as_f64().unwrap() > 0.0 && ga["gain"].is_null());
    let command = record["command"].as_str().unwrap();
    assert!(command.contains("--same-coverage=3 --coverage-cost"));
    // All runs are there already.
    assert_eq!(stdout(&project.run(&words)), stdout(&output));
}

#[test]
fn a_guide_may_have_options_of_its_own() {
    let project = avl();
    let sizes = "{\"<avl>.insert(<int>)\": {\"samples\": 1, \"sum\": 50.0}}";
    std::fs::write(project.path("old.json"), sizes).unwrap();
    let stale = "loc --sizes ./old.json";
    let guides = format!("loc;{stale}");
    let words = ["compare", "avl.tstl", "--guides", &guides];
    let output = project.run(&[&words[..], &BUDGET, &["--", "--no-reduce"]].concat());
    covers_something(&shares(&output), ["loc", stale]);
    let folder = project.path("testhound-compare/runs");
    assert!(folder.join("loc-1/sizes.json").exists());
    let stale = folder.join("loc+--sizes+.%old.json-1");
    assert!(stale.join("run.json").exists());
    assert!(!stale.join("sizes.json").exists(), "nothing was sampled");
}

#[test]
fn guides_are_not_compared_by_different_measures() {
    let project = avl();
    for words in [
        &["--guides", "random;ga", "--", "--no-coverage"][..],
        &["--choose", "--", "--no-coverage"],
        &["--guides", "random;loc --no-coverage"],
        &["--coverage-cost", "--", "--coverage"],
    ] {
        let output = project.run(&[&["compare", "avl.tstl"][..], words].concat());
        assert_eq!(code(&output), 2, "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("hint: "));
    }
}

#[test]
fn a_guide_in_the_settings_stops_no_subject_of_another_kind() {
    let project = Project::new(&[
        ("shop.py", &example("shop/shop.py")),
        ("testhound.toml", "guide = 'swarm'\n"),
    ]);
    let words = ["generate", "shop.py", "--executions", "50"];
    let rest = ["--mutants", "0", "--no-reduce", "--json"];
    let output = project.run(&[&words[..], &rest].concat());
    let record: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(record["guide"], "auto");
    assert!(stderr(&output).contains("note: the guide `swarm` in `testhound.toml`"));
}
