//! The data of a run report, as the binary fills it and as `--json` prints it.
//!
//! Paths are strings as they should be shown, usually relative to the output folder, because nothing is opened here.
//! Every number is finite.

use crate::jvm::MutationTotals;
use crate::left_out::LeftOut;
use serde::{Deserialize, Serialize};

/// One finished (or interrupted) run of `generate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunRecord {
    /// Name of the subject.
    pub subject: String,
    /// Kind of the subject: `command`, `jvm` or `python`.
    pub target: String,
    /// The guide, as given to `--guide`.
    pub guide: String,
    /// The seed of the run.
    pub seed: u64,
    /// The exact command line that repeats the run.
    pub command: String,
    /// Name and version of the program, for example `testhound 0.1.0`.
    pub program: String,
    /// Tests executed.
    pub executions: u64,
    /// Steps taken in them, for tests of which that is not known beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<u64>,
    /// Wall time.
    pub elapsed_seconds: f64,
    /// What ended the run, for example `the time budget of 60s` or `Ctrl-C`.
    pub stopped_by: String,
    /// How the executions ended, most frequent first.
    pub ends: Vec<EndCount>,
    /// Distinct failures, in the order they were found.
    pub failures: Vec<FailureRecord>,
    /// The criteria that were measured.
    pub criteria: Vec<CriterionRecord>,
    /// Progress over the run, growing in executions.
    pub curve: Vec<CurvePoint>,
    /// State of the subject that outlived a test, where such was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leak: Option<LeakRecord>,
    /// How many times the processor time of tests without coverage those with it take, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_cost: Option<f64>,
    /// How many tests were run again to learn what they cover, where coverage was not measured while tests ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed: Option<u64>,
    /// Tests kept in the suite.
    pub suite_tests: u64,
    /// Where the suite was written; `None` when it was not.
    pub suite_path: Option<String>,
    /// Tests that were not kept, with the reason.
    pub dropped: Vec<LeftOut>,
    /// How mutants of the subject fared, where the suite was run on some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation: Option<MutationTotals>,
    /// What could not be tested at all, with the reason (operations, choices).
    #[serde(default)]
    pub untested: Vec<LeftOut>,
    /// Modules that coverage says nothing of, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<LeftOut>,
    /// State of the sandbox.
    pub sandbox: SandboxRecord,
}

/// A test that did something else in a fresh worker than after others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LeakRecord {
    /// Its number, counted from 1.
    pub test: u64,
    /// Its steps, one per line.
    pub steps: String,
    /// How it ended after other tests.
    pub after_others: String,
    /// How it ended in a fresh worker.
    pub fresh: String,
    /// The modules under test.
    pub modules: Vec<String>,
    /// Variables of modules and classes that tests changed, as far as they are known.
    pub changed: Vec<String>,
    /// Whether modules were loaded anew from then on; not where that was seen not to help.
    pub reloaded: bool,
}

impl LeakRecord {
    /// What happened, in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let kept = match self.changed.as_slice() {
            [] => format!("`{}`", self.modules.join("`, `")),
            changed => format!("`{}`", changed.join("`, `")),
        };
        let place = match self.reloaded {
            true => format!(" in {kept}"),
            false => String::new(),
        };
        let then = match self.reloaded {
            true => "from then on modules were loaded anew before every test",
            false => "loading modules anew does not help: is it kept in files?",
        };
        format!(
            "state outlives tests{place}: after others, test {} {}, and in a fresh worker it {}; {then}",
            self.test, self.after_others, self.fresh
        )
    }
}

/// How many executions ended in one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EndCount {
    /// The way, for example `exit 0`, `signal SIGSEGV`, `time-out`.
    pub end: String,
    /// Executions that ended so.
    pub count: u64,
}

/// One distinct failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FailureRecord {
    /// What makes it distinct: signal and top frames, or the normalised output difference.
    pub signature: String,
    /// The oracle that said so, for example `signal`, `time-out`, `exit`, `reference`.
    pub kind: String,
    /// What a person should read; may equal the signature.
    pub message: String,
    /// The choices of the (reduced) failing test.
    pub frame: Vec<FrameChoice>,
    /// Executions that failed this way.
    pub count: u64,
    /// Number of the execution that failed first, counted from 1.
    pub first_execution: u64,
    /// Where the case was written.
    pub case: Option<String>,
    /// The (reduced) input as a person would type it: command line and standard input.
    pub input: String,
    /// Whether `input` was reduced from what first failed.
    pub reduced: bool,
    /// A snippet of what the subject printed, or of the difference to the reference.
    pub output: String,
}

impl FailureRecord {
    /// The command that runs the written case again.
    #[must_use]
    pub fn replay(&self) -> Option<String> {
        let case = self.case.as_ref()?;
        let program = match case.contains(".py::") {
            true => "pytest",
            false => "testhound replay",
        };
        Some(format!("{program} {case}"))
    }
}

/// One choice of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FrameChoice {
    /// The category.
    pub category: String,
    /// The choice; `None` when the category is absent.
    pub choice: Option<String>,
}

/// How far one criterion was covered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CriterionRecord {
    /// The criterion, for example `choices`, `pairs`, `lines`.
    pub criterion: String,
    /// Goals covered.
    pub covered: u64,
    /// All goals; `None` when their number is not known.
    pub total: Option<u64>,
    /// Goals never covered, described; may be cut short, the counts above are exact.
    pub uncovered: Vec<String>,
}

/// A point of the progress curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CurvePoint {
    /// Executions so far.
    pub executions: u64,
    /// Seconds so far.
    pub seconds: f64,
    /// Goals covered so far, one number per entry of [`RunRecord::criteria`].
    pub goals: Vec<u64>,
    /// Distinct failures so far.
    pub failures: u64,
}

/// State of the sandbox during the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SandboxRecord {
    /// `full`, `best-effort` or `off`.
    pub state: String,
    /// Mechanisms that were not available.
    pub missing: Vec<String>,
    /// What the user allowed by name, for example `write:/tmp/x`.
    pub allowed: Vec<String>,
}

impl RunRecord {
    /// Executions per second; `None` for a run too short to say.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        super::pieces::per_second(self.executions, self.elapsed_seconds)
    }
}
