//! Confidence intervals, and the normal approximation of the one for a mean. Intervals by
//! resampling live in `bootstrap`.
//!
//! Source: the central limit theorem (Laplace, 1810), with the variance estimated from the sample.
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
