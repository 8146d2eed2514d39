//! The Kruskal-Wallis test of several independent groups.
//!
//! Source: Kruskal and Wallis, "Use of ranks in one-criterion variance analysis" (Journal of the
//! American Statistical Association, 1952), with its correction for ties.
//!
//! Differences:
//! - p comes from the chi-square approximation at every size.
//! - Where all values are equal nothing can vary: the statistic is 0 and p is 1.

use crate::{Undefined, check, ranks, tail};

/// Result of a Kruskal-Wallis test (Kruskal and Wallis, 1952).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KruskalWallis {
    /// The tie-corrected statistic.
    pub h: f64,
    /// Groups minus one.
    pub freedom: usize,
    /// p-value by the chi-square approximation.
    pub p: f64,
}

/// Tests whether several groups come from one population (Kruskal and Wallis, 1952).
///
/// Needs two groups with one value each; infinities are ranked, NaN is refused, its index counting
/// within its group.
pub fn kruskal_wallis(groups: &[Vec<f64>]) -> Result<KruskalWallis, Undefined> {
    check::enough("groups", 2, groups.len())?;
    let slices: Vec<&[f64]> = groups.iter().map(Vec::as_slice).collect();
    let (apart, pooled) = ranks::pooled(&slices)?;
    let n = pooled.ranks.len() as f64;
    let expected = (n + 1.0) / 2.0;
    let between: f64 = apart
        .iter()
        .map(|group| {
            let size = group.len() as f64;
            size * (group.iter().sum::<f64>() / size - expected).powi(2)
        })
        .sum();
    // What is left of the variance of the ranks once ties have taken their share; 0 when all values
    // are equal.
    let variation = n * (n * n - 1.0) - pooled.tie_term();
    let h = if variation > 0.0 {
        12.0 * (n - 1.0) * between / variation
    } else {
        0.0
    };
    let freedom = groups.len() - 1;
    Ok(KruskalWallis {
        h,
        freedom,
        p: tail::chi_square_upper(h, freedom),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[track_caller]
    fn assert_test(groups: &[Vec<f64>], h: f64, p: f64) {
        let result = kruskal_wallis(groups).unwrap();
        assert_close(result.h, h);
        assert_close(result.p, p);
    }

    #[test]
    fn groups_without_ties_match_scipy() {
        // SciPy 1.17.1: scipy.stats.kruskal(*groups); data of Hollander and Wolfe (1973), p. 116
        let groups = [
            vec![2.9, 3.0, 2.5, 2.6, 3.2],
            vec![3.8, 2.7, 4.0, 2.4],
            vec![2.8, 3.4, 3.7, 2.2, 2.0],
        ];
        assert_test(&groups, 0.7714285714285722, 0.6799647735788936);
    }

    #[test]
    fn ties_match_scipy() {
        // SciPy 1.17.1: scipy.stats.kruskal(*groups)
        let groups = [
            vec![1.0, 2.0, 2.0, 3.0],
            vec![2.0, 3.0, 3.0, 5.0, 5.0],
            vec![5.0, 6.0, 6.0],
        ];
        assert_test(&groups, 7.605982905982906, 0.022303950739720385);
    }

    #[test]
    fn single_values_match_scipy() {
        // SciPy 1.17.1: scipy.stats.kruskal([1], [2], [3])
        assert_test(&[vec![1.0], vec![2.0], vec![3.0]], 2.0, 0.36787944117144245);
    }

    #[test]
    fn equal_values_are_no_evidence() {
        let result = kruskal_wallis(&[vec![5.0; 3], vec![5.0; 2]]);
        assert_eq!(
            result,
            Ok(KruskalWallis {
                h: 0.0,
                freedom: 1,
                p: 1.0
            })
        );
    }

    #[test]
    fn missing_groups_and_values_are_refused() {
        assert_eq!(
            kruskal_wallis(&[]),
            Err(Undefined::TooFew {
                what: "groups",
                needed: 2,
                found: 0
            })
        );
        assert_eq!(
            kruskal_wallis(&[vec![1.0]]),
            Err(Undefined::TooFew {
                what: "groups",
                needed: 2,
                found: 1
            })
        );
        let empty = kruskal_wallis(&[vec![1.0], vec![]]);
        assert_eq!(
            empty,
            Err(Undefined::TooFew {
                what: "values",
                needed: 1,
                found: 0
            })
        );
    }
}
