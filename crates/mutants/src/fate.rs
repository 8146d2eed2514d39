//! What becomes of a mutant on the way into a study, with the reason.

use std::fmt;

use crate::MutantId;

/// Whether a mutant is kept, or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays.
    Kept,
    /// The compiler rejects it.
    Uncompilable,
    /// Its object code is the original's.
    Equivalent,
    /// Its object code is that of an earlier mutant.
    SameObjectCode(MutantId),
    /// No input makes it fail.
    NeverKilled,
    /// More inputs make it fail than a study can use.
    FailsTooOften {
        /// How many inputs make it fail.
        failures: usize,
        /// How many inputs there are.
        inputs: usize,
    },
    /// The same inputs make it fail as this mutant, which stands for both.
    SameFailures(MutantId),
}

impl Fate {
    /// The kebab-case name that reports count by.
    pub fn name(&self) -> &'static str {
        match self {
            Fate::Kept => "kept",
            Fate::Uncompilable => "uncompilable",
            Fate::Equivalent => "equivalent",
            Fate::SameObjectCode(_) => "same-object-code",
            Fate::NeverKilled => "never-killed",
            Fate::FailsTooOften { .. } => "fails-too-often",
            Fate::SameFailures(_) => "same-failures",
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Kept => write!(formatter, "kept"),
            Fate::Uncompilable => write!(formatter, "does not compile"),
            Fate::Equivalent => write!(formatter, "compiles to the original's object code"),
            Fate::SameObjectCode(other) => {
                write!(formatter, "compiles to the object code of `{other}`")
            }
            Fate::NeverKilled => write!(formatter, "no input makes it fail"),
            Fate::FailsTooOften { failures, inputs } => {
                write!(formatter, "fails too often: {failures} of {inputs} inputs")
            }
            Fate::SameFailures(other) => write!(formatter, "fails on the same inputs as `{other}`"),
        }
    }
}

/// The mutants that are kept, in order.
pub fn survivors(fates: &[(MutantId, Fate)]) -> Vec<&MutantId> {
    fates
        .iter()
        .filter(|(_, fate)| *fate == Fate::Kept)
        .map(|(mutant, _)| mutant)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operator;

    #[test]
    fn every_fate_tells_its_reason_in_one_line() {
        let other = MutantId::new(Operator::Logical, 7, "||");
        assert_eq!(
            Fate::SameFailures(other.clone()).to_string(),
            format!("fails on the same inputs as `{other}`")
        );
        let often = Fate::FailsTooOften {
            failures: 11,
            inputs: 100,
        };
        assert_eq!(often.to_string(), "fails too often: 11 of 100 inputs");
    }
}
