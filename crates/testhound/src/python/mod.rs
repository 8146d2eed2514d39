//! Python subjects: harnesses, and modules without one.

mod harness;
mod importing;
mod module;
mod source_record;
pub mod suites;
mod versions;

use crate::cli::Generate;
use crate::exit::{Exit, Failed, told};
use crate::settings::{ExecutionSettings, GenerateSettings};
use crate::setup::sandbox_mode;
use ::python::session::WorkerError;
use ::python::worker::Launch;
use ::python::{Interpreter, Places};
use sandbox::{Allow, AllowError, LauncherCommand};
use std::path::PathBuf;

/// Runs `generate` on a Python subject.
pub fn generate(word: &str, settings: &GenerateSettings, flags: &Generate) -> anyhow::Result<Exit> {
    let path = std::path::Path::new(word);
    if path.extension().is_some_and(|one| one == "tstl") {
        return harness::generate(path, settings, flags);
    }
    module::generate(word, settings, flags)
}

pub use harness::{needs_coverage, replay};
pub use versions::run_suite;

/// The interpreter that the user named, or the one of this machine.
fn find_interpreter(given: Option<PathBuf>) -> Result<Interpreter, Failed> {
    let found = Places::of_this_process(given).find();
    found.map_err(|error| told(&error.to_string(), Failed::missing))
}

/// How workers are started.
fn launch(given: Option<PathBuf>, settings: &ExecutionSettings) -> Result<Launch, Failed> {
    let launcher = LauncherCommand::this_program()
        .map_err(|error| Failed::missing(format!("cannot find this program itself: {error}")))?;
    let mut launch = Launch::new(find_interpreter(given)?, launcher);
    launch.mode = sandbox_mode(settings.sandbox);
    for text in &settings.allow {
        let allow: Allow = text
            .parse()
            .map_err(|error: AllowError| told(&error.to_string(), Failed::input))?;
        launch.allow.push(allow);
    }
    Ok(launch)
}

/// Workers that cannot go on, for the user.
fn worker_failed(error: &WorkerError) -> Failed {
    match error {
        WorkerError::Sandbox(error) => crate::setup::sandbox_failed(error),
        error => told(&error.to_string(), Failed::subject),
    }
}
