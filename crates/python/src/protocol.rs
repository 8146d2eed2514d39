//! What is said over the pipes: frames of a length (four bytes, big end first) and JSON.
//!
//! What a test and its reply are is between a runner (a module of the Python side) and its caller: here they are JSON texts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// What every worker is told first: which runner it is, and what that needs.
#[derive(Debug, Clone, Serialize)]
pub struct Load {
    /// The module that runs the tests, such as `testhound_runtime.harness`.
    pub runner: String,
    /// What the runner is given.
    pub arguments: Value,
    /// Folders that go before all others on the module search path.
    pub paths: Vec<String>,
    /// What is measured.
    pub probes: ProbeSettings,
    /// Bounds on one step.
    pub limits: StepLimits,
}

/// What is measured, and of which modules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProbeSettings {
    /// What is measured.
    pub measure: Measure,
    /// Modules and packages (with all they hold) that get probes, and folders (absolute paths) whose modules do.
    pub modules: Vec<String>,
    /// Lists of modules: of the first that has some outside of the standard library, the packages of those get probes.
    pub imports: Vec<Vec<String>>,
    /// When hits of a probe after the first are of interest.
    pub repeats: Repeats,
}

/// When hits of a probe after the first are of interest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repeats {
    /// From the first test on.
    #[default]
    Always,
    /// When tests have been run without for a while.
    Later,
    /// Hardly ever: then a hit costs next to nothing, and asking for all hits of a test is dear.
    Seldom,
}

/// What probes show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Nothing: modules stay as they are.
    #[default]
    Nothing,
    /// Branch sides.
    Branches,
    /// Branch sides and lines.
    Lines,
}

/// Bounds on one step, kept inside the worker.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StepLimits {
    /// Seconds of processor time.
    pub cpu: f64,
    /// Seconds of wall time.
    pub wall: f64,
}

impl Default for StepLimits {
    fn default() -> StepLimits {
        StepLimits {
            cpu: 1.0,
            wall: 5.0,
        }
    }
}

/// Source files that were given probes, with what each probe shows. The same source gives the same probes in every worker, so
/// a probe is named by its file and its number there.
pub type ProbedFiles = BTreeMap<String, Vec<ProbeKind>>;

/// The probes that were hit, by file.
pub type ProbeHits = BTreeMap<String, Vec<u32>>;

/// Modules under test that were given no probes, with the reasons.
pub type Unmeasured = BTreeMap<String, String>;

/// What a probe shows when it is hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeKind {
    /// The line was reached.
    Line(u32),
    /// Control went from the branching line to the side with this number, counted from 0.
    Branch(u32, u32),
    /// The function that begins in this line was entered.
    Enter(u32),
}

#[derive(Serialize)]
struct Request<'a, T: ?Sized + Serialize> {
    number: u32,
    #[serde(rename = "do")]
    what: &'a str,
    with: &'a T,
}

/// What a worker answers.
#[derive(Debug, Deserialize)]
pub(crate) struct Reply {
    /// What was asked for, or one reply per test.
    #[serde(default)]
    pub replies: Vec<Box<RawValue>>,
    /// Why this worker shall run no more tests.
    #[serde(default)]
    pub retired: Option<String>,
    /// Modules that were given probes since the last reply.
    #[serde(default)]
    pub files: ProbedFiles,
    /// Modules under test that were given none.
    #[serde(default)]
    pub unmeasured: Unmeasured,
    /// What the Python side could not do.
    #[serde(default)]
    pub error: Option<String>,
}

/// A frame that asks for something.
pub(crate) fn frame<T: ?Sized + Serialize>(number: u32, what: &str, with: &T) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    let request = Request { number, what, with };
    serde_json::to_writer(&mut bytes, &request).expect("requests have string keys only");
    let length = (bytes.len() - 4) as u32;
    bytes[..4].copy_from_slice(&length.to_be_bytes());
    bytes
}
