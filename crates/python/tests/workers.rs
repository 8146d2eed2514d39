//! Workers on subjects that hang, die, print and write: every test is answered, the culprit is blamed, the rest goes on.
#![allow(clippy::unwrap_used)]

use std::ops::RangeInclusive;
use std::os::unix::fs::DirEntryExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use python::protocol::{Load, Measure, ProbeHits, ProbeKind, ProbeSettings, Repeats, StepLimits};
use python::runtime::Runtime;
use python::session::{Ran, Session, WorkerError};
use python::worker::Launch;
use python::workers::{PoolSettings, Workers};
use python::{Interpreter, Places};
use sandbox::LauncherCommand;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

sandbox::launcher_here!();

#[derive(Debug, Deserialize)]
struct Answer {
    value: Value,
    fresh: Option<ProbeHits>,
}

fn interpreter() -> Interpreter {
    let found = Places::of_this_process(None).find();
    found.expect("the tests need Python: run scripts/install")
}

fn folder() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/worker");
    folder.display().to_string()
}

fn load(measure: Measure) -> Load {
    Load {
        runner: "runner".to_owned(),
        arguments: Value::Null,
        paths: vec![folder()],
        probes: ProbeSettings {
            measure,
            modules: vec!["subject".to_owned()],
            imports: Vec::new(),
            repeats: Repeats::Always,
        },
        limits: StepLimits {
            cpu: 0.1,
            wall: 0.4,
        },
    }
}

fn launch() -> Launch {
    let mut launch = Launch::new(interpreter(), LauncherCommand::this_program().unwrap());
    launch.patience = Duration::from_secs(1);
    launch
}

fn session(load: Load) -> (Session, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(folder.path()).unwrap());
    (Session::new(&runtime, &launch(), load), folder)
}

fn tests(tests: &[Value]) -> Vec<Box<RawValue>> {
    tests.iter().map(|one| to_raw_value(one).unwrap()).collect()
}

fn answers(ran: &[Ran]) -> Vec<String> {
    let answer = |one: &Ran| match one {
        Ran::Replied(text) => {
            let answer: Answer = serde_json::from_str(text.get()).unwrap();
            answer.value.to_string()
        }
        other => format!("{other:?}"),
    };
    ran.iter().map(answer).collect()
}

#[test]
fn every_test_is_answered_whatever_it_does_to_its_worker() {
    let (mut session, _folder) = session(load(Measure::Nothing));
    let batch = tests(&[
        json!(["count", 0]),
        json!(["spin", 0]),
        json!(["wait", 0]),
        json!(["count", 0]),
        json!(["leave", 3]),
        json!(["stuck", 0]),
        json!(["retire", 0]),
        json!(["count", 0]),
        json!(["write", "/tmp/testhound-must-not-be"]),
        json!(["write", "inside-scratch"]),
    ]);
    let ran = session.run(&batch).unwrap();
    let (late, state) = ("\"too long\"", ["1", "2"]);
    let expected = [
        state[0],
        late,
        late,
        state[1],
        "Died",
        "Hung",
        "\"retire\"",
        "1",
        "\"refused\"",
        "\"written\"",
    ];
    assert_eq!(answers(&ran), expected);
    let doubled: u32 = session.ask("double", &21).unwrap().unwrap();
    assert_eq!(doubled, 42);
}

/// Placing probes in 3,000 functions takes longer than a step may.
#[test]
fn a_step_that_imports_a_large_module_is_not_blamed_for_the_time_that_probes_take() {
    let folder = tempfile::tempdir().unwrap();
    let function = |number: usize| {
        format!(
            "def f{number}(a, b):\n    if a:\n        return b\n    while b:\n        b -= 1\n    return a\n\n"
        )
    };
    let source: String = (0..3000).map(function).collect();
    std::fs::write(folder.path().join("large.py"), source).unwrap();
    let mut load = load(Measure::Branches);
    load.paths.push(folder.path().display().to_string());
    load.probes.modules.push("large".to_owned());
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let mut launch = launch();
    launch.patience = Duration::from_secs(20);
    let mut session = Session::new(&runtime, &launch, load);
    let ran = session.run(&tests(&[json!(["import_large", 0]), json!(["spin", 0])]));
    assert_eq!(answers(&ran.unwrap()), ["true", "\"too long\""]);
}

