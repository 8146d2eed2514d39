//! Mean, variance, standard deviation and geometric mean of one sample. Quantiles live in
//! `quantile`; nothing here estimates an interval.
//!
//! Source: Chan, Golub and LeVeque, "Algorithms for computing the sample variance" (The American
//! Statistician, 1983): the two-pass variance with its correction term.
//!
//! Differences:
//! - Sums are taken relative to the first value, so that a sample of equal values has exactly that
//!   mean and variance 0.
//! - The mean is clamped to the sample's range, where the true mean lies; rounding cannot push it
//!   outside.

use crate::{Undefined, check};

/// Arithmetic mean. Needs one value; values must be finite.
pub fn mean(sample: &[f64]) -> Result<f64, Undefined> {
    check::at_least(1, sample)?;
    check::finite(sample)?;
    let origin = sample[0];
    let shift = sample.iter().map(|value| value - origin).sum::<f64>() / sample.len() as f64;
    let least = sample.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = sample.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(check::result(origin + shift)?.clamp(least, greatest))
}

/// Unbiased sample variance, with divisor n - 1 (Chan, Golub and LeVeque, 1983). Needs two values.
pub fn variance(sample: &[f64]) -> Result<f64, Undefined> {
    check::at_least(2, sample)?;
    let squares = squares_about(sample, mean(sample)?)?;
    check::result(squares / (sample.len() - 1) as f64)
}

/// Square root of [`variance`]. Needs two values.
pub fn standard_deviation(sample: &[f64]) -> Result<f64, Undefined> {
    Ok(variance(sample)?.sqrt())
}

/// Geometric mean, the exponential of the mean logarithm; the right average for ratios (Fleming and
/// Wallace, "How not to lie with statistics", 1986). Needs one value; values must be finite and
/// above 0.
pub fn geometric_mean(sample: &[f64]) -> Result<f64, Undefined> {
    check::every(sample, |value| value.is_finite() && value > 0.0)?;
    let logarithms: Vec<f64> = sample.iter().map(|value| value.ln()).collect();
    check::result(mean(&logarithms)?.exp())
}

/// Sum of squared deviations about the mean, corrected for the mean's own rounding.
pub(crate) fn squares_about(sample: &[f64], mean: f64) -> Result<f64, Undefined> {
    let squares: f64 = sample.iter().map(|value| (value - mean).powi(2)).sum();
    let drift: f64 = sample.iter().map(|value| value - mean).sum();
    let corrected = squares - drift * drift / sample.len() as f64;
    Ok(check::result(corrected)?.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    const SAMPLE: [f64; 7] = [3.1, 4.7, 1.2, 9.9, 5.5, 2.0, 7.3];

    #[test]
    fn mean_variance_and_deviation_match_numpy() {
        // NumPy 2.4.6: numpy.mean(x), numpy.var(x, ddof=1), numpy.std(x, ddof=1)
        assert_close(mean(&SAMPLE).unwrap(), 4.814285714285714);
        assert_close(variance(&SAMPLE).unwrap(), 9.408095238095239);
        assert_close(standard_deviation(&SAMPLE).unwrap(), 3.0672618470054425);
    }

    #[test]
    fn geometric_mean_matches_scipy() {
        // SciPy 1.17.1: scipy.stats.gmean(x)
        assert_close(geometric_mean(&SAMPLE).unwrap(), 3.90711265862064);
        assert_close(
            geometric_mean(&[0.5, 2.0, 0.8, 1.3, 0.95]).unwrap(),
            0.9975883963528546,
        );
    }

    #[test]
    fn equal_values_have_exactly_that_mean_and_no_variance() {
        assert_eq!(mean(&[0.1; 3]), Ok(0.1));
        assert_eq!(variance(&[0.1; 3]), Ok(0.0));
    }

    #[test]
    fn one_value_has_a_mean_and_no_variance() {
        assert_eq!(mean(&[7.5]), Ok(7.5));
        assert_eq!(
            variance(&[7.5]),
            Err(Undefined::TooFew {
                what: "values",
                needed: 2,
                found: 1
            })
        );
    }

    #[test]
    fn an_empty_sample_has_no_mean() {
        let empty = Undefined::TooFew {
            what: "values",
            needed: 1,
            found: 0,
        };
        assert_eq!(mean(&[]), Err(empty.clone()));
        assert_eq!(geometric_mean(&[]), Err(empty));
    }

    #[test]
    fn values_without_a_mean_are_named() {
        assert!(matches!(
            mean(&[1.0, f64::NAN]),
            Err(Undefined::Value { index: 1, .. })
        ));
        assert_eq!(
            mean(&[f64::INFINITY]),
            Err(Undefined::Value {
                index: 0,
                value: f64::INFINITY
            })
        );
        assert_eq!(
            geometric_mean(&[2.0, 0.0]),
            Err(Undefined::Value {
                index: 1,
                value: 0.0
            })
        );
    }

    #[test]
    fn overflow_is_an_error_and_not_an_infinity() {
        assert_eq!(variance(&[1e200, -1e200]), Err(Undefined::Overflow));
        assert_eq!(mean(&[f64::MAX, f64::MIN]), Err(Undefined::Overflow));
    }
}
