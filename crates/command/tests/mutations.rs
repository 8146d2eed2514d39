//! Mutated specifications never make the parsers panic, and what is wrong always has a place.
#![allow(clippy::unwrap_used)]

mod mutate;

use engine::Seed;
use proptest::prelude::*;
use std::sync::LazyLock;

#[test]
fn there_are_originals_of_both_kinds() {
    let count = |ending: &str| {
        let ends = |o: &&mutate::Original| o.path.extension().is_some_and(|e| e == ending);
        ORIGINALS.iter().filter(ends).count()
    };
    assert!(count("toml") >= 4 && count("tsl") >= 5);
}

static ORIGINALS: LazyLock<Vec<mutate::Original>> = LazyLock::new(mutate::originals);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn mutated_files_are_valid_or_have_errors_with_places(seed: u64) {
        let mut stream = Seed(seed).stream();
        for original in ORIGINALS.iter() {
            for _ in 0..2 {
                let mutant = mutate::mutate(&ORIGINALS, original, &mut stream);
                let outcome = mutate::check(&original.path, &mutant);
                prop_assert!(outcome.is_ok(), "{}\n{mutant}", outcome.unwrap_err());
            }
        }
    }

    #[test]
    fn any_text_is_valid_or_has_errors_with_places(text in "\\PC{0,200}") {
        for name in ["x.toml", "x.tsl"] {
            let outcome = mutate::check(std::path::Path::new(name), &text);
            prop_assert!(outcome.is_ok(), "{}\n{text}", outcome.unwrap_err());
        }
    }
}
