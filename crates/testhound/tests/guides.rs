//! What the parts of guidance reach on Java classes, end to end, by execution budgets: the classes of the figures of Ma et al. (ASE
//! 2015), rewritten, are covered by the parts that the paper says cover them, and not without. And guides compared.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{Project, code, stderr, stdout};

fn figures() -> Project {
    project(&["Patterns", "Rules", "Streams", "Values"])
}

/// A project with these classes of the figures.
fn project(names: &[&str]) -> Project {
    let sources = names.iter().map(|name| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/figures/figures");
        let text = std::fs::read_to_string(format!("{folder}/{name}.java")).unwrap();
        (format!("src/figures/{name}.java"), text)
    });
    let sources: Vec<(String, String)> = sources.collect();
    let sources: Vec<(&str, &str)> = sources
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let project = Project::new(&sources);
    project.compile("src", "classes");
    project
}

/// How many of the branch sides of a class the suite of a guide covers, and how many there are.
fn covered(project: &Project, guide: &str, class: &str) -> (u64, u64) {
    let output = project.run(&[
        "generate",
        "classes",
        "--guide",
        guide,
        "--executions",
        "6000",
        "--mutants",
        "0",
        "--seed",
        "1",
        "--json",
        "--force",
        "--out",
        "out",
    ]);
    assert!(code(&output) <= 1, "{}", stderr(&output));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let classes = record["classes"].as_array().unwrap();
    let name = format!("figures/{class}");
    let class = classes.iter().find(|one| one["name"] == name.as_str());
    let branch = &class.unwrap()["suite"]["branch"];
    let count = |key: &str| branch[key].as_u64().unwrap();
    (count("covered"), count("total"))
}

#[test]
fn values_by_letters_need_constants_and_run_time_types() {
    let project = figures();
    let (all, total) = covered(&project, "constants,elephant", "Values");
    assert_eq!(all, total, "Figure 3 is covered by both parts");
    for less in ["constants", "elephant", "random"] {
        let (some, _) = covered(&project, less, "Values");
        assert!(some < total / 2, "`{less}` covers {some} of {total}");
    }
    let (letters, total) = covered(&project, "constants", "Patterns");
    assert_eq!(letters, total, "the letters themselves need constants only");
    assert!(covered(&project, "elephant", "Patterns").0 < total);
}

#[test]
fn streams_need_the_detective() {
    let project = figures();
    let (all, total) = covered(&project, "detective", "Streams");
    assert_eq!(all, total, "Figure 4 is covered by the part");
    for less in ["random", "grt-detective"] {
        let (some, _) = covered(&project, less, "Streams");
        assert!(some <= 2, "`{less}` covers {some} of {total}");
    }
}

#[test]
fn documents_of_xml_need_the_detective() {
    let project = project(&["Papers"]);
    let (all, total) = covered(&project, "detective", "Papers");
    assert_eq!(
        all, total,
        "with and without a root, by long and short names"
    );
    for less in ["random", "grt-detective"] {
        let (none, _) = covered(&project, less, "Papers");
        assert_eq!(none, 0, "`{less}` has no papers");
    }
}

#[test]
fn abstract_classes_functional_interfaces_and_classes_need_the_detective() {
    let project = figures();
    let (all, total) = covered(&project, "detective", "Rules");
    assert_eq!(
        all,
        total - 1,
        "`pick` of a rule that does not hold gives nothing"
    );
    let (few, _) = covered(&project, "grt-detective", "Rules");
    assert!(
        few <= 1,
        "only classes that are no interfaces are to be had, but {few}"
    );
}

#[test]
fn the_whole_preset_covers_both_figures_the_same_way_each_time() {
    let project = figures();
    let reached = |class| covered(&project, "grt", class);
    for class in ["Values", "Streams", "Patterns"] {
        let (all, total) = reached(class);
        assert_eq!(all, total, "{class}");
    }
    let suite = || support::tree(&project.path("out/suite"));
    let first = suite();
    reached("Values");
    assert_eq!(suite(), first);
}

#[test]
fn the_preset_takes_loc_along() {
    let project = figures();
    let (all, total) = covered(&project, "grt,loc", "Streams");
    assert_eq!(all, total);
    let suite = || support::tree(&project.path("out/suite"));
    let with = suite();
    covered(&project, "grt", "Streams");
    assert_ne!(suite(), with, "operations are drawn by other weights");
}

#[test]
fn guides_are_compared_and_a_stopped_comparison_goes_on() {
    let project = figures();
    let words = [
        "compare",
        "classes",
        "--guides",
        "random,grt,grt-detective",
        "--runs",
        "2",
        "--executions",
        "1500",
        "--out",
        "compared",
    ];
    let options = ["--", "--mutants", "0"];
    let output = project.run(&[&words[..], &options].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let told = stdout(&output);
    for part in [
        "grt-detective",
        "A12",
        "figures.Streams",
        "to repeat: testhound compare",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let page = std::fs::read_to_string(project.path("compared/report.html")).unwrap();
    assert!(page.contains("<svg"));
    // A lost result is made again, and it is the same; the others are not touched.
    let results = project.path("compared/results");
    let kept = std::fs::metadata(results.join("grt-2.json")).unwrap();
    std::fs::remove_file(results.join("random-1.json")).unwrap();
    let again = project.run(&[&words[..], &options].concat());
    let table = |text: &str| text.lines().take(7).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(table(&stdout(&again)), table(&told));
    let after = std::fs::metadata(results.join("grt-2.json")).unwrap();
    assert_eq!(kept.modified().unwrap(), after.modified().unwrap());
    let other = project.run(&[&words[..], &["--", "--mutants", "1"]].concat());
    assert_eq!(code(&other), 3);
    assert!(
        stderr(&other).contains("another subject, budget or options"),
        "{}",
        stderr(&other)
    );
}
