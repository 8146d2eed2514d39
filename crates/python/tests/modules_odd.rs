//! Modules with what is seldom seen: classes under other names than their own, objects that cannot be asked anything, functions behind
//! wrappers, asynchronous generators, patterns of endless texts.
#![allow(clippy::unwrap_used)]

mod module_support;

use std::sync::Arc;

use engine::Seed;
use module_support::{folder, launch, opened, run, suite};
use python::module::open::Opened;
use python::pytest::{Verified, verify};
use python::runtime::Runtime;

sandbox::launcher_here!();

/// Runs a module until all its branches are covered, and writes and checks a suite.
fn covered(runtime: &Arc<Runtime>, opened: &Opened) -> Verified {
    let run = run(runtime, opened, 2000, Seed(1));
    let goals = opened.coverage.criteria()[0].goals;
    assert_eq!(run.covered()[0], goals);
    let file = suite(runtime, opened, &run, false);
    verify(file, &opened.named, &opened.coverage, runtime, &launch()).unwrap()
}

/// What was dropped as a whole.
fn lost(verified: &Verified) -> Vec<String> {
    let dropped = verified.dropped.iter();
    let whole = dropped.filter(|one| one.assertion.is_none());
    whole
        .map(|one| format!("{}: {}", one.test, one.reason))
        .collect()
}

#[test]
fn classes_go_by_the_names_that_lead_to_them_and_odd_objects_end_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "odd.py");
    let left_out = &opened.model.left_out;
    assert!(left_out.is_empty(), "{left_out:?}");
    let paths: Vec<&str> = opened
        .model
        .operations
        .iter()
        .map(|one| one.path.as_str())
        .collect();
    for path in [
        "Colour.RED",
        "Point",
        "Inner",
        "Inner.Deeper",
        "Inner.Deeper.is_big",
        "Key[\"a b\"]",
        "Key[\"from\"]",
        "Key.plain",
        "Foreign",
        "Last.keep",
    ] {
        assert!(paths.contains(&path), "{path} in {paths:?}");
    }
    let verified = covered(&runtime, &opened);
    let (text, _) = verified.file.text();
    assert_eq!(lost(&verified), Vec::<String>::new(), "{text}");
    assert!(text.contains("odd.number(odd.Key[\"a b\"])"), "{text}");
    assert!(text.contains("odd.is_red(odd.Colour.RED)"), "{text}");
    assert!(
        text.contains("assert result == odd.Key[\"from\"]\n"),
        "{text}"
    );
}

#[test]
fn calls_are_awaited_and_drained_by_what_the_outermost_function_is() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "flowing.py");
    let text = std::fs::read_to_string(folder().join("flowing.py")).unwrap();
    let operations = &opened.model.operations;
    for line in text.lines() {
        let Some((head, expected)) = line.split_once(":  # ") else {
            continue;
        };
        let (_, head) = head.split_once("def ").unwrap();
        let (name, _) = head.split_once('(').unwrap();
        let found = operations.iter().find(|one| one.name == name).unwrap();
        let words = match (found.awaits, found.yields) {
            (false, false) if found.enters => "enters",
            (false, false) => "plain",
            (true, false) => "awaits",
            (false, true) => "yields",
            (true, true) => "awaits yields",
        };
        assert_eq!(words, expected, "{name}");
    }
    let verified = covered(&runtime, &opened);
    let (text, _) = verified.file.text();
    assert_eq!(lost(&verified), Vec::<String>::new(), "{text}");
    let written = "return [item async for item in flowing.stream(";
    assert!(text.contains(written), "{text}");
    assert!(text.contains("asyncio.run(collected())"), "{text}");
    assert!(text.contains("with flowing.entered("), "{text}");
}

#[test]
fn patterns_of_endless_texts_are_given_up() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let run = run(&runtime, &opened(&runtime, "endless.py"), 600, Seed(1));
    let opened = opened(&runtime, "endless.py");
    assert_eq!(run.covered()[0], opened.coverage.criteria()[0].goals);
}
