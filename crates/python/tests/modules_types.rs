//! What annotations mean: each function of `testdata/modules/annotated*.py` says beside itself what its parameter is given, and
//! values of the right class raise no false alarms.
#![allow(clippy::unwrap_used)]

mod module_support;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use engine::Seed;
use module_support::{folder, launch, opened, run};
use python::module::ModuleModel;
use python::module::open::{Named, Scope, open};
use python::runtime::Runtime;
use python::{Interpreter, Places};

sandbox::launcher_here!();

/// What the parameter `x` of every function is given, by the function's name.
fn meaning(model: &ModuleModel, name: &str) -> String {
    let operations = model.operations.iter();
    let mut found = operations
        .zip(&model.calls.signatures)
        .filter(|(operation, _)| operation.tested && operation.name == name);
    let (operation, signature) = found.next().unwrap();
    let place = operation
        .parameters
        .iter()
        .position(|one| one == "x")
        .unwrap();
    let kind = &model.kinds[signature.parameters[place].kind.0 as usize];
    let mark = if operation.typed { "" } else { "untyped " };
    format!("{mark}{kind}")
}

/// The interpreter of all tests, and those of pyenv: forms of annotations are as old as versions are.
fn interpreters() -> Vec<Interpreter> {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let others = (8..=13).filter_map(|minor| {
        let versions = std::fs::read_dir(home.join(".pyenv/versions"));
        let mut programs = versions.into_iter().flatten().flatten().map(|version| {
            let program = format!("bin/python3.{minor}");
            version.path().join(program)
        });
        programs.find_map(|program| Places::of_this_process(Some(program)).find().ok())
    });
    [launch().interpreter].into_iter().chain(others).collect()
}

/// What stands beside the functions of a file, and what they are given.
fn expected_and_found(model: &ModuleModel, file: &str) -> (String, String) {
    let text = std::fs::read_to_string(folder().join(file)).unwrap();
    let (mut expected, mut found) = (String::new(), String::new());
    for line in text.lines() {
        let Some((head, meant)) = line.split_once(": ...  # ") else {
            continue;
        };
        let name = head.trim_start().strip_prefix("def ").unwrap();
        let (name, _) = name.split_once(['(', '[']).unwrap();
        writeln!(expected, "{name}: {meant}").unwrap();
        writeln!(found, "{name}: {}", meaning(model, name)).unwrap();
    }
    (expected, found)
}

#[test]
fn annotations_mean_what_stands_beside_them_on_every_version() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let files = [
        (8, "annotated.py"),
        (8, "annotated_future.py"),
        (8, "overloaded.py"),
        (11, "annotated_3_11.py"),
        (12, "annotated_3_12.py"),
    ];
    for interpreter in interpreters() {
        let (_, minor, _) = interpreter.version;
        let mut launch = launch();
        launch.interpreter = interpreter;
        for (_, file) in files.iter().filter(|(since, _)| *since <= minor) {
            let named = Named::of(file, &folder());
            let opened = open(&runtime, &launch, named, &Scope::default()).unwrap();
            let (expected, found) = expected_and_found(&opened.model, file);
            let program = launch.interpreter.program.display();
            assert_eq!(found, expected, "{file}, {program}");
        }
    }
}

#[test]
fn what_nobody_annotated_is_observed_in_functions_methods_and_setters() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let model = opened(&runtime, "observed.py").model;
    let text = std::fs::read_to_string(folder().join("observed.py")).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once(":  # "));
    let expected: Vec<&str> = lines.map(|(_, meant)| meant).collect();
    let operations = model.operations.iter().zip(&model.calls.signatures);
    let found = operations.filter_map(|(operation, signature)| {
        let place = operation.parameters.iter().position(|one| one == "x")?;
        let kind = &model.kinds[signature.parameters[place].kind.0 as usize];
        let mark = if operation.typed { "" } else { "untyped " };
        (operation.path != "Refusing.take").then(|| format!("{mark}{kind}"))
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn a_module_is_opened_though_calls_with_stand_ins_end_the_interpreter() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let model = opened(&runtime, "leaving.py").model;
    let names = model.operations.iter().map(|one| one.name.as_str());
    let names: Vec<&str> = names.filter(|name| *name != "int").collect();
    assert!(
        names.contains(&"leave") && names.contains(&"double"),
        "{names:?}"
    );
}

#[test]
fn what_is_given_is_what_annotations_ask_for() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "exact.py");
    let run = run(&runtime, &opened, 1200, Seed(1));
    let entries = run.ledger().entries();
    let failures: Vec<&str> = entries
        .iter()
        .map(|one| one.failure.message.as_str())
        .collect();
    assert!(failures.is_empty(), "{failures:?}");
    let goals = opened.coverage.criteria()[0].goals;
    assert_eq!(run.covered()[0], goals, "every value was made");
}
