//! The figures a box plot draws: quartiles, whiskers and outliers. It draws nothing.
//!
//! Source: Tukey, "Exploratory Data Analysis" (1977), with the reach that Barus, Chen, Kuo, Liu,
//! Merkel and Rothermel, "A cost-effective random testing method for programs with non-numeric
//! inputs" (IEEE Transactions on Computers, 2016), Section 5.1.1, give for their Fig. 1: whiskers
//! at the smallest and largest data within 1.58 x IQR.
//!
//! Differences:
//! - The paper does not say from where the reach is measured; here it is from the quartiles, as
//!   Tukey does.
//! - Quartiles are quantiles of type 7, not Tukey's hinges.
//! - When every value outside the box is an outlier, the whisker ends at the box instead of inside
//!   it.

use crate::quantile::{of_sorted, sorted};
use crate::{Undefined, check};

/// How far whiskers reach beyond the quartiles, in interquartile ranges (Barus et al., 2016,
/// Section 5.1.1).
pub const WHISKER_REACH: f64 = 1.58;

/// Five numbers and the outliers of one sample (Tukey, 1977).
#[derive(Debug, Clone, PartialEq)]
pub struct BoxSummary {
    /// Smallest value within reach of the lower quartile.
    pub low_whisker: f64,
    /// The quantile at 0.25.
    pub lower_quartile: f64,
    /// The quantile at 0.5.
    pub median: f64,
    /// The quantile at 0.75.
    pub upper_quartile: f64,
    /// Largest value within reach of the upper quartile.
    pub high_whisker: f64,
    /// Values out of reach, ascending.
    pub outliers: Vec<f64>,
}

/// Summarises a sample for a box plot (Barus et al., 2016, Fig. 1). Needs one value; values must be
/// finite.
pub fn box_summary(sample: &[f64]) -> Result<BoxSummary, Undefined> {
    let values = sorted(sample)?;
    let lower_quartile = of_sorted(&values, 0.25)?;
    let upper_quartile = of_sorted(&values, 0.75)?;
    let reach = check::result(WHISKER_REACH * (upper_quartile - lower_quartile))?;
    let within = |value: f64| value >= lower_quartile - reach && value <= upper_quartile + reach;
    let inside = || values.iter().copied().filter(|&value| within(value));
    Ok(BoxSummary {
        low_whisker: inside().fold(lower_quartile, f64::min),
        lower_quartile,
        median: of_sorted(&values, 0.5)?,
        upper_quartile,
        high_whisker: inside().fold(upper_quartile, f64::max),
        outliers: values
            .iter()
            .copied()
            .filter(|&value| !within(value))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whiskers_end_at_data_and_what_lies_beyond_is_an_outlier() {
        // By hand: quartiles 3 and 7, IQR 4, so whiskers reach from -3.32 to 13.32.
        let summary = box_summary(&[5.0, 1.0, 3.0, 13.4, 4.0, 6.0, 7.0, -3.0, 13.0]).unwrap();
        assert_eq!(
            (
                summary.lower_quartile,
                summary.median,
                summary.upper_quartile
            ),
            (3.0, 5.0, 7.0)
        );
        assert_eq!((summary.low_whisker, summary.high_whisker), (-3.0, 13.0));
        assert_eq!(summary.outliers, [13.4]);
    }

    #[test]
    fn a_whisker_never_ends_inside_the_box() {
        // Type 7 puts the lower quartile at -24.25, between the outlier and the rest.
        let summary = box_summary(&[-100.0, 1.0, 2.0, 3.0]).unwrap();
        assert_eq!(summary.low_whisker, summary.lower_quartile);
        assert_eq!(summary.outliers, [-100.0]);
    }

    #[test]
    fn one_value_and_equal_values_give_a_flat_box() {
        for sample in [vec![2.5], vec![2.5; 9]] {
            let summary = box_summary(&sample).unwrap();
            assert_eq!(
                (summary.low_whisker, summary.median, summary.high_whisker),
                (2.5, 2.5, 2.5)
            );
            assert!(summary.outliers.is_empty());
        }
    }

    #[test]
    fn nothing_has_no_summary() {
        assert_eq!(
            box_summary(&[]),
            Err(Undefined::TooFew {
                what: "values",
                needed: 1,
                found: 0
            })
        );
    }
}
