//! Broken contracts and exceptions that no input excuses: each planted fault of `testdata/modules/faulty.py`, `trips.py` and `asking.py` is told
//! by its oracle, and nothing else is.
#![allow(clippy::unwrap_used)]

mod module_support;

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::Seed;
use module_support::{opened, run};
use python::runtime::Runtime;

sandbox::launcher_here!();

/// The failures that two runs of a module find: oracles and signatures.
fn found(module: &str, executions: u64) -> BTreeSet<String> {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, module);
    let runs = [1, 2].map(|seed| run(&runtime, &opened, executions, Seed(seed)));
    let entries = runs.iter().flat_map(|run| run.ledger().entries());
    entries
        .map(|one| format!("{}: {}", one.failure.oracle, one.failure.signature))
        .collect()
}

#[test]
fn every_planted_fault_is_told_by_its_oracle_and_nothing_else_is() {
    let found = found("faulty.py", 3500);
    let contracts = [
        ("eq-none", "Hollow"),
        ("eq-reflexive", "Alien"),
        ("eq-returns", "Stubborn"),
        ("eq-symmetric", "Lopsided"),
        ("eq-transitive", "Joker"),
        ("ne-negates-eq", "Vague"),
        ("order-antisymmetric", "Rival"),
        ("order-eq-le", "Open"),
        ("order-excludes-eq", "Blurred"),
        ("order-lt-le", "Far"),
        ("order-transitive", "Ring"),
        ("repr-returns", "Mute"),
        ("str-returns", "Silent"),
    ];
    let mut expected: BTreeSet<String> = contracts
        .map(|(contract, class)| format!("{contract}: {contract} of faulty.{class}"))
        .into();
    expected.extend([
        "assertion: AssertionError in half".to_owned(),
        "idempotent: idempotent of normalize".to_owned(),
        "recursion: RecursionError in deep".to_owned(),
    ]);
    assert_eq!(found, expected);
}

#[test]
fn ways_there_and_back_that_lose_something_are_told() {
    let expected = [
        "round-trip: round-trip of dumps and loads",
        "round-trip: round-trip of encode and decode",
        "round-trip: round-trip of to_dict and from_dict",
        "second-trip: second-trip of format_code and parse_code",
    ];
    let expected: BTreeSet<String> = expected.map(str::to_owned).into();
    assert_eq!(found("trips.py", 1500), expected);
}

#[test]
fn an_attribute_that_was_asked_for_by_name_may_be_missing() {
    let expected = BTreeSet::from(["internal-error: AttributeError in Box.half".to_owned()]);
    assert_eq!(found("asking.py", 300), expected);
}
