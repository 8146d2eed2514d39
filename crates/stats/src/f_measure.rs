//! The F-measure, tests until the first failure, and the F-ratio between two methods. How runs are
//! made is not decided here.
//!
//! Source: Barus, Chen, Kuo, Liu, Merkel and Rothermel, "A cost-effective random testing method for
//! programs with non-numeric inputs" (IEEE Transactions on Computers, 2016), Sections 4.3.2
//! (Equation 4) and 4.7.2; the geometric distribution of F-counts is from Chen, Kuo and Merkel, "On
//! the statistical properties of testing effectiveness measures" (Journal of Systems and Software,
//! 2006).
//!
//! Differences:
//! - The paper lets every run find its failure. Here a run may be censored: it then enters the mean
//!   with the tests it executed, which makes the mean a lower bound, and it is counted.
//! - An estimate for censored data stands beside the mean; the paper has none.

use crate::interval::{Interval, mean_interval};
use crate::{Undefined, check, mean};

/// How one run ended (Barus et al., 2016, Section 4.3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FCount {
    /// The first failure was revealed by this test, counted from 1.
    Revealed(u64),
    /// This many tests were executed and none failed.
    Censored(u64),
}

impl FCount {
    /// Tests executed in the run.
    pub fn tests(self) -> u64 {
        match self {
            Self::Revealed(tests) | Self::Censored(tests) => tests,
        }
    }
}

/// The F-measure of one method on one fault (Barus et al., 2016, Equation 4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FMeasure {
    /// Mean number of tests per run. With censored runs it is a lower bound of the F-measure.
    pub mean: f64,
    /// Normal-approximation interval of `mean`; none for a single run. Censored runs bias it as
    /// they bias `mean`.
    pub interval: Option<Interval>,
    /// All tests executed over failures revealed: the maximum-likelihood F-measure if F-counts are
    /// geometric, as they are for random testing (Chen et al., 2006). Equals `mean` without
    /// censored runs; none where no run failed.
    pub geometric_estimate: Option<f64>,
    /// Number of runs.
    pub runs: usize,
    /// How many of them ended without a failure.
    pub censored: usize,
}

/// Computes the F-measure from the runs of one method on one fault (Barus et al., 2016, Section
/// 4.7.2). Needs one run; a failure cannot be revealed by test 0.
pub fn f_measure(runs: &[FCount], confidence: f64) -> Result<FMeasure, Undefined> {
    check::enough("runs", 1, runs.len())?;
    check::confidence(confidence)?;
    if let Some(index) = runs.iter().position(|&run| run == FCount::Revealed(0)) {
        return Err(Undefined::Value { index, value: 0.0 });
    }
    let tests: Vec<f64> = runs.iter().map(|run| run.tests() as f64).collect();
    let censored = runs
        .iter()
        .filter(|run| matches!(run, FCount::Censored(_)))
        .count();
    let revealed = runs.len() - censored;
    Ok(FMeasure {
        mean: mean(&tests)?,
        interval: if runs.len() > 1 {
            Some(mean_interval(&tests, confidence)?)
        } else {
            None
        },
        geometric_estimate: (revealed > 0).then(|| tests.iter().sum::<f64>() / revealed as f64),
        runs: runs.len(),
        censored,
    })
}

/// F-measure of a method over that of the baseline, random testing in the paper (Barus et al.,
/// 2016, Section 4.7.2). Below 1 the method is better. Both must be finite and above 0; a refused
/// one is named by index 0 or 1.
pub fn f_ratio(method: f64, baseline: f64) -> Result<f64, Undefined> {
    check::every(&[method, baseline], |value| {
        value.is_finite() && value > 0.0
    })?;
    check::result(method / baseline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[test]
    fn the_f_measure_is_the_mean_of_the_f_counts() {
        // Interval by SciPy 1.17.1: scipy.stats.norm.interval(0.95, loc=numpy.mean(x),
        // scale=scipy.stats.sem(x))
        let measure = f_measure(&[12, 3, 45, 7, 8].map(FCount::Revealed), 0.95).unwrap();
        assert_close(measure.mean, 15.0);
        let interval = measure.interval.unwrap();
        assert_close(interval.low, 0.03480540565985635);
        assert_close(interval.high, 29.965194594340144);
        assert_eq!(
            (measure.geometric_estimate, measure.runs, measure.censored),
            (Some(15.0), 5, 0)
        );
    }

    #[test]
    fn a_censored_run_enters_with_its_tests_and_is_counted() {
        let runs = [
            FCount::Revealed(10),
            FCount::Revealed(20),
            FCount::Censored(100),
            FCount::Censored(50),
        ];
        let measure = f_measure(&runs, 0.95).unwrap();
        assert_eq!((measure.mean, measure.runs, measure.censored), (45.0, 4, 2));
        // By hand: 180 tests revealed 2 failures.
        assert_eq!(measure.geometric_estimate, Some(90.0));
    }

    #[test]
    fn a_fault_never_revealed_has_only_a_lower_bound() {
        let measure = f_measure(&[FCount::Censored(1000); 3], 0.95).unwrap();
        assert_eq!(
            (measure.mean, measure.geometric_estimate, measure.censored),
            (1000.0, None, 3)
        );
    }

    #[test]
    fn one_run_has_no_interval() {
        assert_eq!(
            f_measure(&[FCount::Revealed(4)], 0.95).unwrap().interval,
            None
        );
    }

    #[test]
    fn no_runs_and_test_zero_are_refused() {
        assert_eq!(
            f_measure(&[], 0.95),
            Err(Undefined::TooFew {
                what: "runs",
                needed: 1,
                found: 0
            })
        );
        let zero = f_measure(&[FCount::Revealed(1), FCount::Revealed(0)], 0.95);
        assert_eq!(
            zero,
            Err(Undefined::Value {
                index: 1,
                value: 0.0
            })
        );
        let certain = f_measure(&[FCount::Revealed(1)], 1.0);
        assert!(matches!(
            certain,
            Err(Undefined::Setting {
                name: "confidence",
                ..
            })
        ));
    }

    #[test]
    fn the_f_ratio_is_below_one_where_the_method_needs_fewer_tests() {
        assert_eq!(f_ratio(30.0, 40.0), Ok(0.75));
        assert_eq!(
            f_ratio(1.0, 0.0),
            Err(Undefined::Value {
                index: 1,
                value: 0.0
            })
        );
        assert!(matches!(
            f_ratio(f64::NAN, 1.0),
            Err(Undefined::Value { index: 0, .. })
        ));
    }
}
