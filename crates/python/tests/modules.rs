//! Modules without a harness: everything they offer is found, reached and judged in real interpreters.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use engine::calls::{CallSettings, CallSource};
use engine::{Budget, Guide, Hits, Model, Run, Seed, TestKind};
use python::Places;
use python::module::choose::Chooser;
use python::module::open::{Named, Opened, open};
use python::module::{encode, judge};
use python::protocol::Measure;
use python::pytest::{verify, write};
use python::runtime::Runtime;
use python::session::Session;
use python::worker::Launch;
use python::workers::{PoolSettings, Workers};
use sandbox::LauncherCommand;

sandbox::launcher_here!();

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/modules")
}

fn launch() -> Launch {
    let found = Places::of_this_process(None).find();
    let found = found.expect("the tests need Python: run scripts/install");
    Launch::new(found, LauncherCommand::this_program().unwrap())
}

/// Runs so many tests of a module.
fn run(runtime: &Arc<Runtime>, opened: &Opened, executions: u64) -> Run {
    let model = Model {
        operations: opened.model.listed(),
        criteria: opened.coverage.criteria(),
        hits: Hits::FirstSeen,
        ..Model::default()
    };
    let budget = Budget {
        executions: Some(executions),
        ..Budget::default()
    };
    let mut source = CallSource::new(opened.model.calls.clone(), CallSettings::default(), Seed(1));
    source.weigh(&opened.model.weights());
    let guide = Guide::parse("random", TestKind::Calls).unwrap();
    let selector = guide.selector(&model.space, 1);
    let mut run = Run::new(Seed(1), budget, model, Box::new(source), selector);
    let load = opened.load(Measure::Branches);
    let mut workers = Workers::start(runtime, &launch(), load, PoolSettings::default());
    while run.over(Duration::ZERO).is_none() {
        let round = run.propose().unwrap();
        let tests = round
            .iter()
            .map(|one| encode::test(&opened.model, &one.test));
        let ran = workers.execute(tests.collect()).unwrap();
        let observations = round.iter().zip(&ran);
        let observations: Vec<_> = observations
            .map(|(one, ran)| {
                judge::observation(&opened.model, &opened.coverage, &one.test, ran).unwrap()
            })
            .collect();
        run.learn(&round, &observations, Duration::ZERO);
    }
    run
}

fn opened(runtime: &Arc<Runtime>, word: &str) -> Opened {
    open(runtime, &launch(), Named::of(word, &folder()), false).unwrap()
}

#[test]
fn what_depends_on_clock_zone_or_hash_seed_is_dropped() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "moody.py");
    let run = run(&runtime, &opened, 64);
    let session = || Session::new(&runtime, &launch(), opened.load(Measure::Lines));
    let mut chooser = Chooser {
        model: &opened.model,
        coverage: &opened.coverage,
        first: session(),
        second: session(),
        hurry: &|| false,
        progress: &mut |_, _| {},
        left_out: Vec::new(),
    };
    let kept = chooser.covering(&run.archive().tests()).unwrap();
    let file = write(&opened.model, "Moody.", &kept);
    let (named, coverage) = (&opened.named, &opened.coverage);
    let verified = verify(file, named, coverage, &runtime, &launch()).unwrap();
    let (text, _) = verified.file.text();
    let claims = text.lines().filter(|line| line.contains("assert ")).count();
    assert_eq!(claims, 1, "{text}");
    assert!(text.contains("assert result == \"steady\""), "{text}");
    assert_eq!(verified.file.tests.len(), 4, "{text}");
    assert!(
        verified.dropped.iter().all(|one| one.assertion.is_some()),
        "{:?}",
        verified.dropped
    );
}

#[test]
fn branches_are_covered_and_planted_faults_found() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "shelf.py");
    assert!(
        opened.model.left_out.is_empty(),
        "{:?}",
        opened.model.left_out
    );
    let run = run(&runtime, &opened, 12000);
    let covered = run.covered()[0];
    let total = opened.coverage.criteria()[0].goals;
    let ledger = run.ledger().entries();
    let found: BTreeSet<&str> = ledger
        .iter()
        .map(|one| one.failure.signature.as_str())
        .collect();
    let missing: Vec<_> = opened
        .coverage
        .all()
        .filter(|(goal, _)| goal.criterion.0 == 0 && !run.seen().contains(goal))
        .collect();
    assert_eq!(covered, total, "{missing:?}");
    let expected = [
        "NameError in Shelf.longest",
        "hash-consistent of shelf.Point",
        "round-trip of encode and decode",
    ];
    assert_eq!(found, BTreeSet::from(expected));
}
