//! Tells whether a program file is one that can be its own fork server: a 64-bit x86 program that glibc's loader loads.

use std::fs::File;
use std::os::unix::fs::FileExt;

const HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;
const INTERPRETER: u32 = 3;
const X86_64: u16 = 62;
const LOADER: &[u8] = b"/ld-linux-x86-64.so.2\0";

/// Whether glibc's loader loads this file. Scripts, static programs and other machines' programs are not.
pub fn is_dynamic_glibc(file: &File) -> bool {
    interpreter(file).is_some_and(|path| path.ends_with(LOADER))
}

fn interpreter(file: &File) -> Option<Vec<u8>> {
    let mut header = [0; HEADER];
    file.read_exact_at(&mut header, 0).ok()?;
    // Magic number, 64 bits, little endian.
    if &header[..6] != b"\x7fELF\x02\x01" || u16_at(&header, 18) != X86_64 {
        return None;
    }
    let (table, size, count) = (
        u64_at(&header, 32),
        u16_at(&header, 54),
        u16_at(&header, 56),
    );
    if usize::from(size) != PROGRAM_HEADER {
        return None;
    }
    for i in 0..u64::from(count) {
        let mut entry = [0; PROGRAM_HEADER];
        file.read_exact_at(&mut entry, table.checked_add(i * PROGRAM_HEADER as u64)?)
            .ok()?;
        if u32::from_le_bytes(entry[..4].try_into().ok()?) == INTERPRETER {
            let mut path = vec![
                0;
                usize::try_from(u64_at(&entry, 32))
                    .ok()
                    .filter(|&length| length < 4096)?
            ];
            file.read_exact_at(&mut path, u64_at(&entry, 8)).ok()?;
            return Some(path);
        }
    }
    None
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_program_is_dynamic_and_a_text_is_not() {
        assert_eq!(
            is_dynamic_glibc(&File::open("/bin/sh").unwrap()),
            cfg!(target_arch = "x86_64")
        );
        assert!(!is_dynamic_glibc(&File::open("Cargo.toml").unwrap()));
    }
}
