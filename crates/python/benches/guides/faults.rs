//! Planted faults: one change in a module of a subject each, that `random` finds in less than half of its runs.
//!
//! `bench/harnesses/mutate.py` lists the changes of a module and makes them. Candidates in lines that `random` executes seldom come first, subject
//! by subject in turn, then all others, by checksum: faults in code that is executed often are found at once or never. A candidate is tried if one of a bounded number of recorded tests of some
//! single guide on the subject without faults finds it, but none of those that `random` runs in the first half of the usual budget: so faults that nothing can
//! find are not among them. It counts if `random` then finds it in less than half of some runs that are made for this alone: were it
//! judged by the runs that are compared, bad luck of `random` would be chosen. Guides whose tests showed that a fault can be found are arms of
//! `auto`, so the faults that recorded tests of `random` found are told apart.
//!
//! Faults that were chosen before are listed in `bench/harnesses/faults.txt`. They come first, and count under the same condition.

use crate::options::{Options, Subject};
use crate::recording::Recording;
use crate::results::{Found, Outcome, keep, kept, read};
use crate::run::{Limits, run};
use crate::side_by_side;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The guides whose finds are counted.
const GUIDES: [&str; 2] = ["random", "auto"];
/// The guides whose recorded tests tell which faults can be found.
const CHOOSERS: [&str; 4] = ["random", "loc", "swarm", "ga"];
/// The seed of the recorded tests of `random` that must not find a fault soon; others measure.
const CHOOSING: u64 = 1000;
/// The seed of the tests that tell which faults can be found.
const SHOWING: u64 = 1001;
/// The most tests of each chooser, of those that execute the line of a fault.
const MOST_SHOWING: usize = 1000;
/// So many tests of `random` are run first: they find most faults.
const FIRST: usize = 200;
/// A line is executed seldom if at most so many of the tests do that `random` runs in half of the usual budget.
const SELDOM: usize = 3;
/// The seeds of the runs of `random` that judge whether a fault counts.
const JUDGING: std::ops::Range<u64> = 2000..2010;

/// A change of a module.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Candidate {
    /// What is changed, relative to the folder of modules.
    file: String,
    /// The line of the change.
    line: u32,
    /// Which change of that file.
    number: usize,
    /// What it does, for people.
    what: String,
}

/// A subject whose faults are to be chosen.
struct Field<'a> {
    subject: &'a Subject,
    /// Made when somebody needs them: what is kept may do without.
    recordings: OnceLock<Recordings>,
    /// Those in lines that `random` executes seldom, and the others.
    candidates: [std::vec::IntoIter<Candidate>; 2],
}

/// Recorded tests of a subject.
struct Recordings {
    /// What `random` runs in the first half of the usual budget.
    soon: Recording,
    /// By chooser.
    showing: Vec<Recording>,
}

/// Chooses faults and runs the guides on them, on those that are listed first.
pub fn measure(options: &Options) {
    let subjects = subjects(options);
    let listed = listed(options, &subjects);
    let planted = measure_these(options, &listed);
    if planted < options.faults {
        find_others(options, &subjects, &listed, planted);
    }
}

/// Looks for faults that are not listed.
pub fn search(options: &Options) {
    let subjects = subjects(options);
    let listed = listed(options, &subjects);
    find_others(options, &subjects, &listed, 0);
}

