//! The paired t test, two-sided. It assumes normal differences and does not check that; `wilcoxon`
//! does not assume it.
//!
//! Source: Student, "The probable error of a mean" (Biometrika, 1908).
//!
//! Differences: none.

use crate::{Undefined, check, descriptive, tail};

/// Result of a paired t test (Student, 1908).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedT {
    /// Mean difference over its standard error.
    pub t: f64,
    /// Pairs minus one.
    pub freedom: usize,
    /// Mean of first minus second.
    pub mean_difference: f64,
    /// Two-sided p-value.
    pub p: f64,
}

/// Tests whether paired differences have mean 0 (Student, 1908).
///
/// Needs two pairs; values must be finite. Where all differences are equal the statistic has no
/// denominator and the answer is [`Undefined::NoVariation`].
pub fn paired_t(first: &[f64], second: &[f64]) -> Result<PairedT, Undefined> {
    check::same_length(first, second)?;
    check::enough("pairs", 2, first.len())?;
    check::finite(first)?;
    check::finite(second)?;
    let differences = first
        .iter()
        .zip(second)
        .map(|(first, second)| check::result(first - second))
        .collect::<Result<Vec<f64>, Undefined>>()?;
    let mean_difference = descriptive::mean(&differences)?;
    let deviation = descriptive::standard_deviation(&differences)?;
    if deviation == 0.0 {
        return Err(Undefined::NoVariation);
    }
    let t = check::result(mean_difference / (deviation / (first.len() as f64).sqrt()))?;
    let freedom = first.len() - 1;
    Ok(PairedT {
        t,
        freedom,
        mean_difference,
        p: tail::t_two_sided(t, freedom),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[track_caller]
    fn assert_test(first: &[f64], second: &[f64], t: f64, freedom: usize, p: f64) {
        let result = paired_t(first, second).unwrap();
        assert_close(result.t, t);
        assert_eq!(result.freedom, freedom);
        assert_close(result.p, p);
    }

    #[test]
    #[expect(clippy::approx_constant, reason = "3.14 is a measurement")]
    fn pairs_match_scipy() {
        // SciPy 1.17.1: scipy.stats.ttest_rel(x, y); data of Hollander and Wolfe (1973), p. 29
        let first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        assert_test(&first, &second, 3.0353754156485917, 8, 0.016176627434908088);
        assert_test(
            &second,
            &first,
            -3.0353754156485917,
            8,
            0.016176627434908088,
        );
    }

    #[test]
    fn two_pairs_match_scipy() {
        // SciPy 1.17.1: scipy.stats.ttest_rel(x, y)
        assert_test(
            &[1.0, 2.0],
            &[0.0, 4.0],
            -0.3333333333333333,
            1,
            0.7951672353008665,
        );
        assert_test(&[1.0, 2.0], &[2.0, 1.0], 0.0, 1, 1.0);
    }

    #[test]
    fn equal_differences_are_undefined() {
        assert_eq!(
            paired_t(&[1.0, 2.0], &[1.0, 2.0]),
            Err(Undefined::NoVariation)
        );
        assert_eq!(
            paired_t(&[2.0, 3.0], &[1.0, 2.0]),
            Err(Undefined::NoVariation)
        );
    }

    #[test]
    fn too_few_or_unpaired_values_are_refused() {
        assert_eq!(
            paired_t(&[], &[]),
            Err(Undefined::TooFew {
                what: "pairs",
                needed: 2,
                found: 0
            })
        );
        assert_eq!(
            paired_t(&[1.0], &[2.0]),
            Err(Undefined::TooFew {
                what: "pairs",
                needed: 2,
                found: 1
            })
        );
        assert_eq!(
            paired_t(&[1.0, 2.0], &[2.0]),
            Err(Undefined::Lengths {
                first: 2,
                second: 1
            })
        );
    }
}
