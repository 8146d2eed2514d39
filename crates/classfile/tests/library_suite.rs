//! A real library's own tests end the same when the library is rewritten with every probe.
//!
//! The library is Guava, the tests are its conformance suites for collections, which Debian ships as `guava-testlib`.
#![allow(clippy::unwrap_used)]

mod subjects;
mod verifier;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use classfile::ClassFile;
use classfile::jar::Jar;
use verifier::{Classes, Verifier, all_probes, rewrite, run};

/// Rewrites all classes of a jar into a folder.
fn rewritten(jar: &[u8], folder: &Path) {
    let jar = Jar::parse(jar).unwrap();
    let files = jar.classes(17).unwrap();
    let classes = files.iter().map(|file| {
        let bytes = jar.read(file.entry).unwrap().into_owned();
        let name = ClassFile::parse(&bytes).unwrap().name().to_owned();
        (name, bytes)
    });
    let classes: Classes = classes.filter(|(name, _)| name != "module-info").collect();
    let (rewritten, done) = rewrite(all_probes(&classes), &classes);
    assert!(done.iter().all(|class| class.reduced.is_empty()));
    for (name, bytes) in rewritten {
        let path = folder.join(format!("{name}.class"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn the_suites_of_guava_end_the_same_with_every_probe() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let guava = PathBuf::from("/usr/share/java/guava.jar");
    let folder = tempfile::tempdir().unwrap();
    rewritten(&subjects::library("guava"), folder.path());
    let classpath = |guava: &Path| {
        let others = ["guava-testlib", "junit4", "hamcrest-core"];
        let mut paths = vec![verifier.driver(), guava.to_owned()];
        paths.extend(others.map(|name| PathBuf::from(format!("/usr/share/java/{name}.jar"))));
        std::env::join_paths(paths).unwrap()
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/GuavaSuites.java");
    run(Command::new(jdks[0].join("bin/javac"))
        .args(["-nowarn", "--release", "11", "-cp"])
        .arg(classpath(&guava))
        .arg("-d")
        .arg(verifier.driver())
        .arg(source));
    let outcomes = |guava: &Path| {
        let mut java = verifier.java(&jdks[0]);
        java.args(["-Dquiet=true", "-cp"]).arg(classpath(guava));
        let text = run(java.arg("GuavaSuites"));
        let (outcomes, probes) = text.rsplit_once("probes\t").unwrap();
        let probes: u64 = probes.trim().parse().unwrap();
        (outcomes.to_owned(), probes)
    };
    let (before, none) = outcomes(&guava);
    let (after, probes) = outcomes(folder.path());
    assert_eq!(none, 0);
    assert!(probes > 1_000_000, "{probes}");
    let tests = before.lines().count();
    let passed = before
        .lines()
        .filter(|line| line.ends_with("\tpassed"))
        .count();
    assert!(tests > 10_000 && passed == tests, "{passed} of {tests}");
    let different = before.lines().zip(after.lines()).find(|(a, b)| a != b);
    assert_eq!(different, None);
    assert_eq!(before.len(), after.len());
}
