//! Confidence intervals: the normal approximation of the one for a mean, and the score interval of a
//! share. Intervals by resampling live in `bootstrap`.
//!
//! Sources: the central limit theorem (Laplace, 1810), with the variance estimated from the sample;
//! Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
//!
//! Differences:
//! - The normal quantile is used at every n. For a few values the interval is too narrow; Student
//!   (1908) would widen it.

use crate::{Undefined, check, descriptive, tail};

/// A range of values, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The normal-approximation interval of the mean: mean +- z s / sqrt(n). Needs two values;
/// `confidence` is for example 0.95.
pub fn mean_interval(sample: &[f64], confidence: f64) -> Result<Interval, Undefined> {
    check::confidence(confidence)?;
    let mean = descriptive::mean(sample)?;
    let error = descriptive::standard_deviation(sample)? / (sample.len() as f64).sqrt();
    let reach = tail::normal_quantile(0.5 + confidence / 2.0) * error;
    Ok(Interval {
        low: check::result(mean - reach)?,
        high: check::result(mean + reach)?,
    })
}

/// Wilson's score interval of the share `successes / trials`, without continuity correction. Needs one
/// trial; it stays within 0 and 1, also where all or no trials succeed.
pub fn share_interval(successes: u64, trials: u64, confidence: f64) -> Result<Interval, Undefined> {
    check::confidence(confidence)?;
    check::enough("trials", 1, trials.min(1) as usize)?;
    let (n, share) = (trials as f64, successes.min(trials) as f64 / trials as f64);
    let z = tail::normal_quantile(0.5 + confidence / 2.0);
    let shrink = 1.0 + z * z / n;
    let middle = (share + z * z / (2.0 * n)) / shrink;
    let reach = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / shrink;
    Ok(Interval {
        low: if successes == 0 { 0.0 } else { middle - reach },
        high: if successes >= trials {
            1.0
        } else {
            middle + reach
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    const SAMPLE: [f64; 7] = [3.1, 4.7, 1.2, 9.9, 5.5, 2.0, 7.3];

    #[test]
    fn the_interval_of_a_mean_matches_scipy() {
        // SciPy 1.17.1: scipy.stats.norm.interval(c, loc=numpy.mean(x), scale=scipy.stats.sem(x))
        let interval = mean_interval(&SAMPLE, 0.95).unwrap();
        assert_close(interval.low, 2.542068092718897);
        assert_close(interval.high, 7.086503335852531);
        let interval = mean_interval(&SAMPLE, 0.99).unwrap();
        assert_close(interval.low, 1.8280855698756708);
        assert_close(interval.high, 7.800485858695757);
    }

    #[test]
    fn the_interval_of_a_share_matches_scipy() {
        // SciPy 1.17.1: scipy.stats.binomtest(k, n).proportion_ci(0.95, method='wilson')
        let expected = [
            (7, 10, 0.39677814746114526, 0.892208732593699),
            (0, 20, 0.0, 0.16112515805281935),
            (2000, 2000, 0.9980829527187471, 1.0),
            (1, 2000, 8.826773070546787e-05, 0.0028268625032662137),
        ];
        for (successes, trials, low, high) in expected {
            let interval = share_interval(successes, trials, 0.95).unwrap();
            assert_close(interval.low, low);
            assert_close(interval.high, high);
        }
        assert!(share_interval(0, 0, 0.95).is_err());
    }

    #[test]
    fn equal_values_leave_no_doubt_about_their_mean() {
        assert_eq!(
            mean_interval(&[0.3; 4], 0.95),
            Ok(Interval {
                low: 0.3,
                high: 0.3
            })
        );
    }

    #[test]
    fn one_value_gives_no_interval() {
        assert_eq!(
            mean_interval(&[1.0], 0.95),
            Err(Undefined::TooFew {
                what: "values",
                needed: 2,
                found: 1
            })
        );
    }

    #[test]
    fn certainty_is_not_on_offer() {
        for confidence in [0.0, 1.0, -0.1, f64::NAN] {
            let interval = mean_interval(&SAMPLE, confidence);
            assert!(matches!(
                interval,
                Err(Undefined::Setting {
                    name: "confidence",
                    ..
                })
            ));
        }
    }
}
