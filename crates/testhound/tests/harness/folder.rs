//! A folder with a harness and its subject, in which the real binary and the real pytest run.

use crate::support::{code, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a harness and its subject.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn avl() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/python/avl");
        for name in ["avl.tstl", "avltree.py"] {
            std::fs::copy(example.join(name), folder.path().join(name)).unwrap();
        }
        Folder(folder)
    }

    pub fn with(text: &str) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("own.tstl"), text).unwrap();
        Folder(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
        command.args(words).current_dir(self.0.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
            command.env_remove(name);
        }
        command.output().unwrap()
    }

    pub fn pytest(&self, folder: &str) -> String {
        let mut command = Command::new("python3");
        command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", folder]);
        command.current_dir(self.0.path());
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        stdout(&command.output().unwrap())
    }
}

/// A subject with a small and a large function, and a count that outlives tests.
pub const COUNTER: &str = "\
calls = 0


def small():
    return 1


def large(number):
    global calls
    calls += 1
    if number > 2 and calls > 0:
        return 2
    return 3
";

pub fn counter(harness: &str) -> Folder {
    let folder = Folder::with(harness);
    std::fs::write(folder.path("counter.py"), COUNTER).unwrap();
    folder
}

/// Runs a few tests of a harness; gives what pytest says of the failing tests, and their file.
pub fn failing_file(folder: &Folder, options: &[&str]) -> (String, String) {
    let file = written_failures(folder, options);
    (folder.pytest("out/failures"), file)
}

/// Runs a few tests of a harness; gives the file of failing tests.
pub fn written_failures(folder: &Folder, options: &[&str]) -> String {
    let words = ["generate", "own.tstl", "--executions", "20", "--jobs", "1"];
    let more = ["--guide", "random", "--steps", "20", "--out", "out"];
    let output = folder.run(&[&words[..], &more, options].concat());
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    std::fs::read_to_string(folder.path("out/failures/test_own_failures.py")).unwrap()
}
