//! One-way analysis of variance of several independent groups. It assumes normal values of equal
//! variance and does not check that; `kruskal_wallis` needs neither.
//!
//! Source: Fisher, "Statistical Methods for Research Workers" (1925).
//!
//! Differences: none.

use crate::{Undefined, check, descriptive, tail};

/// Result of a one-way analysis of variance (Fisher, 1925).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anova {
    /// Mean square between groups over mean square within.
    pub f: f64,
    /// Groups minus one.
    pub freedom_between: usize,
    /// Values minus groups.
    pub freedom_within: usize,
    /// p-value.
    pub p: f64,
}

/// Tests whether several groups have the same mean (Fisher, 1925).
///
/// Needs two groups, one value in each and one value more than groups; values must be finite. Where
/// no group varies the ratio has no denominator and the answer is [`Undefined::NoVariation`].
pub fn one_way_anova(groups: &[Vec<f64>]) -> Result<Anova, Undefined> {
    check::enough("groups", 2, groups.len())?;
    let mut means = Vec::with_capacity(groups.len());
    let mut within = 0.0;
    for group in groups {
        let mean = descriptive::mean(group)?;
        within += descriptive::squares_about(group, mean)?;
        means.push(mean);
    }
    let values = groups.concat();
    check::at_least(groups.len() + 1, &values)?;
    if within == 0.0 {
        return Err(Undefined::NoVariation);
    }
    let grand = descriptive::mean(&values)?;
    let between: f64 = groups
        .iter()
        .zip(&means)
        .map(|(group, mean)| group.len() as f64 * (mean - grand).powi(2))
        .sum();
    let (freedom_between, freedom_within) = (groups.len() - 1, values.len() - groups.len());
    let f = check::result((between / freedom_between as f64) / (within / freedom_within as f64))?;
    Ok(Anova {
        f,
        freedom_between,
        freedom_within,
        p: tail::f_upper(f, freedom_between, freedom_within),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[track_caller]
    fn assert_test(groups: &[Vec<f64>], f: f64, p: f64) -> Anova {
        let result = one_way_anova(groups).unwrap();
        assert_close(result.f, f);
        assert_close(result.p, p);
        result
    }

    #[test]
    fn groups_match_scipy() {
        // SciPy 1.17.1: scipy.stats.f_oneway(*groups)
        let groups = [
            vec![2.9, 3.0, 2.5, 2.6, 3.2],
            vec![3.8, 2.7, 4.0, 2.4],
            vec![2.8, 3.4, 3.7, 2.2, 2.0],
        ];
        let result = assert_test(&groups, 0.56007326007326, 0.5866329910417377);
        assert_eq!((result.freedom_between, result.freedom_within), (2, 11));
    }

    #[test]
    fn published_shell_lengths_match_scipy() {
        // SciPy 1.17.1: scipy.stats.f_oneway(*groups); shells of Mytilus, data of McDonald et al.
        // (1991) in its manual
        let groups = [
            vec![
                0.0571, 0.0813, 0.0831, 0.0976, 0.0817, 0.0859, 0.0735, 0.0659, 0.0923, 0.0836,
            ],
            vec![
                0.0873, 0.0662, 0.0672, 0.0819, 0.0749, 0.0649, 0.0835, 0.0725,
            ],
            vec![0.0974, 0.1352, 0.0817, 0.1016, 0.0968, 0.1064, 0.105],
            vec![
                0.1033, 0.0915, 0.0781, 0.0685, 0.0677, 0.0697, 0.0764, 0.0689,
            ],
            vec![0.0703, 0.1026, 0.0956, 0.0973, 0.1039, 0.1045],
        ];
        assert_test(&groups, 7.121019471642447, 0.00028122423145345525);
    }

    #[test]
    fn tiny_groups_match_scipy() {
        // SciPy 1.17.1: scipy.stats.f_oneway(*groups)
        assert_test(
            &[vec![1.0], vec![2.0, 4.0]],
            1.3333333333333335,
            0.45437105165701,
        );
        assert_test(&[vec![1.0, 3.0], vec![0.0, 4.0]], 0.0, 1.0);
    }

    #[test]
    fn groups_that_do_not_vary_are_undefined() {
        assert_eq!(
            one_way_anova(&[vec![0.1; 3], vec![0.1; 3]]),
            Err(Undefined::NoVariation)
        );
        assert_eq!(
            one_way_anova(&[vec![0.1; 3], vec![0.2; 3]]),
            Err(Undefined::NoVariation)
        );
    }

    #[test]
    fn too_little_data_is_refused() {
        assert_eq!(
            one_way_anova(&[vec![1.0, 2.0]]),
            Err(Undefined::TooFew {
                what: "groups",
                needed: 2,
                found: 1
            })
        );
        let singles = one_way_anova(&[vec![1.0], vec![2.0]]);
        assert_eq!(
            singles,
            Err(Undefined::TooFew {
                what: "values",
                needed: 3,
                found: 2
            })
        );
        let empty = one_way_anova(&[vec![1.0], vec![]]);
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
