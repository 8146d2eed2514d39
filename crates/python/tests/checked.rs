//! Written files whose tests end their process, do not end, or import something that takes long.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use python::Places;
use python::module::open::Named;
use python::protocol::{Measure, StepLimits};
use python::pytest::check::{Checked, RUNNER, arguments, check};
use python::runtime::Runtime;
use python::session::Session;
use python::worker::Launch;
use sandbox::LauncherCommand;

sandbox::launcher_here!();

/// It takes longer to load than one of its tests may run.
const SOURCE: &str = "\
import os
import time


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


burn(1.0)


def test_first():
    pass


def test_exits():
    os._exit(3)


def test_wrong():
    assert 1 == 2


def test_spins():
    burn(60.0)


def test_last():
    burn(0.2)
";

fn checked(source: &str, reverse: bool) -> Checked {
    let interpreter = Places::of_this_process(None).find();
    let interpreter = interpreter.expect("the tests need Python: run scripts/install");
    let launch = Launch::new(interpreter, LauncherCommand::this_program().unwrap());
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let named = Named {
        module: "json".to_owned(),
        paths: Vec::new(),
    };
    let mut load = named.load(RUNNER, arguments(0, false), Measure::Nothing);
    load.limits = StepLimits {
        cpu: 0.5,
        wall: 10.0,
    };
    let mut session = Session::new(&runtime, &launch, load);
    check(&mut session, Path::new("test_it.py"), source, reverse).unwrap()
}

#[test]
fn a_test_that_ends_its_process_or_does_not_end_costs_no_other_test() {
    for reverse in [false, true] {
        let checked = checked(SOURCE, reverse);
        assert_eq!(checked.broken, "");
        let mut found: Vec<(&str, &str)> = checked
            .tests
            .iter()
            .map(|test| {
                (
                    test.name.as_str(),
                    test.problem.split(':').next().unwrap_or_default(),
                )
            })
            .collect();
        found.sort_unstable();
        let expected = [
            ("test_exits", "its process does not survive it"),
            ("test_first", ""),
            ("test_last", ""),
            ("test_spins", "StepTimeout"),
            ("test_wrong", "AssertionError"),
        ];
        assert_eq!(found, expected);
    }
}

#[test]
fn a_file_that_ends_its_process_as_it_is_loaded_is_broken() {
    let checked = checked("import os\nos._exit(1)\n", false);
    assert!(checked.broken.contains("Died"), "{}", checked.broken);
}
