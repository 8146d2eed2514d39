//! Runs a written file on the module that is found under its name, which may be another version of the one it was written for.

use std::path::Path;
use std::sync::Arc;

use super::check::{arguments, check, load};
use crate::module::open::Named;
use crate::protocol::Measure;
use crate::runtime::Runtime;
use crate::session::{Session, WorkerError};
use crate::worker::Launch;

/// The tests of a file with their problems, which are empty where they pass. A file that cannot be loaded, or that ends
/// its process, is an error.
pub fn run_file(
    text: &str,
    named: &Named,
    runtime: &Arc<Runtime>,
    launch: &Launch,
) -> Result<Vec<(String, String)>, WorkerError> {
    let load = load(named, arguments(0, false), Measure::Nothing);
    let mut session = Session::new(runtime, launch, load);
    let checked = check(&mut session, Path::new("test_file.py"), text, false)?;
    if !checked.broken.is_empty() {
        let text = format!("the tests cannot be loaded: {}", checked.broken);
        return Err(WorkerError::Refused(text));
    }
    let tests = checked.tests.into_iter();
    Ok(tests.map(|test| (test.name, test.problem)).collect())
}
