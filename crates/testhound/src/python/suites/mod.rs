//! `measure` and `mutate` on an existing pytest suite over a Python module or package.

mod measure;
mod mutate;

pub use measure::measure;
pub use mutate::mutate;

use super::{launch, worker_failed};
use crate::cli;
use crate::exit::Failed;
use crate::settings::SettingsFile;
use python::module::open::Named;
use python::pytest::suite::{Suite, SuiteRun};
use python::runtime::Runtime;
use python::session::WorkerError;
use python::worker::Launch;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What to try where pytest does not run the tests.
const RUNS_ALONE: &str = "do they run with `python -m pytest`?";
/// Why a module has no probes that is there as source.
const LOADED_BY_OTHERS: &str =
    "something else loads it, as pytest does with plugins whose assertions it rewrites";

/// The module or package that a word means to `measure` and `mutate`; nothing if it is a subject of another kind.
pub fn module(word: &str) -> Option<String> {
    let path = Path::new(word);
    let package = path.join("__init__.py");
    if package.is_file() {
        return Some(package.display().to_string());
    }
    match crate::subject::Subject::recognise(word) {
        Ok(crate::subject::Subject::Python(word)) if !word.ends_with(".tstl") => Some(word),
        _ => None,
    }
}

/// A module with a suite, ready to be run.
struct Existing {
    named: Named,
    tests: Vec<PathBuf>,
    folder: PathBuf,
    launch: Launch,
    jobs: usize,
    runtime: Arc<Runtime>,
    _scratch: tempfile::TempDir,
}

impl Existing {
    fn open(word: &str, flags: &cli::Suite) -> anyhow::Result<Existing> {
        let folder = std::env::current_dir()?;
        let execution = SettingsFile::find(&folder)?.execution(&flags.execution);
        let scratch = tempfile::Builder::new().prefix("testhound-").tempdir()?;
        let mut tests = Vec::new();
        for path in &flags.tests {
            let found = path.canonicalize();
            tests.push(found.map_err(|error| {
                Failed::input(format!("cannot read `{}`: {error}", path.display()))
            })?);
        }
        Ok(Existing {
            named: Named::of(word, &folder),
            tests,
            folder,
            launch: launch(flags.interpreter.python.clone(), &execution)?,
            jobs: execution.jobs,
            runtime: Arc::new(Runtime::write(scratch.path())?),
            _scratch: scratch,
        })
    }

    fn suite(&self) -> Suite<'_> {
        Suite {
            named: &self.named,
            tests: &self.tests,
            folder: &self.folder,
            runtime: &self.runtime,
            launch: &self.launch,
        }
    }

    /// What runs the tests.
    fn runtime(&self) -> String {
        let (major, minor, micro) = self.launch.interpreter.version;
        format!("Python {major}.{minor}.{micro}")
    }

    /// Refuses a run that shows nothing of the module.
    fn check(&self, run: &SuiteRun) -> Result<(), Failed> {
        if let Some(problem) = run.problems.first() {
            let message = format!("the tests cannot be collected: {problem}");
            return Err(Failed::input(message).hint(RUNS_ALONE));
        }
        if !run.refusal.is_empty() {
            let message = format!("the tests cannot be run: {}", run.refusal);
            return Err(Failed::input(message).hint(RUNS_ALONE));
        }
        if run.tests.is_empty() {
            let message = "there are no tests".to_owned();
            return Err(Failed::input(message)
                .hint("pytest looks for functions `test_…` in files `test_*.py`"));
        }
        let measured = |(_, file): &(String, String)| run.files.contains_key(file);
        match run.modules.first() {
            None => Err(self.not_imported()),
            Some((name, file)) if !run.modules.iter().any(measured) => {
                let reason = self.runtime.unmeasured().remove(name);
                let reason = reason.unwrap_or_else(|| LOADED_BY_OTHERS.to_owned());
                Err(not_measured(&format!("`{name}` in `{file}`"), &reason))
            }
            Some(_) => Ok(()),
        }
    }

    /// Refuses a run in which no source of the module was imported.
    fn not_imported(&self) -> Failed {
        match self.runtime.unmeasured().first_key_value() {
            Some((name, reason)) => not_measured(&format!("`{name}`"), reason),
            None => Failed::input(format!("the tests do not import `{}`", self.named.module))
                .hint("name the module as the tests import it"),
        }
    }
}

/// A module of which nothing can be told, for the user.
fn not_measured(place: &str, reason: &str) -> Failed {
    Failed::input(format!("{place} cannot be measured: {reason}"))
        .hint("name a module that the tests import from a `.py` file")
}

/// A suite that cannot be run, for the user.
fn cannot_run(error: &WorkerError) -> Failed {
    match error {
        WorkerError::Refused(text) if text.contains("NoPytest") => {
            Failed::missing("the interpreter has no pytest")
                .hint("install pytest there, or name another interpreter with `--python`")
        }
        error => worker_failed(error),
    }
}
