//! Compiles written suites and runs them three times in fresh JVMs of every JDK that is not older than the one they were
//! generated on, with JUnit's own console launcher. Regression tests must pass; tests of failures must fail every time.

use super::Options;
use super::generated::{Generated, folder, result};
use super::subjects::Subject;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const LAUNCHER: &str = "/usr/share/java/junit-platform-console-standalone.jar";
const TIMES: usize = 3;

/// How the suite of one JDK fares on one.
#[derive(Debug, Serialize, Deserialize)]
pub struct Fresh {
    /// The JDK that it was generated on, and the one that it was compiled and run on.
    pub jdks: (usize, usize),
    /// Tests that should pass, in all runs together.
    pub runs: usize,
    /// What the compiler said, if it did not compile.
    pub broken: Option<String>,
    /// Tests that did not do what they should in some run.
    pub flaky: BTreeSet<String>,
}

/// Runs the step for a subject, as far as it has no result.
pub fn fresh(subject: &Subject, options: &Options) {
    let file = result(subject, options, "fresh");
    if file.exists() {
        return;
    }
    let count = options.jdks.len();
    let generated = |jdk| result(subject, options, &format!("generated-{jdk}")).exists();
    if !(0..count).all(generated) {
        eprintln!("{}: no suite has been generated", subject.name);
        return;
    }
    let pairs = (0..count).flat_map(|one| (one..count).map(move |other| (one, other)));
    let all: Vec<Fresh> = pairs.map(|jdks| pair(subject, options, jdks)).collect();
    for one in &all {
        let (broken, flaky) = (one.broken.is_some(), one.flaky.len());
        eprintln!(
            "{} {:?}: {} runs, broken: {broken}, wrong: {flaky}",
            subject.name, one.jdks, one.runs
        );
    }
    std::fs::write(&file, serde_json::to_string_pretty(&all).unwrap()).unwrap();
}

fn pair(subject: &Subject, options: &Options, jdks: (usize, usize)) -> Fresh {
    let out = folder(subject, options, jdks.0);
    let jdk = &options.jdks[jdks.1];
    let classes = out.join(format!("fresh-{}", jdks.1));
    let mut classpath = vec![subject.path()];
    classpath.extend(subject.classpath());
    let mut fresh = Fresh {
        jdks,
        runs: 0,
        broken: compile(jdk, &classpath, &out.join("suite"), &classes).err(),
        flaky: BTreeSet::new(),
    };
    classpath.push(classes.clone());
    for _ in 0..TIMES {
        if fresh.broken.is_none() {
            let tests = run(jdk, &classpath, &classes);
            let written = written(subject, options, jdks.0);
            if tests.len() != written {
                let told = format!("{} tests instead of {written}", tests.len());
                fresh.flaky.insert(told);
            }
            let wrong = tests.iter().filter(|test| test.passed == test.fails);
            fresh.flaky.extend(wrong.map(|test| test.name.clone()));
            fresh.runs += tests.len();
        }
    }
    fresh
}

/// How many tests the run on a JDK wrote.
fn written(subject: &Subject, options: &Options, jdk: usize) -> usize {
    let text = std::fs::read_to_string(result(subject, options, &format!("generated-{jdk}")));
    let generated: Generated = serde_json::from_str(&text.unwrap()).unwrap();
    usize::try_from(generated.written.0).unwrap()
}

fn compile(jdk: &Path, classpath: &[PathBuf], sources: &Path, to: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    find(sources, &mut files);
    if files.is_empty() {
        return Ok(());
    }
    let joined = std::env::join_paths(classpath.iter().chain([&PathBuf::from(LAUNCHER)])).unwrap();
    let output = Command::new(jdk.join("bin/javac"))
        .args(["-proc:none", "-nowarn", "-encoding", "UTF-8", "-cp"])
        .arg(joined)
        .arg("-d")
        .arg(to)
        .args(files)
        .output()
        .unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "java")
        {
            files.push(path);
        }
    }
}

/// One test of one run.
struct Ran {
    name: String,
    passed: bool,
    /// Whether it shows a failure of the subject.
    fails: bool,
}

fn run(jdk: &Path, classpath: &[PathBuf], classes: &Path) -> Vec<Ran> {
    let reports = tempfile::tempdir().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    Command::new(jdk.join("bin/java"))
        .args([
            "-jar",
            LAUNCHER,
            "--details=none",
            "--disable-banner",
            "-cp",
        ])
        .arg(std::env::join_paths(classpath).unwrap())
        .arg("--include-classname=.*")
        .arg("--scan-classpath")
        .arg(classes)
        .arg("--reports-dir")
        .arg(reports.path())
        .current_dir(scratch.path())
        .output()
        .unwrap();
    let report = reports.path().join("TEST-junit-jupiter.xml");
    let text = std::fs::read_to_string(report).unwrap_or_default();
    let cases = text.split("<testcase ").skip(1);
    cases
        .map(|case| {
            let field = |name: &str| {
                let from = case.split(&format!("{name}=\"")).nth(1).unwrap();
                from.split('"').next().unwrap()
            };
            let class = field("classname");
            let passed = !case.contains("<failure") && !case.contains("<error");
            let end = case.split("</failure>").next().unwrap_or_default();
            let cause: String = end.lines().skip(1).take(6).collect::<Vec<_>>().join(" | ");
            let what = if passed { "passed" } else { &cause };
            Ran {
                name: format!("{class}.{}: {what}", field("name")),
                passed,
                fails: class.ends_with("ErrorTest"),
            }
        })
        .collect()
}
