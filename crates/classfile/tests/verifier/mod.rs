//! Asks real JVMs whether they accept classes.
//!
//! Classes travel in bundles, one file each. Library classes are loaded and linked by a loader of their own; classes of the
//! JDK, which no loader may define, are verified by redefinitions that never take effect.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Classes by name.
pub type Classes = Vec<(String, Vec<u8>)>;

/// What a JVM refuses: for each bundle and class, why.
pub type Failures = BTreeMap<(String, String), String>;

/// The compiled driver and room for bundles.
pub struct Verifier {
    folder: tempfile::TempDir,
}

/// What a JVM said.
pub struct Answer {
    /// How many classes it looked at.
    pub checked: usize,
    /// The classes it refuses.
    pub failures: Failures,
}

impl Verifier {
    /// Compiles the driver with one of the JDKs.
    pub fn new(jdk: &Path) -> Verifier {
        let folder = tempfile::tempdir().unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let classes = folder.path().join("classes");
        run(Command::new(jdk.join("bin/javac"))
            .args(["--release", "11", "-d"])
            .arg(&classes)
            .arg(sources.join("Verify.java"))
            .arg(sources.join("testhound/rt/Probes.java")));
        let manifest = folder.path().join("manifest");
        let entries = "Premain-Class: Verify\nCan-Redefine-Classes: true\n";
        fs::write(&manifest, entries).unwrap();
        run(Command::new(jdk.join("bin/jar"))
            .args(["--create", "--file"])
            .arg(folder.path().join("agent.jar"))
            .arg("--manifest")
            .arg(&manifest)
            .arg("-C")
            .arg(&classes)
            .arg("."));
        Verifier { folder }
    }

    /// Writes classes to a bundle.
    pub fn bundle(&self, name: &str, classes: &Classes) -> PathBuf {
        let mut bytes = Vec::new();
        for (name, class) in classes {
            bytes.extend((name.len() as u16).to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.extend((class.len() as u32).to_be_bytes());
            bytes.extend(class);
        }
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Loads and links the classes of bundles, with jars for what they need.
    pub fn link(&self, jdk: &Path, bundles: &[PathBuf], jars: &[PathBuf]) -> Answer {
        let jars = std::env::join_paths(jars).unwrap();
        let mut java = self.java(jdk);
        java.arg("-cp").arg(self.folder.path().join("classes"));
        java.args(["Verify", "link"]).arg(jars).args(bundles);
        self.answer(&mut java)
    }

    /// Verifies changed classes of the JDK itself.
    pub fn redefine(&self, jdk: &Path, bundle: &Path) -> Answer {
        let agent = self.folder.path().join("agent.jar");
        let mut java = self.java(jdk);
        java.arg(format!("-javaagent:{}", agent.display()));
        java.arg("-cp").arg(&agent);
        java.args(["Verify", "redefine"]).arg(bundle);
        self.answer(&mut java)
    }

    fn java(&self, jdk: &Path) -> Command {
        let log = self.folder.path().join("log");
        let _ = fs::remove_file(&log);
        let mut java = Command::new(jdk.join("bin/java"));
        java.args([
            "-Xverify:all",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
        ]);
        // Class version 50 falls back to the old verifier without an error; the log tells.
        java.arg(format!("-Xlog:verification=info:file={}", log.display()));
        java
    }

    fn answer(&self, java: &mut Command) -> Answer {
        let text = run(java);
        let mut answer = Answer {
            checked: 0,
            failures: Failures::new(),
        };
        for line in text.lines() {
            let mut parts = line.splitn(3, '\t');
            let (bundle, class, error) = (parts.next(), parts.next(), parts.next());
            let (Some(bundle), Some(class), Some(error)) = (bundle, class, error) else {
                panic!("unexpected line `{line}`");
            };
            match class {
                "checked" => answer.checked += error.parse::<usize>().unwrap(),
                "missing" => {}
                _ => {
                    let key = (bundle.to_owned(), class.to_owned());
                    answer.failures.insert(key, error.to_owned());
                }
            }
        }
        answer
    }

    /// How many classes the last JVM checked with the old verifier after the new one had failed.
    pub fn fallbacks(&self) -> usize {
        let log = fs::read(self.folder.path().join("log")).unwrap();
        let log = String::from_utf8_lossy(&log);
        log.lines()
            .filter(|line| line.contains("Fail over class verification"))
            .count()
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}
