//! Compiles test subjects, and packs jars.

use jvm::java::Places;
use miniz_oxide::deflate::compress_to_vec;
use sandbox::{End, Tool};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// All JDKs of the machine, each once.
pub fn jdks() -> Vec<PathBuf> {
    let found = Places::of_this_process(None).all();
    let mut homes: Vec<PathBuf> = found.into_iter().map(|java| java.home).collect();
    homes.retain(|home| home.join("bin/javac").is_file());
    homes.sort();
    assert!(!homes.is_empty(), "no JDK found");
    homes
}

/// Compiles sources into a folder.
pub fn compile(home: &Path, options: &[&str], sources: &[PathBuf], folder: &Path) {
    let mut args: Vec<OsString> = options.iter().map(OsString::from).collect();
    args.extend(["-nowarn", "-Xlint:none", "-g", "-d"].map(OsString::from));
    args.push(folder.into());
    args.extend(sources.iter().map(OsString::from));
    let finished = Tool::new(home.join("bin/javac"), args).run().unwrap();
    let said = String::from_utf8_lossy(&finished.stderr);
    assert_eq!(finished.end, End::Exited(0), "{said}");
}

/// Compiles the text of one source file; gives the class files by their paths in the folder.
pub fn compile_text(
    home: &Path,
    options: &[&str],
    name: &str,
    text: &str,
) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(name);
    fs::write(&source, text).unwrap();
    let classes = folder.path().join("classes");
    fs::create_dir(&classes).unwrap();
    compile(home, options, &[source], &classes);
    let mut found = Vec::new();
    let mut open = vec![classes.clone()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let place = path
                    .strip_prefix(&classes)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                found.push((place, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A jar with these entries.
pub fn jar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in entries {
        let packed = compress_to_vec(content, 6);
        let header = bytes.len() as u32;
        let mut common = Vec::new();
        for number in [20, 0, 8, 0, 0x21] {
            common.extend(u16::to_le_bytes(number));
        }
        for number in [crc32(content), packed.len() as u32, content.len() as u32] {
            common.extend(number.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(&packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(header.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    let count = entries.len() as u16;
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let lowest = crc & 1;
            crc = crc >> 1 ^ (0xEDB8_8320 & lowest.wrapping_neg());
        }
    }
    !crc
}
