//! The Wilcoxon signed-rank test of paired samples, two-sided.
//!
//! Source: Wilcoxon, "Individual comparisons by ranking methods" (Biometrics Bulletin, 1945); tie
//! correction as in Lehmann, "Nonparametrics" (1975).
//!
//! Differences:
//! - Pairs without a difference are dropped, as Wilcoxon does, and counted in the result.
//! - Where no pair differs nothing can vary, so p is 1.
//! - The normal approximation has no continuity correction, as in SciPy and unlike R.
//! - Differences are tied when they are equal as floating-point numbers; nothing is rounded first.

use crate::null_distribution::{EXACT_BELOW, NullDistribution, signed_rank_counts, two_sided};
use crate::{Ranks, Undefined, check, ranks, tail};

/// Result of a Wilcoxon signed-rank test (Wilcoxon, 1945).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// Rank sum of the pairs in which the first value is larger.
    pub w_plus: f64,
    /// Rank sum of the pairs in which the second value is larger.
    pub w_minus: f64,
    /// Pairs that differ; only these are ranked.
    pub pairs: usize,
    /// Pairs without a difference.
    pub zeros: usize,
    /// Two-sided p-value.
    pub p: f64,
    /// Where p came from.
    pub null_distribution: NullDistribution,
}

/// Tests whether paired differences are symmetric about 0 (Wilcoxon, 1945).
///
/// Exact where fewer than [`EXACT_BELOW`] pairs differ and no two differences are of equal size;
/// otherwise the normal approximation with tie correction. Needs one pair; values must be finite.
pub fn wilcoxon_signed_rank(first: &[f64], second: &[f64]) -> Result<Wilcoxon, Undefined> {
    check::same_length(first, second)?;
    check::enough("pairs", 1, first.len())?;
    check::finite(first)?;
    check::finite(second)?;
    let all = first
        .iter()
        .zip(second)
        .map(|(first, second)| first - second);
    let differences: Vec<f64> = all.filter(|&difference| difference != 0.0).collect();
    let (w_plus, p, null_distribution) = signed_ranks(&differences)?;
    let pairs = differences.len();
    Ok(Wilcoxon {
        w_plus,
        w_minus: rank_total(pairs) - w_plus,
        pairs,
        zeros: first.len() - pairs,
        p,
        null_distribution,
    })
}

/// W+, p and its origin, for differences that are not 0.
fn signed_ranks(differences: &[f64]) -> Result<(f64, f64, NullDistribution), Undefined> {
    if differences.is_empty() {
        return Ok((0.0, 1.0, NullDistribution::Exact));
    }
    let sizes: Vec<f64> = differences
        .iter()
        .map(|difference| difference.abs())
        .collect();
    let ranked = ranks(&sizes)?;
    let ranks_of_gains = differences
        .iter()
        .zip(&ranked.ranks)
        .filter(|(difference, _)| **difference > 0.0);
    let w_plus: f64 = ranks_of_gains.map(|(_, rank)| rank).sum();
    if differences.len() < EXACT_BELOW && ranked.ties.is_empty() {
        let p = two_sided(&signed_rank_counts(differences.len()), w_plus as usize);
        return Ok((w_plus, p, NullDistribution::Exact));
    }
    let w_larger = w_plus.max(rank_total(differences.len()) - w_plus);
    Ok((
        w_plus,
        normal_p(w_larger, &ranked),
        NullDistribution::Normal,
    ))
}

/// Sum of the ranks 1 to `count`.
fn rank_total(count: usize) -> f64 {
    count as f64 * (count as f64 + 1.0) / 2.0
}

