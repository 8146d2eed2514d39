//! Modules without a harness: everything they offer is found, reached and judged in real interpreters.
#![allow(clippy::unwrap_used)]

mod module_support;

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{Goal, Seed, Value};
use module_support::{launch, opened, run, suite};
use python::pytest::{Mutating, verify};
use python::runtime::Runtime;
use python::worker::Launch;
use sandbox::Allow;

sandbox::launcher_here!();

#[test]
fn what_depends_on_clock_zone_hash_seed_process_place_or_machine_is_dropped() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "moody.py");
    let run = run(&runtime, &opened, 128, Seed(1));
    let file = suite(&runtime, &opened, &run, false);
    let (named, coverage) = (&opened.named, &opened.coverage);
    let verified = verify(file, named, coverage, &runtime, &launch()).unwrap();
    let (text, _) = verified.file.text();
    let claims = text.lines().filter(|line| line.contains("assert ")).count();
    assert_eq!(claims, 1, "{text}");
    assert!(text.contains("assert result == \"steady\""), "{text}");
    assert_eq!(verified.file.tests.len(), 11, "{text}");
    assert!(
        verified.dropped.iter().all(|one| one.assertion.is_some()),
        "{:?}",
        verified.dropped
    );
    // What is not asserted is not named, either.
    let gives = verified.file.tests.iter().map(|test| test.name.as_str());
    let gives: Vec<&str> = gives.filter(|name| name.contains("_gives_")).collect();
    assert_eq!(gives, ["test_steady_gives_steady"], "{text}");
}

#[test]
fn tests_that_act_on_the_world_outside_are_dropped_unless_the_user_allows_some_of_it() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "acting.py");
    let run = run(&runtime, &opened, 64, Seed(1));
    let file = suite(&runtime, &opened, &run, false);
    let subject = |name: &str| name.split('_').nth(1).unwrap_or_default().to_owned();
    let verified = |launch: &Launch| {
        let (named, coverage) = (&opened.named, &opened.coverage);
        let verified = verify(file.clone(), named, coverage, &runtime, launch).unwrap();
        let tests = verified.file.tests.iter();
        let kept: BTreeSet<String> = tests.map(|test| subject(&test.name)).collect();
        (kept, verified.dropped)
    };
    let names = |names: &[&str]| names.iter().map(|one| (*one).to_owned()).collect();
    let (kept, dropped) = verified(&launch());
    assert_eq!(kept, names(&["keep", "later", "read"]), "{dropped:?}");
    let whole = dropped.iter().filter(|one| one.assertion.is_none());
    let mut reasons: Vec<(String, &str)> = whole
        .map(|one| (subject(&one.test), one.reason.as_str()))
        .collect();
    reasons.sort_unstable();
    reasons.dedup();
    let outside = [
        ("call", "it acts on the world outside: socket.__new__"),
        ("local", "it acts on the world outside: socket.connect"),
        ("note", "it acts on the world outside: writing 'note.txt'"),
        ("start", "it acts on the world outside: subprocess.Popen"),
        (
            "tidy",
            "it acts on the world outside: os.remove of 'note.txt'",
        ),
    ];
    let outside = outside.map(|(name, reason)| (name.to_owned(), reason));
    assert_eq!(reasons, outside);
    let mut allowing = launch();
    allowing.allow.push(Allow::Write(scratch.path().to_owned()));
    let (kept, _) = verified(&allowing);
    let all = [
        "call", "keep", "later", "local", "note", "read", "start", "tidy",
    ];
    assert_eq!(kept, names(&all));
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
    // What one seed misses another one finds; what all miss, nobody looks for.
    let runs = [1, 2, 3].map(|seed| run(&runtime, &opened, 2500, Seed(seed)));
    let entries = runs.iter().flat_map(|run| run.ledger().entries());
    let found: BTreeSet<&str> = entries.map(|one| one.failure.signature.as_str()).collect();
    let seen = |goal: &Goal| runs.iter().any(|run| run.seen().contains(goal));
    let branches = opened.coverage.all();
    let branches = branches.filter(|(goal, _)| goal.criterion.0 == 0);
    let missing: Vec<_> = branches.filter(|(goal, _)| !seen(goal)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let expected = [
        "NameError in Shelf.longest",
        "hash-consistent of shelf.Point",
        "round-trip of encode and decode",
    ];
    assert_eq!(found, BTreeSet::from(expected));
}

