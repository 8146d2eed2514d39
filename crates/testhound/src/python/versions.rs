//! Runs a written pytest suite on a version of its module, in one fresh process.

use super::{launch, worker_failed};
use crate::cli;
use crate::exit::Failed;
use crate::settings::ExecutionSettings;
use ::python::module::open::Named;
use ::python::pytest::run_file;
use ::python::runtime::Runtime;
use std::path::Path;
use std::sync::Arc;

/// The tests of the files in a folder with their problems, which are empty where they pass.
pub fn run_suite(
    version: &str,
    suite: &Path,
    flags: &cli::Python,
    settings: &ExecutionSettings,
) -> Result<Vec<(String, String)>, Failed> {
    let cannot = |error: std::io::Error| {
        Failed::missing(format!(
            "cannot read or prepare `{}`: {error}",
            suite.display()
        ))
    };
    let launch = launch(flags.python.clone(), settings)?;
    let folder = std::env::current_dir().map_err(cannot)?;
    let named = Named::of(version, &folder);
    let scratch = tempfile::Builder::new().prefix("testhound-").tempdir();
    let scratch = scratch.map_err(cannot)?;
    let runtime = Arc::new(Runtime::write(scratch.path()).map_err(cannot)?);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(suite).map_err(cannot)? {
        files.push(entry.map_err(cannot)?.path());
    }
    files.sort();
    let mut tests = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(cannot)?;
        let ran = run_file(&text, &named, &runtime, &launch);
        tests.extend(ran.map_err(|error| worker_failed(&error))?);
    }
    Ok(tests)
}
