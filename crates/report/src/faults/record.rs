//! The data of a fault study's report. Shares are between 0 and 1. Every number is finite.

use serde::{Deserialize, Serialize};

/// Suites of one fixed version run on faulty ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FaultsRecord {
    /// The fixed version, as it was named.
    pub fixed: String,
    /// The classes that tests were generated for; empty for all.
    pub classes: Vec<String>,
    /// The command line that repeats the study.
    pub command: String,
    /// Name and version of the program.
    pub program: String,
    /// Runs of each guide with each budget.
    pub runs: u64,
    /// The faulty versions.
    pub faults: Vec<FaultRecord>,
    /// All faults together, by guide and budget.
    pub totals: Vec<FaultTotal>,
}

/// One faulty version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FaultRecord {
    /// The version, as it was named.
    pub faulty: String,
    /// How it fared, by guide, then budget.
    pub cells: Vec<FaultCell>,
}

/// One guide with one budget on one faulty version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FaultCell {
    /// The guide.
    pub guide: String,
    /// The budget of each run, for example `10s` or `5000 executions`.
    pub budget: String,
    /// Whether the suites of all runs together detect the fault.
    pub detected: bool,
    /// The share of runs that detect it; runs that are broken do not.
    pub likelihood: f64,
    /// Lower end of Wilson's 95 % interval of that share.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The runs, by seed.
    pub runs: Vec<FaultRun>,
}

impl FaultCell {
    /// Runs with an outcome.
    #[must_use]
    pub fn count(&self, outcome: FaultOutcome) -> u64 {
        let runs = self.runs.iter();
        runs.filter(|run| run.outcome == outcome).count() as u64
    }
}

/// The suite of one run on one faulty version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FaultRun {
    /// The seed.
    pub seed: u64,
    /// What the suite says of the faulty version.
    pub outcome: FaultOutcome,
    /// Why it is broken, or what the first failing test says.
    pub cause: String,
    /// Tests of the suite that pass on the fixed version.
    pub tests: u64,
    /// Tests that do not, and do not count.
    pub dropped: u64,
    /// The tests that pass on the fixed version and fail on the faulty one.
    pub failing: Vec<String>,
    /// Seconds of testing.
    pub seconds: f64,
    /// Seconds of generating: testing, choosing assertions, writing and checking the suite.
    pub whole_seconds: f64,
}

/// What a suite says of a faulty version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultOutcome {
    /// All tests pass: the fault is not detected.
    Pass,
    /// Some test fails: the fault is detected.
    Fail,
    /// The suite cannot be used: it has no test that passes on the fixed version, or does not compile or run on the faulty one.
    Broken,
}

impl FaultOutcome {
    /// The word of reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultOutcome::Pass => "pass",
            FaultOutcome::Fail => "fail",
            FaultOutcome::Broken => "broken",
        }
    }
}

/// One guide with one budget on all faults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FaultTotal {
    /// The guide.
    pub guide: String,
    /// The budget of each run.
    pub budget: String,
    /// Faults that the suites of all runs together detect.
    pub detected: u64,
    /// The mean over faults of the share of runs that detect it.
    pub likelihood: f64,
}
