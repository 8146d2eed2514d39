//! `generate` on Java classes, end to end: the real binary, the real compiler, the real JUnit.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{code, junit_jars, stderr, stdout, tree};

/// A folder with the compiled classes of `examples/bank`.
struct Bank {
    folder: tempfile::TempDir,
}

impl Bank {
    fn new() -> Bank {
        let folder = tempfile::tempdir().unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bank/src/bank");
        let files = ["Account.java", "Currency.java", "Money.java"].map(|name| sources.join(name));
        let classes = folder.path().join("classes");
        java_tool(
            "javac",
            &["-nowarn", "-g", "--release", "8", "-Xlint:-options", "-d"],
            |command| command.arg(&classes).args(files),
        );
        Bank { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
        command.args(words).current_dir(self.folder.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }
}

/// Runs a tool of the JDK in the PATH and gives its output; it must succeed.
fn java_tool(
    name: &str,
    words: &[&str],
    more: impl FnOnce(&mut Command) -> &mut Command,
) -> Output {
    let mut command = Command::new(name);
    let output = more(command.args(words)).output().unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    output
}

/// Compiles the written suite and runs it with JUnit's own launcher; gives what it says.
fn run_suite(bank: &Bank, out: &str) -> String {
    let suite = bank.path(out).join("suite");
    let files: Vec<PathBuf> = tree(&suite)
        .into_iter()
        .map(|(path, _)| suite.join(path))
        .collect();
    assert!(!files.is_empty());
    let (classes, compiled) = (bank.path("classes"), bank.path("compiled"));
    let classpath = format!("{}:{}", classes.display(), junit_jars());
    java_tool("javac", &["-nowarn", "-cp", &classpath, "-d"], |command| {
        command.arg(&compiled).args(files)
    });
    let classpath = format!("{classpath}:{}", compiled.display());
    let mut launcher = Command::new("java");
    launcher.args([
        "-cp",
        &classpath,
        "org.junit.platform.console.ConsoleLauncher",
    ]);
    launcher.args(["--scan-classpath", &compiled.display().to_string()]);
    launcher.args(["--include-classname", ".*Test", "--details", "summary"]);
    stdout(&launcher.output().unwrap())
}

#[test]
fn a_suite_compiles_passes_and_shows_the_planted_faults() {
    let bank = Bank::new();
    let output = bank.run(&[
        "generate",
        "classes",
        "--executions",
        "6000",
        "--out",
        "out",
        "--json",
    ]);
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["executions"], 6000);
    let failures = record["failures"].as_array().unwrap();
    let found = |contract: &str| failures.iter().any(|one| one["contract"] == contract);
    assert!(found("hash-code-consistent"), "{failures:?}");
    let branch = &record["suite-coverage"]["branch"];
    let [covered, total] = ["covered", "total"].map(|key| branch[key].as_u64().unwrap());
    assert!(
        covered * 10 > total * 7,
        "{branch} {}",
        record["dropped-tests"]
    );

    let said = run_suite(&bank, "out");
    let count = |what: &str| -> u64 {
        let line = said.lines().find(|line| line.contains(what));
        let line = line.unwrap_or_else(|| panic!("no `{what}` in {said}"));
        line.trim_matches(|c: char| !c.is_ascii_digit())
            .parse()
            .unwrap()
    };
    let error_tests = failures
        .iter()
        .filter(|one| !one["test-name"].is_null())
        .count() as u64;
    assert_eq!(
        count("tests found"),
        record["suite-tests"].as_u64().unwrap()
    );
    assert_eq!(count("tests failed"), error_tests, "{said}");
    assert!(error_tests > 0);
    for file in [
        "report.html",
        "coverage.lcov",
        "coverage.xml",
        "failures.sarif",
    ] {
        assert!(bank.path("out").join(file).exists(), "{file}");
    }
}

#[test]
fn a_written_suite_covers_what_the_run_claims_and_kills_mutants() {
    let bank = Bank::new();
    let words = [
        "generate",
        "classes",
        "--executions",
        "3000",
        "--out",
        "out",
        "--json",
    ];
    let record: serde_json::Value = serde_json::from_slice(&bank.run(&words).stdout).unwrap();
    run_suite(&bank, "out");
    let words = ["measure", "classes", "--tests", "compiled", "--json"];
    let output = bank.run(&words);
    // The tests that show faults fail.
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let measured: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let tests = measured["tests"].as_array().unwrap();
    let goals = measured["goals"].as_array().unwrap();
    let hit: std::collections::BTreeSet<u64> = tests
        .iter()
        .flat_map(|test| test["goals"].as_array().unwrap())
        .map(|goal| goal.as_u64().unwrap())
        .filter(|goal| goals[*goal as usize]["criterion"] == "branch")
        .collect();
    let claimed = record["suite-coverage"]["branch"]["covered"]
        .as_u64()
        .unwrap();
    assert_eq!(hit.len() as u64, claimed);

    let output = bank.run(&["mutate", "classes", "--tests", "compiled", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let mutated: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mutants = mutated["mutants"].as_array().unwrap();
    let killed = mutants.iter().filter(|one| one["fate"] == "killed").count();
    assert!(killed * 2 > mutants.len(), "{killed} of {}", mutants.len());
    assert!(
        killed < mutants.len(),
        "no suite kills every mutant of this subject"
    );
}

#[test]
fn the_same_seed_writes_the_same_bytes_whatever_the_number_of_workers() {
    let bank = Bank::new();
    let suites = [("one", "1"), ("two", "2")].map(|(out, jobs)| {
        let words = [
            "generate",
            "classes",
            "--executions",
            "2000",
            "--seed",
            "5",
            "--out",
            out,
        ];
        let output = bank.run(&[&words[..], &["--jobs", jobs]].concat());
        assert!(code(&output) <= 1, "{}", stderr(&output));
        tree(&bank.path(out).join("suite"))
    });
    assert!(suites[0] == suites[1]);
}

#[test]
fn a_killed_run_is_resumed_with_all_that_it_had_found() {
    let bank = Bank::new();
    let words = ["generate", "classes", "--time", "60s", "--out", "out"];
    let mut child = bank.command(&words).spawn().unwrap();
    let journal = bank.path("out/journal.jsonl");
    // The run is killed as soon as it has found a failure.
    let kept = loop {
        let text = std::fs::read_to_string(&journal).unwrap_or_default();
        if text.contains("\"failures\"") {
            break text;
        }
        assert!(
            child.try_wait().unwrap().is_none(),
            "the run ended by itself"
        );
        std::thread::yield_now();
    };
    child.kill().unwrap();
    child.wait().unwrap();
    let output = bank.run(&[
        "generate",
        "classes",
        "--resume",
        "--executions",
        "1",
        "--out",
        "out",
        "--json",
    ]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let known = record["failures"].as_array().unwrap();
    let kept_goals: usize = kept.matches("\"criterion\"").count();
    assert!(!known.is_empty() && kept_goals > 0);
    let covered = |criterion: &str| -> u64 {
        let classes = record["classes"].as_array().unwrap();
        let lines = classes
            .iter()
            .flat_map(|class| class["methods"].as_array().unwrap());
        lines
            .filter(|method| method[criterion].as_u64() > Some(0))
            .count() as u64
    };
    assert!(covered("tests") > 0);
    assert!(record["suite-tests"].as_u64().unwrap() > 0);
}

#[test]
fn bad_subjects_and_filters_are_explained() {
    let bank = Bank::new();
    std::fs::write(bank.path("broken.jar"), b"PK not a jar").unwrap();
    let output = bank.run(&["generate", "broken.jar", "--out", "a"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("broken.jar"));
    let output = bank.run(&[
        "generate",
        "classes",
        "--class",
        "bank.Acount",
        "--out",
        "b",
    ]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("hint: "), "{}", stderr(&output));
    let output = bank.run(&["generate", "classes", "--java", "/nowhere", "--out", "c"]);
    assert_eq!(code(&output), 4, "{}", stderr(&output));
}
