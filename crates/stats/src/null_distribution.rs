//! Exact null distributions of the rank-sum and the signed-rank statistic, by counting. Only for
//! samples without ties.
//!
//! Source: Mann and Whitney, "On a test of whether one of two random variables is stochastically
//! larger than the other" (Annals of Mathematical Statistics, 1947); Wilcoxon, "Individual
//! comparisons by ranking methods" (Biometrics Bulletin, 1945). The counts are the coefficients of
//! the generating functions of Andrews, "The Theory of Partitions" (1976), chapter 3: the Gaussian
//! binomial, and the product of (1 + q^i).
//!
//! Differences:
//! - Both papers give recurrences; here the generating function is multiplied out, in exact
//!   integers.

/// Samples shorter than this, without ties, are tested exactly; the limit is the one of R's
/// `wilcox.test`.
///
/// At this length the largest count, the binomial of 98 over 49, still fits into 128 bits.
pub const EXACT_BELOW: usize = 50;

/// Where a p-value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NullDistribution {
    /// Counted over all arrangements of the ranks.
    Exact,
    /// Approximated by the normal distribution.
    Normal,
}

/// For each value of U, the number of arrangements of `first` + `second` ranks that give it. Both
/// below [`EXACT_BELOW`].
pub(crate) fn rank_sum_counts(first: usize, second: usize) -> Vec<u128> {
    let mut counts = vec![0_u128; first * second + 1];
    counts[0] = 1;
    for factor in 1..=first {
        // Dividing by 1 - q^factor before multiplying by 1 - q^(second + factor) keeps every count
        // from falling below 0.
        for power in factor..counts.len() {
            counts[power] += counts[power - factor];
        }
        for power in (second + factor..counts.len()).rev() {
            counts[power] -= counts[power - second - factor];
        }
    }
    counts
}

/// For each sum, the number of subsets of the ranks 1 to `pairs` that have it. `pairs` is below
/// [`EXACT_BELOW`].
pub(crate) fn signed_rank_counts(pairs: usize) -> Vec<u128> {
    let mut counts = vec![0_u128; pairs * (pairs + 1) / 2 + 1];
    counts[0] = 1;
    for rank in 1..=pairs {
        for sum in (rank..counts.len()).rev() {
            counts[sum] += counts[sum - rank];
        }
    }
    counts
}

/// Twice the smaller tail that includes `statistic`, at most 1.
pub(crate) fn two_sided(counts: &[u128], statistic: usize) -> f64 {
    let total: u128 = counts.iter().sum();
    let lower: u128 = counts[..=statistic].iter().sum();
    let upper: u128 = counts[statistic..].iter().sum();
    (2.0 * lower.min(upper) as f64 / total as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_counts_match_those_made_by_hand() {
        // Two of four places for the first sample: U is 0, 1, 2 twice, 3, 4.
        assert_eq!(rank_sum_counts(2, 2), [1, 1, 2, 1, 1]);
        assert_eq!(rank_sum_counts(1, 3), [1, 1, 1, 1]);
        // Subsets of 1, 2, 3: only 3 = 1 + 2 is reached twice.
        assert_eq!(signed_rank_counts(3), [1, 1, 1, 2, 1, 1, 1]);
    }

    #[test]
    fn counts_add_up_to_all_arrangements() {
        let longest = EXACT_BELOW - 1;
        // The binomial of 98 over 49.
        assert_eq!(
            rank_sum_counts(longest, longest).iter().sum::<u128>(),
            25477612258980856902730428600
        );
        assert_eq!(
            signed_rank_counts(longest).iter().sum::<u128>(),
            1 << longest
        );
    }

    #[test]
    fn counts_are_symmetric() {
        let counts = rank_sum_counts(7, 12);
        assert!(counts.iter().eq(counts.iter().rev()));
        assert_eq!(counts, rank_sum_counts(12, 7));
    }
}
