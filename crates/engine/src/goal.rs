//! Goals: single things to cover, as an open set of (criterion, number) that may grow during a run.

use serde::{Deserialize, Serialize};

/// The number of a criterion in its [`Model`](crate::Model).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CriterionId(pub u16);

/// One thing to cover: a choice, a line, a branch side, a condition row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Goal {
    /// The criterion it belongs to.
    pub criterion: CriterionId,
    /// Its number there.
    pub number: u32,
}

/// A set of goals with a name, such as `choice`, `line` or `branch`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// Its name in flags and reports.
    pub name: String,
    /// How many goals are known. Grows when an observation shows a goal past the last one.
    pub goals: u32,
}
