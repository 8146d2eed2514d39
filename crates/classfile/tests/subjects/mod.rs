//! Where the tests find real classes: Debian's Java libraries and the JDKs of the machine.
// Every test uses its part of this.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries of old and new class versions, by several compilers.
pub const LIBRARIES: [&str; 12] = [
    "ant",
    "antlr",
    "asm",
    "bcel",
    "bsh",
    "commons-lang3",
    "commons-math3",
    "groovy",
    "guava",
    "itext1",
    "joda-time",
    "kotlin-stdlib",
];

/// The bytes of a library's jar.
pub fn library(name: &str) -> Vec<u8> {
    let path = Path::new("/usr/share/java").join(format!("{name}.jar"));
    fs::read(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; `scripts/install` installs what the tests need",
            path.display()
        )
    })
}

/// The JDKs of the machine, each once, at least one.
pub fn jdks() -> Vec<PathBuf> {
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let installed = installed.filter_map(|entry| Some(entry.ok()?.path()));
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let found: BTreeSet<PathBuf> = installed
        .chain(home)
        .filter(|path| path.join("lib/modules").exists() && path.join("bin/jimage").exists())
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    assert!(
        !found.is_empty(),
        "no JDK in /usr/lib/jvm; `scripts/install` installs one"
    );
    found.into_iter().collect()
}

/// The classes of a module of a JDK, by path.
pub fn module(jdk: &Path, module: &str) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(jdk.join("bin/jimage"))
        .arg("extract")
        .arg(format!("--include=regex:/{module}/.*\\.class"))
        .arg("--dir")
        .arg(folder.path())
        .arg(jdk.join("lib/modules"))
        .status()
        .unwrap();
    assert!(status.success());
    let mut classes = Vec::new();
    collect(folder.path(), &mut classes);
    assert!(!classes.is_empty(), "{module} of {}", jdk.display());
    classes
}

fn collect(folder: &Path, classes: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => collect(&path, classes),
            false => classes.push((path.display().to_string(), fs::read(&path).unwrap())),
        }
    }
}
