//! Preconditions shared by the figures of this crate. Nothing is computed here.

use crate::Undefined;

/// The sample holds at least `needed` values.
pub(crate) fn at_least(needed: usize, sample: &[f64]) -> Result<(), Undefined> {
    enough("values", needed, sample.len())
}

/// `found` things are at least `needed`.
pub(crate) fn enough(what: &'static str, needed: usize, found: usize) -> Result<(), Undefined> {
    if found < needed {
        return Err(Undefined::TooFew {
            what,
            needed,
            found,
        });
    }
    Ok(())
}

/// No value is NaN, so that the values have an order. Infinities do.
pub(crate) fn ordered(sample: &[f64]) -> Result<(), Undefined> {
    every(sample, |value| !value.is_nan())
}

/// Every value is finite.
pub(crate) fn finite(sample: &[f64]) -> Result<(), Undefined> {
    every(sample, f64::is_finite)
}

/// Every value meets the condition.
pub(crate) fn every(sample: &[f64], holds: fn(f64) -> bool) -> Result<(), Undefined> {
    match sample.iter().position(|&value| !holds(value)) {
        Some(index) => Err(Undefined::Value {
            index,
            value: sample[index],
        }),
        None => Ok(()),
    }
}

/// Both samples have the same length.
pub(crate) fn same_length(first: &[f64], second: &[f64]) -> Result<(), Undefined> {
    if first.len() != second.len() {
        return Err(Undefined::Lengths {
            first: first.len(),
            second: second.len(),
        });
    }
    Ok(())
}

/// The result itself is finite: sums and squares of large values may not be.
pub(crate) fn result(value: f64) -> Result<f64, Undefined> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Undefined::Overflow)
    }
}

/// A confidence level lies strictly between 0 and 1.
pub(crate) fn confidence(value: f64) -> Result<(), Undefined> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(Undefined::Setting {
        name: "confidence",
        value,
        range: "strictly between 0 and 1",
    })
}