fn normal_p(w_larger: f64, ranked: &Ranks) -> f64 {
    let n = ranked.ranks.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranked.tie_term() / 48.0;
    tail::normal_two_sided((w_larger - n * (n + 1.0) / 4.0) / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[track_caller]
    fn assert_test(
        first: &[f64],
        second: &[f64],
        null: NullDistribution,
        w_smaller: f64,
        p: f64,
    ) -> Wilcoxon {
        let result = wilcoxon_signed_rank(first, second).unwrap();
        assert_eq!(
            (result.w_plus.min(result.w_minus), result.null_distribution),
            (w_smaller, null)
        );
        assert_close(result.p, p);
        result
    }

    /// Differences of distinct sizes, every third one negative.
    fn signed(count: i32, modulus: i32) -> Vec<f64> {
        (0..count)
            .map(|i| f64::from((i * 29 % modulus + 1) * if i % 3 == 0 { -1 } else { 1 }))
            .collect()
    }

    #[test]
    #[expect(clippy::approx_constant, reason = "3.14 is a measurement")]
    fn short_samples_without_ties_match_scipy_exactly() {
        // SciPy 1.17.1: scipy.stats.wilcoxon(x, y, method='exact'); data of Hollander and Wolfe
        // (1973), p. 29
        let first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        assert_test(&first, &second, NullDistribution::Exact, 5.0, 0.0390625);
        assert_test(
            &signed(49, 53),
            &[0.0; 49],
            NullDistribution::Exact,
            430.0,
            0.06998960780461516,
        );
    }

    #[test]
    fn zeros_are_dropped_before_anything_else() {
        // SciPy 1.17.1: scipy.stats.wilcoxon([7, 1, 4, 8], [4, 3, 3, 4], method='exact'), the pairs
        // that differ
        let (first, second) = (
            [5.0, 7.0, 1.0, 9.0, 4.0, 8.0],
            [5.0, 4.0, 3.0, 9.0, 3.0, 4.0],
        );
        let result = assert_test(&first, &second, NullDistribution::Exact, 2.0, 0.375);
        assert_eq!(
            (result.w_plus, result.w_minus, result.pairs, result.zeros),
            (8.0, 2.0, 4, 2)
        );
    }

    #[test]
    fn zeros_and_ties_match_scipy() {
        // SciPy 1.17.1: scipy.stats.wilcoxon(x, y, zero_method='wilcox', correction=False,
        // method='asymptotic')
        let first = [
            125.0, 115.0, 130.0, 140.0, 140.0, 115.0, 140.0, 125.0, 140.0, 135.0,
        ];
        let second = [
            110.0, 122.0, 125.0, 120.0, 140.0, 124.0, 123.0, 137.0, 135.0, 145.0,
        ];
        assert_test(
            &first,
            &second,
            NullDistribution::Normal,
            18.0,
            0.5936305914425295,
        );
    }

    #[test]
    fn long_samples_match_scipy() {
        // SciPy 1.17.1: scipy.stats.wilcoxon(x, y, correction=False, method='asymptotic')
        assert_test(
            &signed(60, 67),
            &[0.0; 60],
            NullDistribution::Normal,
            610.0,
            0.024749591163795697,
        );
    }

    #[test]
    fn one_and_two_pairs_match_scipy() {
        // SciPy 1.17.1: scipy.stats.wilcoxon(x, y, method='exact')
        assert_test(&[3.0], &[1.0], NullDistribution::Exact, 0.0, 1.0);
        assert_test(&[3.0, 5.0], &[1.0, 4.0], NullDistribution::Exact, 0.0, 0.5);
    }

    #[test]
    fn identical_samples_are_no_evidence() {
        // SciPy 1.17.1: scipy.stats.wilcoxon([1, 2], [1, 2], method='exact') gives statistic 0, p 1
        let result = assert_test(&[1.0, 2.0], &[1.0, 2.0], NullDistribution::Exact, 0.0, 1.0);
        assert_eq!((result.pairs, result.zeros), (0, 2));
    }

    #[test]
    fn samples_that_do_not_pair_are_refused() {
        assert_eq!(
            wilcoxon_signed_rank(&[], &[]),
            Err(Undefined::TooFew {
                what: "pairs",
                needed: 1,
                found: 0
            })
        );
        assert_eq!(
            wilcoxon_signed_rank(&[1.0], &[]),
            Err(Undefined::Lengths {
                first: 1,
                second: 0
            })
        );
        let infinite = wilcoxon_signed_rank(&[1.0, f64::INFINITY], &[1.0, 2.0]);
        assert_eq!(
            infinite,
            Err(Undefined::Value {
                index: 1,
                value: f64::INFINITY
            })
        );
    }
}
