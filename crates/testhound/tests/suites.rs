//! `measure` and `mutate` on an existing JUnit suite, end to end: the real binary, the real compiler, the real JUnit.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;
use std::process::{Command, Output};
use support::{code, stderr, stdout};

/// A folder with the compiled classes of a subject and of its tests.
fn compiled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../jvm/testdata/junit");
    let jars = [
        "junit-jupiter-api",
        "junit-platform-commons",
        "opentest4j",
        "apiguardian-api",
    ];
    let jars = jars.map(|name| format!("/usr/share/java/{name}.jar"));
    let subject = folder.path().join("subject");
    let classpath = format!("{}:{}", subject.display(), jars.join(":"));
    for (source, target) in [
        ("subject/counting/Counter.java", "subject"),
        ("tests/counting/CounterTest.java", "tests"),
    ] {
        let output = Command::new("javac")
            .args(["-nowarn", "-g", "-cp", &classpath, "-d"])
            .arg(folder.path().join(target))
            .arg(sources.join(source))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    folder
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
    command.args(words).current_dir(folder);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
        command.env_remove(name);
    }
    command.output().unwrap()
}

#[test]
fn measure_counts_what_a_suite_covers_and_writes_reports() {
    let folder = compiled();
    let words = ["measure", "subject", "--tests", "tests", "--out", "out"];
    let output = run(folder.path(), &words);
    assert_eq!(code(&output), 1, "one test fails: {}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("7 passed, 1 failed, 1 skipped"), "{text}");
    assert!(text.contains("line            13  14   92.9 %"), "{text}");
    for name in [
        "report.html",
        "report.json",
        "coverage.lcov",
        "coverage.xml",
    ] {
        assert!(folder.path().join("out").join(name).is_file(), "{name}");
    }
    let json = [&words[..4], &["--criteria", "method", "--json"]].concat();
    let record: serde_json::Value =
        serde_json::from_slice(&run(folder.path(), &json).stdout).unwrap();
    let goals = record["goals"].as_array().unwrap();
    assert!(goals.iter().all(|goal| goal["criterion"] == "method"));
    let loops = record["tests"].as_array().unwrap().iter();
    let loops = loops.filter(|test| test["name"] == "loops");
    let hit: Vec<&str> = loops
        .flat_map(|test| test["goals"].as_array().unwrap())
        .map(|goal| {
            goals[goal.as_u64().unwrap() as usize]["method"]
                .as_str()
                .unwrap()
        })
        .collect();
    assert_eq!(hit, ["<init>()V", "loop(I)I"]);
}

#[test]
fn mutate_tells_which_mutants_a_suite_does_not_notice() {
    let folder = compiled();
    let words = [
        "mutate",
        "subject",
        "--tests",
        "tests",
        "--operators",
        "pit",
    ];
    let output = run(folder.path(), &words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("11 of 16 mutants killed (68.8 %) by 6 tests"),
        "{text}"
    );
    assert!(
        text.contains("counting.Counter.last: line 22: return-value"),
        "{text}"
    );
}

#[test]
fn tests_may_be_sources_and_mutants_run_side_by_side() {
    let folder = compiled();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../jvm/testdata/junit/tests");
    let sources = sources.display().to_string();
    let words = ["mutate", "subject", "--operators", "pit", "--json"];
    let run_with = |tests: &str, jobs: &str| -> serde_json::Value {
        let output = run(
            folder.path(),
            &[&words[..], &["--tests", tests, "--jobs", jobs]].concat(),
        );
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (compiled, sources) = (run_with("tests", "1"), run_with(&sources, "3"));
    assert_eq!(compiled["tests"], 6);
    assert_eq!(compiled["tests"], sources["tests"]);
    let fates = |record: &serde_json::Value| -> Vec<(String, String)> {
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let mutants = record["mutants"].as_array().unwrap().iter();
        mutants
            .map(|mutant| (text(&mutant["id"]), text(&mutant["fate"])))
            .collect()
    };
    assert_eq!(fates(&compiled), fates(&sources));

    std::fs::write(folder.path().join("Bad.java"), "class Bad { int x = y; }").unwrap();
    let output = run(
        folder.path(),
        &["measure", "subject", "--tests", "Bad.java"],
    );
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("Bad.java:1: error: cannot find symbol"));
}

#[test]
fn an_unknown_operator_is_told_with_the_known_ones() {
    let folder = compiled();
    let words = ["mutate", "subject", "--tests", "tests", "--operators", "x"];
    let output = run(folder.path(), &words);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("hint: the operators are `arithmetic`"));
}
