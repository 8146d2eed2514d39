//! One run of a comparison: `generate` in a process of its own, and what its record says.

use super::{budget_options, is_harness};
use crate::child;
use crate::cli::Compare;
use crate::exit::Failed;
use report::jvm::JvmRunRecord;
use report::run::{CurvePoint, RunRecord};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

/// The criterion that guides are compared by, where the subject has it.
const BRANCH: &str = "branch";

/// What one run achieved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Measured {
    /// The subject's name.
    pub subject: String,
    /// What is counted.
    pub measure: String,
    /// Covered and all goals by unit: classes, or criteria.
    pub units: Vec<Unit>,
    /// Tests executed.
    pub executions: u64,
    /// Seconds of testing.
    pub seconds: f64,
    /// Seconds of everything.
    pub whole_seconds: f64,
    /// Distinct failures.
    pub failures: u64,
    /// Steps taken, where that is told.
    #[serde(default)]
    pub actions: Option<u64>,
    /// Tests in the suite.
    pub suite_tests: u64,
    /// Goals that the run covered over time.
    pub curve: Vec<Place>,
}

/// A piece of the subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Goals covered.
    pub covered: u64,
    /// All goals.
    pub total: u64,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Seconds since the start.
    pub seconds: f64,
    /// Executions so far.
    pub executions: u64,
    /// Goals covered so far.
    pub covered: u64,
}

impl Measured {
    /// Goals covered, over all units.
    pub fn covered(&self) -> u64 {
        self.units.iter().map(|unit| unit.covered).sum()
    }

    /// All goals.
    pub fn total(&self) -> u64 {
        self.units.iter().map(|unit| unit.total).sum()
    }
}

/// One run of a guide.
pub struct Job {
    /// The guide, with options for it alone.
    pub guide: String,
    /// The seed.
    pub seed: u64,
    /// The budget and further options, as `generate` takes them.
    pub options: Vec<String>,
    /// What tells it from other runs of the guide with this seed.
    pub purpose: String,
    /// The time that it may take.
    pub time: Duration,
}

impl Job {
    /// A run with the budget of the comparison.
    pub fn new(flags: &Compare, guide: &str, seed: u64) -> Job {
        let mut options = budget_options(flags);
        options.extend(coverage_option(flags, guide).map(str::to_owned));
        Job {
            guide: guide.to_owned(),
            seed,
            options,
            purpose: String::new(),
            time: flags.time.unwrap_or_default(),
        }
    }

    /// The name of its files.
    pub fn key(&self) -> String {
        let plain = |letter: char| match letter {
            ' ' => '+',
            '/' => '%',
            letter => letter,
        };
        let guide: String = self.guide.chars().map(plain).collect();
        format!("{guide}-{}{}", self.seed, self.purpose)
    }
}

/// A guide as it was given, without and with the options for it alone.
pub fn parts(guide: &str) -> (&str, Vec<String>) {
    let mut words = guide.split_whitespace();
    let name = words.next().unwrap_or_default();
    (name, words.map(str::to_owned).collect())
}

/// Runs `generate` and reads its record.
pub fn run_once(flags: &Compare, job: &Job) -> Result<Measured, Failed> {
    let out = flags.out.join("runs").join(job.key());
    let seed = job.seed.to_string();
    let (guide, own) = parts(&job.guide);
    let words = [&flags.subject, "--guide", guide, "--seed", &seed, "--out"];
    let mut words: Vec<OsString> = words.map(OsString::from).to_vec();
    words.push(out.into_os_string());
    let options = job.options.iter().chain(&flags.options).chain(&own);
    words.extend(options.map(OsString::from));
    let what = format!("the run with guide `{}` and seed {seed}", job.guide);
    let generated = child::generate(words, job.time, &what)?;
    read(&generated.record, generated.wall)
        .ok_or_else(|| Failed::input("the record of a run cannot be read".to_owned()))
}

/// Whether the user says for all guides or for this one when coverage is measured.
pub fn says_coverage(flags: &Compare, guide: &str) -> bool {
    let (_, own) = parts(guide);
    let mut options = flags.options.iter().chain(&own);
    options.any(|option| ["--coverage", "--no-coverage"].contains(&option.as_str()))
}

/// Whether the runs of a guide of harnesses measure coverage.
pub fn measures_coverage(flags: &Compare, guide: &str) -> bool {
    let (name, own) = parts(guide);
    let mut options = flags.options.iter().chain(&own);
    !options.any(|option| option == "--no-coverage") || crate::python::needs_coverage(name)
}

/// Guides of harnesses are compared by what all their tests cover, unless the user says otherwise.
fn coverage_option(flags: &Compare, guide: &str) -> Option<&'static str> {
    let open = is_harness(&flags.subject) && !says_coverage(flags, guide);
    open.then_some("--coverage")
}

