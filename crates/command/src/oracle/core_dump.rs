//! The top frames of a crash, read from a core file (64-bit x86 Linux): the functions of the program that were running.
//!
//! There is no unwinding. The program counter and the words on the stack that point into the program's code are looked up in
//! its symbol table; the first [`FRAMES`] functions identify the crash. Where the kernel hands core files to a handler, or the
//! program has no symbols, there are no frames, and the signal alone identifies the crash.

use object::{Object, ObjectKind, ObjectSymbol, SymbolKind};
use std::path::Path;

/// How many functions identify a crash.
const FRAMES: usize = 2;
/// How far up the stack is looked, in bytes.
const STACK: usize = 64 << 10;
/// Offsets in the kernel's `elf_prstatus` of the program counter and the stack pointer.
const PROGRAM_COUNTER: usize = 240;
const STACK_POINTER: usize = 264;

const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
const NT_PRSTATUS: u32 = 1;
const NT_FILE: u32 = 0x4649_4c45;

/// What a core file says of the crashed thread.
#[derive(Debug, Default)]
struct Crash {
    program_counter: u64,
    stack_pointer: u64,
    /// Where the program's file is mapped: start, end, offset in the file.
    mappings: Vec<(u64, u64, u64)>,
    /// Memory that the core holds: address, range in the core.
    memory: Vec<(u64, usize, usize)>,
}

/// The functions of `program` on top of the stack, innermost first; empty where the core does not tell.
pub fn top_frames(core: &[u8], program: &Path, file: &[u8]) -> Vec<String> {
    read(core, program)
        .and_then(|crash| frames(&crash, core, file))
        .unwrap_or_default()
}

fn frames(crash: &Crash, core: &[u8], file: &[u8]) -> Option<Vec<String>> {
    let object = object::File::parse(file).ok()?;
    let first = crash
        .mappings
        .iter()
        .map(|(start, _, offset)| start - offset)
        .min()?;
    let base = if object.kind() == ObjectKind::Executable {
        0
    } else {
        first
    };
    let inside = |address: u64| {
        crash
            .mappings
            .iter()
            .any(|(start, end, _)| (*start..*end).contains(&address))
    };
    let function = |address: u64| {
        let address = address.checked_sub(base)?;
        let mut symbols = object
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text);
        let symbol = symbols.find(|s| (s.address()..s.address() + s.size()).contains(&address))?;
        symbol
            .name()
            .ok()
            .filter(|name| !name.starts_with('_'))
            .map(str::to_owned)
    };
    let mut frames: Vec<String> = Vec::new();
    // A return address points behind the call, which may be behind the function's end.
    let words = stack_words(crash, core).map(|word| word.wrapping_sub(1));
    for address in std::iter::once(crash.program_counter).chain(words) {
        if frames.len() == FRAMES || frames.last().is_some_and(|name| name == "main") {
            break;
        }
        let found = if inside(address) {
            function(address)
        } else {
            None
        };
        frames.extend(found.filter(|name| frames.last() != Some(name)));
    }
    Some(frames)
}

fn stack_words<'a>(crash: &Crash, core: &'a [u8]) -> impl Iterator<Item = u64> + 'a {
    let pointer = crash.stack_pointer;
    let stack = crash.memory.iter().find_map(|&(address, start, length)| {
        let skip = usize::try_from(pointer.checked_sub(address)?).ok()?;
        (skip < length).then(|| &core[start + skip..start + length])
    });
    let stack = stack.unwrap_or_default();
    let words = stack[..stack.len().min(STACK)].chunks_exact(8);
    words.map(|word| u64::from_le_bytes(word.try_into().expect("chunks of eight bytes")))
}

fn read(core: &[u8], program: &Path) -> Option<Crash> {
    if core.get(..5)? != b"\x7fELF\x02" {
        return None;
    }
    let headers = usize::try_from(number(core, 32, 8)?).ok()?;
    let size = number(core, 54, 2)? as usize;
    let mut crash = Crash::default();
    for index in 0..number(core, 56, 2)? as usize {
        let header = core.get(headers.checked_add(index * size)?..)?;
        let field = |at: usize| usize::try_from(number(header, at, 8)?).ok();
        let (offset, length) = (field(8)?, field(32)?);
        let end = offset.checked_add(length)?.min(core.len());
        match number(header, 0, 4)? as u32 {
            PT_NOTE => read_notes(core.get(offset..end)?, program, &mut crash)?,
            PT_LOAD if offset < end => {
                crash
                    .memory
                    .push((number(header, 16, 8)?, offset, end - offset))
            }
            _ => {}
        }
    }
    Some(crash)
}

/// Notes: name and contents are padded to four bytes. The first thread's status is that of the one that crashed.
fn read_notes(mut notes: &[u8], program: &Path, crash: &mut Crash) -> Option<()> {
    while notes.len() >= 12 {
        let (name, length) = (number(notes, 0, 4)? as usize, number(notes, 4, 4)? as usize);
        let start = 12 + name.next_multiple_of(4);
        let contents = notes.get(start..start.checked_add(length)?)?;
        match number(notes, 8, 4)? as u32 {
            NT_PRSTATUS if crash.program_counter == 0 => {
                crash.program_counter = number(contents, PROGRAM_COUNTER, 8)?;
                crash.stack_pointer = number(contents, STACK_POINTER, 8)?;
            }
            NT_FILE => read_mappings(contents, program, crash)?,
            _ => {}
        }
        notes = notes
            .get(start + length.next_multiple_of(4)..)
            .unwrap_or_default();
    }
    Some(())
}

/// The table of mapped files: a count, a page size, three numbers per mapping, then the names.
fn read_mappings(table: &[u8], program: &Path, crash: &mut Crash) -> Option<()> {
    let count = usize::try_from(number(table, 0, 8)?).ok()?;
    let page = number(table, 8, 8)?;
    let names = table.get(16usize.checked_add(count.checked_mul(24)?)?..)?;
    for (index, name) in names.split(|byte| *byte == 0).take(count).enumerate() {
        let at = 16 + index * 24;
        let mapping = (
            number(table, at, 8)?,
            number(table, at + 8, 8)?,
            number(table, at + 16, 8)?.checked_mul(page)?,
        );
        // The sandbox may show the file under another folder; the name is enough to tell it from libraries.
        let name = String::from_utf8_lossy(name);
        if Path::new(name.as_ref()).file_name() == program.file_name() {
            crash.mappings.push(mapping);
        }
    }
    Some(())
}

/// A little-endian number of `width` bytes.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |value, byte| value << 8 | u64::from(*byte)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn broken_cores_give_no_frames_and_no_panic(mut bytes: Vec<u8>, seed: bool) {
            if seed && bytes.len() > 64 {
                bytes[..5].copy_from_slice(b"\x7fELF\x02");
            }
            prop_assert!(top_frames(&bytes, Path::new("/x/program"), &bytes).is_empty());
        }
    }
}
