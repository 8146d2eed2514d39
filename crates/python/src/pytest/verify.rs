//! Runs a written file in fresh processes that differ in hash seed, time zone, clock, folder, arguments, numbers and names of process, user and
//! machine, and order of tests, and drops what does not hold: first single assertions, then tests. Tests that act on the world outside their
//! process are dropped, too, unless the user allowed such things: what a sandbox refuses, others would have to bear.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use engine::Goal;

use super::check::{SHIFT, arguments, check, load};
use super::file::{Place, TestFile};
use crate::module::coverage::Coverage;
use crate::module::open::Named;
use crate::protocol::Measure;
use crate::runtime::Runtime;
use crate::session::{Session, WorkerError};
use crate::worker::Launch;

/// Rounds of dropping; a file that still does not pass then is given up as far as it does not.
const ROUNDS: usize = 6;

/// Time zones of the two processes, and what is measured there. Their dates differ at every moment.
const PROCESSES: [(&str, Measure); 2] = [("WEST12", Measure::Lines), ("EAST-14", Measure::Nothing)];

/// What was dropped, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// The test's name.
    pub test: String,
    /// The assertion; none if the whole test was dropped.
    pub assertion: Option<String>,
    /// What was raised.
    pub reason: String,
}

/// A file that passes.
#[derive(Debug)]
pub struct Verified {
    /// The file.
    pub file: TestFile,
    /// What is not in it any more.
    pub dropped: Vec<Dropped>,
    /// What every test covers, by its name.
    pub covered: BTreeMap<String, Vec<Goal>>,
}

/// Drops from a file what does not hold in two fresh processes.
pub fn verify(
    mut file: TestFile,
    named: &Named,
    coverage: &Coverage,
    runtime: &Arc<Runtime>,
    launch: &Launch,
) -> Result<Verified, WorkerError> {
    let mut dropped = Vec::new();
    let mut covered = BTreeMap::new();
    let places = places(&file, named);
    drop_from(&mut file, places, false, &mut dropped);
    for round in 0..ROUNDS {
        let (text, places) = file.text();
        let mut problems: Vec<(Option<Place>, String)> = Vec::new();
        for (number, (zone, measure)) in (0..).zip(PROCESSES) {
            let mut launch = launch.clone();
            launch.hash_seed = 1 + number;
            launch.env.push(("TZ".into(), zone.into()));
            let acts = launch.allow.is_empty();
            let load = load(named, arguments(SHIFT * number, acts), measure);
            let mut session = Session::new(runtime, &launch, load);
            let path = Path::new("test_file.py");
            let checked = check(&mut session, path, &text, number == 1)?;
            if !checked.broken.is_empty() {
                let reason = format!("the file cannot be loaded: {}", checked.broken);
                let all = 0..file.tests.len();
                problems.extend(all.map(|test| (Some(Place::Test(test)), reason.clone())));
                break;
            }
            for test in checked.tests {
                if !test.problem.is_empty() {
                    let place = places.get(test.line).copied().flatten();
                    let by_name = || {
                        file.tests
                            .iter()
                            .position(|one| one.name == test.name)
                            .map(Place::Test)
                    };
                    problems.push((place.or_else(by_name), test.problem));
                } else if number == 0 {
                    covered.insert(test.name, coverage.goals(&test.hits));
                }
            }
        }
        if problems.is_empty() {
            break;
        }
        drop_from(&mut file, problems, round + 1 == ROUNDS, &mut dropped);
    }
    let names: Vec<&String> = file.tests.iter().map(|test| &test.name).collect();
    covered.retain(|name, _| names.contains(&name));
    Ok(Verified {
        file,
        dropped,
        covered,
    })
}

/// The assertions that name a folder in which the module is looked for: elsewhere it is another one.
fn places(file: &TestFile, named: &Named) -> Vec<(Option<Place>, String)> {
    let folders = named.paths.iter().map(|path| path.to_string_lossy());
    let folders: Vec<_> = folders.filter(|path| path.len() > 1).collect();
    let mut found = Vec::new();
    for (test, written) in file.tests.iter().enumerate() {
        for (claim, line) in written.assertions.iter().enumerate() {
            if folders.iter().any(|folder| line.contains(&**folder)) {
                let reason = "it names a folder of this machine".to_owned();
                found.push((Some(Place::Assertion(test, claim)), reason));
            }
        }
    }
    found
}

fn drop_from(
    file: &mut TestFile,
    problems: Vec<(Option<Place>, String)>,
    last: bool,
    dropped: &mut Vec<Dropped>,
) {
    let mut tests: Vec<usize> = Vec::new();
    let mut claims: Vec<(usize, usize)> = Vec::new();
    for (place, reason) in problems {
        let (test, claim) = match place {
            Some(Place::Assertion(test, claim)) if !last => (test, Some(claim)),
            Some(Place::Assertion(test, _) | Place::Test(test)) => (test, None),
            None => continue,
        };
        let known = match claim {
            Some(claim) => claims.contains(&(test, claim)),
            None => tests.contains(&test),
        };
        if known {
            continue;
        }
        let written = &file.tests[test];
        dropped.push(Dropped {
            test: written.name.clone(),
            assertion: claim.map(|claim| written.assertions[claim].trim().to_owned()),
            reason,
        });
        match claim {
            Some(claim) => claims.push((test, claim)),
            None => tests.push(test),
        }
    }
    claims.sort_unstable();
    for (test, claim) in claims.into_iter().rev() {
        file.tests[test].assertions.remove(claim);
        if file.tests[test].assertions.is_empty() {
            file.silence(test);
        }
    }
    tests.sort_unstable();
    for test in tests.into_iter().rev() {
        file.tests.remove(test);
    }
}
