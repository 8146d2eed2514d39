//! The JDK's own classes, read without a JVM.

use crate::compiler::jdks;
use jvm::discovery::{Image, Jdk};
use std::fs;
use std::os::unix::fs::FileExt;

#[test]
fn every_jdk_gives_its_classes_and_exports() {
    for home in jdks() {
        let jdk = Jdk::open(&home).unwrap();
        assert!(jdk.release() >= 8, "{home:?}");
        for name in [
            "java/lang/Object",
            "java/util/Map$Entry",
            "java/sql/Connection",
            "java/util/logging/Logger",
        ] {
            let bytes = jdk.class(name).unwrap().unwrap();
            let class = classfile::ClassFile::parse(&bytes).unwrap();
            assert_eq!(class.name(), name, "{home:?}");
        }
        for name in [
            "java/lang/Nothing",
            "Object",
            "java/util",
            "",
            "nowhere/Class",
            "java.lang.Object",
        ] {
            assert_eq!(jdk.class(name).unwrap(), None, "{name}");
        }
        assert!(jdk.exports("java/util").unwrap());
        assert!(!jdk.exports("jdk/internal/misc").unwrap());
        assert!(!jdk.exports("org/example").unwrap());
    }
}

/// Steps of a small generator of bytes: the same ones in every run.
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn damaged_images_give_errors_and_never_panic() {
    let home = jdks().remove(0);
    let original = fs::File::open(home.join("lib/modules")).unwrap();
    // The index and the first resources.
    let mut start = vec![0; 3 << 20];
    original.read_exact_at(&mut start, 0).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("modules");
    let mut state = 1;
    let mut errors = 0;
    for round in 0..60 {
        let mut bytes = start.clone();
        // Header, redirect table, locations or strings, in turn.
        let reach = [28, 100_000, 500_000, 1 << 20][round % 4];
        for _ in 0..[1, 50_000][round % 2] {
            let place = next(&mut state) % reach;
            bytes[place] = next(&mut state) as u8;
        }
        if round % 5 == 0 {
            bytes.truncate(next(&mut state) % bytes.len());
        }
        fs::write(&path, &bytes).unwrap();
        match Image::open(&path) {
            Ok(image) => {
                let names = [
                    "java/lang/Object",
                    "java/util/List",
                    "java/io/File",
                    "java/net/URL",
                ];
                errors += names
                    .iter()
                    .filter(|name| image.class(name).is_err())
                    .count();
            }
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 10, "{errors}");
}
