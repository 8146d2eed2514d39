//! The Mann-Whitney U test of two independent samples, two-sided. The effect size that belongs to
//! it is in `vargha_delaney`.
//!
//! Source: Mann and Whitney, "On a test of whether one of two random variables is stochastically
//! larger than the other" (Annals of Mathematical Statistics, 1947); tie correction as in Lehmann,
//! "Nonparametrics" (1975).
//!
//! Differences:
//! - Ties use the normal approximation at every length; the paper has no ties.
//! - Where all values are equal the statistic cannot vary, so p is 1.

use crate::null_distribution::{EXACT_BELOW, NullDistribution, rank_sum_counts, two_sided};
use crate::{Ranks, Undefined, ranks, tail};

/// Result of a Mann-Whitney U test (Mann and Whitney, 1947).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the first sample's value is larger, a tie counting one half.
    pub u_first: f64,
    /// Pairs in which the second sample's value is larger, a tie counting one half.
    pub u_second: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// Where p came from.
    pub null_distribution: NullDistribution,
}

/// Tests whether values of one sample tend to be larger than those of the other (Mann and Whitney,
/// 1947).
///
/// Exact where both samples are shorter than [`EXACT_BELOW`] and no two values are equal; otherwise
/// the normal approximation with tie and continuity correction. Needs one value in each; infinities
/// are ranked, NaN is refused.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Result<MannWhitney, Undefined> {
    let (apart, pooled) = ranks::pooled(&[first, second])?;
    let (n_first, n_second) = (first.len() as f64, second.len() as f64);
    let u_first = apart[0].iter().sum::<f64>() - n_first * (n_first + 1.0) / 2.0;
    let u_second = n_first * n_second - u_first;
    let exact = first.len() < EXACT_BELOW && second.len() < EXACT_BELOW && pooled.ties.is_empty();
    let (p, null_distribution) = if exact {
        let counts = rank_sum_counts(first.len(), second.len());
        (
            two_sided(&counts, u_first as usize),
            NullDistribution::Exact,
        )
    } else {
        (
            normal_p(u_first.max(u_second), n_first, n_second, &pooled),
            NullDistribution::Normal,
        )
    };
    Ok(MannWhitney {
        u_first,
        u_second,
        p,
        null_distribution,
    })
}

fn normal_p(u_larger: f64, n_first: f64, n_second: f64, pooled: &Ranks) -> f64 {
    let n = n_first + n_second;
    let variance = n_first * n_second / 12.0 * (n + 1.0 - pooled.tie_term() / (n * (n - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    tail::normal_two_sided((u_larger - n_first * n_second / 2.0 - 0.5) / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[track_caller]
    fn assert_test(first: &[f64], second: &[f64], null: NullDistribution, u_first: f64, p: f64) {
        let result = mann_whitney(first, second).unwrap();
        assert_eq!((result.u_first, result.null_distribution), (u_first, null));
        assert_close(result.p, p);
    }

    fn scattered(count: u32) -> (Vec<f64>, Vec<f64>) {
        let first = (0..count).map(|i| f64::from(i * 37 % 101) + 0.25).collect();
        let second = (0..count)
            .map(|i| f64::from(i * 53 % 103) * 1.3 + 0.5)
            .collect();
        (first, second)
    }

    #[test]
    fn short_samples_without_ties_match_scipy_exactly() {
        // SciPy 1.17.1: scipy.stats.mannwhitneyu(x, y, alternative='two-sided', method='exact')
        let (first, second) = ([1.1, 2.2, 3.3, 4.4, 5.5], [2.5, 6.6, 7.7, 8.8, 9.9, 10.1]);
        assert_test(
            &first,
            &second,
            NullDistribution::Exact,
            3.0,
            0.030303030303030304,
        );
        assert_test(
            &second,
            &first,
            NullDistribution::Exact,
            27.0,
            0.030303030303030304,
        );
        let (first, second) = (scattered(20).0, scattered(25).1);
        assert_test(
            &first,
            &second,
            NullDistribution::Exact,
            220.0,
            0.5041838525194644,
        );
        let (first, second) = scattered(49);
        assert_test(
            &first,
            &second,
            NullDistribution::Exact,
            996.0,
            0.14777581542418308,
        );
    }

    #[test]
    fn single_values_match_scipy() {
        // SciPy 1.17.1: scipy.stats.mannwhitneyu(x, y, alternative='two-sided', method='exact')
        assert_test(&[1.0], &[2.0], NullDistribution::Exact, 0.0, 1.0);
        assert_test(
            &[9.0],
            &[1.0, 2.0, 3.0, 4.0, 5.0],
            NullDistribution::Exact,
            5.0,
            0.3333333333333333,
        );
    }

    #[test]
    fn ties_match_scipy() {
        // SciPy 1.17.1: scipy.stats.mannwhitneyu(x, y, alternative='two-sided',
        // method='asymptotic')
        let first = [1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 8.0];
        let second = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.0, 9.0];
        assert_test(
            &first,
            &second,
            NullDistribution::Normal,
            16.5,
            0.19895893109240215,
        );
    }

    #[test]
    fn equal_values_match_scipy() {
        // SciPy 1.17.1: scipy.stats.mannwhitneyu(x, y, alternative='two-sided',
        // method='asymptotic')
        assert_test(&[4.0; 3], &[4.0; 2], NullDistribution::Normal, 3.0, 1.0);
        assert_test(&[1.0], &[1.0], NullDistribution::Normal, 0.5, 1.0);
    }

    #[test]
    fn long_samples_match_scipy() {
        // SciPy 1.17.1: scipy.stats.mannwhitneyu(x, y, alternative='two-sided',
        // method='asymptotic')
        let (first, second) = scattered(60);
        assert_test(
            &first,
            &second,
            NullDistribution::Normal,
            1451.0,
            0.06737704668693309,
        );
        let first: Vec<f64> = (0..100).map(f64::from).collect();
        let second: Vec<f64> = (70..170).map(f64::from).collect();
        assert_test(
            &first,
            &second,
            NullDistribution::Normal,
            450.0,
            1.0449044869638743e-28,
        );
    }

    #[test]
    fn an_empty_sample_is_refused_on_either_side() {
        let empty = Err(Undefined::TooFew {
            what: "values",
            needed: 1,
            found: 0,
        });
        assert_eq!(mann_whitney(&[], &[1.0]), empty);
        assert_eq!(mann_whitney(&[1.0], &[]), empty);
        assert!(matches!(
            mann_whitney(&[1.0], &[f64::NAN]),
            Err(Undefined::Value { index: 0, .. })
        ));
    }
}
