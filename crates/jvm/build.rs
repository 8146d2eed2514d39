//! Compiles the Java runtime of the workers and packs it into the jar that the library embeds.
//!
//! The runtime is built here and not on the user's machine: a user needs only `java` to run tests, not `javac`, and no run
//! waits for a compiler. It is compiled for Java 8, so one jar serves all installations.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MANIFEST: &str = "Main-Class: testhound.rt.Main\nPremain-Class: testhound.rt.Agent\nCan-Redefine-Classes: true\n";

fn main() {
    println!("cargo::rerun-if-changed=runtime");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the output folder"));
    let classes = out.join("runtime");
    // What an earlier build left must not be packed.
    let _ = fs::remove_dir_all(&classes);
    fs::create_dir_all(&classes).expect("cargo makes the output folder");
    let tools = find_tools().unwrap_or_else(|| {
        panic!("no `javac` found in JAVA_HOME, PATH or /usr/lib/jvm\nhint: run scripts/install, or install a JDK, on Debian `apt-get install default-jdk-headless`")
    });
    run(Command::new(tools.join("javac"))
        .args(["--release", "8", "-Xlint:-options", "-g", "-d"])
        .arg(&classes)
        .args(sources(Path::new("runtime/testhound/rt"))));
    let manifest = out.join("manifest");
    fs::write(&manifest, MANIFEST).expect("the output folder can be written");
    run(Command::new(tools.join("jar"))
        .arg("cfm")
        .args([&out.join("runtime.jar"), &manifest])
        .args([OsStr::new("-C"), classes.as_os_str(), OsStr::new(".")]));
}

/// The folder with `javac` and `jar`.
fn find_tools() -> Option<PathBuf> {
    let home = env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let mut installed: Vec<PathBuf> = fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .collect();
    installed.sort();
    home.into_iter()
        .chain(env::split_paths(&path))
        .chain(installed)
        .find(|folder| folder.join("javac").is_file() && folder.join("jar").is_file())
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the sources are part of the crate");
    let mut sources: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("java")))
        .collect();
    sources.sort();
    sources
}

fn run(command: &mut Command) {
    let status = command
        .status()
        .expect("the tool was found and can be started");
    assert!(
        status.success(),
        "the Java runtime cannot be built: {command:?}"
    );
}
