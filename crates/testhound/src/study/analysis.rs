//! From first failures to the figures of the paper: F-measures, F-ratios, P-measures, PMA, win tables and tests.
//!
//! Barus et al., Sections 4.7 and 5.1. Holm-Bonferroni is applied once over all hypotheses of all subjects of a study: the
//! Friedman tests and the Wilcoxon tests of every pair of guides, for F-measure and PMA.
//!
//! Differences: runs that end at the limit are censored; the F-measure is then all tests over all failures, which is the
//! maximum-likelihood estimate for geometric F-counts (see the `stats` crate).

use engine::simulation::FirstFailures;
use report::study::{Comparison, GuideResult, GuideSummary, Interval, Pair, TestResult};
use stats::{Better, Bootstrap, FCount};

/// The confidence level of all intervals.
pub const CONFIDENCE: f64 = 0.95;
/// The significance level after correction.
pub const ALPHA: f64 = 0.05;

/// What the runs of one guide showed: one list of first failures per run.
#[derive(Debug)]
pub struct GuideRuns {
    /// The guide.
    pub guide: String,
    /// Per run, per version.
    pub runs: Vec<FirstFailures>,
    /// Mean seconds that selecting and running one test takes with this guide, where measured.
    pub seconds_per_test: Option<f64>,
}

/// The results of all guides on one version; the first guide is the baseline.
pub fn version_results(
    guides: &[GuideRuns],
    version: usize,
    limit: u32,
    sizes: &[u64],
) -> Vec<GuideResult> {
    let mut results: Vec<GuideResult> = Vec::new();
    for guide in guides {
        let mut result = guide_result(guide, version, limit, sizes);
        let baseline = results
            .first()
            .map_or(result.f_measure, |first| first.f_measure);
        result.f_ratio = result
            .f_measure
            .zip(baseline)
            .map(|(method, baseline)| method / baseline);
        results.push(result);
    }
    results
}

fn guide_result(guide: &GuideRuns, version: usize, limit: u32, sizes: &[u64]) -> GuideResult {
    let counts: Vec<FCount> = guide
        .runs
        .iter()
        .map(|first| match first[version] {
            Some(tests) => FCount::Revealed(u64::from(tests)),
            None => FCount::Censored(u64::from(limit)),
        })
        .collect();
    let measure = stats::f_measure(&counts, CONFIDENCE).ok();
    let curve = stats::p_measures(&counts, sizes).unwrap_or_default();
    let runs = counts.len() as u64;
    let p_interval = |point: &stats::PMeasure| {
        let failing = (point.probability * runs as f64).round() as u64;
        let found = stats::share_interval(failing, runs, CONFIDENCE);
        found.ok().map(interval)
    };
    let f_measure = measure.and_then(|measure| measure.geometric_estimate);
    GuideResult {
        guide: guide.guide.clone(),
        f_measure,
        f_interval: measure.and_then(|measure| measure.interval).map(interval),
        f_ratio: None,
        censored: measure.map_or(0, |measure| measure.censored as u64),
        p_measures: curve.iter().map(|point| point.probability).collect(),
        p_intervals: curve.iter().filter_map(p_interval).collect(),
        pma: stats::p_measure_area(&curve).unwrap_or(0.0),
        seconds_to_first_failure: f_measure
            .zip(guide.seconds_per_test)
            .map(|(tests, each)| tests * each),
    }
}

fn interval(interval: stats::Interval) -> Interval {
    Interval {
        low: interval.low,
        high: interval.high,
    }
}

/// Compares guides fault by fault on one measure. Corrected p-values are filled in by [`correct`].
pub fn compare(guides: &[String], faults: &[Vec<f64>], better: Better) -> Comparison {
    let friedman = stats::friedman(faults).ok();
    let wins = stats::win_table(faults, better).ok();
    let mut pairs = Vec::new();
    for first in 0..guides.len() {
        for second in first + 1..guides.len() {
            let column = |guide: usize| faults.iter().map(|fault| fault[guide]).collect::<Vec<_>>();
            let won = |a: usize, b: usize| wins.as_ref().map_or(0, |wins| wins.wins(a, b)) as u64;
            let (first_wins, second_wins) = (won(first, second), won(second, first));
            pairs.push(Pair {
                first: guides[first].clone(),
                second: guides[second].clone(),
                first_wins,
                second_wins,
                ties: faults.len() as u64 - first_wins - second_wins,
                test: signed_rank(&column(first), &column(second)),
            });
        }
    }
    Comparison {
        friedman: friedman.map(|test| raw(test.chi_square, test.p)),
        pairs,
    }
}

