//! Runs a written file once in a process of its own and reads what became of its tests. What to do about it is the caller's
//! business.

use std::path::Path;

use sandbox::runner::Gone;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::protocol::ProbeHits;
use crate::session::{Session, WorkerError};

/// The runner of written files.
pub const RUNNER: &str = "testhound_runtime.check";

/// How far the clock is ahead in a process that shall show what depends on it, in seconds: 400 days, an hour, a minute and three seconds, so
/// that year, month, day and day of the week are others, too.
pub const SHIFT: u32 = 400 * 86_400 + 3_663;

/// What a process says about a file.
#[derive(Debug, Deserialize)]
pub struct Checked {
    /// Why it cannot be loaded; empty if it can.
    pub broken: String,
    /// Its tests.
    pub tests: Vec<CheckedTest>,
}

/// What a process says about a test.
#[derive(Debug, Deserialize)]
pub struct CheckedTest {
    /// Its name.
    pub name: String,
    /// What was raised; empty if it passed.
    pub problem: String,
    /// The line of the file where it was.
    pub line: usize,
    /// The probes that were hit, where they are measured.
    pub hits: ProbeHits,
}

/// The runner's arguments for a clock that is so far ahead. With `acts`, tests that act on the world outside their process fail.
pub fn arguments(shift: u32, acts: bool) -> Value {
    json!({"shift": shift, "acts": acts})
}

/// Runs the tests of a file in order or in reverse; `Err` tells how they took the process down.
pub fn check(
    session: &mut Session,
    path: &Path,
    source: &str,
    reverse: bool,
) -> Result<Result<Checked, Gone>, WorkerError> {
    let request = json!({"path": path, "source": source, "reverse": reverse});
    session.ask("check", &request)
}
