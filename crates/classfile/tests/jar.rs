//! Jars as Java versions see them, and how broken ones are refused.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use classfile::jar::{Jar, JarErrorKind};

fn small_jar() -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/jar");
    fs::read(folder.join("small.jar")).unwrap()
}

/// The classes a Java version sees, with their content.
fn seen(bytes: &[u8], java: u16) -> Vec<String> {
    let jar = Jar::parse(bytes).unwrap();
    let files = jar.classes(java).unwrap();
    let shown = files.iter().map(|file| {
        let content = jar.read(file.entry).unwrap();
        format!("{}: {}", file.name, String::from_utf8_lossy(&content))
    });
    shown.collect()
}

#[test]
fn each_java_version_sees_the_newest_class_made_for_it() {
    let bytes = small_jar();
    let plain = format!("a/B.class: {}", "plain B ".repeat(8));
    let others = ["a/C.class: plain C", "module-info.class: module"];
    assert_eq!(seen(&bytes, 8), [&plain, others[0], others[1]]);
    assert_eq!(
        seen(&bytes, 9),
        ["a/B.class: B for 9", others[0], others[1]]
    );
    let with_d = [
        "a/B.class: B for 9",
        others[0],
        "a/D.class: D for 11",
        others[1],
    ];
    assert_eq!(seen(&bytes, 16), with_d);
    assert_eq!(seen(&bytes, 25)[0], "a/B.class: B for 17");
}

#[test]
fn manifest_and_signatures_are_found() {
    let bytes = small_jar();
    let jar = Jar::parse(&bytes).unwrap();
    let manifest = jar.manifest().unwrap().unwrap();
    assert!(manifest.is_multi_release());
    assert_eq!(manifest.get("Class-Path"), Some("other.jar"));
    let signatures: Vec<&str> = jar.signatures().map(|entry| &*entry.name).collect();
    assert_eq!(signatures, ["META-INF/SIGNER.RSA", "META-INF/SIGNER.SF"]);
    assert!(jar.find("a/").is_some() && jar.find("a/E.class").is_none());
}

#[test]
fn an_archive_may_follow_other_bytes() {
    let mut bytes = b"#!/bin/sh\nexec java -jar \"$0\"\n".to_vec();
    bytes.extend(small_jar());
    assert_eq!(seen(&bytes, 8).len(), 3);
}

fn find(bytes: &[u8], text: &[u8]) -> usize {
    bytes
        .windows(text.len())
        .position(|part| part == text)
        .unwrap()
}

/// The place of an entry's row in the directory.
fn row(bytes: &[u8], name: &[u8]) -> usize {
    let rows = bytes.windows(4).enumerate();
    let mut rows = rows.filter(|(_, part)| part == b"PK\x01\x02");
    rows.find(|(at, _)| bytes[at + 46..].starts_with(name))
        .unwrap()
        .0
}

#[test]
fn a_changed_entry_is_refused_by_its_checksum() {
    let mut bytes = small_jar();
    let at = find(&bytes, b"plain C");
    bytes[at] ^= 1;
    let jar = Jar::parse(&bytes).unwrap();
    let error = jar.read(jar.find("a/C.class").unwrap()).unwrap_err();
    assert_eq!(
        (error.offset, error.kind),
        (at as u64, JarErrorKind::Checksum)
    );
    assert_eq!(error.entry, "a/C.class");
}

#[test]
fn an_entry_never_unpacks_to_more_than_the_directory_says() {
    let mut bytes = small_jar();
    let at = row(&bytes, b"a/B.class");
    bytes[at + 24..at + 28].copy_from_slice(&63u32.to_le_bytes());
    let jar = Jar::parse(&bytes).unwrap();
    let error = jar.read(jar.find("a/B.class").unwrap()).unwrap_err();
    assert_eq!(error.kind, JarErrorKind::Broken);
}

#[test]
fn a_false_size_is_refused_before_memory_is_reserved() {
    let mut bytes = small_jar();
    let at = row(&bytes, b"a/B.class");
    bytes[at + 24..at + 28].copy_from_slice(&0x0fff_ffffu32.to_le_bytes());
    let jar = Jar::parse(&bytes).unwrap();
    let error = jar.read(jar.find("a/B.class").unwrap()).unwrap_err();
    assert_eq!(error.kind, JarErrorKind::Broken);
    bytes[at + 24..at + 28].copy_from_slice(&0x7fff_ffffu32.to_le_bytes());
    let error = Jar::parse(&bytes).unwrap_err();
    assert!(matches!(error.kind, JarErrorKind::Size { .. }), "{error}");
}

#[test]
fn unknown_packing_and_encryption_are_named() {
    let mut bytes = small_jar();
    let at = row(&bytes, b"a/B.class");
    bytes[at + 10] = 93;
    let jar = Jar::parse(&bytes).unwrap();
    let error = jar.read(jar.find("a/B.class").unwrap()).unwrap_err();
    assert_eq!(error.kind, JarErrorKind::Method { method: 93 });
    bytes[at + 8] |= 1;
    let jar = Jar::parse(&bytes).unwrap();
    let error = jar.read(jar.find("a/B.class").unwrap()).unwrap_err();
    assert_eq!(error.kind, JarErrorKind::Encrypted);
    assert!(
        error.to_string().starts_with("entry `a/B.class`: "),
        "{error}"
    );
}

#[test]
fn what_is_no_archive_is_refused() {
    for bytes in [&b""[..], b"PK", &[0; 30], &small_jar()[..100]] {
        let error = Jar::parse(bytes).unwrap_err();
        assert_eq!(error.kind, JarErrorKind::NoEnd);
    }
}
