//! Specifications as data: each file of `testdata/specs/good` is described and sampled, each of `testdata/specs/bad` must
//! give the errors beside it. `UPDATE_EXPECT=1` rewrites the expectations.

#![allow(clippy::unwrap_used)]

use command::Spec;
use engine::Seed;
use engine::frames::{Frame, Sampler};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// All files of a folder with this ending, sorted.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no files in {}", folder.display());
    files
}

/// Compares what each file gives with the expectation beside it.
fn check(folder: &str, ending: &str, actual: &dyn Fn(&Path, &str) -> String) {
    let mut wrong = Vec::new();
    for path in files(folder, ending) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let label = Path::new(path.file_name().unwrap());
        let actual = actual(label, &text);
        let expected_path = path.with_extension("expected");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected_path, &actual).unwrap();
        }
        let expected = fs::read_to_string(&expected_path).unwrap_or_default();
        if actual != expected {
            wrong.push(format!("{}:\n{actual}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn describe(spec: &Spec) -> String {
    let mut out = String::new();
    let count = spec.space.count(10_000);
    let (normal, single, error) = (count.normal, count.single, count.error);
    writeln!(out, "{}: {}", spec.name, spec.about).unwrap();
    writeln!(
        out,
        "frames: {normal} normal, {single} single, {error} error"
    )
    .unwrap();
    let sampler = Sampler::new(&spec.space);
    let mut stream = Seed(1).stream();
    for _ in 0..12 {
        let mut frame = Frame(vec![0; spec.categories.len()]);
        sampler.draw(&mut stream, &mut frame.0);
        let made = spec.concretise(&mut frame, &mut stream, &mut |command, _| {
            Ok(format!("<{}>\n", command.join(" ")))
        });
        match made {
            Ok((_, input)) => {
                let json = serde_json::to_string(&input).unwrap();
                writeln!(out, "{}\n    {json}", spec.space.describe(&frame.0)).unwrap();
            }
            Err(error) => writeln!(out, "{error}").unwrap(),
        }
    }
    out
}

#[test]
fn good_specifications_give_their_frames_and_inputs() {
    check("testdata/specs/good", "toml", &|label, text| {
        let spec = Spec::parse(label, text).unwrap_or_else(|errors| panic!("{errors}"));
        spec.space.validate().unwrap();
        describe(&spec)
    });
}

#[test]
fn bad_specifications_give_their_errors() {
    check("testdata/specs/bad", "toml", &|label, text| {
        let errors = match Spec::parse(label, text) {
            Ok(_) => panic!("{} is valid", label.display()),
            Err(errors) => errors,
        };
        for error in &errors.0 {
            assert!(error.line > 0 && error.column > 0, "{error}");
        }
        format!("{errors}\n")
    });
}

#[test]
fn good_tsl_files_give_specifications() {
    check("testdata/tsl/good", "tsl", &|label, text| {
        let toml = command::tsl::import(label, text).unwrap_or_else(|errors| panic!("{errors}"));
        let spec = Spec::parse(label, &toml).unwrap_or_else(|errors| panic!("{errors}\n{toml}"));
        spec.space.validate().unwrap();
        let count = spec.space.count(10_000);
        let (normal, single, error) = (count.normal, count.single, count.error);
        format!("frames: {normal} normal, {single} single, {error} error\n\n{toml}")
    });
}

#[test]
fn bad_tsl_files_give_their_errors() {
    check("testdata/tsl/bad", "tsl", &|label, text| {
        let errors = match command::tsl::import(label, text) {
            Ok(_) => panic!("{} is valid", label.display()),
            Err(errors) => errors,
        };
        for error in &errors.0 {
            assert!(error.line > 0 && error.column > 0, "{error}");
        }
        format!("{errors}\n")
    });
}

/// Ostrand and Balcer (1988) give these numbers for the four versions of their specification of `find`.
#[test]
fn the_find_example_has_the_published_numbers_of_frames() {
    let published = [
        ("find-free", 1944),
        ("find-properties", 678),
        ("find-errors", 125),
        ("find-singles", 40),
    ];
    for (name, frames) in published {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/tsl/good");
        let spec = Spec::load(&folder.join(name).with_extension("tsl")).unwrap();
        assert_eq!(spec.space.count(10_000).total(), frames, "{name}");
    }
}
