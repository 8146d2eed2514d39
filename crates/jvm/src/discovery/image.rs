//! Reads the JDK's `lib/modules` (a "jimage"): a perfect hash table of resources, so that one class costs two small reads.
//!
//! The format is that of OpenJDK's `imageFile.hpp`, in the byte order of the machine that made it. The index (about 3 MB)
//! is kept, the content is read on demand. Nothing is trusted: every offset is checked. Resources packed by `jlink` with
//! `zip` are unpacked; its `compact-cp` is not read.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: u32 = 0xCAFE_DADA;
const PACKED_MAGIC: u32 = 0xCAFE_FAFA;
const HEADER: usize = 28;
const PACKED_HEADER: usize = 29;
/// No resource of a JDK is near this; more is taken for damage.
const LARGEST: u64 = 64 << 20;

/// What is wrong with an image.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The file could not be read.
    #[error("cannot read it")]
    Read(#[from] io::Error),
    /// The bytes are not an image that we know.
    #[error("not a runtime image: {cause} at byte {offset}")]
    Format {
        /// Where.
        offset: u64,
        /// What.
        cause: &'static str,
    },
    /// A resource was packed in a way that is not read.
    #[error("`{resource}` is packed with `{method}`, which is not read")]
    Packed {
        /// The resource.
        resource: String,
        /// The way.
        method: String,
    },
}

/// An opened image.
#[derive(Debug)]
pub struct Image {
    file: File,
    index: Index,
}

impl Image {
    /// Opens an image and reads its index.
    pub fn open(path: &Path) -> Result<Image, ImageError> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut header = [0; HEADER];
        if length < HEADER as u64 {
            return Err(format_error(length, "the file is too short"));
        }
        file.read_exact_at(&mut header, 0)?;
        let size = Header::parse(&header)?.size();
        if size > length.min(LARGEST) {
            return Err(format_error(0, "the index is larger than the file"));
        }
        let mut bytes = vec![0; size as usize];
        file.read_exact_at(&mut bytes, 0)?;
        Ok(Image {
            file,
            index: Index::parse(bytes)?,
        })
    }

    /// The bytes of a class given in internal form, from whichever module has it.
    pub fn class(&self, name: &str) -> Result<Option<Vec<u8>>, ImageError> {
        let Some((package, base)) = name.rsplit_once('/') else {
            return Ok(None);
        };
        match self.module_of(package)? {
            Some(module) => self.resource(&format!("/{module}/{package}/{base}.class")),
            None => Ok(None),
        }
    }

    /// The module that has a package, given with slashes.
    pub fn module_of(&self, package: &str) -> Result<Option<String>, ImageError> {
        let dotted = package.replace('/', ".");
        let Some(list) = self.resource(&format!("/packages/{dotted}"))? else {
            return Ok(None);
        };
        for pair in list.chunks_exact(8) {
            let number = |at: usize| {
                self.index
                    .order
                    .u32([pair[at], pair[at + 1], pair[at + 2], pair[at + 3]])
            };
            if number(0) == 0 {
                return self.index.string(number(4)).map(Some);
            }
        }
        Ok(None)
    }

    /// The names of all classes in some packages, all with slashes, in ascending order.
    pub fn names_in(&self, packages: &[&str]) -> Result<Vec<String>, ImageError> {
        let mut names = Vec::new();
        for slot in 0..self.index.table {
            let at = HEADER + 4 * (self.index.table as usize + slot as usize);
            let location = self.index.location(self.index.word(at)? as usize)?;
            if self.index.text(location.extension)? != b"class" {
                continue;
            }
            let parent = self.index.text(location.parent)?;
            if let Some(package) = packages.iter().find(|one| one.as_bytes() == parent) {
                let base = self.index.text(location.base)?;
                names.push(format!("{package}/{}", String::from_utf8_lossy(base)));
            }
        }
        names.sort();
        Ok(names)
    }

    /// The bytes of a resource such as `/java.base/java/lang/String.class`.
    pub fn resource(&self, path: &str) -> Result<Option<Vec<u8>>, ImageError> {
        let Some(location) = self.index.find(path)? else {
            return Ok(None);
        };
        let stored = match location.packed {
            0 => location.size,
            packed => packed,
        };
        if stored > LARGEST || location.size > LARGEST {
            return Err(format_error(location.offset, "a resource is too large"));
        }
        let start = self.index.size.checked_add(location.offset);
        let start = start.ok_or(format_error(location.offset, "an offset is too large"))?;
        let mut bytes = vec![0; stored as usize];
        self.file.read_exact_at(&mut bytes, start)?;
        match location.packed {
            0 => Ok(Some(bytes)),
            _ => self.unpack(path, bytes).map(Some),
        }
    }

    /// A packed resource is a stack of headers, each naming how the bytes behind it were packed.
    fn unpack(&self, path: &str, mut bytes: Vec<u8>) -> Result<Vec<u8>, ImageError> {
        loop {
            let Some((header, packed)) = bytes.split_at_checked(PACKED_HEADER) else {
                return Ok(bytes);
            };
            let number = |at: usize| {
                self.index
                    .order
                    .u32([header[at], header[at + 1], header[at + 2], header[at + 3]])
            };
            if number(0) != PACKED_MAGIC {
                return Ok(bytes);
            }
            let method = self.index.string(number(20))?;
            if method != "zip" {
                let resource = path.to_owned();
                return Err(ImageError::Packed { resource, method });
            }
            bytes = inflate(packed)?;
        }
    }
}

fn inflate(packed: &[u8]) -> Result<Vec<u8>, ImageError> {
    let unpacked = decompress_to_vec_zlib_with_limit(packed, LARGEST as usize);
    unpacked.map_err(|_| format_error(0, "a packed resource is broken"))
}

