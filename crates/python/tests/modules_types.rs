//! What annotations mean: each function of `testdata/modules/annotated*.py` says beside itself what its parameter is given, and
//! values of the right class raise no false alarms.
#![allow(clippy::unwrap_used)]

mod module_support;

use std::fmt::Write;
use std::sync::Arc;

use engine::Seed;
use module_support::{folder, launch, opened, run};
use python::module::ModuleModel;
use python::runtime::Runtime;

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

#[test]
fn annotations_mean_what_stands_beside_them() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let (_, minor, _) = launch().interpreter.version;
    let files = [
        (8, "annotated.py"),
        (11, "annotated_3_11.py"),
        (12, "annotated_3_12.py"),
    ];
    for (_, file) in files.into_iter().filter(|(since, _)| *since <= minor) {
        let model = opened(&runtime, file).model;
        let text = std::fs::read_to_string(folder().join(file)).unwrap();
        let (mut expected, mut found) = (String::new(), String::new());
        for line in text.lines() {
            let Some((head, meant)) = line.split_once(": ...  # ") else {
                continue;
            };
            let name = head.trim_start().strip_prefix("def ").unwrap();
            let (name, _) = name.split_once(['(', '[']).unwrap();
            writeln!(expected, "{name}: {meant}").unwrap();
            writeln!(found, "{name}: {}", meaning(&model, name)).unwrap();
        }
        assert_eq!(found, expected, "{file}");
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