#[test]
fn the_source_tells_what_is_called_changed_and_compared_with() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "shelf.py");
    let (known, operations) = (&opened.knowledge, &opened.model.operations);
    let number = |path: &str| operations.iter().position(|one| one.path == path).unwrap();
    let (add, contains) = (number("Shelf.add"), number("Shelf.__contains__"));
    assert_eq!(known.changes[add], 1, "only the shelf, not the book");
    assert_eq!(known.changes[contains], 0);
    assert_eq!(known.lines[contains], 2);
    assert_eq!(known.reachable_lines[contains], 4, "`titles` has two lines");
    assert_eq!(known.branches[add].len(), 2);
    let document = known.document_of[number("parse_isbn")].unwrap();
    let constants = &known.documents[document as usize].constants;
    let isbn = Value::Text("978".to_owned());
    assert!(constants.contains(&(isbn, 1)), "{constants:?}");
}

#[test]
fn what_nobody_annotated_is_known_by_what_is_done_with_it() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "loose.py");
    let model = &opened.model;
    let kinds = |path: &str, variant: usize| -> Vec<String> {
        let mut numbers =
            (0..model.operations.len()).filter(|one| model.operations[*one].path == path);
        let number = numbers.nth(variant).unwrap();
        let parameters = model.calls.signatures[number].parameters.iter();
        parameters
            .map(|one| model.kinds[one.kind.0 as usize].to_string())
            .collect()
    };
    let skip = kinds("skip", 0);
    assert_eq!(skip[0], "int", "it is handed to `islice`");
    assert!(skip[1].contains("Iterator[Any]"), "{}", skip[1]);
    assert_eq!(kinds("apply", 0)[0], "Callable[1, Any]");
    let names = |one: &&python::module::ModuleOperation| one.names == [Some("key".to_owned())];
    let with_key = model.operations.iter().filter(names).count();
    assert_eq!(with_key, 1, "`key` is looked up in `**options`");
    let example = |one: &python::module::ModuleOperation| one.path == "lambda one: -one";
    assert!(model.operations.iter().any(example), "a doctest gives it");
    let run = run(&runtime, &opened, 600, Seed(1));
    assert_eq!(run.covered()[0], opened.coverage.criteria()[0].goals);
}

#[test]
fn assertions_that_kill_no_mutant_are_left_out() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "shelf.py");
    let run = run(&runtime, &opened, 1500, Seed(1));
    let file = suite(&runtime, &opened, &run, true);
    let (named, coverage) = (&opened.named, &opened.coverage);
    let mut verified = verify(file, named, coverage, &runtime, &launch()).unwrap();
    let idle = "    assert 1 + 1 == 2".to_owned();
    let asserting = verified.file.tests.iter_mut();
    let asserting = asserting.filter(|test| !test.assertions.is_empty());
    asserting.for_each(|test| test.assertions.push(idle.clone()));
    let before = verified.file.assertions();
    let launched = launch();
    let mutating = |covered| Mutating {
        opened: &opened,
        covered,
        runtime: &runtime,
        launch: &launched,
        jobs: 2,
        most: 1000,
        hurry: &|| false,
    };
    let covered = verified.covered.clone();
    let score = mutating(&covered).choose(&mut verified.file).unwrap();
    assert_eq!(before - verified.file.assertions(), score.left_out);
    let mut left = verified.file.tests.iter().flat_map(|test| &test.assertions);
    assert!(!left.any(|one| *one == idle));
    assert!(score.killed > score.killed_without_assertions, "{score:?}");
    assert!(2 * score.killed > score.mutants, "{score:?}");
    let again = mutating(&covered).choose(&mut verified.file).unwrap();
    assert_eq!(again.killed, score.killed, "what is left kills the same");
    assert_eq!(again.left_out, 0);
}
