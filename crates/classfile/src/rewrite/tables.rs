//! Moves the offsets in exception handlers, line tables and tables of local variables.
//!
//! The tables keep their size, so numbers are changed in a copy. Only handlers may grow in number: islands in the middle of
//! the code are cut out of their ranges, because an island has the locals of its target and not of its surroundings.

use super::Refused;
use super::layout::Layout;
use crate::code::Handler;

/// The handlers of the new code, and for each old handler the number of its first piece.
pub(super) struct Handlers {
    pub handlers: Vec<[u16; 4]>,
    pub first: Vec<u16>,
}

pub(super) fn handlers(old: &[Handler], layout: &Layout) -> Result<Handlers, Refused> {
    let mut moved = Handlers {
        handlers: Vec::with_capacity(old.len()),
        first: Vec::with_capacity(old.len()),
    };
    for handler in old {
        moved.first.push(moved.handlers.len() as u16);
        let target = layout.label(handler.target.into());
        let (mut start, end) = (
            layout.label(handler.start.into()),
            layout.end(handler.end.into()),
        );
        let mut piece = |start: u32, end: u32| {
            if start < end {
                let parts = [start, end, target].map(|part| part as u16);
                let [start, end, target] = parts;
                moved.handlers.push([start, end, target, handler.class]);
            }
        };
        if layout.scattered {
            for point in &layout.points {
                if point.pool < point.end && start <= point.pool && point.pool < end {
                    piece(start, point.pool);
                    start = point.end;
                }
            }
        }
        piece(start, end);
    }
    match moved.handlers.len() > usize::from(u16::MAX) {
        true => Err(Refused::TooLarge),
        false => Ok(moved),
    }
}

/// Moves a `LineNumberTable`; `None` where it is malformed.
pub(super) fn lines(info: &mut [u8], layout: &Layout) -> Option<()> {
    for entry in entries(info, 4)? {
        let pc = number(entry, 0);
        put(entry, 0, layout.label(check(pc, layout)?));
    }
    Some(())
}

/// Moves a `LocalVariableTable` or `LocalVariableTypeTable`; `None` where it is malformed.
pub(super) fn variables(info: &mut [u8], layout: &Layout) -> Option<()> {
    for entry in entries(info, 10)? {
        range(entry, layout)?;
    }
    Some(())
}

/// Moves the start and length of a range at the front of an entry.
pub(super) fn range(entry: &mut [u8], layout: &Layout) -> Option<()> {
    let start = number(entry, 0);
    let end = check(start + number(entry, 2), layout)?;
    let label = layout.label(start);
    put(entry, 0, label);
    put(entry, 2, layout.label(end) - label);
    Some(())
}

/// The lines of a method with the offset at which each starts, as the file has them.
pub(super) fn read_lines(info: &[u8], lines: &mut Vec<(u32, u16)>) {
    for entry in info.get(2..).unwrap_or_default().chunks_exact(4) {
        lines.push((number(entry, 0), number(entry, 2) as u16));
    }
}

fn entries(info: &mut [u8], size: usize) -> Option<std::slice::ChunksExactMut<'_, u8>> {
    let (count, rest) = info.split_at_mut_checked(2)?;
    let count = number(count, 0) as usize;
    (rest.len() == count * size).then(|| rest.chunks_exact_mut(size))
}

pub(super) fn check(pc: u32, layout: &Layout) -> Option<u32> {
    layout.contains(pc).then_some(pc)
}

pub(super) fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]))
}

pub(super) fn put(bytes: &mut [u8], at: usize, value: u32) {
    // Offsets of code are at most 65,535.
    bytes[at..at + 2].copy_from_slice(&(value as u16).to_be_bytes());
}
