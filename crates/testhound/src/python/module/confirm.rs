//! Runs failing tests of a module once as they are written, and notes those that pass there: a fault may depend on random numbers or on what
//! earlier tests left.

use super::Campaign;
use python::protocol::Measure;
use python::pytest::TestFile;
use python::pytest::check::{Checked, arguments, check, load};
use python::session::{Session, WorkerError};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Notes in a file which of its tests do not fail; gives what they do instead, by their names.
pub fn confirm(
    campaign: &Campaign<'_>,
    file: &mut TestFile,
) -> Result<BTreeMap<String, String>, WorkerError> {
    if file.tests.is_empty() || campaign.stop.load(Ordering::Relaxed) {
        return Ok(BTreeMap::new());
    }
    let named = &campaign.opened.named;
    let load = load(named, arguments(0, false), Measure::Nothing);
    let mut session = Session::new(&campaign.runtime, &campaign.launch, load);
    let (text, _) = file.text();
    let checked = check(&mut session, Path::new("test_file.py"), &text, false)?;
    let mut noted = BTreeMap::new();
    for test in &mut file.tests {
        if let Some(what) = otherwise(&checked, &test.name) {
            test.lines.insert(0, format!("    # This test {what}."));
            noted.insert(test.name.clone(), what);
        }
    }
    Ok(noted)
}

/// What a test did in place of failing.
fn otherwise(checked: &Checked, name: &str) -> Option<String> {
    let Some(test) = checked.tests.iter().find(|test| test.name == name) else {
        let broken = checked.broken.replace('\n', " ");
        return Some(format!("could not be run: {broken}"));
    };
    let passes = test.problem.is_empty();
    passes.then(|| "passes when it is run".to_owned())
}
