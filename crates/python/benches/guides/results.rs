//! Results of runs, one file each.

use crate::options::Options;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a run achieved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Branch sides covered, after actions and microseconds of processor time; one point per change, and one at the end.
    pub points: Vec<Point>,
    /// Distinct failures.
    pub failures: Vec<Found>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// Actions so far.
    pub actions: u64,
    /// Microseconds of processor time so far.
    pub cpu: u64,
    /// Branch sides covered.
    pub covered: u32,
}

/// A failure, when it was first seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The failure.
    pub signature: String,
    /// Actions before.
    pub actions: u64,
    /// Microseconds of processor time before.
    pub cpu: u64,
}

impl Outcome {
    /// What was covered after so many actions.
    pub fn covered_after(&self, actions: u64) -> u32 {
        let before = self
            .points
            .iter()
            .take_while(|point| point.actions <= actions);
        before.last().map_or(0, |point| point.covered)
    }

    /// The actions after which so much was covered; nothing if it never was.
    pub fn actions_for(&self, covered: f64) -> Option<u64> {
        let mut points = self.points.iter();
        points
            .find(|point| f64::from(point.covered) >= covered)
            .map(|point| point.actions)
    }

    /// What was covered in the end.
    pub fn covered(&self) -> u32 {
        self.points.last().map_or(0, |point| point.covered)
    }
}

/// The result that is kept, or else that of a run, which is kept.
pub fn kept<T: Serialize + DeserializeOwned>(
    options: &Options,
    key: &str,
    run: impl FnOnce() -> T,
) -> T {
    if let Some(outcome) = read(options, key) {
        return outcome;
    }
    let outcome = run();
    keep(options, key, &outcome);
    outcome
}

/// Keeps a result.
pub fn keep<T: Serialize>(options: &Options, key: &str, outcome: &T) {
    let file = options.results.join(format!("{key}.json"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let part = file.with_extension("part");
    std::fs::write(&part, serde_json::to_string(outcome).unwrap()).unwrap();
    std::fs::rename(part, file).unwrap();
}

/// The result that is kept, if there is one.
pub fn read<T: DeserializeOwned>(options: &Options, key: &str) -> Option<T> {
    let text = std::fs::read_to_string(options.results.join(format!("{key}.json"))).ok()?;
    serde_json::from_str(&text).ok()
}