/// Looks for faults that are not listed, until there are enough with those that are planted.
fn find_others(
    options: &Options,
    subjects: &[&'static Subject],
    listed: &[(&'static Subject, Candidate)],
    mut planted: usize,
) {
    let listed: BTreeSet<String> = listed.iter().map(|(one, other)| name(one, other)).collect();
    let mut fields: Vec<Field> = subjects
        .iter()
        .map(|subject| field(options, subject, &listed))
        .collect();
    for order in (0..2).filter(|order| options.lines[*order]) {
        while planted < options.faults {
            let next = fields.iter_mut().enumerate();
            let next =
                next.filter_map(|(number, field)| Some((number, field.candidates[order].next()?)));
            let round: Vec<(usize, Candidate)> = next.collect();
            if round.is_empty() {
                break;
            }
            planted = plant_some(options, &fields, &round, planted);
        }
    }
}

/// Runs the guides on the faults that are listed.
pub fn measure_listed(options: &Options) {
    measure_these(options, &listed(options, &subjects(options)));
}

/// Runs the guides on those of these faults that count; how many do.
fn measure_these(options: &Options, faults: &[(&'static Subject, Candidate)]) -> usize {
    let mut planted = 0;
    for (subject, candidate) in faults {
        // Runs side by side find it planted.
        plant(options, subject, candidate);
        if planted < options.faults && counts(options, subject, candidate) {
            planted += 1;
            find(options, subject, candidate);
        }
    }
    planted
}

/// The subjects that faults are planted in.
fn subjects(options: &Options) -> Vec<&'static Subject> {
    let subjects = options.subjects.iter().copied();
    subjects.filter(|one| !one.faults.is_empty()).collect()
}

/// The faults of these subjects that were chosen before.
fn listed(options: &Options, subjects: &[&'static Subject]) -> Vec<(&'static Subject, Candidate)> {
    let text = std::fs::read_to_string(options.harnesses.join("faults.txt")).unwrap();
    let lines: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').collect())
        .collect();
    let mut listed = Vec::new();
    for &subject in subjects {
        let lines = lines.iter().filter(|line| line[0] == subject.name);
        let lines: Vec<_> = lines.collect();
        if lines.is_empty() {
            continue;
        }
        let all = candidates(options, subject);
        for line in lines {
            let number: usize = line[2].parse().unwrap();
            let mut those = all.iter();
            let those = those.find(|one| one.file == line[1] && one.number == number);
            let candidate = those
                .unwrap_or_else(|| panic!("{line:?} is not there"))
                .clone();
            let key = format!("faults-chosen/{}", name(subject, &candidate));
            keep(options, &key, &shown_by(Some((line[3], 0))));
            listed.push((subject, candidate));
        }
    }
    listed
}

/// What is kept of a candidate: the guide and the test that show it, if any.
fn shown_by(found: Option<(&str, u32)>) -> Outcome {
    let found = found.map(|(guide, test)| Found {
        signature: guide.to_owned(),
        actions: 100 * u64::from(test),
        cpu: 0,
    });
    Outcome {
        points: Vec::new(),
        failures: found.into_iter().collect(),
    }
}

/// Runs the guides on those of these candidates that count, until there are enough; how many there are then.
fn plant_some(
    options: &Options,
    fields: &[Field],
    round: &[(usize, Candidate)],
    mut planted: usize,
) -> usize {
    // What this finds out is kept in files.
    side_by_side(options.jobs, round, |(number, candidate)| {
        chosen(options, &fields[*number], candidate);
    });
    for (number, candidate) in round {
        let field = &fields[*number];
        let subject = field.subject;
        if planted < options.faults
            && chosen(options, field, candidate)
            && counts(options, subject, candidate)
        {
            planted += 1;
            find(options, subject, candidate);
        }
    }
    planted
}

/// Lists the candidates in lines that recorded tests execute, without those that are listed.
fn field<'a>(options: &Options, subject: &'a Subject, listed: &BTreeSet<String>) -> Field<'a> {
    let recordings = OnceLock::new();
    let key = format!("faults-candidates/{}", subject.name);
    let mut candidates: [Vec<Candidate>; 2] = kept(options, &key, || {
        recordings
            .get_or_init(|| record(options, subject))
            .executed(candidates(options, subject))
    });
    eprintln!(
        "faults/{}: {} candidates in lines that random executes seldom, {} others",
        subject.name,
        candidates[0].len(),
        candidates[1].len(),
    );
    for some in &mut candidates {
        some.retain(|one| !listed.contains(&name(subject, one)));
    }
    Field {
        subject,
        recordings,
        candidates: candidates.map(Vec::into_iter),
    }
}

fn record(options: &Options, subject: &Subject) -> Recordings {
    eprintln!("faults/{}: recording", subject.name);
    let limits = Limits {
        cpu: Some(Duration::from_secs_f64(options.seconds)),
        ..Limits::default()
    };
    let key = format!("faults-usual/{}", subject.name);
    let usual: Outcome = kept(options, &key, || {
        run(options, subject, "random", CHOOSING, &limits)
    });
    let usual = usual.points.last().map_or(0, |point| point.actions / 100);
    let record = |guide, seed, tests| Recording::new(options, subject, (guide, seed), tests);
    Recordings {
        soon: record("random", CHOOSING, usual / 2),
        showing: CHOOSERS
            .iter()
            .map(|guide| record(guide, SHOWING, usual))
            .collect(),
    }
}

impl Recordings {
    /// Of these candidates those in lines that are executed at all: seldom by `random`, and the others.
    fn executed(&self, mut all: Vec<Candidate>) -> [Vec<Candidate>; 2] {
        let executing =
            |one: &Candidate, recording: &Recording| recording.executing(&one.file, one.line).len();
        all.retain(|one| self.showing.iter().any(|all| executing(one, all) > 0));
        let (mut seldom, others): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|one| executing(one, &self.soon) <= SELDOM);
        seldom.sort_by_cached_key(|one| executing(one, &self.soon));
        [seldom, others]
    }
}

/// Whether a fault is found, but not soon by `random`.
fn chosen(options: &Options, field: &Field, candidate: &Candidate) -> bool {
    let subject = field.subject;
    let key = format!("faults-chosen/{}", name(subject, candidate));
    let outcome: Outcome = kept(options, &key, || {
        let overlay = plant(options, subject, candidate);
        let recordings = field.recordings.get_or_init(|| record(options, subject));
        let failing = |recording: &Recording, tests: &[u32]| {
            recording.first_failing(options, subject, &overlay, tests)
        };
        let tests = |recording: &'_ Recording| {
            recording
                .executing(&candidate.file, candidate.line)
                .to_vec()
        };
        let soon = tests(&recordings.soon);
        let (first, rest) = soon.split_at(soon.len().min(FIRST));
        let shown = || {
            let mut choosers = CHOOSERS.iter().zip(&recordings.showing);
            choosers.find_map(|(guide, recording)| {
                let mut tests = tests(recording);
                tests.truncate(MOST_SHOWING);
                Some((*guide, failing(recording, &tests)?))
            })
        };
        let found = match failing(&recordings.soon, first) {
            Some(_) => None,
            None => shown().filter(|_| failing(&recordings.soon, rest).is_none()),
        };
        if found.is_none() {
            std::fs::remove_dir_all(&overlay).unwrap();
        }
        shown_by(found)
    });
    !outcome.failures.is_empty()
}

/// Whether `random` finds a fault in less than half of the runs that judge. They end as soon as this is known.
fn counts(options: &Options, subject: &Subject, candidate: &Candidate) -> bool {
    let runs: Vec<u64> = JUDGING.collect();
    let half = runs.len().div_ceil(2);
    let [found, missed] = [const { AtomicUsize::new(0) }; 2];
    let known = || {
        let [found, missed] = [&found, &missed].map(|count| count.load(Ordering::Relaxed));
        found >= half || missed > runs.len() - half
    };
    side_by_side(options.jobs, &runs, |seed| {
        if !known() {
            let outcome = planted_run(options, subject, candidate, GUIDES[0], *seed);
            let count = match outcome.failures.is_empty() {
                true => &missed,
                false => &found,
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    found.into_inner() < half
}

fn find(options: &Options, subject: &Subject, candidate: &Candidate) {
    println!("{}: {}", name(subject, candidate), candidate.what);
    let seeds = options.seeds.clone();
    let runs: Vec<(u64, &str)> = seeds
        .flat_map(|seed| GUIDES.map(|guide| (seed, guide)))
        .collect();
    side_by_side(options.jobs, &runs, |(seed, guide)| {
        planted_run(options, subject, candidate, guide, *seed);
    });
}

fn planted_run(
    options: &Options,
    subject: &Subject,
    candidate: &Candidate,
    guide: &str,
    seed: u64,
) -> Outcome {
    let key = format!("faults/{}/{guide}-{seed}", name(subject, candidate));
    kept(options, &key, || {
        eprintln!("{key}");
        let overlay = plant(options, subject, candidate);
        let limits = Limits {
            cpu: Some(Duration::from_secs_f64(options.seconds)),
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
        "planted faults that `random` finds in less than half of {} runs of {} s that only judge this; runs in which they are found\n",
        JUDGING.count(),
        options.seconds
    );
    println!("| fault | a recorded test of | {} |", GUIDES.join(" | "));
    println!("|---|---|{}", "---|".repeat(GUIDES.len()));
    let Ok(folders) = std::fs::read_dir(options.results.join("faults")) else {
        return;
    };
    let mut folders: Vec<PathBuf> = folders.map(|one| one.unwrap().path()).collect();
    folders.sort();
    let mut faults = Vec::new();
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let shares = GUIDES.map(|guide| share(options, &name, guide));
        let chosen: Option<Outcome> = read(options, &format!("faults-chosen/{name}"));
        let (Some(chosen), [Some(random), Some(auto)]) = (chosen, shares) else {
            continue;
        };
        let Some(by) = chosen.failures.first().map(|one| one.signature.clone()) else {
            continue;
        };
        println!(
            "| {name} | {by} | {} of {} | {} of {} |",
            random.0, random.1, auto.0, auto.1
        );
        faults.push((
            by,
            [random, auto].map(|(found, runs)| found as f64 / runs as f64),
        ));
    }
    let sum = |title: &str, those: &dyn Fn(&str) -> bool| {
        let those: Vec<_> = faults.iter().filter(|(by, _)| those(by)).collect();
        if those.is_empty() {
            return;
        }
        let [random, auto] =
            [0, 1].map(|side| those.iter().map(|(_, found)| found[side]).sum::<f64>());
        println!(
            "{title}: {} faults; finds per run: random {random:.2}, auto {auto:.2}; ratio {:.2}",
            those.len(),
            auto / random
        );
    };
    println!();
    sum("all", &|_| true);
    sum("found by recorded tests of `random`", &|by| {
        by == CHOOSERS[0]
    });
    sum("found only by recorded tests of others", &|by| {
        by != CHOOSERS[0]
    });
}

/// In how many of how many runs a fault was found.
fn share(options: &Options, fault: &str, guide: &str) -> Option<(usize, usize)> {
    let key = |seed: u64| format!("faults/{fault}/{guide}-{seed}");
    let seeds = options.seeds.clone();
    let runs: Vec<Outcome> = seeds.filter_map(|seed| read(options, &key(seed))).collect();
    let found = runs.iter().filter(|one| !one.failures.is_empty()).count();
    (!runs.is_empty()).then_some((found, runs.len()))
}
