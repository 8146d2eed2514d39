//! Harnesses that are wrong get a place, a cause and a hint; no text makes the parser panic.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use python::harness::parse;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/harness")
        .join(name)
}

#[test]
fn every_bad_harness_is_refused_as_written_beside_it() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder("bad"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|one| one == "tstl"))
        .collect();
    files.sort();
    assert!(files.len() > 10);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let error = parse(&text, &name).unwrap_err().to_string() + "\n";
        let expected = file.with_extension("expected");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected, &error).unwrap();
        }
        assert_eq!(error, std::fs::read_to_string(&expected).unwrap(), "{name}");
        assert!(error.contains("\nhint: "), "{name}");
    }
}

/// Steele and Vigna's multiplier; good enough to break texts.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
    (*state >> 33) as usize
}

#[test]
fn broken_harnesses_are_read_or_refused_but_never_panic() {
    let text = include_str!("../../../examples/python/avl/avl.tstl");
    let mut state = 1;
    for _ in 0..2000 {
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..1 + next(&mut state) % 4 {
            let at = next(&mut state) % characters.len().max(1);
            match next(&mut state) % 3 {
                0 if at < characters.len() => _ = characters.remove(at),
                1 => characters.insert(
                    at,
                    ['<', '>', '%', '[', ',', 'ä', '\\', '{'][next(&mut state) % 8],
                ),
                _ => characters.truncate(at + 1),
            }
        }
        let text: String = characters.into_iter().collect();
        if let Err(error) = parse(&text, "x") {
            let lines = text.split('\n').count() as u32;
            assert!((1..=lines).contains(&error.place.line), "{error}");
        }
    }
}
