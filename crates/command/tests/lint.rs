//! Specifications and what is found wrong with them, as data: each file of `testdata/lint` gives the findings beside it.
//! `UPDATE_EXPECT=1` rewrites the expectations.

#![allow(clippy::unwrap_used)]

use command::Spec;
use command::lint::{Severity, lint};
use command::source::run_helper;
use command::tsl;
use engine::Seed;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn findings(label: &Path, text: &str) -> String {
    let spec = match label.extension().is_some_and(|ending| ending == "tsl") {
        true => tsl::spec(label, text),
        false => Spec::parse(label, text),
    };
    let spec = spec.unwrap_or_else(|errors| panic!("{errors}"));
    let found = lint(&spec, 200, Seed(1), &mut |command, _| {
        Ok(format!("made by {}\n", command.join(" ")))
    });
    let shown: Vec<String> = found.iter().map(|finding| format!("{finding}\n")).collect();
    match shown.is_empty() {
        true => "nothing\n".to_owned(),
        false => shown.join("\n"),
    }
}

#[test]
fn specifications_give_their_findings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/lint");
    let entries = fs::read_dir(&folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|ending| ending == "toml" || ending == "tsl")
    });
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    let mut wrong = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let actual = findings(Path::new(path.file_name().unwrap()), &text);
        let expected_path = path.with_extension("expected");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected_path, &actual).unwrap();
        }
        if fs::read_to_string(&expected_path).unwrap_or_default() != actual {
            wrong.push(format!("{}:\n{actual}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A specification with a choice that needs all of many categories, and one that can never be.
fn many_categories(count: usize) -> String {
    let mut text = "[run]\nprogram = \"x\"\nargs = [\"{last}\"".to_owned();
    for index in 0..count {
        write!(text, ", \"{{c{index}}}\"").unwrap();
    }
    text.push_str("]\n");
    let mut all = Vec::new();
    for index in 0..count {
        writeln!(text, "[category.c{index}]").unwrap();
        for choice in ["a", "b", "c"] {
            writeln!(
                text,
                "choice.{choice} = {{ literal = \"{choice}{index}\" }}"
            )
            .unwrap();
        }
        all.push(format!("(c{index} = a || c{index} = b)"));
    }
    let all = all.join(" && ");
    writeln!(
        text,
        "[category.last]\nchoice.free = {{ literal = \"free\" }}"
    )
    .unwrap();
    writeln!(text, "choice.all = {{ literal = \"all\", if = \"{all}\" }}").unwrap();
    writeln!(
        text,
        "choice.none = {{ literal = \"none\", if = \"{all} && c0 = c && c1 = c\" }}"
    )
    .unwrap();
    text
}

#[test]
fn too_many_combinations_are_sampled_and_said_to_be() {
    let label = Path::new("many.toml");
    let few = findings(label, &many_categories(3));
    assert!(
        few.contains("`last=none` is never possible, in all combinations of `c0`, `c1`, `c2`"),
        "{few}"
    );
    assert!(!few.contains("`last=all`"), "{few}");
    let many = findings(label, &many_categories(16));
    assert!(
        many.contains("`last=none` is never possible, in 20000 drawn frames"),
        "{many}"
    );
    assert!(!many.contains("`last=all`"), "{many}");
}

#[test]
fn the_examples_have_no_errors() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for folder in fs::read_dir(examples).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let spec = Spec::load(&path).unwrap_or_else(|errors| panic!("{errors}"));
            let findings = lint(&spec, 10, Seed(2), &mut |command, seed| {
                run_helper(spec.folder(), command, seed)
            });
            let errors = findings.iter().filter(|f| f.severity == Severity::Error);
            let errors: Vec<String> = errors.map(ToString::to_string).collect();
            assert!(errors.is_empty(), "{}", errors.join("\n"));
            count += 1;
        }
    }
    assert!(count >= 12, "{count}");
}
