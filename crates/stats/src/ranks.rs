//! Ranks of a sample, with ties sharing the mean of their places. No test statistic is computed
//! here.
//!
//! Source: Kendall, "Rank Correlation Methods" (1948), for mid-ranks and for the tie term.
//!
//! Differences: none.

use crate::{Undefined, check};

/// Ranks and the ties among them (Kendall, 1948).
#[derive(Debug, Clone, PartialEq)]
pub struct Ranks {
    /// Rank of each value, in input order; the smallest value has rank 1.
    pub ranks: Vec<f64>,
    /// Size of each group of equal values with more than one member, by ascending value.
    pub ties: Vec<usize>,
}

impl Ranks {
    /// Sum over tie groups of t^3 - t, which every tie correction is made of.
    pub fn tie_term(&self) -> f64 {
        self.ties
            .iter()
            .map(|&size| size as f64)
            .map(|size| size * (size * size - 1.0))
            .sum()
    }
}

/// Ranks a sample. Needs one value; infinities are ranked, NaN is refused.
pub fn ranks(sample: &[f64]) -> Result<Ranks, Undefined> {
    check::at_least(1, sample)?;
    check::ordered(sample)?;
    let mut order: Vec<usize> = (0..sample.len()).collect();
    order.sort_by(|&left, &right| {
        sample[left]
            .partial_cmp(&sample[right])
            .expect("NaN was refused above")
    });
    let mut ranks = vec![0.0; sample.len()];
    let mut ties = Vec::new();
    let mut before = 0;
    for group in order.chunk_by(|&left, &right| sample[left] == sample[right]) {
        // The group takes places before + 1 to before + size; their mean is everyone's rank.
        let rank = before as f64 + (group.len() + 1) as f64 / 2.0;
        group.iter().for_each(|&index| ranks[index] = rank);
        if group.len() > 1 {
            ties.push(group.len());
        }
        before += group.len();
    }
    Ok(Ranks { ranks, ties })
}

/// Ranks of several groups as one pooled sample, with the ranks of each group apart.
pub(crate) fn pooled(groups: &[&[f64]]) -> Result<(Vec<Vec<f64>>, Ranks), Undefined> {
    for group in groups {
        check::at_least(1, group)?;
        check::ordered(group)?;
    }
    let all = ranks(&groups.concat())?;
    let mut rest = all.ranks.as_slice();
    let mut apart = Vec::with_capacity(groups.len());
    for group in groups {
        let (own, others) = rest.split_at(group.len());
        apart.push(own.to_vec());
        rest = others;
    }
    Ok((apart, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_of_their_places() {
        // SciPy 1.17.1: scipy.stats.rankdata([10, 20, 10, 5, 20, 20])
        let ranked = ranks(&[10.0, 20.0, 10.0, 5.0, 20.0, 20.0]).unwrap();
        assert_eq!(ranked.ranks, [2.5, 5.0, 2.5, 1.0, 5.0, 5.0]);
        assert_eq!(ranked.ties, [2, 3]);
        assert_eq!(ranked.tie_term(), 6.0 + 24.0);
    }

    #[test]
    fn both_zeros_are_one_value() {
        assert_eq!(ranks(&[0.0, -0.0]).unwrap().ranks, [1.5, 1.5]);
    }

    #[test]
    fn infinities_take_the_outer_places() {
        let ranked = ranks(&[f64::INFINITY, 1e300, f64::NEG_INFINITY, f64::INFINITY]).unwrap();
        assert_eq!(ranked.ranks, [3.5, 2.0, 1.0, 3.5]);
    }

    #[test]
    fn one_value_has_rank_one_and_nothing_has_no_rank() {
        assert_eq!(
            ranks(&[-4.0]),
            Ok(Ranks {
                ranks: vec![1.0],
                ties: vec![]
            })
        );
        assert_eq!(
            ranks(&[]),
            Err(Undefined::TooFew {
                what: "values",
                needed: 1,
                found: 0
            })
        );
        assert!(matches!(
            ranks(&[0.0, f64::NAN]),
            Err(Undefined::Value { index: 1, .. })
        ));
    }
}
