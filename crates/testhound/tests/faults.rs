//! `study --fixed A --faulty B` end to end on the example versions: suites of the fixed version, run on faulty ones.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::path::Path;
use support::{Project, code, stderr, stdout};

fn example(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/faults");
    std::fs::read_to_string(folder.join(path)).unwrap()
}

/// The outcome of the only run on each faulty version.
fn outcomes(record: &Value) -> Vec<String> {
    let faults = record["faults"].as_array().unwrap().iter();
    let shown = |fault: &Value| {
        let outcome = &fault["cells"][0]["runs"][0]["outcome"];
        format!(
            "{} {}",
            fault["faulty"].as_str().unwrap(),
            outcome.as_str().unwrap()
        )
    };
    faults.map(shown).collect()
}

#[test]
fn suites_of_the_fixed_version_fail_pass_or_break_on_others_and_a_stopped_study_goes_on() {
    let fixed = example("fixed/ranges/Range.java");
    let hidden = fixed.replace("public Range(", "private Range(");
    assert_ne!(hidden, fixed);
    let project = Project::new(&[
        ("src/fixed/ranges/Range.java", &fixed),
        (
            "src/overlap/ranges/Range.java",
            &example("overlap/ranges/Range.java"),
        ),
        ("src/hidden/ranges/Range.java", &hidden),
    ]);
    for version in ["fixed", "overlap", "hidden"] {
        project.compile(&format!("src/{version}"), version);
    }
    let words = [
        "study",
        "--fixed",
        "fixed",
        "--class",
        "ranges.*",
        "--guides",
        "grt",
        "--runs",
        "1",
        "--executions",
        "600",
        "--out",
        "out",
        "--json",
        "--faulty",
        "overlap",
        "--faulty",
        "hidden",
    ];
    let run = |more: &[&str]| {
        let output = project.run(&[&words[..], more, &["--", "--mutants", "100"]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_str::<Value>(&stdout(&output)).unwrap()
    };
    let record = run(&[]);
    assert_eq!(outcomes(&record), ["overlap fail", "hidden broken"]);
    let cell = &record["faults"][0]["cells"][0];
    assert_eq!(cell["likelihood"], 1.0);
    assert!(!cell["runs"][0]["failing"].as_array().unwrap().is_empty());
    let cause = record["faults"][1]["cells"][0]["runs"][0]["cause"].as_str();
    assert!(cause.unwrap().contains("private access"), "{cause:?}");
    assert_eq!(record["totals"][0]["detected"], 1);

    // One more version is run on the suite that is there.
    let generated = project.path("out/generated/grt-600-executions-1.json");
    let before = std::fs::metadata(&generated).unwrap();
    let more = run(&["--faulty", "fixed"]);
    assert_eq!(
        outcomes(&more),
        ["overlap fail", "hidden broken", "fixed pass"]
    );
    let after = std::fs::metadata(&generated).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    let other = project.run(&[&words[..], &["--", "--mutants", "7"]].concat());
    assert_eq!(code(&other), 3);
    assert!(stderr(&other).contains("other classes or options"));
}

#[test]
fn suites_of_a_module_are_run_on_its_faulty_version() {
    let project = Project::new(&[
        ("fixed/ranges.py", &example("python/fixed/ranges.py")),
        ("faulty/ranges.py", &example("python/faulty/ranges.py")),
        ("other.py", "def f(x: int) -> int:\n    return x\n"),
    ]);
    let words = |faulty| {
        [
            "study",
            "--fixed",
            "fixed/ranges.py",
            "--faulty",
            faulty,
            "--guides",
            "random",
            "--runs",
            "1",
            "--executions",
            "300",
        ]
    };
    let output = project.run(&words("faulty/ranges.py"));
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("random  300 executions  yes"), "{text}");
    for file in ["report.html", "study.json", "runs.csv"] {
        assert!(project.path("testhound-study").join(file).exists());
    }
    let wrong = project.run(&words("other.py"));
    assert_eq!(code(&wrong), 3);
    assert!(stderr(&wrong).contains("hint: give both files the same name"));
}