/// The numbers of a record, whatever its target.
fn read(bytes: &[u8], whole: Duration) -> Option<Measured> {
    if let Ok(record) = serde_json::from_slice::<JvmRunRecord>(bytes) {
        return Some(of_jvm(record, whole));
    }
    let record: RunRecord = serde_json::from_slice(bytes).ok()?;
    let mut criteria = record.criteria.iter();
    // Lines and functions would count what branches count again.
    let branch = criteria.position(|one| one.criterion == BRANCH);
    let counted = match branch {
        Some(number) => &record.criteria[number..=number],
        None => &record.criteria,
    };
    let units = counted.iter().map(|one| Unit {
        name: one.criterion.clone(),
        covered: one.covered,
        total: one.total.unwrap_or(one.covered),
    });
    let measure = branch.map_or("goals covered", |_| "branch sides covered");
    Some(Measured {
        subject: record.subject,
        measure: measure.to_owned(),
        units: units.collect(),
        executions: record.executions,
        seconds: record.elapsed_seconds,
        whole_seconds: whole.as_secs_f64(),
        failures: record.failures.len() as u64,
        actions: record.actions,
        suite_tests: record.suite_tests,
        curve: curve(&record.curve, |goals| match branch {
            Some(number) => goals.get(number).copied().unwrap_or(0),
            None => goals.iter().sum(),
        }),
    })
}

/// Gives each unit the same number of goals in all runs: that of the run that knows most. Modules that are loaded late are unknown to
/// runs that never came there, which would count as covering much of little.
pub fn agree(runs: &mut [Vec<Measured>]) {
    let mut totals: BTreeMap<String, u64> = BTreeMap::new();
    for unit in runs.iter().flatten().flat_map(|run| &run.units) {
        let total = totals.entry(unit.name.clone()).or_default();
        *total = (*total).max(unit.total);
    }
    for unit in runs.iter_mut().flatten().flat_map(|run| &mut run.units) {
        unit.total = totals.get(&unit.name).copied().unwrap_or(unit.total);
    }
}

fn of_jvm(record: JvmRunRecord, whole: Duration) -> Measured {
    let units = record.classes.iter().map(|class| {
        let sides = class.methods.iter().flat_map(|method| &method.branches);
        let sides = sides.flat_map(|branch| &branch.sides);
        let branch = class.suite.map(|suite| suite.branch);
        Unit {
            name: class.name.replace('/', "."),
            covered: branch.map_or_else(
                || sides.clone().filter(|tests| **tests > 0).count() as u64,
                |branch| branch.covered,
            ),
            total: sides.clone().count() as u64,
        }
    });
    Measured {
        subject: record.subject,
        measure: "branch coverage of the written suite".to_owned(),
        units: units.collect(),
        executions: record.executions,
        seconds: record.elapsed_seconds,
        whole_seconds: whole.as_secs_f64(),
        failures: record.failures.len() as u64,
        actions: None,
        suite_tests: record.suite_tests,
        curve: curve(&record.curve, |goals| goals.first().copied().unwrap_or(0)),
    }
}

fn curve(points: &[CurvePoint], covered: impl Fn(&[u64]) -> u64) -> Vec<Place> {
    let place = |point: &CurvePoint| Place {
        seconds: point.seconds,
        executions: point.executions,
        covered: covered(&point.goals),
    };
    points.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::run::{CriterionRecord, SandboxRecord};

    fn record(criteria: &[(&str, u64, u64)]) -> Vec<u8> {
        let criteria = criteria
            .iter()
            .map(|(name, covered, total)| CriterionRecord {
                criterion: (*name).to_owned(),
                covered: *covered,
                total: Some(*total),
                uncovered: vec![],
            });
        let record = RunRecord {
            subject: "toy".to_owned(),
            target: "python".to_owned(),
            guide: "random".to_owned(),
            seed: 1,
            command: String::new(),
            program: String::new(),
            executions: 9,
            actions: None,
            elapsed_seconds: 2.0,
            stopped_by: String::new(),
            ends: vec![],
            failures: vec![],
            criteria: criteria.collect(),
            curve: vec![CurvePoint {
                executions: 9,
                seconds: 1.0,
                goals: vec![7, 3],
                failures: 0,
            }],
            leak: None,
            coverage_cost: None,
            replayed: None,
            suite_tests: 1,
            suite_path: None,
            dropped: vec![],
            mutation: None,
            untested: vec![],
            unmeasured: vec![],
            sandbox: SandboxRecord {
                state: "full".to_owned(),
                missing: vec![],
                allowed: vec![],
            },
        };
        serde_json::to_vec(&record).unwrap()
    }

    fn measured(criteria: &[(&str, u64, u64)]) -> Measured {
        read(&record(criteria), Duration::ZERO).unwrap()
    }

    #[test]
    fn branches_alone_count_where_a_subject_has_them() {
        let one = measured(&[("branch", 7, 10), ("function", 3, 3)]);
        assert_eq!((one.covered(), one.total()), (7, 10));
        assert_eq!(one.curve[0].covered, 7);
        let other = measured(&[("choices", 7, 10), ("pairs", 3, 30)]);
        assert_eq!((other.covered(), other.total()), (10, 40));
        assert_eq!(other.curve[0].covered, 10);
    }

    #[test]
    fn runs_that_loaded_less_have_as_much_to_cover() {
        let mut runs = [
            vec![measured(&[("branch", 7, 10)])],
            vec![measured(&[("branch", 9, 40)])],
        ];
        agree(&mut runs);
        assert_eq!(runs[0][0].total(), 40);
        assert_eq!(runs[1][0].total(), 40);
    }
}
