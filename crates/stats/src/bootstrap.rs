//! Percentile bootstrap intervals of any statistic of one sample. The source of randomness is an
//! argument.
//!
//! Source: Efron, "Bootstrap methods: another look at the jackknife" (Annals of Statistics, 1979);
//! Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13, for the percentile
//! interval.
//!
//! Differences:
//! - Interval ends are quantiles of type 7 of the replicates, so they may lie between two
//!   replicates.
//! - No bias correction and no acceleration.

use crate::quantile::{of_sorted, sorted};
use crate::splitmix::below;
use crate::{Interval, Undefined, check};

/// Settings of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// How many samples are drawn; at least 1, usually 1,000 to 10,000.
    pub resamples: usize,
    /// Confidence level, strictly between 0 and 1.
    pub confidence: f64,
}

/// The percentile interval of `statistic` (Efron and Tibshirani, 1993, chapter 13), for example of
/// [`crate::mean`].
///
/// Draws `resamples` samples of the same length with replacement; `random` gives 64 random bits per
/// call and nothing else decides the result. Needs one finite value. Where the statistic is
/// undefined on a drawn sample, so is the interval.
///
/// ```
/// let mut stream = stats::SplitMix64::new(42);
/// let settings = stats::Bootstrap { resamples: 1000, confidence: 0.95 };
/// let sample = [3.0, 5.0, 4.0];
/// let interval =
///     stats::bootstrap_interval(&sample, &stats::mean, settings, &mut || stream.draw())?;
/// assert!(interval.low < 4.0 && interval.high > 4.0);
/// # Ok::<(), stats::Undefined>(())
/// ```
pub fn bootstrap_interval(
    sample: &[f64],
    statistic: &dyn Fn(&[f64]) -> Result<f64, Undefined>,
    settings: Bootstrap,
    random: &mut dyn FnMut() -> u64,
) -> Result<Interval, Undefined> {
    check::at_least(1, sample)?;
    check::finite(sample)?;
    check::confidence(settings.confidence)?;
    check::enough("resamples", 1, settings.resamples)?;
    let mut drawn = vec![0.0; sample.len()];
    let mut replicates = Vec::with_capacity(settings.resamples);
    for _ in 0..settings.resamples {
        drawn.fill_with(|| sample[below(sample.len() as u64, random) as usize]);
        replicates.push(statistic(&drawn)?);
    }
    let replicates = sorted(&replicates)?;
    let tail = (1.0 - settings.confidence) / 2.0;
    Ok(Interval {
        low: of_sorted(&replicates, tail)?,
        high: of_sorted(&replicates, 1.0 - tail)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{assert_close, assert_within};
    use crate::{SplitMix64, mean, median, variance};

    const SAMPLE: [f64; 7] = [3.1, 4.7, 1.2, 9.9, 5.5, 2.0, 7.3];

    fn interval(
        sample: &[f64],
        statistic: &dyn Fn(&[f64]) -> Result<f64, Undefined>,
        resamples: usize,
        seed: u64,
    ) -> Result<Interval, Undefined> {
        let mut stream = SplitMix64::new(seed);
        bootstrap_interval(
            sample,
            statistic,
            Bootstrap {
                resamples,
                confidence: 0.95,
            },
            &mut || stream.draw(),
        )
    }

    #[test]
    fn the_same_stream_gives_what_numpy_gives() {
        // NumPy 2.4.6: numpy.quantile of 1,000 numpy.mean / numpy.median over samples drawn by
        // SplitMix64 from seed 42
        let of_mean = interval(&SAMPLE, &mean, 1000, 42).unwrap();
        assert_close(of_mean.low, 2.857142857142857);
        assert_close(of_mean.high, 6.94535714285714);
        let of_median = interval(&SAMPLE, &median, 1000, 42).unwrap();
        assert_eq!(
            of_median,
            Interval {
                low: 2.0,
                high: 7.3
            }
        );
    }

    #[test]
    fn another_stream_gives_nearly_what_scipy_gives() {
        // SciPy 1.17.1: scipy.stats.bootstrap((x,), numpy.mean, method='percentile',
        // n_resamples=50000, rng=1)
        let sample: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 101)).collect();
        let interval = interval(&sample, &mean, 20_000, 7).unwrap();
        assert_within(interval.low, 42.13333333333333, 0.01);
        assert_within(interval.high, 56.86666666666667, 0.01);
    }

    #[test]
    fn equal_values_and_one_value_give_a_point() {
        assert_eq!(
            interval(&[0.7; 5], &mean, 100, 1),
            Ok(Interval {
                low: 0.7,
                high: 0.7
            })
        );
        assert_eq!(
            interval(&[0.7], &mean, 100, 1),
            Ok(Interval {
                low: 0.7,
                high: 0.7
            })
        );
    }

    #[test]
    fn a_statistic_undefined_on_a_resample_has_no_interval() {
        let undefined = interval(&[1.0], &variance, 10, 1);
        assert_eq!(
            undefined,
            Err(Undefined::TooFew {
                what: "values",
                needed: 2,
                found: 1
            })
        );
    }

    #[test]
    fn nothing_to_draw_and_no_draws_are_named() {
        assert_eq!(
            interval(&[], &mean, 10, 1),
            Err(Undefined::TooFew {
                what: "values",
                needed: 1,
                found: 0
            })
        );
        assert_eq!(
            interval(&[1.0], &mean, 0, 1),
            Err(Undefined::TooFew {
                what: "resamples",
                needed: 1,
                found: 0
            })
        );
    }
}
