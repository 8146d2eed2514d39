//! Jars: the entries of a zip archive, the manifest, and the classes a given Java version sees.
//!
//! Reads the central directory as the JDK does: an archive may follow other bytes, and among entries of one name the last
//! one counts. Signatures are found, not verified. Nothing here writes archives or follows `Class-Path`.
//!
//! Bounds: an archive has at most [`MOST_ENTRIES`] entries, an entry at most [`MOST_ENTRY_BYTES`] when unpacked, all entries
//! together at most [`MOST_BYTES`]. An entry never unpacks to more than the directory says.

mod directory;
mod manifest;
mod select;

use std::borrow::Cow;

pub use manifest::{Manifest, Section};
pub use select::{Selected, base_name};

/// So many entries an archive may have.
pub const MOST_ENTRIES: u64 = 1 << 20;
/// So large an unpacked entry may be.
pub const MOST_ENTRY_BYTES: u64 = 1 << 28;
/// So large all entries of an archive may be together, unpacked.
pub const MOST_BYTES: u64 = 1 << 33;

/// A jar, or a part of it, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{kind} at byte {offset}", place(.entry))]
pub struct JarError {
    /// The byte of the archive at which reading failed.
    pub offset: u64,
    /// The entry that fails; empty when the archive itself does.
    pub entry: String,
    /// What is wrong.
    pub kind: JarErrorKind,
}

fn place(entry: &str) -> String {
    match entry {
        "" => String::new(),
        name => format!("entry `{name}`: "),
    }
}

/// What is wrong at a byte of a jar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JarErrorKind {
    /// No archive ends here.
    #[error("not a zip archive, its end record is missing")]
    NoEnd,
    /// A record points outside the archive or ends early.
    #[error("the archive ends early or a record points outside it")]
    Truncated,
    /// A record does not start with its signature.
    #[error("a record does not start as it must")]
    Record,
    /// The archive has too many entries.
    #[error("{found} entries, where {MOST_ENTRIES} are allowed")]
    Entries {
        /// How many the directory promises.
        found: u64,
    },
    /// The entry is too large.
    #[error("{found} bytes unpacked, where {limit} are allowed")]
    Size {
        /// How many the directory promises.
        found: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// The entry is packed in a way that Java does not read.
    #[error("unknown packing method `{method}`")]
    Method {
        /// The method's number.
        method: u16,
    },
    /// The entry is encrypted.
    #[error("the entry is encrypted")]
    Encrypted,
    /// The packed bytes are broken, or give more or fewer bytes than promised.
    #[error("the packed data is broken")]
    Broken,
    /// The unpacked bytes have another checksum.
    #[error("the checksum is wrong")]
    Checksum,
    /// A line of the manifest is malformed.
    #[error("malformed line {line} of the manifest")]
    Manifest {
        /// The line, counted from 1.
        line: usize,
    },
}

/// One entry of the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The name; folders end with `/`. Bytes that are no UTF-8 are replaced.
    pub name: Cow<'a, str>,
    /// How many bytes it has unpacked.
    pub size: u64,
    packed: u64,
    method: u16,
    encrypted: bool,
    checksum: u32,
    /// Where its local header is.
    header: u64,
}

impl Entry<'_> {
    fn error(&self, offset: u64, kind: JarErrorKind) -> JarError {
        JarError {
            offset,
            entry: self.name.clone().into_owned(),
            kind,
        }
    }
}

/// A jar in memory.
#[derive(Clone, Debug)]
pub struct Jar<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry<'a>>,
    /// The entries that count, by name.
    sorted: Vec<u32>,
}

impl<'a> Jar<'a> {
    /// Reads the directory.
    pub fn parse(bytes: &'a [u8]) -> Result<Jar<'a>, JarError> {
        let entries = directory::read(bytes)?;
        let mut sorted: Vec<u32> = (0..entries.len() as u32).collect();
        let name = |at: &u32| &entries[*at as usize].name;
        // Later entries of a name come first, and only the first is kept.
        sorted.sort_by(|a, b| name(a).cmp(name(b)).then(b.cmp(a)));
        sorted.dedup_by(|a, b| name(a) == name(b));
        Ok(Jar {
            bytes,
            entries,
            sorted,
        })
    }

    /// The entries in order of name, each name once. Folders are among them.
    pub fn entries(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.sorted.iter().map(|at| &self.entries[*at as usize])
    }

    /// The entry of this name.
    pub fn find(&self, name: &str) -> Option<&Entry<'a>> {
        let found = self
            .sorted
            .binary_search_by(|at| (*self.entries[*at as usize].name).cmp(name));
        found.ok().map(|at| &self.entries[self.sorted[at] as usize])
    }

    /// The unpacked bytes of an entry of this jar.
    pub fn read(&self, entry: &Entry<'a>) -> Result<Cow<'a, [u8]>, JarError> {
        let (start, packed) = directory::content(self.bytes, entry)?;
        let unpacked = match entry.method {
            0 if packed.len() as u64 == entry.size => Cow::Borrowed(packed),
            0 => return Err(entry.error(start, JarErrorKind::Broken)),
            8 => {
                let unpacked = inflate(packed, entry.size as usize);
                Cow::Owned(unpacked.ok_or_else(|| entry.error(start, JarErrorKind::Broken))?)
            }
            method => return Err(entry.error(start, JarErrorKind::Method { method })),
        };
        match crc32fast::hash(&unpacked) == entry.checksum {
            true => Ok(unpacked),
            false => Err(entry.error(start, JarErrorKind::Checksum)),
        }
    }

    /// The manifest, if there is one.
    pub fn manifest(&self) -> Result<Option<Manifest>, JarError> {
        // Java finds the manifest whatever the case of its name.
        let entry = self
            .find("META-INF/MANIFEST.MF")
            .or_else(|| self.entries().find(|entry| is_manifest(&entry.name)));
        let Some(entry) = entry else { return Ok(None) };
        let bytes = self.read(entry)?;
        let manifest = Manifest::parse(&String::from_utf8_lossy(&bytes));
        let error = |line| entry.error(entry.header, JarErrorKind::Manifest { line });
        manifest.map(Some).map_err(error)
    }

    /// The signature files of a signed jar; empty for others.
    pub fn signatures(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries().filter(|entry| {
            let name = entry.name.to_ascii_uppercase();
            let file = name.strip_prefix("META-INF/");
            file.is_some_and(|file| {
                let (_, kind) = file.rsplit_once('.').unwrap_or_default();
                !file.contains('/') && matches!(kind, "SF" | "RSA" | "DSA" | "EC")
            })
        })
    }
}

fn is_manifest(name: &str) -> bool {
    name.eq_ignore_ascii_case("META-INF/MANIFEST.MF")
}

/// Unpacks to exactly `size` bytes.
fn inflate(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    // One packed byte gives at most 1,032 bytes, so a false size cannot reserve much more than there is.
    let possible = packed.len().saturating_mul(1032).saturating_add(1032);
    if size > possible {
        return None;
    }
    let unpacked = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, size).ok()?;
    (unpacked.len() == size).then_some(unpacked)
}
