//! Asks real JVMs whether they accept classes.
//!
//! Classes travel in bundles, one file each. Library classes are loaded and linked by a loader of their own; classes of the
//! JDK, which no loader may define, are verified by redefinitions that never take effect.
// Every test uses its part of this.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use classfile::ClassFile;
use classfile::rewrite::replacement::{EXITS, UNSTABLE};
use classfile::rewrite::{Chosen, Numbers, Probes, Rewriter, Rewritten, Statics};

/// Classes by name.
pub type Classes = Vec<(String, Vec<u8>)>;

/// What a JVM refuses: for each bundle and class, why.
pub type Failures = BTreeMap<(String, String), String>;

/// How often each probe was reached.
pub type Counts = BTreeMap<String, u64>;

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
            .arg(sources.join("Run.java"))
            .arg(sources.join("testhound/rt/Probes.java"))
            .arg(sources.join("testhound/rt/Calls.java")));
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

    /// Compiles a source file for a Java version and gives its classes.
    pub fn compile(&self, jdk: &Path, source: &Path, release: u32) -> Classes {
        let folder = tempfile::tempdir_in(self.folder.path()).unwrap();
        run(Command::new(jdk.join("bin/javac"))
            .args(["-nowarn", "-g", "--release", &release.to_string(), "-d"])
            .arg(folder.path())
            .arg(source));
        let files = fs::read_dir(folder.path()).unwrap();
        let classes = files.map(|file| {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        });
        let mut classes: Classes = classes.collect();
        classes.sort();
        classes
    }

    /// Runs the `main` of the first of these words with the classes and resets the classes that the others name, each followed
    /// by another run. Gives the output and, after a line `counts`, what the probes counted.
    pub fn run(&self, jdk: &Path, classes: &Classes, words: &[&str]) -> (String, Counts) {
        let folder = tempfile::tempdir_in(self.folder.path()).unwrap();
        for (name, bytes) in classes {
            fs::write(folder.path().join(format!("{name}.class")), bytes).unwrap();
        }
        let places = [folder.path(), &self.folder.path().join("classes")];
        let mut java = self.java(jdk);
        java.arg("-cp").arg(std::env::join_paths(places).unwrap());
        let text = run(java.arg("Run").args(words));
        let (output, counts) = text.split_once("counts\n").unwrap();
        let counts = counts.lines().map(|line| {
            let (name, count) = line.split_once('\t').unwrap();
            (name.to_owned(), count.parse().unwrap())
        });
        (output.to_owned(), counts.collect())
    }

    /// The folder of the compiled driver with its probes.
    pub fn driver(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    /// A virtual machine that verifies all classes.
    pub fn java(&self, jdk: &Path) -> Command {
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

/// Runs a command, which must succeed, and gives its output.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Everything that can be inserted.
pub fn all_probes(classes: &Classes) -> Probes {
    let numbers = classes.iter().zip(0..);
    let statics = numbers.map(|((name, _), number)| (name.clone(), number));
    Probes {
        methods: true,
        lines: true,
        blocks: true,
        edges: true,
        distances: true,
        sides: true,
        trace: true,
        budgets: true,
        arrays: true,
        calls: [EXITS, UNSTABLE].concat(),
        statics: Statics {
            classes: statics.collect(),
            reads: true,
        },
        reset: true,
    }
}

/// Rewrites classes, numbering from zero, and gives what was done to each.
pub fn rewrite(probes: Probes, classes: &Classes) -> (Classes, Vec<Rewritten>) {
    let mut rewriter = Rewriter::new(probes);
    let mut next = Numbers::default();
    let mut done = Vec::new();
    let rewritten = classes.iter().map(|(name, bytes)| {
        let mut class = ClassFile::parse(bytes).unwrap();
        let told = rewriter.rewrite(&mut class, &Chosen::default(), next);
        next = told.next;
        done.push(told);
        (name.clone(), class.write())
    });
    (rewritten.collect(), done)
}
