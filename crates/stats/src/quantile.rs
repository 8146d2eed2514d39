//! Quantiles and the median of one sample. No other quantile definition than type 7 is offered.
//!
//! Source: Hyndman and Fan, "Sample quantiles in statistical packages" (The American Statistician,
//! 1996), definition 7: linear interpolation between order statistics at position (n - 1) p. It is
//! the default of R and NumPy.
//!
//! Differences: none.

use crate::{Undefined, check};

/// The quantile at probability `p` by definition 7 (Hyndman and Fan, 1996). Needs one value; values
/// must be finite.
pub fn quantile(sample: &[f64], p: f64) -> Result<f64, Undefined> {
    if !(0.0..=1.0).contains(&p) {
        return Err(Undefined::Setting {
            name: "p",
            value: p,
            range: "between 0 and 1",
        });
    }
    of_sorted(&sorted(sample)?, p)
}

/// The middle value, or the mean of the two middle values. Needs one value; values must be finite.
pub fn median(sample: &[f64]) -> Result<f64, Undefined> {
    quantile(sample, 0.5)
}

/// The sample in ascending order, checked to be finite and not empty.
pub(crate) fn sorted(sample: &[f64]) -> Result<Vec<f64>, Undefined> {
    check::at_least(1, sample)?;
    check::finite(sample)?;
    let mut values = sample.to_vec();
    values.sort_by(f64::total_cmp);
    Ok(values)
}

/// The quantile of a sample that [`sorted`] returned, with `p` between 0 and 1.
pub(crate) fn of_sorted(values: &[f64], p: f64) -> Result<f64, Undefined> {
    let position = (values.len() - 1) as f64 * p;
    let below = position.floor() as usize;
    let above = (below + 1).min(values.len() - 1);
    let weight = position - below as f64;
    let value = values[below] + weight * (values[above] - values[below]);
    Ok(check::result(value)?.min(values[above]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    const SAMPLE: [f64; 7] = [3.1, 4.7, 1.2, 9.9, 5.5, 2.0, 7.3];

    #[test]
    fn quantiles_match_numpy() {
        // NumPy 2.4.6: numpy.quantile(x, p)
        let expected = [
            (0.0, 1.2),
            (0.1, 1.68),
            (0.25, 2.55),
            (0.5, 4.7),
            (0.75, 6.4),
            (0.9, 8.340000000000002),
            (1.0, 9.9),
        ];
        for (p, value) in expected {
            assert_close(quantile(&SAMPLE, p).unwrap(), value);
        }
        for (p, value) in [
            (0.1, 1.3),
            (0.25, 1.75),
            (0.5, 2.5),
            (0.75, 4.75),
            (0.9, 7.9),
        ] {
            assert_close(quantile(&[10.0, 1.0, 3.0, 2.0], p).unwrap(), value);
        }
    }

    #[test]
    fn the_median_of_an_even_sample_is_the_mean_of_its_middle() {
        assert_eq!(median(&[4.0, 1.0, 2.0, 9.0]), Ok(3.0));
    }

    #[test]
    fn one_value_is_every_quantile() {
        for p in [0.0, 0.3, 1.0] {
            assert_eq!(quantile(&[8.0], p), Ok(8.0));
        }
    }

    #[test]
    fn nothing_has_no_median_and_no_quantile_lies_beyond_one() {
        assert_eq!(
            median(&[]),
            Err(Undefined::TooFew {
                what: "values",
                needed: 1,
                found: 0
            })
        );
        assert!(matches!(
            quantile(&[1.0], 1.5),
            Err(Undefined::Setting { name: "p", .. })
        ));
        assert!(matches!(
            quantile(&[1.0], f64::NAN),
            Err(Undefined::Setting { name: "p", .. })
        ));
        assert!(matches!(
            median(&[1.0, f64::NAN]),
            Err(Undefined::Value { index: 1, .. })
        ));
    }
}
