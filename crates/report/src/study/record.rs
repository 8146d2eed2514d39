//! The data of a study report, as the study driver fills it and as `--json` prints it.
//!
//! Every number is finite. What is undefined (an F-measure nobody could estimate, a test with too few faults) is `None`,
//! never NaN, because JSON has no NaN. This file holds no arithmetic but the look-ups the exporters share.

use crate::left_out::LeftOut;
use serde::{Deserialize, Serialize};

/// A study of one subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StudyRecord {
    /// Name of the subject.
    pub subject: String,
    /// One sentence about the subject; may be empty.
    #[serde(default)]
    pub description: String,
    /// The exact command line that repeats the study.
    pub command: String,
    /// Name and version of the program that ran it, for example `testhound 0.1.0`.
    pub program: String,
    /// The seed everything was drawn from.
    pub seed: u64,
    /// The compared guides, in the order to present them.
    pub guides: Vec<String>,
    /// The guide that F-ratios and relative times divide by.
    pub baseline: String,
    /// Candidates per selection (the paper's k).
    pub candidates: u64,
    /// Categories of the specification.
    pub categories: u64,
    /// Choices of the specification, over all categories.
    pub choices: u64,
    /// Runs per guide.
    pub runs: u64,
    /// Tests per run; a fault not found by then is censored.
    pub tests_per_run: u64,
    /// Size of the pool of inputs the tests are drawn from; `None` when they come from the generator directly.
    pub pool: Option<u64>,
    /// Confidence level of the intervals, for example 0.95.
    pub confidence: f64,
    /// Significance level after correction, for example 0.05.
    pub alpha: f64,
    /// How many hypotheses the Holm-Bonferroni correction covered.
    pub hypotheses: u64,
    /// The suite sizes n at which P-measures were taken, growing.
    pub sizes: Vec<u64>,
    /// The faulty versions and what each guide did on them.
    pub versions: Vec<VersionRecord>,
    /// Versions made but left out of the study.
    #[serde(default)]
    pub dropped_versions: Vec<LeftOut>,
    /// Per guide other than the baseline, its F-ratio over all faults of this subject.
    pub summaries: Vec<GuideSummary>,
    /// Comparison of F-measures (the smaller wins), as in Table 5.
    pub f_comparison: Comparison,
    /// Comparison of PMAs (the larger wins), as in Table 6.
    pub pma_comparison: Comparison,
    /// Generation time per guide and number of tests, as in Table 7 and Fig. 3.
    pub generation: Vec<GenerationTime>,
    /// Where the time of the study went.
    pub timing: StudyTiming,
}

/// One faulty version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct VersionRecord {
    /// Name of the version, for example `m017`.
    pub name: String,
    /// What was changed, for example ``line 41: `<` became `<=` ``; may be empty.
    #[serde(default)]
    pub mutant: String,
    /// Share of inputs that fail.
    pub failure_rate: f64,
    /// How the failures lie in the space of frames, as in Section 6.
    pub failing_frames: Option<FailingFrames>,
    /// One result per guide, in the order of [`StudyRecord::guides`].
    pub results: Vec<GuideResult>,
}

/// How the failing inputs of one version are spread over frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FailingFrames {
    /// Frames with at least one failing input.
    pub frames: u64,
    /// Mean failure rate within those frames.
    pub failure_rate_within: f64,
    /// Mean distance between two of them; `None` with fewer than two.
    pub mean_distance: Option<f64>,
}

/// What one guide did on one faulty version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GuideResult {
    /// The guide.
    pub guide: String,
    /// Mean number of tests to the first failure; `None` when no run found one.
    pub f_measure: Option<f64>,
    /// Confidence interval of the F-measure.
    pub f_interval: Option<Interval>,
    /// F-measure divided by the baseline's; 1 for the baseline itself.
    pub f_ratio: Option<f64>,
    /// Runs that ended without a failure.
    pub censored: u64,
    /// P-measure at each of [`StudyRecord::sizes`].
    pub p_measures: Vec<f64>,
    /// Confidence intervals of the P-measures; empty when not computed.
    #[serde(default)]
    pub p_intervals: Vec<Interval>,
    /// Area under the P-measure curve (Equation 6).
    pub pma: f64,
    /// Mean time to the first failure: selecting, generating and executing.
    pub seconds_to_first_failure: Option<f64>,
}

