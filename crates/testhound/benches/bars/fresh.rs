//! Compiles written suites and runs them three times in fresh JVMs of every JDK that is not older than the one they were
//! generated on, with JUnit's own console launcher. Regression tests must pass; tests of failures must fail every time.

use super::Options;
use super::generated::{Generated, folder, result};
use super::subjects::Subject;
use super::suites::junit::{self, Ran};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;

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
    let mut classpath = vec![subject.path(), PathBuf::from(LAUNCHER)];
    classpath.extend(subject.classpath());
    let mut fresh = Fresh {
        jdks,
        runs: 0,
        broken: junit::compile(jdk, &classpath, &out.join("suite"), &classes).unwrap(),
        flaky: BTreeSet::new(),
    };
    for _ in 0..TIMES {
        if fresh.broken.is_none() {
            let tests = junit::run(jdk, &[], &classpath, &classes).unwrap();
            let written = written(subject, options, jdks.0);
            if tests.len() != written {
                let told = format!("{} tests instead of {written}", tests.len());
                fresh.flaky.insert(told);
            }
            let wrong = tests.iter().filter(|test| test.wrong());
            fresh.flaky.extend(wrong.map(told));
            fresh.runs += tests.len();
        }
    }
    fresh
}

fn told(test: &Ran) -> String {
    let how = test.failed.as_deref().unwrap_or("passed");
    format!("{}: {how}", test.name)
}

/// How many tests the run on a JDK wrote.
fn written(subject: &Subject, options: &Options, jdk: usize) -> usize {
    let text = std::fs::read_to_string(result(subject, options, &format!("generated-{jdk}")));
    let generated: Generated = serde_json::from_str(&text.unwrap()).unwrap();
    usize::try_from(generated.written.0).unwrap()
}
