//! One run of a comparison: `generate` in a process of its own, and what its record says.

use super::budget_options;
use crate::child;
use crate::cli::Compare;
use crate::exit::Failed;
use report::jvm::JvmRunRecord;
use report::run::{CurvePoint, RunRecord};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::time::Duration;

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

/// Runs `generate` and reads its record.
pub fn run_once(flags: &Compare, guide: &str, seed: u64) -> Result<Measured, Failed> {
    let out = flags.out.join("runs").join(format!("{guide}-{seed}"));
    let seed = seed.to_string();
    let words = [&flags.subject, "--guide", guide, "--seed", &seed, "--out"];
    let mut words: Vec<OsString> = words.map(OsString::from).to_vec();
    words.push(out.into_os_string());
    words.extend(budget_options(flags).into_iter().map(OsString::from));
    words.extend(flags.options.iter().map(OsString::from));
    let what = format!("the run with guide `{guide}` and seed {seed}");
    let generated = child::generate(words, flags.time.unwrap_or_default(), &what)?;
    read(&generated.record, generated.wall)
        .ok_or_else(|| Failed::input("the record of a run cannot be read".to_owned()))
}

/// The numbers of a record, whatever its target.
fn read(bytes: &[u8], whole: Duration) -> Option<Measured> {
    if let Ok(record) = serde_json::from_slice::<JvmRunRecord>(bytes) {
        return Some(of_jvm(record, whole));
    }
    let record: RunRecord = serde_json::from_slice(bytes).ok()?;
    let units = record.criteria.iter().map(|one| Unit {
        name: one.criterion.clone(),
        covered: one.covered,
        total: one.total.unwrap_or(one.covered),
    });
    Some(Measured {
        subject: record.subject,
        measure: "goals covered".to_owned(),
        units: units.collect(),
        executions: record.executions,
        seconds: record.elapsed_seconds,
        whole_seconds: whole.as_secs_f64(),
        failures: record.failures.len() as u64,
        suite_tests: record.suite_tests,
        curve: curve(&record.curve, |goals| goals.iter().sum()),
    })
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
