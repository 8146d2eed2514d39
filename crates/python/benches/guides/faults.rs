//! Planted faults: one change in a module of a subject each, that `random` finds in less than half of its runs.
//!
//! `bench/harnesses/mutate.py` lists the changes of a module and makes them. Candidates are taken in an order that depends on their
//! checksums alone. A candidate is planted if one long run of `random` finds it, but not in the first half of the usual budget; so
//! faults that nothing can find are not among them, and no other guide has a say. Those that `random` then finds in half of
//! its runs or more, with other seeds, do not count.

use crate::options::{Options, Subject};
use crate::results::{Outcome, kept, read};
use crate::run::{Limits, run};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The guides whose finds are counted.
const GUIDES: [&str; 2] = ["random", "auto"];
/// The seed of the run that chooses; others measure.
const CHOOSING: u64 = 1000;
/// How many budgets long that run is.
const LONG: f64 = 2.0;

/// A change of a module.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Candidate {
    /// What is changed, relative to the folder of modules.
    file: String,
    /// Which change of that file.
    number: usize,
    /// What it does, for people.
    what: String,
}

/// Chooses faults and runs the guides on them.
pub fn measure(options: &Options) {
    let subjects: Vec<&Subject> = options
        .subjects
        .iter()
        .copied()
        .filter(|one| !one.faults.is_empty())
        .collect();
    let mut candidates: Vec<_> = subjects
        .iter()
        .map(|one| candidates(options, one).into_iter())
        .collect();
    let mut planted = 0;
    let mut left = true;
    while planted < options.faults && left {
        left = false;
        for (subject, candidates) in subjects.iter().zip(&mut candidates) {
            let Some(candidate) = candidates.next() else {
                continue;
            };
            left = true;
            if planted < options.faults && chosen(options, subject, &candidate) {
                planted += 1;
                println!("{}: {}", subject.name, candidate.what);
                find(options, subject, &candidate);
            }
        }
    }
}

/// Whether `random` finds a fault, but late.
fn chosen(options: &Options, subject: &Subject, candidate: &Candidate) -> bool {
    let outcome = planted_run(options, subject, candidate, "random", CHOOSING, LONG);
    let early = (options.seconds * 0.5e6) as u64;
    outcome
        .failures
        .first()
        .is_some_and(|found| found.cpu > early)
}

fn find(options: &Options, subject: &Subject, candidate: &Candidate) {
    for seed in 1..=options.seeds {
        for guide in GUIDES {
            planted_run(options, subject, candidate, guide, seed, 1.0);
        }
    }
}

fn planted_run(
    options: &Options,
    subject: &Subject,
    candidate: &Candidate,
    guide: &str,
    seed: u64,
    budgets: f64,
) -> Outcome {
    let key = format!("faults/{}/{guide}-{seed}", name(subject, candidate));
    kept(options, &key, || {
        eprintln!("{key}");
        let overlay = plant(options, subject, candidate);
        let limits = Limits {
            cpu: Some(Duration::from_secs_f64(options.seconds * budgets)),
            first_failure: true,
            overlay: Some(overlay),
            ..Limits::default()
        };
        run(options, subject, guide, seed, &limits)
    })
}

fn name(subject: &Subject, candidate: &Candidate) -> String {
    let file = candidate.file.replace('/', ".");
    format!("{}-{file}-{}", subject.name, candidate.number)
}

/// All candidates of a subject, shuffled.
fn candidates(options: &Options, subject: &Subject) -> Vec<Candidate> {
    let output = mutate(options, &["list"], subject);
    serde_json::from_slice(&output).unwrap()
}

/// The folder with the changed module.
fn plant(options: &Options, subject: &Subject, candidate: &Candidate) -> PathBuf {
    let folder = options
        .results
        .join("planted")
        .join(name(subject, candidate));
    if !folder.exists() {
        let number = candidate.number.to_string();
        let folder = folder.to_string_lossy();
        mutate(
            options,
            &["plant", &folder, &candidate.file, &number],
            subject,
        );
    }
    folder
}

fn mutate(options: &Options, words: &[&str], subject: &Subject) -> Vec<u8> {
    let python = options
        .python
        .clone()
        .map_or("python3".into(), |one| one.join("bin/python"));
    let mut command = Command::new(python);
    command
        .arg(options.harnesses.join("mutate.py"))
        .args(words)
        .args(subject.faults);
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// Prints how often each fault was found.
pub fn print(options: &Options) {
    println!(
        "planted faults: runs of {} s in which they are found\n",
        options.seconds
    );
    println!("| fault | {} |", GUIDES.join(" | "));
    println!("|---|{}", "---|".repeat(GUIDES.len()));
    let mut sums = [0.0; GUIDES.len()];
    let mut count = 0;
    let Ok(folders) = std::fs::read_dir(options.results.join("faults")) else {
        return;
    };
    let mut folders: Vec<PathBuf> = folders.map(|one| one.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let shares = GUIDES.map(|guide| share(options, &folder, guide));
        let [Some((found, runs)), Some((auto, auto_runs))] = shares else {
            continue;
        };
        let counts = 2 * found < runs;
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        println!(
            "| {name}{} | {found} of {runs} | {auto} of {auto_runs} |",
            if counts { "" } else { " (does not count)" }
        );
        if counts {
            count += 1;
            sums[0] += found as f64 / runs as f64;
            sums[1] += auto as f64 / auto_runs as f64;
        }
    }
    println!(
        "\n{count} faults; finds per run: random {:.2}, auto {:.2}; ratio {:.2}\n",
        sums[0],
        sums[1],
        sums[1] / sums[0]
    );
}

/// In how many of how many runs a fault was found.
fn share(options: &Options, folder: &Path, guide: &str) -> Option<(usize, usize)> {
    let folder = folder.file_name()?.to_string_lossy().into_owned();
    let key = |seed: u64| format!("faults/{folder}/{guide}-{seed}");
    let runs: Vec<Outcome> = (1..=options.seeds)
        .filter_map(|seed| read(options, &key(seed)))
        .collect();
    let found = runs.iter().filter(|one| !one.failures.is_empty()).count();
    (!runs.is_empty()).then_some((found, runs.len()))
}
