//! Stop rules beside the budgets, as `--until` takes them: `failure`, `coverage=90%`, `coverage=line:90%`.

use crate::goal::Criterion;
use crate::similar;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The criterion that `coverage` means where none is named.
pub const CRITERION: &str = "branch";

/// A state of a run that ends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Until {
    /// A test failed.
    Failure,
    /// Enough goals of a criterion are covered.
    Coverage {
        /// The criterion's name.
        criterion: String,
        /// How many, in hundredths of a percent of its goals.
        share: u32,
    },
}

/// A stop rule that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UntilError {
    /// It is no stop rule at all.
    #[error("`{0}` is not a stop rule")]
    Unknown(String),
    /// Its percentage cannot be read.
    #[error("`{0}` is not a percentage above 0 and up to 100 with at most two decimals")]
    Percentage(String),
    /// The subject has no such criterion.
    #[error("the subject has no criterion `{name}`")]
    Criterion {
        /// The name.
        name: String,
        /// What to do instead.
        hint: Option<String>,
    },
}

impl UntilError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            UntilError::Unknown(text) => {
                let word = text.split('=').next().unwrap_or(text);
                similar::nearest(word, ["failure", "coverage"])
                    .map(|nearest| format!("did you mean `{nearest}`?"))
                    .or_else(|| Some("`failure`, `coverage=90%` or `coverage=line:90%`".to_owned()))
            }
            UntilError::Percentage(_) => Some("for example `coverage=90%`".to_owned()),
            UntilError::Criterion { hint, .. } => hint.clone(),
        }
    }
}

impl FromStr for Until {
    type Err = UntilError;

    fn from_str(text: &str) -> Result<Until, UntilError> {
        if text == "failure" {
            return Ok(Until::Failure);
        }
        let Some(("coverage", wanted)) = text.split_once('=') else {
            return Err(UntilError::Unknown(text.to_owned()));
        };
        let (criterion, percent) = wanted.rsplit_once(':').unwrap_or((CRITERION, wanted));
        let share = share(percent).ok_or_else(|| UntilError::Percentage(percent.to_owned()))?;
        Ok(Until::Coverage {
            criterion: criterion.to_owned(),
            share,
        })
    }
}

/// Reads `90%` or `99.5%` as hundredths of a percent.
fn share(percent: &str) -> Option<u32> {
    let number = percent.strip_suffix('%')?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || whole.len() > 3 || decimals.len() > 2 {
        return None;
    }
    let hundredths: u32 = format!("{decimals:0<2}").parse().ok()?;
    let share = whole.parse::<u32>().ok()? * 100 + hundredths;
    (1..=10_000).contains(&share).then_some(share)
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Until::Coverage { criterion, share } = self else {
            return f.write_str("failure");
        };
        f.write_str("coverage=")?;
        if criterion != CRITERION {
            write!(f, "{criterion}:")?;
        }
        match (share / 100, share % 100) {
            (whole, 0) => write!(f, "{whole}%"),
            (whole, hundredths) => write!(f, "{whole}.{hundredths:02}%"),
        }
    }
}

impl TryFrom<String> for Until {
    type Error = UntilError;

    fn try_from(text: String) -> Result<Until, UntilError> {
        text.parse()
    }
}

impl From<Until> for String {
    fn from(until: Until) -> String {
        until.to_string()
    }
}

impl Until {
    /// Whether a subject with these criteria can ever get there.
    pub fn check(&self, criteria: &[Criterion]) -> Result<(), UntilError> {
        let Until::Coverage { criterion, .. } = self else {
            return Ok(());
        };
        if criteria.iter().any(|one| one.name == *criterion) {
            return Ok(());
        }
        let known = criteria.iter().map(|one| one.name.as_str());
        Err(UntilError::Criterion {
            name: criterion.clone(),
            hint: similar::hint(criterion, known),
        })
    }

    /// How near a run is, from 0 to 1, by the goals covered per criterion; `None` where nearness means nothing. A
    /// criterion without goals is never covered.
    pub fn nearness(&self, covered: &[u32], criteria: &[Criterion]) -> Option<f64> {
        let Until::Coverage { criterion, share } = self else {
            return None;
        };
        let position = criteria.iter().position(|one| one.name == *criterion)?;
        let wanted = u64::from(criteria[position].goals) * u64::from(*share);
        let reached = u64::from(*covered.get(position)?) * 10_000;
        if wanted == 0 {
            return Some(0.0);
        }
        // Whole numbers, so that 90 % of 10 goals are 9 goals and not 9.000000000000002.
        Some(if reached >= wanted {
            1.0
        } else {
            reached as f64 / wanted as f64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn criteria() -> Vec<Criterion> {
        let criterion = |(name, goals): (&str, u32)| Criterion {
            name: name.to_owned(),
            goals,
        };
        [("branch", 10), ("line", 200), ("method", 0)]
            .map(criterion)
            .to_vec()
    }

    #[test]
    fn rules_read_and_print_the_same() {
        for text in [
            "failure",
            "coverage=90%",
            "coverage=100%",
            "coverage=line:99.50%",
            "coverage=0.01%",
        ] {
            assert_eq!(text.parse::<Until>().unwrap().to_string(), text);
        }
        let half: Until = "coverage=line:99.5%".parse().unwrap();
        assert_eq!(half.to_string(), "coverage=line:99.50%");
    }

    #[test]
    fn what_is_not_a_rule_is_refused_with_a_hint() {
        for text in ["", "fail", "covrage=90%", "coverage", "tests=3"] {
            let error = text.parse::<Until>().unwrap_err();
            assert_eq!(error, UntilError::Unknown(text.to_owned()));
            assert!(error.hint().is_some());
        }
        for percent in [
            "90", "%", "0%", "101%", "1e1%", "-5%", "9.123%", ".5%", "1000%",
        ] {
            let error = format!("coverage={percent}").parse::<Until>().unwrap_err();
            assert_eq!(error, UntilError::Percentage(percent.to_owned()));
        }
        let misspelt = "covrage=90%".parse::<Until>().unwrap_err();
        assert_eq!(misspelt.hint().as_deref(), Some("did you mean `coverage`?"));
    }

    #[test]
    fn a_criterion_that_the_subject_lacks_is_refused() {
        let rule: Until = "coverage=lines:90%".parse().unwrap();
        let error = rule.check(&criteria()).unwrap_err();
        assert_eq!(error.hint().as_deref(), Some("did you mean `line`?"));
        for good in ["failure", "coverage=90%", "coverage=line:90%"] {
            assert_eq!(good.parse::<Until>().unwrap().check(&criteria()), Ok(()));
        }
    }

    #[test]
    fn nearness_counts_the_goals_of_the_criterion() {
        let near = |rule: &str, covered: &[u32]| {
            let rule: Until = rule.parse().unwrap();
            rule.nearness(covered, &criteria())
        };
        assert_eq!(near("coverage=90%", &[9, 0, 0]), Some(1.0));
        assert_eq!(near("coverage=90%", &[8, 200, 0]), Some(8.0 / 9.0));
        assert_eq!(near("coverage=line:50%", &[0, 50, 0]), Some(0.5));
        assert_eq!(near("coverage=method:50%", &[0, 50, 0]), Some(0.0));
        assert_eq!(near("failure", &[9, 9, 9]), None);
    }
}
