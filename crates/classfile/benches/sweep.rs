//! Rewrites all classes of any jars with every probe and asks every JDK of the machine about them:
//! `cargo bench -p classfile --bench sweep -- JAR…`
//!
//! The tests do this for a fixed list of libraries; this is for many more. Prints the classes that are refused although they
//! were not before, then a line per jar and JDK: classes, refused as they were, newly refused, methods with fewer probes.
#![allow(clippy::unwrap_used)]

#[path = "../tests/subjects/mod.rs"]
mod subjects;
#[path = "../tests/verifier/mod.rs"]
mod verifier;

use std::path::{Path, PathBuf};

use classfile::ClassFile;
use classfile::jar::Jar;
use verifier::{Classes, Verifier, all_probes, rewrite};

fn classes(path: &Path) -> Classes {
    let bytes = std::fs::read(path).unwrap();
    let jar = Jar::parse(&bytes).unwrap();
    let files = jar.classes(17).unwrap();
    let named = files.iter().filter_map(|file| {
        let bytes = jar.read(file.entry).ok()?.into_owned();
        let name = ClassFile::parse(&bytes).ok()?.name().to_owned();
        (name != "module-info").then_some((name, bytes))
    });
    named.collect()
}

fn main() {
    let words = std::env::args().skip(1);
    let jars: Vec<PathBuf> = words
        .filter(|word| !word.starts_with('-'))
        .map(PathBuf::from)
        .collect();
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    for path in &jars {
        let classes = classes(path);
        let (rewritten, done) = rewrite(all_probes(&classes), &classes);
        let reduced: usize = done.iter().map(|class| class.reduced.len()).sum();
        let bundle = verifier.bundle("sweep", &rewritten);
        for jdk in &jdks {
            let answer = verifier.link(jdk, std::slice::from_ref(&bundle), &jars);
            let fallbacks = verifier.fallbacks();
            let refused = classes.iter().filter(|(name, _)| {
                let key = ("sweep".to_owned(), name.replace('/', "."));
                answer.failures.contains_key(&key)
            });
            let again = verifier.bundle("again", &refused.cloned().collect());
            let known = verifier.link(jdk, &[again], &jars).failures;
            let mut new = 0;
            for ((_, class), error) in &answer.failures {
                if !known.contains_key(&("again".to_owned(), class.clone())) {
                    println!("{class}: {error}");
                    new += 1;
                }
            }
            println!(
                "{} on {}: {} classes, {} refused before, {new} newly refused, {fallbacks} fallbacks, {reduced} methods reduced",
                path.display(),
                jdk.display(),
                answer.checked,
                known.len()
            );
        }
    }
}
