//! Runs an existing pytest suite with the user's own pytest: how its tests end, what each covers, and which notice mutants.
//!
//! All tests run in one process, as the user runs them. One that takes the process with it is told as such, and the rest runs again
//! without it. Mutants run many to a process, with the tests that reach them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sandbox::runner::{Ended, Gone};
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::to_raw_value;

use crate::module::open::Named;
use crate::protocol::{Load, Measure, ProbeHits, ProbedFiles, StepLimits};
use crate::runtime::Runtime;
use crate::session::{Ran, Session, WorkerError};
use crate::worker::Launch;

/// The runner of suites.
const RUNNER: &str = "testhound_runtime.pytest_suite";
/// The most tests that may take a process with them.
const FATAL: usize = 50;
/// Bounds on one test, in seconds of processor time and of wall time.
const LIMITS: StepLimits = StepLimits {
    cpu: 20.0,
    wall: 60.0,
};
/// How long a process may go without a sign of progress.
const PATIENCE: Duration = Duration::from_secs(60);

/// A suite and the module that it tests.
pub struct Suite<'a> {
    /// The module; of a package, all that is in it.
    pub named: &'a Named,
    /// Files and folders of tests.
    pub tests: &'a [PathBuf],
    /// The folder from which tests are run.
    pub folder: &'a Path,
    /// The Python side.
    pub runtime: &'a Arc<Runtime>,
    /// How workers are started.
    pub launch: &'a Launch,
}

/// A test of a suite.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SuiteTest {
    /// Its name, as pytest has it.
    pub name: String,
    /// `passed`, `failed`, `skipped`, `hung` or `died`.
    pub outcome: String,
    /// What it raised.
    pub message: String,
    /// The probes that were hit.
    pub hits: ProbeHits,
    /// Its processor time.
    pub seconds: f64,
}

/// What running a suite showed.
#[derive(Debug, Default, Deserialize)]
pub struct SuiteRun {
    /// The tests, in the order of their run.
    pub tests: Vec<SuiteTest>,
    /// Files that could not be collected, and why.
    pub problems: Vec<String>,
    /// Why pytest did not run all tests; empty if it did.
    pub refusal: String,
    /// What was hit before the first test.
    pub rest: ProbeHits,
    /// The modules under test that were imported, with their files.
    pub modules: Vec<(String, String)>,
    /// Their probes.
    #[serde(skip)]
    pub files: ProbedFiles,
}

/// A mutant of a module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SuiteMutant {
    /// The module.
    pub module: String,
    /// Its number there.
    pub number: i64,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// Its operator.
    pub operator: String,
    /// What becomes what.
    pub what: String,
    /// The function that it is in; empty outside of all.
    pub function: String,
}

/// A mutant that is to be run.
#[derive(Debug, Clone, Serialize)]
pub struct MutantJob {
    /// The module.
    pub module: String,
    /// Its file.
    pub file: String,
    /// The number of the mutant.
    pub number: i64,
    /// The tests that reach it.
    pub tests: Vec<String>,
}

/// What became of a mutant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Noticed {
    /// The test that noticed it.
    #[serde(default)]
    pub by: Option<String>,
    /// How that ended: `failed`, `hung` or `died`.
    #[serde(default)]
    pub outcome: String,
    /// Why it could not be run.
    #[serde(default)]
    pub refused: Option<String>,
}

impl Suite<'_> {
    /// Runs all tests.
    pub fn run(&self, measure: Measure) -> Result<SuiteRun, WorkerError> {
        let mut fatal: Vec<SuiteTest> = Vec::new();
        let mut session = self.session(measure, LIMITS);
        loop {
            let left_out: Vec<&str> = fatal.iter().map(|test| test.name.as_str()).collect();
            let ran = session.ask::<SuiteRun>("suite", &json!({"left_out": left_out}))?;
            let (index, outcome, message) = match ran {
                Ok(mut ran) => {
                    ran.tests.append(&mut fatal);
                    ran.files = session.files();
                    return Ok(ran);
                }
                Err(Gone::Hung(index)) => (index, "hung", "it had to be killed"),
                Err(Gone::Died(index)) => (index, "died", "the interpreter died of it"),
                Err(Gone::Silent) => (0, "died", "the interpreter died"),
            };
            let names = session.ask::<Vec<String>>("collect", &())?;
            let names = names.unwrap_or_default().into_iter();
            let mut names = names.filter(|name| !left_out.contains(&name.as_str()));
            let Some(name) = names.nth(index) else {
                return Err(WorkerError::Refused(
                    "the tests cannot be collected: the interpreter dies of it".to_owned(),
                ));
            };
            if fatal.len() == FATAL {
                return Err(WorkerError::Refused(format!(
                    "more than {FATAL} tests end their process"
                )));
            }
            fatal.push(SuiteTest {
                name,
                outcome: outcome.to_owned(),
                message: message.to_owned(),
                hits: ProbeHits::new(),
                seconds: 0.0,
            });
        }
    }

    /// The mutants of modules.
    pub fn mutants(&self, modules: &[(String, String)]) -> Result<Vec<SuiteMutant>, WorkerError> {
        let mut session = self.session(Measure::Nothing, LIMITS);
        let mutants = session.ask("mutants", &modules)?;
        mutants.map_err(|gone| {
            WorkerError::Refused(format!(
                "the worker was lost while it made mutants: {gone:?}"
            ))
        })
    }

    /// Runs mutants side by side. A test that takes longer than `seconds` notices its mutant. `done` is told of every one.
    pub fn run_mutants(
        &self,
        jobs: &[MutantJob],
        workers: usize,
        seconds: f64,
        done: &(dyn Fn() + Sync),
    ) -> Result<Vec<Noticed>, WorkerError> {
        let share = jobs.len().div_ceil(workers.max(1)).max(1);
        std::thread::scope(|scope| {
            let threads: Vec<_> = jobs
                .chunks(share)
                .map(|part| scope.spawn(move || self.run_part(part, seconds, done)))
                .collect();
            let mut all = Vec::new();
            for thread in threads {
                all.extend(thread.join().map_err(|_| Ended)??);
            }
            Ok(all)
        })
    }

    fn run_part(
        &self,
        jobs: &[MutantJob],
        seconds: f64,
        done: &(dyn Fn() + Sync),
    ) -> Result<Vec<Noticed>, WorkerError> {
        let limits = StepLimits {
            cpu: seconds,
            wall: 5.0 * seconds,
        };
        let mut session = self.session(Measure::Nothing, limits);
        let mut all = Vec::new();
        for job in jobs {
            let test = to_raw_value(job)?;
            let ran = session.run(&[test])?;
            let first = job.tests.first().cloned();
            let fatal = |outcome: &str| Noticed {
                by: first.clone(),
                outcome: outcome.to_owned(),
                refused: None,
            };
            all.push(match ran.first() {
                Some(Ran::Replied(text)) => serde_json::from_str(text.get())?,
                Some(Ran::Hung) => fatal("hung"),
                Some(Ran::Died) | None => fatal("died"),
            });
            done();
        }
        Ok(all)
    }

    fn session(&self, measure: Measure, limits: StepLimits) -> Session {
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        let tests: Vec<String> = self.tests.iter().map(text).collect();
        let modules = [&self.named.module];
        let arguments = json!({"tests": tests, "modules": modules, "folder": self.folder});
        let load = Load {
            limits,
            ..self.named.load(RUNNER, arguments, measure)
        };
        let mut launch = self.launch.clone();
        launch.patience = PATIENCE;
        Session::new(self.runtime, &launch, load)
    }
}
