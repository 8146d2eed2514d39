//! The data of a comparison's report. Shares are between 0 and 1. Every number is finite.

use super::studies::{CostRecord, ReachedRecord};
use serde::{Deserialize, Serialize};

/// Guides compared on one subject.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CompareRecord {
    /// Name of the subject.
    pub subject: String,
    /// The command line that repeats the comparison.
    pub command: String,
    /// Name and version of the program.
    pub program: String,
    /// The budget of each run, for example `60s` or `5000 executions`.
    pub budget: String,
    /// What is compared, for example `branch coverage of the written suite`.
    pub measure: String,
    /// The guides; the first is the baseline.
    pub guides: Vec<ComparedGuide>,
    /// All runs, by guide, then seed.
    pub runs: Vec<ComparedRun>,
    /// What is covered piece by piece: classes, or criteria.
    pub units: Vec<ComparedUnit>,
    /// The guide that covers most, against each of the others; nothing where all cover the same.
    pub best: Option<Best>,
    /// What the user is advised to do, with the reason.
    pub recommendation: String,
    /// How long the first guide needs to cover what each other covers, where that was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reached: Vec<ReachedRecord>,
    /// What measuring coverage costs each guide, where that was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<CostRecord>,
}

/// The guide that covers most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Best {
    /// The guide.
    pub guide: String,
    /// What it is tested over: `units` (medians, by Wilcoxon's test), or `runs` (by Mann and Whitney's) where units are few.
    pub over: String,
    /// The other guides, in their order.
    pub others: Vec<Beaten>,
}

/// A guide that covers less than the best one, or as much.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Beaten {
    /// The guide.
    pub guide: String,
    /// The p-value of the difference by Holm's correction for all pairs of guides.
    pub p: f64,
    /// Whether the best guide is significantly better.
    pub significant: bool,
}

/// How one guide did over all its runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ComparedGuide {
    /// The guide.
    pub guide: String,
    /// Mean share covered over the runs.
    pub mean: f64,
    /// Median share.
    pub median: f64,
    /// The chance that a run of it covers more than one of the baseline.
    pub a12: Option<f64>,
    /// Mann-Whitney p-value of its runs against the baseline's.
    pub p: Option<f64>,
    /// Wilcoxon p-value over the medians of units.
    pub p_over_units: Option<f64>,
    /// Units with a higher median than the baseline's.
    pub better_units: u64,
    /// Units with a lower one.
    pub worse_units: u64,
    /// Units of which some run of it covers nothing, although it has goals.
    pub zero_units: u64,
    /// The share of what the baseline leaves uncovered that it covers, by means.
    pub gained: Option<f64>,
    /// Mean number of distinct failures.
    pub failures: f64,
    /// Mean coverage over time with its confidence interval.
    pub curve: Vec<CurvePlace>,
}

/// A point of a mean curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CurvePlace {
    /// Seconds, or executions where that is the budget.
    pub at: f64,
    /// Mean share.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ComparedRun {
    /// The guide.
    pub guide: String,
    /// The seed.
    pub seed: u64,
    /// Goals covered.
    pub covered: u64,
    /// All goals.
    pub total: u64,
    /// Tests executed.
    pub executions: u64,
    /// Seconds of testing, without writing the suite.
    pub seconds: f64,
    /// Seconds of everything.
    pub whole_seconds: f64,
    /// Distinct failures.
    pub failures: u64,
    /// Tests in the suite.
    pub suite_tests: u64,
}

impl ComparedRun {
    /// The share covered; 1 where there is nothing to cover.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self.total {
            0 => 1.0,
            total => self.covered as f64 / total as f64,
        }
    }
}

/// A piece of the subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ComparedUnit {
    /// Its name.
    pub name: String,
    /// All goals.
    pub total: u64,
    /// The mean share of every guide over its runs, in the order of guides.
    pub means: Vec<f64>,
    /// The median share of every guide, in the order of guides.
    pub medians: Vec<f64>,
    /// Every guide but the first against the first.
    pub tests: Vec<UnitTest>,
}

/// A guide against the baseline on one unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct UnitTest {
    /// The chance that a run of it covers more than one of the baseline.
    pub a12: Option<f64>,
    /// Mann-Whitney p-value.
    pub p: Option<f64>,
}
