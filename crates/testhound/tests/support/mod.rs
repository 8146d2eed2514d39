//! What the end-to-end tests share: a folder with the sample subject, and the real binary.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with the specification, its program's source and the compiled reference.
pub struct Sample {
    folder: tempfile::TempDir,
}

impl Sample {
    pub fn new() -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/divide");
        for name in ["divide.toml", "divide.c", "right.c"] {
            std::fs::copy(data.join(name), folder.path().join(name)).unwrap();
        }
        let compiled = Command::new("cc")
            .args(["-O1", "-o", "right", "right.c"])
            .current_dir(folder.path())
            .status()
            .unwrap();
        assert!(compiled.success());
        Sample { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
        command.args(words).current_dir(self.folder.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }
}

/// The exit code of an output; shows everything if there is none.
pub fn code(output: &Output) -> i32 {
    output
        .status
        .code()
        .unwrap_or_else(|| panic!("no exit code: {output:?}"))
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// All files below a folder with their contents, in order.
pub fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                files.push((path.strip_prefix(folder).unwrap().to_owned(), bytes));
            }
        }
    }
    files.sort();
    files
}

/// A folder with Java sources.
pub struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// Writes sources, given by their paths and texts.
    pub fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Project { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles all sources of a folder.
    pub fn compile(&self, sources: &str, classes: &str) {
        self.compile_for("17", sources, classes);
    }

    /// Compiles all sources of a folder for a release of Java.
    pub fn compile_for(&self, release: &str, sources: &str, classes: &str) {
        let sources = self.path(sources);
        let files = tree(&sources).into_iter();
        let files = files.map(|(path, _)| sources.join(path));
        let output = Command::new("javac")
            .args([
                "-nowarn",
                "-g",
                "-Xlint:-options",
                "--release",
                release,
                "-d",
            ])
            .arg(self.path(classes))
            .args(files)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }

    /// Runs git in the folder.
    pub fn git(&self, words: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=T", "-c", "user.email=t@example.org"])
            .args(["-c", "commit.gpgsign=false"])
            .args(words)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }

    /// Runs the real binary in the folder.
    pub fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
        command.args(words).current_dir(self.folder.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
            command.env_remove(name);
        }
        command.output().unwrap()
    }
}

/// The jars that compile and run JUnit 5 tests, as a class path.
pub fn junit_jars() -> String {
    let jars = [
        "junit-platform-console",
        "junit-platform-launcher",
        "junit-platform-engine",
        "junit-platform-commons",
        "junit-platform-reporting",
        "junit-jupiter-api",
        "junit-jupiter-engine",
        "opentest4j",
        "apiguardian-api",
        "picocli",
    ];
    jars.map(|jar| format!("/usr/share/java/{jar}.jar"))
        .join(":")
}
