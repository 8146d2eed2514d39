//! `generate`, `replay` and `reduce` end to end: the real binary on a real program with known faults.

mod support;

use std::process::Command;
use support::{Sample, code, stderr, stdout, tree};

#[test]
fn the_faults_are_found_reduced_and_written_as_cases_that_run_alone() {
    let sample = Sample::new();
    let output = sample.run(&[
        "generate",
        "divide.toml",
        "--executions",
        "600",
        "--out",
        "out",
        "--json",
    ]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let failures = record["failures"].as_array().unwrap();
    let inputs: Vec<&str> = failures
        .iter()
        .map(|failure| failure["input"].as_str().unwrap())
        .collect();
    assert!(
        inputs.contains(&"divide 0 div 0"),
        "the abort, reduced: {inputs:?}"
    );
    assert!(
        inputs
            .iter()
            .any(|input| input.starts_with("divide -") && input.contains("mod")),
        "{inputs:?}"
    );
    let refused = failures
        .iter()
        .find(|failure| failure["kind"] == "exit-on-error")
        .unwrap();
    let refused = refused["input"].as_str().unwrap();
    assert!(
        refused.contains("plus") || refused.contains("minus"),
        "still an input that must be refused: {refused}"
    );
    assert!(record["suite-tests"].as_u64().unwrap() > 0);

    let suite = Command::new("sh")
        .arg(sample.path("out/suite/run-all.sh"))
        .output()
        .unwrap();
    assert!(suite.status.success(), "{}", stdout(&suite));
    let cases = Command::new("sh")
        .arg(sample.path("out/failures/run-all.sh"))
        .output()
        .unwrap();
    let expected = format!("0 passed, {} failed", failures.len());
    assert!(
        stdout(&cases).ends_with(&format!("{expected}\n")),
        "{}",
        stdout(&cases)
    );
    let right = sample.path("right");
    let fixed = Command::new("sh")
        .arg(sample.path("out/failures/run-all.sh"))
        .arg(right)
        .output()
        .unwrap();
    assert!(fixed.status.success(), "{}", stdout(&fixed));
    let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap();
    let in_scratch = !pattern.starts_with('|') && !pattern.contains('/');
    let place = if in_scratch {
        "ended by SIGABRT in `main`"
    } else {
        "ended by SIGABRT"
    };
    let messages: Vec<&str> = failures
        .iter()
        .map(|failure| failure["message"].as_str().unwrap())
        .collect();
    assert!(messages.contains(&place), "{messages:?}");
    let junit = std::fs::read_to_string(sample.path("out/junit.xml")).unwrap();
    assert!(junit.contains("<failure"), "{junit}");
}

#[test]
fn a_case_replays_and_shows_when_it_is_mended() {
    let sample = Sample::new();
    sample.run(&[
        "generate",
        "divide.toml",
        "--executions",
        "300",
        "--out",
        "out",
    ]);
    let output = sample.run(&["replay", "out/failures/001-reference"]);
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    assert!(
        stdout(&output).contains("still there"),
        "{}",
        stdout(&output)
    );
    let output = sample.run(&["replay", "out/failures/001-reference", "--program", "right"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("is gone"));
}

#[test]
fn reduce_shortens_a_case_by_hand() {
    let sample = Sample::new();
    sample.run(&[
        "generate",
        "divide.toml",
        "--executions",
        "300",
        "--out",
        "out",
        "--no-reduce",
    ]);
    let output = sample.run(&["reduce", "out/failures/001-reference", "--out", "small"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let size = |case: &str| {
        let text = std::fs::read_to_string(sample.path(case).join("case.json")).unwrap();
        let case: serde_json::Value = serde_json::from_str(&text).unwrap();
        case["input"].to_string().len()
    };
    assert!(size("small") <= size("out/failures/001-reference"));
    assert_eq!(code(&sample.run(&["replay", "small"])), 1);
}

#[test]
fn the_same_seed_and_executions_give_the_same_bytes_whatever_the_jobs() {
    let sample = Sample::new();
    for (out, jobs) in [("one", "1"), ("three", "3")] {
        sample.run(&[
            "generate",
            "divide.toml",
            "--executions",
            "300",
            "--seed",
            "5",
            "--out",
            out,
            "--jobs",
            jobs,
        ]);
    }
    for folder in ["suite", "failures"] {
        let files = |out: &str| {
            let mut files = tree(&sample.path(out).join(folder));
            // The path of the program stands in `case.json`.
            for (_, bytes) in &mut files {
                *bytes = String::from_utf8_lossy(bytes)
                    .replace(&format!("/{out}/"), "/")
                    .into_bytes();
            }
            files
        };
        assert!(!files("one").is_empty());
        assert!(files("one") == files("three"), "{folder} differs");
    }
    let frames = |out: &str| {
        let text = std::fs::read_to_string(sample.path(out).join("journal.jsonl")).unwrap();
        let mut lines: Vec<String> = text
            .lines()
            .filter(|line| line.contains("\"test\""))
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines
    };
    assert_eq!(frames("one"), frames("three"));
}

#[test]
fn a_killed_run_resumes_to_what_it_would_have_been() {
    let sample = Sample::new();
    let words = [
        "generate",
        "divide.toml",
        "--executions",
        "700",
        "--out",
        "whole",
    ];
    sample.run(&words);
    let words = [
        "generate",
        "divide.toml",
        "--executions",
        "700",
        "--out",
        "cut",
    ];
    let mut child = sample
        .command(&words)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let journal = sample.path("cut/journal.jsonl");
    while std::fs::metadata(&journal).map_or(0, |data| data.len()) < 5000 {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it could be killed"
        );
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = std::fs::read_to_string(&journal).unwrap();
    let whole_lines = before.rsplit_once('\n').unwrap().0;
    let output = sample.run(&[
        "generate",
        "divide.toml",
        "--executions",
        "700",
        "--out",
        "cut",
        "--resume",
    ]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(
        std::fs::read_to_string(&journal)
            .unwrap()
            .starts_with(whole_lines),
        "nothing observed is lost"
    );
    for folder in ["suite", "failures"] {
        let names = |out: &str| -> Vec<_> {
            tree(&sample.path(out).join(folder))
                .into_iter()
                .map(|(path, _)| path)
                .collect()
        };
        assert_eq!(names("whole"), names("cut"));
        let script = |out: &str| {
            std::fs::read(sample.path(out).join(folder).join("001").join("run.sh")).ok()
        };
        assert_eq!(script("whole"), script("cut"));
    }
}

#[test]
fn an_earlier_run_is_not_overwritten_by_accident() {
    let sample = Sample::new();
    let words = [
        "generate",
        "divide.toml",
        "--executions",
        "64",
        "--out",
        "out",
    ];
    sample.run(&words);
    let again = sample.run(&words);
    assert_eq!(code(&again), 3);
    assert!(
        stderr(&again).contains("hint: `--resume` continues it"),
        "{}",
        stderr(&again)
    );
    let other = sample.run(&[
        "generate",
        "divide.toml",
        "--out",
        "out",
        "--resume",
        "--seed",
        "9",
    ]);
    assert_eq!(code(&other), 3);
    assert!(stderr(&other).contains("--seed"), "{}", stderr(&other));
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let sample = Sample::new();
    let words = ["generate", "divide.toml", "--time", "300s", "--out", "out"];
    let mut child = sample
        .command(&words)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let journal = sample.path("out/journal.jsonl");
    while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("failures")) {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let record = std::fs::read_to_string(sample.path("out/record.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert!(!record["failures"].as_array().unwrap().is_empty());
    assert_eq!(record["stopped-by"], "Ctrl-C");
}