/// A confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The F-ratio of one guide over many faults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GuideSummary {
    /// The guide.
    pub guide: String,
    /// Faults with an F-ratio.
    pub faults: u64,
    /// Geometric mean of the F-ratios; `None` without faults.
    pub f_ratio: Option<f64>,
    /// Confidence interval of the geometric mean.
    pub interval: Option<Interval>,
    /// Faults on which the guide beat the baseline.
    pub wins: u64,
    /// Test of the guide against the baseline over these faults.
    pub test: Option<TestResult>,
}

/// All comparisons of one measure between guides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Comparison {
    /// Friedman test over all guides; `None` with too few faults or guides.
    pub friedman: Option<TestResult>,
    /// Every unordered pair of guides once.
    pub pairs: Vec<Pair>,
}

/// Two guides compared fault by fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Pair {
    /// One guide.
    pub first: String,
    /// The other guide.
    pub second: String,
    /// Faults on which the first was better.
    pub first_wins: u64,
    /// Faults on which the second was better.
    pub second_wins: u64,
    /// Faults on which they were equal.
    pub ties: u64,
    /// Wilcoxon signed-rank test; `None` when it could not be computed.
    pub test: Option<TestResult>,
}

/// A hypothesis test with its corrected p-value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TestResult {
    /// The test statistic.
    pub statistic: f64,
    /// The p-value as computed.
    pub p: f64,
    /// The p-value after Holm-Bonferroni over all hypotheses of the study.
    pub p_holm: f64,
    /// Whether the corrected p-value is below the study's level.
    pub significant: bool,
}

/// Generation time of one guide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GenerationTime {
    /// The guide.
    pub guide: String,
    /// Time at growing numbers of tests.
    pub points: Vec<GenerationPoint>,
}

/// Time to generate a number of tests.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GenerationPoint {
    /// Number of tests generated.
    pub tests: u64,
    /// Seconds it took, without executing them.
    pub seconds: f64,
}

/// Where the time of a study went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StudyTiming {
    /// Seconds of all workers together that the outcome matrix (input x version used) took when it was computed, even if
    /// this time it was read back.
    pub matrix_seconds: f64,
    /// Executions behind the matrix.
    pub matrix_executions: u64,
    /// Seconds of all workers together for versions that were left out in the end.
    pub left_out_seconds: f64,
    /// Workers that ran at the same time.
    pub workers: u64,
    /// Whether the matrix came from disk this time.
    pub matrix_reused: bool,
    /// Seconds spent on simulating the runs.
    pub simulation_seconds: f64,
}

impl VersionRecord {
    /// The result of `guide` on this version.
    #[must_use]
    pub fn result(&self, guide: &str) -> Option<&GuideResult> {
        self.results.iter().find(|result| result.guide == guide)
    }
}

impl Comparison {
    /// On how many faults `winner` beat `loser`, and the test of the pair.
    #[must_use]
    pub fn wins(&self, winner: &str, loser: &str) -> Option<(u64, Option<&TestResult>)> {
        self.pairs.iter().find_map(|pair| {
            let wins = match (pair.first == winner, pair.second == winner) {
                (true, _) if pair.second == loser => pair.first_wins,
                (_, true) if pair.first == loser => pair.second_wins,
                _ => return None,
            };
            Some((wins, pair.test.as_ref()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_found_from_both_sides_of_a_pair() {
        let pair = Pair {
            first: "random".into(),
            second: "art-sum".into(),
            first_wins: 3,
            second_wins: 8,
            ties: 0,
            test: None,
        };
        let comparison = Comparison {
            friedman: None,
            pairs: vec![pair],
        };
        assert_eq!(comparison.wins("art-sum", "random"), Some((8, None)));
        assert_eq!(comparison.wins("random", "art-sum"), Some((3, None)));
        assert_eq!(comparison.wins("random", "fscs"), None);
        assert_eq!(comparison.wins("random", "random"), None);
    }
}
