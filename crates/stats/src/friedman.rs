//! The Friedman test of several treatments measured on the same blocks. Which treatments differ is
//! a question for a post hoc test, which is not made here.
//!
//! Source: Friedman, "The use of ranks to avoid the assumption of normality implicit in the
//! analysis of variance" (Journal of the American Statistical Association, 1937); tie correction as
//! in Conover, "Practical Nonparametric Statistics" (3rd edition, 1999).
//!
//! Differences:
//! - p comes from the chi-square approximation at every size.
//! - Where every block is one tie nothing can vary: the statistic is 0 and p is 1.

use crate::{Undefined, check, ranks, tail};

/// Result of a Friedman test (Friedman, 1937).
#[derive(Debug, Clone, PartialEq)]
pub struct Friedman {
    /// The tie-corrected statistic.
    pub chi_square: f64,
    /// Treatments minus one.
    pub freedom: usize,
    /// p-value by the chi-square approximation.
    pub p: f64,
    /// Mean rank of each treatment over the blocks; 1 is the smallest value.
    pub mean_ranks: Vec<f64>,
}

/// Tests whether several treatments have the same effect (Friedman, 1937): each block, for example
/// a fault, holds one value per treatment, for example a method.
///
/// Needs one block and two treatments; infinities are ranked, NaN is refused, its index counting
/// within its block.
pub fn friedman(blocks: &[Vec<f64>]) -> Result<Friedman, Undefined> {
    check::enough("blocks", 1, blocks.len())?;
    let treatments = blocks[0].len();
    check::enough("treatments", 2, treatments)?;
    let mut rank_sums = vec![0.0; treatments];
    let mut tie_term = 0.0;
    for block in blocks {
        check::same_length(&blocks[0], block)?;
        let ranked = ranks(block)?;
        tie_term += ranked.tie_term();
        rank_sums
            .iter_mut()
            .zip(&ranked.ranks)
            .for_each(|(sum, rank)| *sum += rank);
    }
    let (n, k) = (blocks.len() as f64, treatments as f64);
    let squares: f64 = rank_sums
        .iter()
        .map(|sum| (sum - n * (k + 1.0) / 2.0).powi(2))
        .sum();
    // What is left of the variance of the ranks once ties have taken their share; 0 when every
    // block is one tie.
    let variation = n * k * (k * k - 1.0) - tie_term;
    let chi_square = if variation > 0.0 {
        12.0 * (k - 1.0) * squares / variation
    } else {
        0.0
    };
    let freedom = treatments - 1;
    Ok(Friedman {
        chi_square,
        freedom,
        p: tail::chi_square_upper(chi_square, freedom),
        mean_ranks: rank_sums.iter().map(|sum| sum / n).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[track_caller]
    fn assert_test(blocks: &[Vec<f64>], chi_square: f64, p: f64, mean_ranks: &[f64]) {
        let result = friedman(blocks).unwrap();
        assert_close(result.chi_square, chi_square);
        assert_close(result.p, p);
        result
            .mean_ranks
            .iter()
            .zip(mean_ranks)
            .for_each(|(&actual, &expected)| assert_close(actual, expected));
    }

    #[test]
    fn blocks_without_ties_match_scipy() {
        // SciPy 1.17.1: scipy.stats.friedmanchisquare(*columns)
        let blocks = [
            [1.0, 2.0, 3.0],
            [2.1, 1.9, 3.5],
            [4.0, 5.0, 6.0],
            [7.0, 9.0, 8.0],
            [1.5, 2.5, 3.5],
        ];
        assert_test(
            &blocks.map(Vec::from),
            6.4,
            0.04076220397836611,
            &[1.2, 2.0, 2.8],
        );
    }

    #[test]
    fn ties_match_scipy() {
        // SciPy 1.17.1: scipy.stats.friedmanchisquare(*columns)
        let blocks = [
            [1.0, 1.0, 2.0, 4.0],
            [3.0, 3.0, 3.0, 1.0],
            [5.0, 6.0, 6.0, 7.0],
            [2.0, 8.0, 8.0, 8.0],
            [1.0, 2.0, 3.0, 3.0],
            [4.0; 4],
        ];
        let mean_ranks = [
            1.6666666666666667,
            2.4166666666666665,
            2.9166666666666665,
            3.0,
        ];
        assert_test(
            &blocks.map(Vec::from),
            6.230769230769248,
            0.10090695162387743,
            &mean_ranks,
        );
    }

    #[test]
    fn one_block_matches_scipy() {
        // SciPy 1.17.1: scipy.stats.friedmanchisquare([3], [1], [2])
        assert_test(
            &[vec![3.0, 1.0, 2.0]],
            2.0,
            0.36787944117144245,
            &[3.0, 1.0, 2.0],
        );
    }

    #[test]
    fn two_treatments_give_the_squared_sign_statistic() {
        // By hand: 4 wins to 1 is (4 - 1)^2 / 5.
        let blocks: Vec<Vec<f64>> = [1.0, 1.0, 1.0, 1.0, 3.0]
            .map(|first| vec![first, 2.0])
            .to_vec();
        assert_close(friedman(&blocks).unwrap().chi_square, 1.8);
    }

    #[test]
    fn equal_values_are_no_evidence() {
        let result = friedman(&[vec![5.0; 3], vec![2.0; 3]]).unwrap();
        assert_eq!((result.chi_square, result.p), (0.0, 1.0));
        assert_eq!(result.mean_ranks, [2.0; 3]);
    }

    #[test]
    fn incomplete_data_is_refused() {
        assert_eq!(
            friedman(&[]),
            Err(Undefined::TooFew {
                what: "blocks",
                needed: 1,
                found: 0
            })
        );
        assert_eq!(
            friedman(&[vec![1.0]]),
            Err(Undefined::TooFew {
                what: "treatments",
                needed: 2,
                found: 1
            })
        );
        let ragged = friedman(&[vec![1.0, 2.0], vec![1.0]]);
        assert_eq!(
            ragged,
            Err(Undefined::Lengths {
                first: 2,
                second: 1
            })
        );
        assert!(matches!(
            friedman(&[vec![1.0, f64::NAN]]),
            Err(Undefined::Value { index: 1, .. })
        ));
    }
}
