//! The data of a JVM run's report, as the binary fills it and as `--json` prints it.
//!
//! Coverage is generic: classes, methods, lines and branch sides with the number of tests that reached each. Names are
//! the JVM's (internal class names, descriptors); the exporters write them as their formats want them. Paths are strings
//! as they should be shown. Every number is finite.

use crate::left_out::LeftOut;
use crate::run::{CurvePoint, EndCount, SandboxRecord};
use serde::{Deserialize, Serialize};

/// One finished (or interrupted) run of `generate` on a JVM subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct JvmRunRecord {
    /// Name of the subject.
    pub subject: String,
    /// The guide, as given to `--guide`.
    pub guide: String,
    /// The seed of the run.
    pub seed: u64,
    /// The exact command line that repeats the run.
    pub command: String,
    /// Name and version of the program, for example `testhound 0.1.0`.
    pub program: String,
    /// The Java that ran the subject, for example `17.0.2`.
    pub java: String,
    /// Tests executed.
    pub executions: u64,
    /// Operations called by them.
    pub calls: u64,
    /// Wall time.
    pub elapsed_seconds: f64,
    /// From the start of the program to the first executed tests.
    pub first_test_seconds: Option<f64>,
    /// What ended the run, for example `the time budget of 60s` or `Ctrl-C`.
    pub stopped_by: String,
    /// How the executions ended, most frequent first.
    pub ends: Vec<EndCount>,
    /// Distinct failures, in the order they were found.
    pub failures: Vec<JvmFailureRecord>,
    /// What the run covered, per class, sorted by name.
    pub classes: Vec<ClassRecord>,
    /// What the written suite covers of it, as `branch`, `line` and `method`; `None` when no suite was written.
    pub suite_coverage: Option<JvmTotals>,
    /// Progress over the run, growing in executions; `goals` holds branch, line and method goals in this order.
    pub curve: Vec<CurvePoint>,
    /// Tests kept in the suite.
    pub suite_tests: u64,
    /// Assertions in the suite.
    pub suite_assertions: u64,
    /// Files of the suite, as they should be shown.
    pub suite_files: Vec<String>,
    /// Tests that were not kept, with the reason.
    pub dropped_tests: Vec<LeftOut>,
    /// Assertions that were not kept, with the reason; the name is the assertion as source.
    pub dropped_assertions: Vec<LeftOut>,
    /// Workers started over the run.
    pub workers_started: u64,
    /// Workers that were given up, counted by reason, most frequent first.
    pub workers_retired: Vec<RetiredRecord>,
    /// Methods that carry fewer probes than asked for, because they are near the size limit of a method.
    pub degraded: Vec<DegradedRecord>,
    /// Mutants of the subject under the written suite; `None` when none were run.
    pub mutation: Option<MutationTotals>,
    /// State of the sandbox.
    pub sandbox: SandboxRecord,
}

/// What was covered of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ClassRecord {
    /// Internal name, for example `org/example/Outer$Inner`.
    pub name: String,
    /// Name of its source file without folder, for example `Outer.java`.
    pub source_file: Option<String>,
    /// Its methods with code that count, in the order of the class file.
    pub methods: Vec<MethodRecord>,
    /// What the written suite covers of it; `None` when no suite was written.
    #[serde(default)]
    pub suite: Option<JvmTotals>,
    /// Why the class could not be tested at all.
    pub reason: Option<Reason>,
}

/// What was covered of one method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MethodRecord {
    /// Its name; `<init>` for a constructor.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Tests that covered it.
    pub tests: u64,
    /// Its lines, ascending; empty when the class has no line numbers.
    pub lines: Vec<LineRecord>,
    /// Its instructions, where they are counted.
    #[serde(default)]
    pub instructions: Option<Counter>,
    /// Its conditional jumps and switches that count, by offset.
    pub branches: Vec<BranchRecord>,
    /// Why it could not be called directly.
    pub reason: Option<Reason>,
}

/// One line of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LineRecord {
    /// The line, from 1.
    pub line: u32,
    /// Tests that covered it.
    pub tests: u64,
    /// Its instructions, where they are counted.
    pub instructions: Option<Counter>,
}

/// One instruction with several ways out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct BranchRecord {
    /// Its offset in the method's code.
    pub offset: u32,
    /// Its line, where the class has line numbers.
    pub line: Option<u32>,
    /// For each side, the tests that took it.
    pub sides: Vec<u64>,
}

/// How many of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Counter {
    /// Covered.
    pub covered: u64,
    /// All.
    pub total: u64,
}

/// The three criteria over some classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct JvmTotals {
    /// Branch sides.
    pub branch: Counter,
    /// Lines.
    pub line: Counter,
    /// Methods.
    pub method: Counter,
}

/// Why something could not be tested.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Reason {
    /// The code, as the manual lists it, for example `no-instance`.
    pub code: String,
    /// What it means here; may be empty.
    pub detail: String,
}

/// One distinct failure of a JVM subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct JvmFailureRecord {
    /// What makes it distinct: exception or contract, top own frame, last operation.
    pub signature: String,
    /// The contract that is broken, for example `no-null-pointer-exception` or `equals-reflexive`.
    pub contract: String,
    /// What a person should read.
    pub message: String,
    /// The exception's class as Java names it; `None` for a contract on values.
    pub exception: Option<String>,
    /// Where the exception came from, innermost first; may be cut short.
    pub stack: Vec<FrameRecord>,
    /// The operation that failed, as Java names it.
    pub operation: String,
    /// Executions that failed this way.
    pub count: u64,
    /// Number of the execution that failed first, counted from 1.
    pub first_execution: u64,
    /// The (reduced) test as Java source.
    pub test_source: String,
    /// Whether the test was reduced from what first failed.
    pub reduced: bool,
    /// The file the test was written to, as it should be shown.
    pub test_file: Option<String>,
    /// The name of the test in that file.
    pub test_name: Option<String>,
}

/// One frame of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FrameRecord {
    /// The class, as the trace names it (`org.example.Outer$Inner`).
    pub class: String,
    /// The method's name.
    pub method: String,
    /// The source file without folder.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// Whether the class is one of the subject's.
    pub own: bool,
}

/// Workers given up for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RetiredRecord {
    /// The reason, for example `out of memory` or `a thread was left running`.
    pub reason: String,
    /// How many.
    pub count: u64,
    /// One test after which it happened, as Java source; may be empty.
    pub example: String,
}

/// A method with fewer probes than asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DegradedRecord {
    /// Internal name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// What was left out, for example `no edges`.
    pub level: String,
}

/// How the mutants of a subject fared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MutationTotals {
    /// All mutants that were considered.
    pub mutants: u64,
    /// Killed.
    pub killed: u64,
    /// Killed by the same tests if they asserted nothing: by what they throw, or by not ending.
    pub killed_without_assertions: u64,
    /// On lines that no test reaches; they count as not killed.
    pub not_covered: u64,
}

/// The text of one source file, for the source view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Package folder and file name, for example `org/example/Outer.java`.
    pub path: String,
    /// The text.
    pub text: String,
}
