//! The records of a zip archive: the end, the central directory, the local headers.
//!
//! Follows the zip application note as far as Java reads it: stored and deflated entries, the 64-bit extension, no spanning.

use super::{Entry, JarError, JarErrorKind, MOST_BYTES, MOST_ENTRIES, MOST_ENTRY_BYTES};

const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const LOCAL: u32 = 0x0403_4b50;

/// Little-endian numbers of the archive.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(self, at: u64, length: u64) -> Result<&'a [u8], JarError> {
        let range = usize::try_from(at).ok().zip(usize::try_from(length).ok());
        let found = range.and_then(|(at, length)| self.0.get(at..at.checked_add(length)?));
        found.ok_or_else(|| error(at.min(self.0.len() as u64), JarErrorKind::Truncated))
    }

    fn number(self, at: u64, length: u64) -> Result<u64, JarError> {
        let bytes = self.take(at, length)?;
        Ok(bytes
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn starts(self, at: u64, signature: u32) -> Result<(), JarError> {
        match self.number(at, 4)? == u64::from(signature) {
            true => Ok(()),
            false => Err(error(at, JarErrorKind::Record)),
        }
    }
}

fn error(offset: u64, kind: JarErrorKind) -> JarError {
    JarError {
        offset,
        entry: String::new(),
        kind,
    }
}

/// Where the directory is, and how many entries it has.
struct End {
    entries: u64,
    directory: u64,
    /// What must be added to the offsets in the archive, when other bytes come before it.
    base: u64,
}

/// Reads the central directory.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Entry<'_>>, JarError> {
    let bytes = Bytes(bytes);
    let end = find_end(bytes)?;
    if end.entries > MOST_ENTRIES {
        let found = end.entries;
        return Err(error(end.directory, JarErrorKind::Entries { found }));
    }
    let mut entries = Vec::new();
    let mut at = end.directory;
    let mut total = 0;
    for _ in 0..end.entries {
        let (entry, next) = read_entry(bytes, at, end.base)?;
        total += entry.size;
        for (found, limit) in [(entry.size, MOST_ENTRY_BYTES), (total, MOST_BYTES)] {
            if found > limit {
                return Err(entry.error(at, JarErrorKind::Size { found, limit }));
            }
        }
        entries.push(entry);
        at = next;
    }
    Ok(entries)
}

fn find_end(bytes: Bytes) -> Result<End, JarError> {
    let length = bytes.0.len() as u64;
    let lowest = length.saturating_sub(22 + u64::from(u16::MAX));
    let mut at = length
        .checked_sub(22)
        .ok_or_else(|| error(0, JarErrorKind::NoEnd))?;
    // The comment of the archive fills exactly what follows its end record.
    while bytes.number(at, 4)? != u64::from(END) || at + 22 + bytes.number(at + 20, 2)? != length {
        if at == lowest {
            return Err(error(length, JarErrorKind::NoEnd));
        }
        at -= 1;
    }
    let (entries, size, offset) = (
        bytes.number(at + 10, 2)?,
        bytes.number(at + 12, 4)?,
        bytes.number(at + 16, 4)?,
    );
    if (entries == 0xffff || size == 0xffff_ffff || offset == 0xffff_ffff)
        && let Some(end) = find_end_64(bytes, at)?
    {
        return Ok(end);
    }
    place(entries, size, offset, at)
}

/// The end record of the 64-bit extension, if its locator comes before the end record.
fn find_end_64(bytes: Bytes, end: u64) -> Result<Option<End>, JarError> {
    let Some(locator) = end.checked_sub(20) else {
        return Ok(None);
    };
    if bytes.starts(locator, LOCATOR_64).is_err() {
        return Ok(None);
    }
    // Other bytes may come before the archive, so the record is also looked for just before its locator.
    let written = bytes.number(locator + 8, 8)?;
    let places = [Some(written), locator.checked_sub(56)];
    let found = places
        .into_iter()
        .flatten()
        .find(|at| bytes.starts(*at, END_64).is_ok());
    let at = found.ok_or_else(|| error(locator, JarErrorKind::Record))?;
    let (entries, size, offset) = (
        bytes.number(at.saturating_add(32), 8)?,
        bytes.number(at.saturating_add(40), 8)?,
        bytes.number(at.saturating_add(48), 8)?,
    );
    place(entries, size, offset, at).map(Some)
}

/// The directory ends where its end record starts.
fn place(entries: u64, size: u64, offset: u64, end: u64) -> Result<End, JarError> {
    let wrong = || error(end, JarErrorKind::Truncated);
    let directory = end.checked_sub(size).ok_or_else(wrong)?;
    let base = directory.checked_sub(offset).ok_or_else(wrong)?;
    Ok(End {
        entries,
        directory,
        base,
    })
}

fn read_entry<'a>(bytes: Bytes<'a>, at: u64, base: u64) -> Result<(Entry<'a>, u64), JarError> {
    bytes.starts(at, CENTRAL)?;
    let lengths = [
        bytes.number(at + 28, 2)?,
        bytes.number(at + 30, 2)?,
        bytes.number(at + 32, 2)?,
    ];
    let name = bytes.take(at + 46, lengths[0])?;
    let extra = (at + 46 + lengths[0], lengths[1]);
    let mut wide = [
        bytes.number(at + 24, 4)?,
        bytes.number(at + 20, 4)?,
        bytes.number(at + 42, 4)?,
    ];
    if wide.contains(&0xffff_ffff) {
        widen(bytes, extra, &mut wide)?;
    }
    let [size, packed, header] = wide;
    let entry = Entry {
        name: String::from_utf8_lossy(name),
        size,
        packed,
        method: bytes.number(at + 10, 2)? as u16,
        encrypted: bytes.number(at + 8, 2)? & 1 == 1,
        checksum: bytes.number(at + 16, 4)? as u32,
        header: header.saturating_add(base),
    };
    let next = at + 46 + lengths.iter().sum::<u64>();
    Ok((entry, next))
}

/// Takes the numbers that do not fit 32 bits from the extra field.
fn widen(bytes: Bytes, extra: (u64, u64), wide: &mut [u64; 3]) -> Result<(), JarError> {
    let (mut at, end) = (extra.0, extra.0 + extra.1);
    while at + 4 <= end {
        let (kind, length) = (bytes.number(at, 2)?, bytes.number(at + 2, 2)?);
        at += 4;
        if kind == 1 {
            for number in wide.iter_mut().filter(|number| **number == 0xffff_ffff) {
                *number = bytes.number(at, 8)?;
                at += 8;
            }
            return Ok(());
        }
        at += length;
    }
    Ok(())
}

/// The packed bytes of an entry, and where they start.
pub(super) fn content<'a>(bytes: &'a [u8], entry: &Entry<'a>) -> Result<(u64, &'a [u8]), JarError> {
    let bytes = Bytes(bytes);
    let at = entry.header.min(bytes.0.len() as u64);
    if entry.encrypted {
        return Err(entry.error(at, JarErrorKind::Encrypted));
    }
    let find = || {
        bytes.starts(at, LOCAL)?;
        let (name, extra) = (bytes.number(at + 26, 2)?, bytes.number(at + 28, 2)?);
        let start = at + 30 + name + extra;
        Ok((start, bytes.take(start, entry.packed)?))
    };
    find().map_err(|error: JarError| entry.error(error.offset, error.kind))
}
