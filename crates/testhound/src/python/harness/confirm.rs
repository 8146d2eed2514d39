//! Runs failing tests once as they are written, and notes those that do something else there than in the run: a property may count how
//! often it is asked, or the written file may lack something.

use super::Campaign;
use super::failures::{WrittenFailure, comment};
use super::file::{TestFunction, name_apart, text};
use super::suite::check_load;
use engine::Failure;
use python::pytest::check;
use python::session::{Session, WorkerError};
use std::sync::atomic::Ordering;

/// What became of a written test: what it raised, empty if it passed; nothing if it took the process with it.
type Raised = Option<String>;

/// Names all tests apart and runs each once.
pub fn confirm(campaign: &Campaign<'_>, failing: &mut [WrittenFailure]) -> Result<(), WorkerError> {
    let mut tests: Vec<TestFunction> = failing.iter().filter_map(|one| one.test.clone()).collect();
    name_apart(&mut tests);
    let mut written: Vec<&mut WrittenFailure> = failing
        .iter_mut()
        .filter(|one| one.test.is_some())
        .collect();
    for (one, test) in written.iter_mut().zip(&tests) {
        one.test = Some(test.clone());
    }
    if campaign.stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let raised = run(campaign, &tests)?;
    for (one, raised) in written.into_iter().zip(raised) {
        one.otherwise = otherwise(&one.failure, raised.as_deref());
        if let (Some(what), Some(test)) = (&one.otherwise, &mut one.test) {
            test.lines.insert(0, comment(&format!("This test {what}.")));
        }
    }
    Ok(())
}

/// What became of each of these tests in a fresh process.
fn run(campaign: &Campaign<'_>, tests: &[TestFunction]) -> Result<Vec<Raised>, WorkerError> {
    let folder = campaign.out.join("failures");
    let source = text("checked", &campaign.target, &folder, tests);
    let path = folder.join("test_checked.py");
    let load = check_load(campaign, 0);
    let mut session = Session::new(&campaign.runtime, &campaign.launch, load);
    let checked = check::check(&mut session, &path, &source, false)?;
    let raised = |test: &TestFunction| {
        let found = checked.tests.iter().find(|one| one.name == test.name);
        match found {
            Some(one) if one.is_lost() => None,
            Some(one) => Some(one.problem.clone()),
            None => Some(checked.broken.clone()),
        }
    };
    Ok(tests.iter().map(raised).collect())
}

/// What a test did in place of failing as in the run.
fn otherwise(failure: &Failure, raised: Option<&str>) -> Option<String> {
    let kind = failure.signature.split(' ').next().unwrap_or_default();
    let wanted = match failure.oracle.as_str() {
        "crash" => None,
        "time-out" => Some("StepTimeout"),
        _ => kind.rsplit('.').next(),
    };
    match (raised, wanted) {
        (None, None | Some("StepTimeout")) => None,
        (None, _) => Some("takes its process with it when it is run".to_owned()),
        (Some(""), _) => Some("passes when it is run".to_owned()),
        (Some(raised), wanted) => {
            let same = raised.split(':').next() == wanted;
            (!same).then(|| format!("raises something else when it is run: {raised}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_passes_or_raises_something_else_is_not_its_failure() {
        let failure = |oracle: &str, signature: &str| Failure {
            oracle: oracle.to_owned(),
            signature: signature.to_owned(),
            message: String::new(),
        };
        let raising = failure("exception", "json.decoder.JSONDecodeError at a.py:3");
        assert_eq!(otherwise(&raising, Some("JSONDecodeError: no")), None);
        assert!(otherwise(&raising, Some("")).is_some());
        assert!(otherwise(&raising, Some("NameError: x")).is_some());
        assert!(otherwise(&raising, None).is_some());
        let slow = failure("time-out", "timeout");
        assert_eq!(otherwise(&slow, Some("StepTimeout: 1 s")), None);
        assert_eq!(otherwise(&slow, None), None);
        let deadly = failure("crash", "died");
        assert_eq!(otherwise(&deadly, None), None);
        assert!(otherwise(&deadly, Some("")).is_some());
    }
}
