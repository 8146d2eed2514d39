//! Runs a written file once in a process of its own and reads what became of its tests. What to do about it is the caller's
//! business.

use std::path::Path;

use sandbox::runner::Gone;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::module::open::Named;
use crate::protocol::{Load, Measure, ProbeHits, StepLimits};
use crate::session::{Session, WorkerError};

/// The runner of written files.
pub const RUNNER: &str = "testhound_runtime.check";

/// How far the clock is ahead in a process that shall show what depends on it, in seconds: 400 days, an hour, a minute and three seconds, so
/// that year, month, day and day of the week are others, too.
pub const SHIFT: u32 = 400 * 86_400 + 3_663;

/// The problem of tests that take their process with them.
const LOST: &str = "its process does not survive it";

/// A file with more tests that take their process with them is given up.
const MOST_LETHAL: usize = 50;

/// What a whole written test may take: more than a single call of a run.
pub const LIMITS: StepLimits = StepLimits {
    cpu: 5.0,
    wall: 20.0,
};

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

/// What a worker is told that checks tests of a module.
pub fn load(named: &Named, arguments: Value, measure: Measure) -> Load {
    Load {
        limits: LIMITS,
        ..named.load(RUNNER, arguments, measure)
    }
}

/// The runner's arguments for a clock that is so far ahead. With `acts`, tests that act on the world outside their process fail.
pub fn arguments(shift: u32, acts: bool) -> Value {
    json!({"shift": shift, "acts": acts})
}

/// Runs the tests of a file in order or in reverse. Those that take their process with them are told so, and the others are run without
/// them.
pub fn check(
    session: &mut Session,
    path: &Path,
    source: &str,
    reverse: bool,
) -> Result<Checked, WorkerError> {
    let names: Vec<&str> = names(source).collect();
    let mut lethal: Vec<usize> = Vec::new();
    loop {
        let request = json!({"path": path, "source": source, "reverse": reverse, "skip": lethal});
        let gone = match session.ask::<Checked>("check", &request)? {
            Ok(mut checked) => {
                let names = lethal.iter().filter_map(|number| names.get(*number));
                checked
                    .tests
                    .extend(names.map(|name| CheckedTest::lost(name)));
                return Ok(checked);
            }
            Err(gone) => gone,
        };
        match gone {
            // The file itself has number 0.
            Gone::Hung(number @ 1..) | Gone::Died(number @ 1..) if lethal.len() < MOST_LETHAL => {
                lethal.push(number - 1);
            }
            _ => {
                return Ok(Checked {
                    broken: format!("the tests end their process: {gone:?}"),
                    tests: Vec::new(),
                });
            }
        }
    }
}

/// The names of the tests of a file.
fn names(source: &str) -> impl Iterator<Item = &str> {
    let lines = source.lines().filter_map(|line| line.strip_prefix("def "));
    lines
        .filter(|rest| rest.starts_with("test_"))
        .filter_map(|rest| rest.split('(').next())
}

impl CheckedTest {
    fn lost(name: &str) -> CheckedTest {
        CheckedTest {
            name: name.to_owned(),
            problem: LOST.to_owned(),
            line: 0,
            hits: ProbeHits::default(),
        }
    }

    /// Whether it took its process with it.
    pub fn is_lost(&self) -> bool {
        self.problem == LOST
    }
}