#[test]
fn streams_are_as_real_ones_and_stay_open_whatever_a_test_does_to_them() {
    for interpreter in versions(8..=14) {
        let scratch = tempfile::tempdir().unwrap();
        let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
        let mut launch = launch();
        launch.interpreter = interpreter.clone();
        let mut session = Session::new(&runtime, &launch, load(Measure::Nothing));
        let talk = json!(["talk", 0]);
        let ran = session.run(&tests(&[talk.clone(), talk])).unwrap();
        let named = interpreter.program.display();
        assert_eq!(answers(&ran), ["\"<stdout>\""; 2], "{named}: {ran:?}");
    }
}

#[test]
fn a_subject_that_cannot_be_loaded_is_refused_with_its_reason() {
    let mut bad = load(Measure::Nothing);
    bad.arguments = json!("bad");
    let (mut session, _folder) = session(bad);
    match session.run(&tests(&[json!(["count", 0])])) {
        Err(WorkerError::Refused(why)) => {
            assert!(why.ends_with("ValueError: this subject is bad"), "{why}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn probes_show_what_a_test_is_the_first_to_reach() {
    let (mut session, _folder) = session(load(Measure::Branches));
    let numbers = [-1, -2, 0, 5, 5].map(|number| json!(["sign", number]));
    let ran = session.run(&tests(&numbers)).unwrap();
    let files = session.files();
    let kinds = &files[&format!("{}/subject.py", folder())];
    let fresh = |one: &Ran| {
        let Ran::Replied(text) = one else {
            panic!("{one:?}");
        };
        let answer: Answer = serde_json::from_str(text.get()).unwrap();
        let hits: Vec<u32> = answer
            .fresh
            .into_iter()
            .flatten()
            .flat_map(|(_, hits)| hits)
            .collect();
        hits.into_iter()
            .map(|hit| kinds[hit as usize])
            .collect::<Vec<_>>()
    };
    let shown: Vec<Vec<ProbeKind>> = ran.iter().map(fresh).collect();
    let expected = [
        vec![ProbeKind::Enter(9), ProbeKind::Branch(11, 0)],
        vec![],
        vec![ProbeKind::Branch(11, 1), ProbeKind::Branch(13, 1)],
        vec![ProbeKind::Branch(13, 0)],
        vec![],
    ];
    assert_eq!(shown, expected);
}

/// Interpreters of the versions that have `sys.monitoring`.
fn monitoring() -> Vec<Interpreter> {
    versions(12..=14)
}

/// Interpreters of these versions: on the path, or pyenv's.
fn versions(minors: RangeInclusive<u32>) -> Vec<Interpreter> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let versions = std::fs::read_dir(home.join(".pyenv/versions"));
    let versions = versions.into_iter().flatten().flatten();
    folders.extend(versions.map(|version| version.path().join("bin")));
    let named = |minor: u32| {
        let mut programs = folders
            .iter()
            .map(|folder| folder.join(format!("python3.{minor}")));
        programs.find_map(|program| Places::of_this_process(Some(program)).find().ok())
    };
    minors.filter_map(named).collect()
}

#[test]
fn stores_that_were_told_are_jumped_over_and_nothing_else_changes() {
    let sum: Vec<String> = (0..300).map(|one| format!("n{one} * {one}.5")).collect();
    let names: Vec<String> = (0..300).map(|one| format!("n{one} = {one}\n")).collect();
    // So many names and constants that instructions have long arguments.
    let long = format!(
        "{}\ndef everything(deep=1):\n    value = {}\n    if deep:\n        return everything(0) + value\n    return value\n",
        names.concat(),
        sum.join(" + ")
    );
    let mut all = vec![interpreter()];
    all.extend(versions(8..=13));
    for interpreter in all {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::write(scratch.path().join("long_code.py"), &long).unwrap();
        let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
        let (mut launch, mut load) = (launch(), load(Measure::Lines));
        launch.interpreter = interpreter.clone();
        load.paths.push(scratch.path().display().to_string());
        load.probes.modules = vec!["constructs".to_owned(), "long_code".to_owned()];
        load.probes.repeats = Repeats::Seldom;
        let mut session = Session::new(&runtime, &launch, load);
        for module in ["constructs", "long_code"] {
            let told: Value = session.ask("skip", &module).unwrap().unwrap();
            let named = interpreter.program.display();
            assert_eq!(told[0], told[1], "{named}, {module}");
            assert!(told[2].as_u64().unwrap() > 4, "{named}, {module}: {told}");
            assert_eq!(told[3], 0, "{named}, {module}");
        }
    }
}

#[test]
fn monitoring_shows_the_same_first_hits_as_stores_and_all_hits_where_they_are_asked_for() {
    let all = versions(8..=14);
    for interpreter in all {
        let shown = |repeats: Repeats| {
            let scratch = tempfile::tempdir().unwrap();
            let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
            let (mut launch, mut load) = (launch(), load(Measure::Branches));
            launch.interpreter = interpreter.clone();
            load.probes.repeats = repeats;
            let mut session = Session::new(&runtime, &launch, load);
            let way: String = session.ask("way", &()).unwrap().unwrap();
            let mut told = Vec::new();
            let apart: Value = session.ask("apart", &("sign", -1)).unwrap().unwrap();
            told.push(apart.to_string());
            for number in [-1, 0, -1] {
                let hits: Value = session.ask("hits", &("sign", 5)).unwrap().unwrap();
                told.push(hits.to_string());
                let ran = session.run(&tests(&[json!(["sign", number])])).unwrap();
                told.push(format!("{ran:?}"));
            }
            let ran = session.run(&tests(&[json!(["sign", 5])])).unwrap();
            told.push(format!("{ran:?}"));
            (way, told)
        };
        let ((stores, by_stores), (way, by_way)) = (shown(Repeats::Always), shown(Repeats::Seldom));
        let named = interpreter.program.display();
        assert_eq!(stores, "Probes", "{named}");
        let newer = monitoring()
            .iter()
            .any(|one| one.program == interpreter.program);
        let expected = if newer { "Monitored" } else { "Skipping" };
        assert_eq!(way, expected, "{named}");
        assert_eq!(by_way, by_stores, "{named}");
        let (later, by_later) = shown(Repeats::Later);
        assert_eq!(later, "Skipping", "{named}");
        assert_eq!(by_later, by_stores, "{named}");
        assert!(by_stores[1].contains("[0,2,3]"), "{by_stores:?}");
    }
}

/// Runs Python in a folder.
fn python(interpreter: &Interpreter, folder: &Path, arguments: &[&str]) {
    let mut command = std::process::Command::new(&interpreter.program);
    let status = command.args(arguments).current_dir(folder).status();
    assert!(status.unwrap().success());
}

#[test]
fn code_without_source_is_traced_and_shows_what_probes_show() {
    let compile = "import py_compile; py_compile.compile('subject.py', 'subject.pyc')";
    for interpreter in versions(8..=14) {
        let named = interpreter.program.display();
        let shown = |folders: &[&Path], repeats: Repeats| {
            let scratch = tempfile::tempdir().unwrap();
            let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
            let (mut launch, mut load) = (launch(), load(Measure::Branches));
            launch.interpreter = interpreter.clone();
            load.probes.repeats = repeats;
            let folders = folders.iter().map(|folder| folder.display().to_string());
            load.paths.splice(0..0, folders);
            let mut session = Session::new(&runtime, &launch, load);
            let told = [-1, 0, 5].map(|number| {
                let _: Value = session.ask("apart", &("count", 0)).unwrap().unwrap();
                let hits: ProbeHits = session.ask("hits", &("sign", number)).unwrap().unwrap();
                let files = session.files();
                let kinds = |(file, hits): (&String, &Vec<u32>)| {
                    let kinds = &files[file];
                    let kind = |hit: &u32| format!("{:?}", kinds[*hit as usize]);
                    hits.iter().map(kind).collect::<Vec<_>>()
                };
                let mut kinds: Vec<String> = hits.iter().flat_map(kinds).collect();
                kinds.sort();
                kinds
            });
            assert_eq!(runtime.unmeasured(), Default::default(), "{named}");
            told
        };
        let modules = tempfile::tempdir().unwrap();
        let source = modules.path().join("subject.py");
        std::fs::copy(Path::new(&folder()).join("subject.py"), &source).unwrap();
        python(&interpreter, modules.path(), &["-c", compile]);
        let packed = modules.path().join("packed.zip");
        python(
            &interpreter,
            modules.path(),
            &["-m", "zipfile", "-c", "packed.zip", "subject.py"],
        );
        std::fs::remove_file(source).unwrap();
        let by_probes = shown(&[], Repeats::Always);
        assert!(
            by_probes.iter().all(|kinds| kinds.len() > 1),
            "{by_probes:?}"
        );
        for repeats in [Repeats::Always, Repeats::Seldom] {
            assert_eq!(shown(&[modules.path()], repeats), by_probes, "{named}");
            assert_eq!(shown(&[&packed], repeats), by_probes, "{named}");
        }
    }
}

#[test]
fn modules_that_cannot_be_measured_are_told_with_the_reason() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let mut load = load(Measure::Branches);
    let module = "_json";
    load.probes.modules.push(module.to_owned());
    let mut session = Session::new(&runtime, &launch(), load);
    let imported: Value = session.ask("import", &module).unwrap().unwrap();
    assert_eq!(imported, Value::Null);
    let told = [(module.to_owned(), "it is a compiled extension".to_owned())];
    assert_eq!(runtime.unmeasured(), told.into());
}

#[test]
fn modules_with_probes_are_kept_for_other_workers_and_made_anew_where_that_is_spoilt() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let shown = || {
        let mut session = Session::new(&runtime, &launch(), load(Measure::Branches));
        let ran = session.run(&tests(&[json!(["sign", 5])])).unwrap();
        format!("{ran:?} {:?}", session.files())
    };
    let kept = || {
        let entries = std::fs::read_dir(runtime.probed()).unwrap();
        let entries: Vec<_> = entries.map(|entry| entry.unwrap()).collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
        (entries[0].path(), entries[0].ino())
    };
    let first = shown();
    let (entry, number) = kept();
    assert_eq!(shown(), first);
    assert_eq!(kept(), (entry.clone(), number), "the entry was used");
    let mut content = std::fs::read(&entry).unwrap();
    *content.last_mut().unwrap() ^= 1;
    for spoilt in [&content[..], &content[..content.len() / 2], b""] {
        std::fs::write(&entry, spoilt).unwrap();
        assert_eq!(shown(), first);
        assert_ne!(std::fs::read(&entry).unwrap(), spoilt, "it was made anew");
    }
}

#[test]
fn a_pool_gives_replies_in_the_order_of_submission() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(folder.path()).unwrap());
    let settings = PoolSettings {
        workers: 2,
        batch: 4,
    };
    let mut workers = Workers::start(&runtime, &launch(), load(Measure::Lines), settings);
    let round: Vec<Value> = (0..30).map(|number| json!(["sign", number - 15])).collect();
    workers.submit(tests(&round));
    workers.submit(tests(&[json!(["leave", 0]), json!(["sign", 1])]));
    let first = answers(&workers.collect().unwrap().unwrap());
    let expected: Vec<String> = (0..30_i32)
        .map(|number| (number - 15).signum().to_string())
        .collect();
    assert_eq!(first, expected);
    assert_eq!(answers(&workers.collect().unwrap().unwrap()), ["Died", "1"]);
    assert!(workers.collect().unwrap().is_none());
    let lines = workers
        .files()
        .into_values()
        .flatten()
        .filter(|kind| matches!(kind, ProbeKind::Line(_)));
    assert!(lines.count() > 20);
}
