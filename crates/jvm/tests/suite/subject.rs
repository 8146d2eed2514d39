//! The test subjects, compiled by a JDK and discovered.

use jvm::discovery::{Filters, Jdk, Subject, discover};
use jvm::{Java, JvmModel, Places};
use sandbox::{End, Tool};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// All JDKs of the machine that can compile.
pub fn jdks() -> Vec<Java> {
    let mut jdks = Places::of_this_process(None).all();
    jdks.retain(|java| java.javac().is_ok());
    assert!(!jdks.is_empty(), "no JDK found");
    jdks
}

pub fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/suite")
}

/// The Java files below a folder, sorted.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "java")
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Compiles sources into a folder.
pub fn compile(java: &Java, classpath: &[PathBuf], sources: &[PathBuf], folder: &Path) {
    let mut args: Vec<OsString> = ["-encoding", "UTF-8", "-Xlint:none", "-nowarn", "-g", "-cp"]
        .map(OsString::from)
        .to_vec();
    args.push(std::env::join_paths(classpath).unwrap());
    args.extend(["-d".into(), folder.into()]);
    args.extend(sources.iter().map(OsString::from));
    let finished = Tool::new(java.javac().unwrap(), args).run().unwrap();
    let said = String::from_utf8_lossy(&finished.stderr);
    assert_eq!(finished.end, End::Exited(0), "{said}");
}

/// Compiles the subjects of a folder of `testdata/suite` and discovers what can be called in them.
pub fn model(java: &Java, sources: &str, classes: &Path) -> JvmModel {
    compile(java, &[], &java_files(&testdata().join(sources)), classes);
    let release = u16::try_from(java.version).unwrap();
    let subject = Subject::open(&[classes.to_owned()], &[], release).unwrap();
    let jdk = Jdk::open(&java.home).unwrap();
    discover(&subject, &jdk, &Filters::default()).unwrap().model
}
