//! The Holm-Bonferroni correction of several p-values. It decides nothing: compare the adjusted
//! values with alpha.
//!
//! Source: Holm, "A simple sequentially rejective multiple test procedure" (Scandinavian Journal of
//! Statistics, 1979), in the form of adjusted p-values: Wright, "Adjusted p-values for simultaneous
//! inference" (Biometrics, 1992).
//!
//! Differences: none.

use crate::{Undefined, check};

/// Adjusted p-values, in input order (Holm, 1979; Wright, 1992): a hypothesis is rejected at
/// family-wise level alpha where its adjusted value is at most alpha. No p-values give none; each
/// must lie between 0 and 1.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, Undefined> {
    check::every(p_values, |p| (0.0..=1.0).contains(&p))?;
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (place, &index) in order.iter().enumerate() {
        let hypotheses = (p_values.len() - place) as f64;
        least = least.max((hypotheses * p_values[index]).min(1.0));
        adjusted[index] = least;
    }
    Ok(adjusted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[test]
    fn adjusted_values_match_statsmodels() {
        // statsmodels 0.15.0: statsmodels.stats.multitest.multipletests(p, method='holm')[1]; SciPy
        // has no Holm
        let expected: [(&[f64], &[f64]); 4] = [
            (&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]),
            (&[0.5, 0.6, 0.9], &[1.0, 1.0, 1.0]),
            (
                &[0.02, 0.02, 0.001, 1.0, 0.0],
                &[0.06, 0.06, 0.004, 1.0, 0.0],
            ),
            (&[0.05], &[0.05]),
        ];
        for (raw, adjusted) in expected {
            let actual = holm(raw).unwrap();
            assert_eq!(actual.len(), adjusted.len());
            actual
                .iter()
                .zip(adjusted)
                .for_each(|(&actual, &adjusted)| assert_close(actual, adjusted));
        }
    }

    #[test]
    fn no_hypotheses_need_no_correction() {
        assert_eq!(holm(&[]), Ok(vec![]));
    }

    #[test]
    fn what_is_not_a_probability_is_refused() {
        assert_eq!(
            holm(&[0.1, 1.5]),
            Err(Undefined::Value {
                index: 1,
                value: 1.5
            })
        );
        assert!(matches!(
            holm(&[f64::NAN]),
            Err(Undefined::Value { index: 0, .. })
        ));
    }
}