/// The Wilcoxon signed-rank test of two guides, fault by fault; not corrected yet.
pub fn signed_rank(first: &[f64], second: &[f64]) -> Option<TestResult> {
    let test = stats::wilcoxon_signed_rank(first, second).ok()?;
    Some(raw(test.w_plus.min(test.w_minus), test.p))
}

fn raw(statistic: f64, p: f64) -> TestResult {
    TestResult {
        statistic,
        p,
        p_holm: p,
        significant: false,
    }
}

/// Corrects the p-values of all hypotheses together (Holm-Bonferroni); gives their number.
pub fn correct(hypotheses: &mut [&mut TestResult]) -> u64 {
    let p_values: Vec<f64> = hypotheses.iter().map(|test| test.p).collect();
    if let Ok(adjusted) = stats::holm(&p_values) {
        for (test, p) in hypotheses.iter_mut().zip(adjusted) {
            test.p_holm = p;
            test.significant = p < ALPHA;
        }
    }
    hypotheses.len() as u64
}

/// All hypotheses of a comparison.
pub fn hypotheses(comparison: &mut Comparison) -> impl Iterator<Item = &mut TestResult> {
    let pairs = comparison
        .pairs
        .iter_mut()
        .filter_map(|pair| pair.test.as_mut());
    comparison.friedman.iter_mut().chain(pairs)
}

/// The F-ratios of one guide over many faults, summed up.
pub fn summarise(guide: &str, ratios: &[f64], test: Option<TestResult>, seed: u64) -> GuideSummary {
    let mut stream = stats::SplitMix64::new(seed);
    let settings = Bootstrap {
        resamples: 2000,
        confidence: CONFIDENCE,
    };
    let bootstrap =
        stats::bootstrap_interval(ratios, &stats::geometric_mean, settings, &mut || {
            stream.draw()
        });
    GuideSummary {
        guide: guide.to_owned(),
        faults: ratios.len() as u64,
        f_ratio: stats::geometric_mean(ratios).ok(),
        interval: bootstrap.ok().map(interval),
        wins: ratios.iter().filter(|ratio| **ratio < 1.0).count() as u64,
        test,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(guide: &str, first: &[Option<u32>]) -> GuideRuns {
        let runs = first.iter().map(|count| vec![*count]).collect();
        GuideRuns {
            guide: guide.to_owned(),
            runs,
            seconds_per_test: Some(0.5),
        }
    }

    #[test]
    fn ratios_divide_by_the_first_guide() {
        let guides = [
            runs("random", &[Some(10), Some(30)]),
            runs("art-sum", &[Some(5), Some(15)]),
        ];
        let results = version_results(&guides, 0, 100, &[1, 10, 20]);
        assert_eq!(results[0].f_measure, Some(20.0));
        assert_eq!(results[1].f_ratio, Some(0.5));
        assert_eq!(results[1].p_measures, [0.0, 0.5, 1.0]);
        let middle = results[1].p_intervals[1];
        assert!(middle.low < 0.2 && middle.high > 0.8, "two runs say little");
        assert_eq!(results[1].seconds_to_first_failure, Some(5.0));
    }

    #[test]
    fn censored_runs_count_their_tests_but_no_failure() {
        let results = version_results(&[runs("random", &[Some(20), None])], 0, 100, &[10]);
        assert_eq!(results[0].f_measure, Some(120.0));
        assert_eq!(results[0].censored, 1);
        let never = version_results(&[runs("random", &[None])], 0, 100, &[10]);
        assert_eq!(never[0].f_measure, None);
    }

    #[test]
    fn correction_spans_all_hypotheses() {
        let guides = ["a".to_owned(), "b".to_owned()];
        let faults: Vec<Vec<f64>> = (1..30)
            .map(|n| vec![f64::from(n), f64::from(n) * 0.5])
            .collect();
        let mut comparison = compare(&guides, &faults, Better::Smaller);
        assert_eq!(
            (
                comparison.pairs[0].first_wins,
                comparison.pairs[0].second_wins
            ),
            (0, 29)
        );
        let mut all: Vec<&mut TestResult> = hypotheses(&mut comparison).collect();
        assert_eq!(correct(&mut all), 2);
        assert!(
            comparison.pairs[0]
                .test
                .is_some_and(|test| test.significant && test.p_holm > test.p)
        );
    }
}
