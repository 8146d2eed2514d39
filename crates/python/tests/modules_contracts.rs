//! Broken contracts and exceptions that no input excuses: each planted fault of `testdata/modules/faulty.py` is told by its oracle,
//! and nothing else is.
#![allow(clippy::unwrap_used)]

mod module_support;

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::Seed;
use module_support::{opened, run};
use python::runtime::Runtime;

sandbox::launcher_here!();

#[test]
fn every_planted_fault_is_told_by_its_oracle_and_nothing_else_is() {
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let opened = opened(&runtime, "faulty.py");
    let runs = [1, 2].map(|seed| run(&runtime, &opened, 3500, Seed(seed)));
    let entries = runs.iter().flat_map(|run| run.ledger().entries());
    let found: BTreeSet<String> = entries
        .map(|one| format!("{}: {}", one.failure.oracle, one.failure.signature))
        .collect();
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
