//! Generates a suite for a sample on every JDK, and measures by `testhound measure` what it covers of each class.

use super::Options;
use super::sample::sample;
use super::subjects::Subject;
use super::suites::program;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What one run gave. The first JDK's is what bars of coverage and mutants look at.
#[derive(Debug, Serialize, Deserialize)]
pub struct Generated {
    /// The command.
    pub command: String,
    /// Branches covered and all, per sampled class.
    pub branches: BTreeMap<String, (u64, u64)>,
    /// Sampled classes of which the suite covers no branch, with the codes that the report gives for them and their members.
    pub zero: BTreeMap<String, Vec<String>>,
    /// Tests and assertions written.
    pub written: (u64, u64),
    /// Tests dropped, by reason.
    pub dropped: BTreeMap<String, u64>,
    /// Tests executed, and calls.
    pub executed: (u64, u64),
    /// Mutants considered, killed, and killed by the same tests without assertions.
    pub mutants: (u64, u64, u64),
    /// Seconds of wall time: the search, and all of it.
    pub seconds: (f64, f64),
}

/// The run folder of a subject on a JDK.
pub fn folder(subject: &Subject, options: &Options, jdk: usize) -> PathBuf {
    let name = format!("{}-{}-{}-{jdk}", subject.name, options.guide, options.seed);
    std::path::absolute(options.work.join(name)).unwrap()
}

/// The file of a result.
pub fn result(subject: &Subject, options: &Options, what: &str) -> PathBuf {
    let name = format!(
        "{}-{}-{}-{what}.json",
        subject.name, options.guide, options.seed
    );
    options.results.join(name)
}

/// Runs the step for a subject, as far as it has no result.
pub fn generate(subject: &Subject, options: &Options) {
    for (number, jdk) in options.jdks.iter().enumerate() {
        let file = result(subject, options, &format!("generated-{number}"));
        if file.exists() {
            continue;
        }
        let classes = sample(subject, options);
        let out = folder(subject, options, number);
        let generated = run(subject, options, jdk, &classes, &out);
        eprintln!(
            "{} on {}: {} tests, {:.1} % of branches",
            subject.name,
            jdk.display(),
            generated.written.0,
            100.0 * share(generated.branches.values().copied()),
        );
        std::fs::write(&file, serde_json::to_string_pretty(&generated).unwrap()).unwrap();
    }
}

/// Covered branches of all classes together, as a share.
pub fn share(branches: impl Iterator<Item = (u64, u64)>) -> f64 {
    let (covered, total) = branches.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    covered as f64 / f64::from(u32::try_from(total.max(1)).unwrap())
}

/// `testhound` on a subject: the command and the options that all commands take.
pub fn testhound(
    program: &Path,
    step: &str,
    subject: &Subject,
    jdk: &Path,
    classes: &[String],
) -> Command {
    let (jar, classpath) = (subject.path(), subject.classpath());
    let mut command = program::command(program, step, &jar, &classpath, classes).unwrap();
    command.arg("--java").arg(jdk);
    command
}

fn run(
    subject: &Subject,
    options: &Options,
    jdk: &Path,
    classes: &[String],
    out: &Path,
) -> Generated {
    let begun = Instant::now();
    let seconds = options.seconds * classes.len() as f64;
    let mut command = testhound(&options.program, "generate", subject, jdk, classes);
    command
        .args(["--guide", &options.guide, "--force", "--json"])
        .args(["--seed", &options.seed.to_string()])
        .args(["--time", &format!("{seconds}s")])
        .arg("--out")
        .arg(out);
    let record = program::json(&mut command).unwrap();
    let whole = begun.elapsed().as_secs_f64();
    let number = |pointer: &str| record.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    let mut dropped = BTreeMap::new();
    for one in record["dropped-tests"].as_array().unwrap() {
        let reason = one["reason"].as_str().unwrap().to_owned();
        *dropped.entry(reason).or_default() += 1;
    }
    let branches = covered(subject, options, jdk, classes, out);
    let zero = branches
        .iter()
        .filter(|(_, branches)| branches.0 == 0 && branches.1 > 0);
    Generated {
        zero: zero
            .map(|(class, _)| (class.clone(), codes(&record, class)))
            .collect(),
        command: format!("{command:?}").replace('"', ""),
        branches,
        written: (number("/suite-tests"), number("/suite-assertions")),
        dropped,
        executed: (number("/executions"), number("/calls")),
        mutants: (
            number("/mutation/mutants"),
            number("/mutation/killed"),
            number("/mutation/killed-without-assertions"),
        ),
        seconds: (record["elapsed-seconds"].as_f64().unwrap(), whole),
    }
}

/// What the written suite covers of the sampled classes.
fn covered(
    subject: &Subject,
    options: &Options,
    jdk: &Path,
    classes: &[String],
    out: &Path,
) -> BTreeMap<String, (u64, u64)> {
    let mut command = testhound(&options.program, "measure", subject, jdk, classes);
    command
        .arg("--json")
        .arg("--tests")
        .arg(out.join("build/suite/classes"));
    let record = program::json(&mut command).unwrap();
    let mut branches = BTreeMap::new();
    for class in record["classes"].as_array().unwrap() {
        let name = class["name"].as_str().unwrap().replace('/', ".");
        if classes.contains(&name) {
            branches.insert(name, count(class));
        }
    }
    branches
}

fn count(class: &Value) -> (u64, u64) {
    let methods = class["methods"].as_array().unwrap().iter();
    let branches = methods.flat_map(|method| method["branches"].as_array().unwrap());
    let sides = branches.flat_map(|branch| branch["sides"].as_array().unwrap());
    sides.fold((0, 0), |(covered, total), side| {
        (covered + u64::from(side.as_u64() > Some(0)), total + 1)
    })
}

/// The codes of a class and its members in a report.
fn codes(record: &Value, name: &str) -> Vec<String> {
    let mut classes = record["classes"].as_array().unwrap().iter();
    let class = classes.find(|class| class["name"].as_str().unwrap().replace('/', ".") == name);
    let methods = class.map(|class| class["methods"].as_array().unwrap().iter());
    let all = class.into_iter().chain(methods.into_iter().flatten());
    let mut codes: Vec<String> = all
        .filter_map(|one| one.pointer("/reason/code")?.as_str())
        .map(str::to_owned)
        .collect();
    codes.sort();
    codes.dedup();
    codes
}