fn format_error(offset: u64, cause: &'static str) -> ImageError {
    ImageError::Format { offset, cause }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Order::Little => u32::from_le_bytes(bytes),
            Order::Big => u32::from_be_bytes(bytes),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Header {
    order: Order,
    table: u32,
    locations: u32,
    strings: u32,
}

impl Header {
    fn parse(bytes: &[u8; HEADER]) -> Result<Header, ImageError> {
        let word = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        let order = match word(0) {
            magic if magic == MAGIC.to_le_bytes() => Order::Little,
            magic if magic == MAGIC.to_be_bytes() => Order::Big,
            _ => return Err(format_error(0, "wrong magic number")),
        };
        if order.u32(word(4)) >> 16 != 1 {
            return Err(format_error(4, "unknown version"));
        }
        Ok(Header {
            order,
            table: order.u32(word(16)),
            locations: order.u32(word(20)),
            strings: order.u32(word(24)),
        })
    }

    fn size(&self) -> u64 {
        HEADER as u64
            + 8 * u64::from(self.table)
            + u64::from(self.locations)
            + u64::from(self.strings)
    }
}

/// The tables at the start of the file.
#[derive(Debug)]
struct Index {
    bytes: Vec<u8>,
    order: Order,
    table: u32,
    locations: usize,
    strings: usize,
    size: u64,
}

/// Where a resource is.
#[derive(Clone, Copy, Debug, Default)]
struct Location {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    offset: u64,
    packed: u64,
    size: u64,
}

impl Index {
    fn parse(bytes: Vec<u8>) -> Result<Index, ImageError> {
        let short = || format_error(bytes.len() as u64, "the index is cut off");
        let header = Header::parse(bytes.first_chunk().ok_or_else(short)?)?;
        if header.size() != bytes.len() as u64 {
            return Err(short());
        }
        let locations = HEADER + 8 * header.table as usize;
        Ok(Index {
            order: header.order,
            table: header.table,
            locations,
            strings: locations + header.locations as usize,
            size: header.size(),
            bytes,
        })
    }

    fn word(&self, at: usize) -> Result<u32, ImageError> {
        let bytes = self.bytes.get(at..).and_then(|rest| rest.first_chunk());
        let bytes = bytes.ok_or(format_error(at as u64, "an offset is too large"))?;
        Ok(self.order.u32(*bytes))
    }

    /// A string of the string table, in bytes.
    fn text(&self, offset: u64) -> Result<&[u8], ImageError> {
        let start = usize::try_from(offset)
            .ok()
            .and_then(|o| o.checked_add(self.strings));
        let rest = start.and_then(|start| self.bytes.get(start..));
        let rest = rest.ok_or(format_error(offset, "a string lies outside"))?;
        let end = rest.iter().position(|&byte| byte == 0);
        let end = end.ok_or(format_error(offset, "a string has no end"))?;
        Ok(&rest[..end])
    }

    fn string(&self, offset: u32) -> Result<String, ImageError> {
        let text = self.text(u64::from(offset))?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    fn find(&self, path: &str) -> Result<Option<Location>, ImageError> {
        if self.table == 0 {
            return Ok(None);
        }
        let slot = hash(path, HASH_SEED) % self.table;
        let redirect = self.word(HEADER + 4 * slot as usize)? as i32;
        let slot = match redirect {
            0 => return Ok(None),
            1.. => hash(path, redirect as u32) % self.table,
            _ => (-1 - redirect) as u32,
        };
        let at = HEADER + 4 * (self.table as usize + slot as usize);
        let location = self.location(self.word(at)? as usize)?;
        Ok(self.is_named(&location, path)?.then_some(location))
    }

    /// Attributes are a byte with kind and length, then the value, most significant byte first; kind 0 ends them.
    fn location(&self, offset: usize) -> Result<Location, ImageError> {
        let mut location = Location::default();
        let cut = format_error(offset as u64, "a location is cut off");
        let area = self.bytes.get(..self.strings).unwrap_or_default();
        let Some(mut rest) = area.get(self.locations.saturating_add(offset)..) else {
            return Err(cut);
        };
        while let [head, tail @ ..] = rest {
            let length = usize::from(head & 7) + 1;
            if head >> 3 == 0 {
                return Ok(location);
            }
            let Some((value, tail)) = tail.split_at_checked(length) else {
                return Err(cut);
            };
            let value = value
                .iter()
                .fold(0, |number, &byte| number << 8 | u64::from(byte));
            match head >> 3 {
                1 => location.module = value,
                2 => location.parent = value,
                3 => location.base = value,
                4 => location.extension = value,
                5 => location.offset = value,
                6 => location.packed = value,
                7 => location.size = value,
                // Newer images may say more about a resource.
                _ => {}
            }
            rest = tail;
        }
        Err(cut)
    }

    fn is_named(&self, location: &Location, path: &str) -> Result<bool, ImageError> {
        let mut name = Vec::with_capacity(path.len());
        let mut add = |before: &str, part: &[u8], after: &str| {
            if !part.is_empty() {
                name.extend_from_slice(before.as_bytes());
                name.extend_from_slice(part);
                name.extend_from_slice(after.as_bytes());
            }
        };
        add("/", self.text(location.module)?, "/");
        add("", self.text(location.parent)?, "/");
        add("", self.text(location.base)?, "");
        add(".", self.text(location.extension)?, "");
        Ok(name == path.as_bytes())
    }
}

const HASH_SEED: u32 = 0x0100_0193;

fn hash(text: &str, seed: u32) -> u32 {
    let mix = |hash: u32, byte: u8| hash.wrapping_mul(HASH_SEED) ^ u32::from(byte);
    text.bytes().fold(seed, mix) & 0x7FFF_FFFF
}
