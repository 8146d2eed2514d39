//! The mutants of Python source, as workers list them.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use python::Places;
use python::module::open::Named;
use python::protocol::Measure;
use python::runtime::Runtime;
use python::session::Session;
use python::worker::Launch;
use sandbox::LauncherCommand;
use serde_json::{Value, json};

sandbox::launcher_here!();

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/mutants")
}

/// A line per mutant: its place, its operator, what becomes what.
fn listed(file: &str) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let found = Places::of_this_process(None).find();
    let found = found.expect("the tests need Python: run scripts/install");
    let launch = Launch::new(found, LauncherCommand::this_program().unwrap());
    let named = Named::of(file, &folder());
    let arguments = json!({"module": named.module});
    let load = named.load("testhound_runtime.mutation", arguments, Measure::Nothing);
    let mut session = Session::new(&runtime, &launch, load);
    let mutants: Vec<Value> = session.ask("mutants", &json!(null)).unwrap().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let line = |one: &Value| {
        let (operator, what) = (text(&one["operator"]), text(&one["what"]));
        format!("{}:{} {operator}: {what}\n", one["line"], one["column"])
    };
    mutants.iter().map(line).collect()
}

#[test]
fn every_construct_has_the_mutants_written_beside_it() {
    let mutants = listed("every.py");
    let expected = folder().join("every.expected");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expected, &mutants).unwrap();
    }
    assert_eq!(mutants, std::fs::read_to_string(&expected).unwrap());
}
