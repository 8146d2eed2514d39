//! Compiles all mutants of a few files with the system's C compiler, as a driver would. Needs `cc` on the path.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use mutants::c::{Options, mutants};
use mutants::{Fate, MutantId, ObjectCode, filter_by_object_code, survivors};

const FILES: [&str; 3] = ["words.c", "lexing.c", "old_style.c"];

fn read(name: &str) -> String {
    fs::read_to_string(
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("testdata/c")
            .join(name),
    )
    .unwrap()
}

/// The object code of a source, none if it does not compile. Every source has the same file name in its own folder.
fn compile(source: &str, folder: &Path) -> Option<ObjectCode> {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("subject.c"), source).unwrap();
    let status = Command::new("cc")
        .args([
            "-std=gnu17",
            "-O1",
            "-g0",
            "-w",
            "-c",
            "subject.c",
            "-o",
            "subject.o",
        ])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the C compiler `cc` can be started");
    let object = status
        .success()
        .then(|| ObjectCode(fs::read(folder.join("subject.o")).unwrap()));
    fs::remove_dir_all(folder).unwrap();
    object
}

/// The object code of all mutants of a source, in their order.
fn compile_all(source: &str, folder: &Path) -> Vec<(MutantId, Option<ObjectCode>)> {
    let all = mutants(source, &Options::default());
    let compiled = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        let (all, compiled) = (&all, &compiled);
        for worker in 0..2 {
            scope.spawn(move || {
                for (index, mutant) in all.iter().enumerate().skip(worker).step_by(2) {
                    let object = compile(
                        &mutant.apply(source).unwrap(),
                        &folder.join(mutant.id.as_str()),
                    );
                    compiled
                        .lock()
                        .unwrap()
                        .insert(index, (mutant.id.clone(), object));
                }
            });
        }
    });
    compiled.into_inner().unwrap().into_values().collect()
}

#[test]
fn each_mutant_differs_from_the_original_in_exactly_one_span() {
    for name in FILES {
        let source = read(name);
        for mutant in mutants(&source, &Options::default()) {
            let mutated = mutant.apply(&source).unwrap();
            let (before, after) = (&source[..mutant.span.start], &source[mutant.span.end..]);
            let changed = mutated
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after));
            assert_eq!(
                changed,
                Some(mutant.replacement.as_str()),
                "{name}: {mutant}"
            );
            assert_ne!(mutant.original, mutant.replacement, "{name}: {mutant}");
        }
    }
}

#[test]
fn more_than_nine_in_ten_mutants_compile_and_some_are_equal_in_object_code() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile");
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for name in FILES {
        let source = read(name);
        let original = compile(&source, &scratch.join("original")).expect("the original compiles");
        let elsewhere = compile(&source, &scratch.join("elsewhere"));
        assert_eq!(
            elsewhere,
            Some(original.clone()),
            "the folder must not show in the object code"
        );
        let compiled = compile_all(&source, &scratch);
        let fates = filter_by_object_code(&original, &compiled);
        let uncompilable = fates
            .iter()
            .filter(|(_, fate)| *fate == Fate::Uncompilable)
            .count();
        println!(
            "{name}: {} of {} mutants compile",
            fates.len() - uncompilable,
            fates.len()
        );
        assert!(
            uncompilable * 10 < fates.len(),
            "{name}: {uncompilable} of {} do not compile",
            fates.len()
        );
        assert!(
            survivors(&fates).len() > fates.len() / 2,
            "{name}: most mutants differ from one another"
        );
        fates
            .iter()
            .for_each(|(_, fate)| *counts.entry(fate.name()).or_default() += 1);
    }
    println!("{counts:?}");
    assert!(
        counts["equivalent"] > 0 && counts["same-object-code"] > 0,
        "{counts:?}"
    );
}
