//! Runs of modules of `testdata/modules`, for tests.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use engine::calls::{CallSettings, CallSource};
use engine::{Budget, Guide, Hits, Model, Run, Seed, TestKind};
use python::Places;
use python::module::choose::Chooser;
use python::module::open::{Named, Opened, Scope, open};
use python::module::{encode, judge};
use python::protocol::Measure;
use python::pytest::{TestFile, write};
use python::runtime::Runtime;
use python::session::Session;
use python::worker::Launch;
use python::workers::{PoolSettings, Workers};
use sandbox::LauncherCommand;

/// Where the modules are.
pub fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/modules")
}

/// How workers are started.
pub fn launch() -> Launch {
    let found = Places::of_this_process(None).find();
    let found = found.expect("the tests need Python: run scripts/install");
    Launch::new(found, LauncherCommand::this_program().unwrap())
}

/// The tests of a run that cover all it did, written; cut to what matters unless there is no time.
pub fn suite(runtime: &Arc<Runtime>, opened: &Opened, run: &Run, hurry: bool) -> TestFile {
    let session = || Session::new(runtime, &launch(), opened.load(Measure::Lines));
    let mut chooser = Chooser {
        model: &opened.model,
        coverage: &opened.coverage,
        first: session(),
        second: session(),
        hurry: &|| hurry,
        progress: &mut |_, _| {},
        left_out: Vec::new(),
    };
    let kept = chooser.covering(&run.archive().tests()).unwrap();
    write(&opened.model, "A suite.", &kept)
}

/// Runs so many tests of a module.
pub fn run(runtime: &Arc<Runtime>, opened: &Opened, executions: u64, seed: Seed) -> Run {
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
    let guide = Guide::parse("auto", TestKind::Calls).unwrap();
    let (calls, settings) = (opened.model.calls.clone(), CallSettings::default());
    let known = &opened.knowledge;
    let mut source = CallSource::guided(calls, settings, seed, guide.parts(), known);
    source.weigh(&opened.model.weights());
    let selector = guide.selector(&model.space, 1);
    let mut run = Run::new(seed, budget, model, Box::new(source), selector);
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

/// A module, ready to be run.
pub fn opened(runtime: &Arc<Runtime>, word: &str) -> Opened {
    open(
        runtime,
        &launch(),
        Named::of(word, &folder()),
        &Scope::default(),
    )
    .unwrap()
}
