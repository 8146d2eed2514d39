//! The A12 effect size of two independent samples. Whether the difference could be chance is the
//! matter of `mann_whitney`.
//!
//! Source: Vargha and Delaney, "A critique and improvement of the CL common language effect size
//! statistics of McGraw and Wong" (Journal of Educational and Behavioral Statistics, 2000).
//!
//! Differences: none.

use crate::{Undefined, ranks};

/// Probability that a value of the first sample exceeds one of the second, a tie counting one half
/// (Vargha and Delaney, 2000): 0.5 is no effect, 1 means that every value of the first is larger.
///
/// Needs one value in each; infinities are ranked, NaN is refused.
pub fn vargha_delaney(first: &[f64], second: &[f64]) -> Result<f64, Undefined> {
    let (apart, _) = ranks::pooled(&[first, second])?;
    let (n_first, n_second) = (first.len() as f64, second.len() as f64);
    Ok((apart[0].iter().sum::<f64>() - n_first * (n_first + 1.0) / 2.0) / (n_first * n_second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[test]
    fn the_effect_matches_scipy() {
        // SciPy 1.17.1: scipy.stats.mannwhitneyu(x, y).statistic / (len(x) * len(y))
        let first = [1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 8.0];
        let second = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.0, 9.0];
        assert_close(vargha_delaney(&first, &second).unwrap(), 16.5 / 56.0);
    }

    #[test]
    fn the_effect_runs_from_none_of_the_pairs_to_all() {
        assert_eq!(vargha_delaney(&[1.0, 2.0], &[3.0]), Ok(0.0));
        assert_eq!(vargha_delaney(&[4.0, 4.0], &[4.0]), Ok(0.5));
        assert_eq!(vargha_delaney(&[9.0], &[3.0, 4.0]), Ok(1.0));
    }

    #[test]
    fn an_empty_sample_has_no_effect_size() {
        assert_eq!(
            vargha_delaney(&[], &[1.0]),
            Err(Undefined::TooFew {
                what: "values",
                needed: 1,
                found: 0
            })
        );
    }
}
