//! What running a test showed. A crash, a hang or an exit of the subject is an observation, never an error of ours.

use crate::calls::TypeId;
use crate::goal::Goal;
use crate::test::{OperationId, Step};
use serde::{Deserialize, Serialize};

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// All steps ran; the subject's process, if it had one of its own, left this exit code.
    Exited(i32),
    /// A signal ended the subject.
    Signalled(i32),
    /// It ran out of time.
    TimedOut,
    /// A step threw and the test ended there.
    Threw(u32),
    /// The worker that ran it died or had to be retired.
    WorkerLost,
}

/// Why an observation is a failure. Two failures with the same signature are the same failure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Failure {
    /// The oracle that said so: `signal`, `exit`, `reference`, …
    pub oracle: String,
    /// What identifies the failure: signal and top frames, or the normalised difference.
    pub signature: String,
    /// What a person should read.
    pub message: String,
}

/// What guidance asks observations to carry beyond the end, the cost and the failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needs {
    /// Goals hit.
    pub hits: bool,
    /// The least distance to each goal that was approached.
    pub distances: bool,
    /// How often each branch side was taken: 1, or 2 for more.
    pub sides: bool,
    /// Condition rows seen.
    pub rows: bool,
    /// The branches in the order they were taken.
    pub trace: bool,
    /// What every step gave.
    pub results: bool,
}

impl Needs {
    /// What either of two asks for.
    pub fn or(self, other: Needs) -> Needs {
        Needs {
            hits: self.hits | other.hits,
            distances: self.distances | other.distances,
            sides: self.sides | other.sides,
            rows: self.rows | other.rows,
            trace: self.trace | other.trace,
            results: self.results | other.results,
        }
    }
}

/// What running one test showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// How it ended.
    pub end: End,
    /// The failures the oracles saw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    /// What it cost, in ticks of the worker; 0 where the target does not count.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ticks: u64,
    /// The steps really taken, where the worker had to choose others than proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Vec<Step>>,
    /// Goals hit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<Goal>,
    /// Details that only some guidance asks for.
    #[serde(default, skip_serializing_if = "Details::is_empty")]
    pub details: Details,
}

/// The dear parts of an observation, filled only where [`Needs`] says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Details {
    /// The least distance to each goal that was approached but not hit.
    pub distances: Vec<(Goal, f64)>,
    /// How often each branch side was taken: 1, or 2 for more.
    pub sides: Vec<(Goal, u8)>,
    /// Condition rows seen, as goals of a criterion that grows.
    pub rows: Vec<Goal>,
    /// The branch sides in the order they were taken.
    pub trace: Vec<Goal>,
    /// How long it took, in microseconds; 0 where that was not asked for.
    pub micros: u64,
    /// What every step gave, as far as the test ran.
    pub results: Vec<StepResult>,
    /// Whether hits are those alone that the worker had not reported before, where most tests tell all of theirs.
    pub partial: bool,
    /// The size of steps, by operation, where it was measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<(OperationId, u32)>,
    /// After how many steps goals were hit that the worker had not seen before, and which. Another worker may have seen them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub new_after: Vec<(u32, Vec<Goal>)>,
}

/// What a step gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepResult {
    /// It ended normally and gives no value.
    Void,
    /// It gave nothing: `null`, `None`.
    Nothing,
    /// It gave a value.
    Value {
        /// The run-time type of the value.
        kind: TypeId,
        /// Equal for values that look equal: primitives, strings, boxes, enums. 0 for objects that cannot be told apart cheaply.
        fingerprint: u64,
    },
    /// It gave a number that the target could tell.
    Number {
        /// The type of the number.
        kind: TypeId,
        /// A whole number of 64 bits or the bits of a floating-point number of as many; which of them, its type says.
        bits: u64,
    },
    /// It threw a value of this type.
    Threw {
        /// The run-time type of the exception.
        kind: TypeId,
    },
}

impl StepResult {
    /// Whether there is a value that can be given to a later step.
    pub fn is_value(&self) -> bool {
        matches!(self, StepResult::Value { .. } | StepResult::Number { .. })
    }
}

impl Details {
    fn is_empty(&self) -> bool {
        *self == Details::default()
    }
}

fn is_zero(ticks: &u64) -> bool {
    *ticks == 0
}

impl Observation {
    /// An observation that shows nothing but its end.
    pub fn plain(end: End) -> Observation {
        Observation {
            end,
            failures: Vec::new(),
            ticks: 0,
            taken: None,
            hits: Vec::new(),
            details: Details::default(),
        }
    }
}
