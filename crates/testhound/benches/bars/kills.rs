//! Ends runs by SIGKILL at random moments, resumes them, and compares what came out with what the journal had recorded.

use super::Options;
use super::generated::{result, testhound};
use super::subjects::Subject;
use super::suites::program;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Seconds that every run searches.
const SECONDS: &str = "2s";
/// Mutants that assertions are chosen by; few, so that every moment of a run has its chance.
const MUTANTS: &str = "200";

/// What became of killed runs.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Killed {
    /// Runs that were killed, and those of them in which something had been recorded.
    pub runs: (u32, u32),
    /// Runs that could not be resumed, with the cause.
    pub broken: Vec<String>,
    /// Failures recorded, found again, and standing in the suite.
    pub failures: (usize, usize, usize),
    /// Goals recorded, covered again, and covered by the suite.
    pub goals: (usize, usize, usize),
    /// Tests of resumed suites that `measure` saw fail although they should pass, or pass although they should fail.
    pub wrong: usize,
}

impl Killed {
    /// Prints it.
    pub fn print(&self, subject: &str) {
        println!(
            "killed runs of {subject}: {} ({} with records), {} not resumed; failures {:?}, goals {:?} (recorded, found again, in \
             the suite); {} tests wrong",
            self.runs.0,
            self.runs.1,
            self.broken.len(),
            self.failures,
            self.goals,
            self.wrong
        );
    }
}

/// Runs the step for a subject, if it has no result.
pub fn kill(subject: &Subject, options: &Options) {
    let file = result(subject, options, "killed");
    if file.exists() {
        return;
    }
    let out = std::path::absolute(options.work.join(format!("{}-killed", subject.name))).unwrap();
    let begun = Instant::now();
    assert!(start(subject, options, 0, &out).wait().unwrap().code() < Some(2));
    let whole = begun.elapsed();
    let mut killed = Killed::default();
    for number in 1..=options.kills {
        // Moments that are spread over the whole run but not evenly: the golden ratio's multiples.
        let moment = whole.mul_f64((f64::from(number) * 0.618_033_988_749_895).fract());
        one(subject, options, number, moment, &out, &mut killed);
        killed.print(subject.name);
    }
    std::fs::write(&file, serde_json::to_string_pretty(&killed).unwrap()).unwrap();
}

fn command(subject: &Subject, options: &Options, seed: u32, out: &Path) -> Command {
    let mut command = testhound(&options.program, "generate", subject, &options.jdks[0], &[]);
    command
        .args(["--guide", &options.guide, "--json", "--time", SECONDS])
        .args(["--seed", &seed.to_string(), "--mutants", MUTANTS])
        .arg("--out")
        .arg(out);
    command
}

fn start(subject: &Subject, options: &Options, seed: u32, out: &Path) -> std::process::Child {
    let mut command = command(subject, options, seed, out);
    command
        .arg("--force")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

fn one(
    subject: &Subject,
    options: &Options,
    number: u32,
    moment: Duration,
    out: &Path,
    killed: &mut Killed,
) {
    let _ = std::fs::remove_dir_all(out);
    let mut child = start(subject, options, number, out);
    std::thread::sleep(moment);
    child.kill().unwrap();
    if child.wait().unwrap().code().is_some() {
        eprintln!("run {number} ended before {moment:?}");
    }
    killed.runs.0 += 1;
    if !out.join("run.json").exists() {
        return;
    }
    let recorded = recorded(out);
    killed.runs.1 += u32::from(!recorded.goals.is_empty());
    let mut resumed = command(subject, options, number, out);
    let output = resumed.arg("--resume").output().unwrap();
    if !matches!(output.status.code(), Some(0 | 1)) {
        let cause = String::from_utf8_lossy(&output.stderr).into_owned();
        killed
            .broken
            .push(format!("run {number} after {moment:?}: {cause}"));
        return;
    }
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut measure = testhound(&options.program, "measure", subject, &options.jdks[0], &[]);
    measure
        .arg("--json")
        .arg("--tests")
        .arg(out.join("build/suite/classes"));
    let measured = program::json(&mut measure).unwrap();
    compare(&recorded, &record, &measured, killed);
}

/// What a journal holds: failures by contract and signature, goals by criterion and number.
#[derive(Default)]
struct Recorded {
    failures: BTreeSet<(String, String)>,
    goals: BTreeSet<(u64, u64)>,
}

fn recorded(out: &Path) -> Recorded {
    let mut recorded = Recorded::default();
    let text = std::fs::read_to_string(out.join("journal.jsonl")).unwrap_or_default();
    // The last line may be torn; it was not recorded then.
    for line in text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    {
        let list = |name: &str| {
            line.pointer(&format!("/kept/reason/{name}"))?
                .as_array()
                .cloned()
        };
        for goal in list("goals").into_iter().flatten() {
            let number = |name: &str| goal[name].as_u64().unwrap();
            recorded
                .goals
                .insert((number("criterion"), number("number")));
        }
        for failure in list("failures").into_iter().flatten() {
            let text = |index: usize| failure[index].as_str().unwrap().to_owned();
            recorded.failures.insert((text(0), text(1)));
        }
    }
    recorded
}

fn compare(recorded: &Recorded, record: &Value, measured: &Value, killed: &mut Killed) {
    killed.failures.0 += recorded.failures.len();
    for failure in record["failures"].as_array().unwrap() {
        let text = |name: &str| failure[name].as_str().unwrap().to_owned();
        if recorded
            .failures
            .contains(&(text("contract"), text("signature")))
        {
            killed.failures.1 += 1;
            killed.failures.2 += usize::from(!failure["test-name"].is_null());
        }
    }
    killed.goals.0 += recorded.goals.len();
    killed.goals.1 += both(&recorded.goals, &by_classes(&record["classes"]));
    killed.goals.2 += both(&recorded.goals, &by_classes(&measured["classes"]));
    for test in measured["tests"].as_array().unwrap() {
        let fails = test["class"].as_str().unwrap().ends_with("ErrorTest");
        killed.wrong += usize::from((test["outcome"] == "passed") == fails);
    }
}

fn both(one: &BTreeSet<(u64, u64)>, other: &BTreeSet<(u64, u64)>) -> usize {
    one.intersection(other).count()
}

/// The covered goals of classes. They are numbered per criterion: by class, then in the order of code, lines rising.
fn by_classes(classes: &Value) -> BTreeSet<(u64, u64)> {
    let mut covered = BTreeSet::new();
    let mut next = [0, 0, 0];
    let mut goal = |criterion: usize, tests: &Value| {
        if tests.as_u64() > Some(0) {
            covered.insert((criterion as u64, next[criterion]));
        }
        next[criterion] += 1;
    };
    for class in classes.as_array().unwrap() {
        let methods = class["methods"].as_array().unwrap();
        for method in methods {
            for branch in method["branches"].as_array().unwrap() {
                for side in branch["sides"].as_array().unwrap() {
                    goal(0, side);
                }
            }
            goal(2, &method["tests"]);
        }
        // A line that two methods share is one goal.
        let mut lines: BTreeMap<u64, &Value> = BTreeMap::new();
        for line in methods
            .iter()
            .flat_map(|method| method["lines"].as_array().unwrap())
        {
            let seen = lines
                .entry(line["line"].as_u64().unwrap())
                .or_insert(&line["tests"]);
            if line["tests"].as_u64() > seen.as_u64() {
                *seen = &line["tests"];
            }
        }
        for tests in lines.into_values() {
            goal(1, tests);
        }
    }
    covered
}
