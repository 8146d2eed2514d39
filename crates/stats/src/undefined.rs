//! The one error of this crate: why a figure does not exist for the numbers given. It carries the
//! offending data and leaves the wording of advice to the caller.

use thiserror::Error;

/// Why a figure is not defined for the given numbers.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Undefined {
    /// There is too little data.
    #[error("needs at least `{needed}` {what}, got `{found}`")]
    TooFew {
        /// What is counted, in the plural.
        what: &'static str,
        /// The least number that would do.
        needed: usize,
        /// The number given.
        found: usize,
    },
    /// A value that the figure has no room for: NaN, an infinity, or outside its domain.
    #[error("value `{value}` at index `{index}` cannot be used here")]
    Value {
        /// Position in its sample, from 0.
        index: usize,
        /// The value itself.
        value: f64,
    },
    /// Two samples that belong together pair by pair have different lengths.
    #[error("lengths differ: `{first}` and `{second}`")]
    Lengths {
        /// Length of the first, or of the first row.
        first: usize,
        /// Length of the other.
        second: usize,
    },
    /// A parametric test divides by a variance that is zero.
    #[error("the values do not vary")]
    NoVariation,
    /// The result does not fit into a floating-point number.
    #[error("the result is too large for a number")]
    Overflow,
    /// A setting outside its range.
    #[error("`{name}` is `{value}`, not {range}")]
    Setting {
        /// The argument's name.
        name: &'static str,
        /// The value given.
        value: f64,
        /// The values allowed, in words.
        range: &'static str,
    },
    /// Points of a curve are out of order.
    #[error("size `{size}` at index `{index}` does not exceed the one before")]
    Order {
        /// Position of the point, from 0.
        index: usize,
        /// The size found there.
        size: u64,
    },
    /// A run that ended before the size asked for, without a failure, says nothing about that size.
    #[error("run `{index}` stopped after `{tests}` tests without a failure, short of `{size}`")]
    ShortRun {
        /// Position of the run, from 0.
        index: usize,
        /// Tests executed in the run.
        tests: u64,
        /// The suite size asked for.
        size: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_data_in_backticks() {
        let undefined = Undefined::TooFew {
            what: "values",
            needed: 2,
            found: 1,
        };
        assert_eq!(undefined.to_string(), "needs at least `2` values, got `1`");
        let undefined = Undefined::Value {
            index: 3,
            value: f64::NAN,
        };
        assert_eq!(
            undefined.to_string(),
            "value `NaN` at index `3` cannot be used here"
        );
        let undefined = Undefined::Setting {
            name: "confidence",
            value: 1.5,
            range: "between 0 and 1",
        };
        assert_eq!(
            undefined.to_string(),
            "`confidence` is `1.5`, not between 0 and 1"
        );
    }
}
