//! Broken class files and jars never make the reader panic; its errors name a byte of the file.
#![allow(clippy::unwrap_used)]

#[path = "subjects/any_bytes.rs"]
mod any_bytes;

use std::fs;
use std::path::Path;

use classfile::ClassFile;
use classfile::jar::Jar;
use proptest::prelude::*;

fn classes() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/print");
    let names = ["Account.class", "Point.class", "module-info.class"];
    names
        .map(|name| fs::read(folder.join(name)).unwrap())
        .to_vec()
}

/// A change of some bytes: where, as a share of the length, and what.
#[derive(Clone, Debug)]
enum Change {
    Set(f64, u8),
    Flip(f64, u8),
    Word(f64, u16),
    Cut(f64),
    Remove(f64),
    Repeat(f64, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = 0.0..1.0f64;
    prop_oneof![
        4 => (at.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        4 => (at.clone(), 0..8u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        4 => (at.clone(), prop_oneof![0..200u16, any::<u16>()]).prop_map(|(at, word)| Change::Word(at, word)),
        1 => at.clone().prop_map(Change::Cut),
        1 => at.clone().prop_map(Change::Remove),
        1 => (at, 1..40usize).prop_map(|(at, length)| Change::Repeat(at, length)),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let length = bytes.len() as f64;
    let place = |share: f64| (share * length) as usize;
    match *change {
        _ if bytes.is_empty() => {}
        Change::Set(at, byte) => bytes[place(at)] = byte,
        Change::Flip(at, bit) => {
            let at = place(at);
            bytes[at] ^= 1 << bit;
        }
        Change::Word(at, word) => {
            let at = place(at);
            if let Some(two) = bytes.get_mut(at..at + 2) {
                two.copy_from_slice(&word.to_be_bytes());
            }
        }
        Change::Cut(at) => bytes.truncate(place(at)),
        Change::Remove(at) => drop(bytes.remove(place(at))),
        Change::Repeat(at, length) => {
            let at = place(at);
            let end = (at + length).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
    }
}

fn small_jar() -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/jar");
    fs::read(folder.join("small.jar")).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_classes_are_read_or_refused_with_a_place(
        which in 0..3usize,
        changes in prop::collection::vec(change(), 1..6),
    ) {
        let mut bytes = classes().swap_remove(which);
        changes.iter().for_each(|change| apply(&mut bytes, change));
        any_bytes::check(&bytes);
    }

    #[test]
    fn mutated_jars_are_read_or_refused_with_a_place(
        changes in prop::collection::vec(change(), 1..6),
    ) {
        let mut bytes = small_jar();
        changes.iter().for_each(|change| apply(&mut bytes, change));
        match Jar::parse(&bytes) {
            Ok(jar) => {
                for file in jar.select(17).unwrap_or_default() {
                    if let Err(error) = jar.read(file.entry) {
                        prop_assert!(error.offset <= bytes.len() as u64, "{}", error);
                        prop_assert_eq!(&*error.entry, &*file.entry.name);
                    }
                }
            }
            Err(error) => prop_assert!(error.offset <= bytes.len() as u64, "{}", error),
        }
    }
}

#[test]
fn every_prefix_of_a_class_is_refused_at_its_end_or_before() {
    for bytes in classes() {
        for length in 0..bytes.len() {
            let error = ClassFile::parse(&bytes[..length]).unwrap_err();
            assert!(error.offset as usize <= length, "{length}: {error}");
        }
    }
}
