//! Reading big-endian numbers from bytes with a place for errors.
//!
//! Knows nothing about class files.

use crate::error::{Error, ErrorKind};

/// Reads bytes from the front to the back.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    base: usize,
}

impl<'a> Reader<'a> {
    /// Reads `bytes`, which start at byte `base` of the file.
    pub(crate) fn new(bytes: &'a [u8], base: u32) -> Reader<'a> {
        Reader {
            bytes,
            at: 0,
            base: base as usize,
        }
    }

    /// The byte of the file that comes next.
    pub(crate) fn offset(&self) -> u32 {
        u32::try_from(self.base + self.at).unwrap_or(u32::MAX)
    }

    /// How many bytes were read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..length) else {
            let missing = (length - rest.len()) as u64;
            return Err(self.error(ErrorKind::Truncated { missing }));
        };
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let taken = self.take(N)?;
        Ok(taken.try_into().expect("take gives as many bytes as asked"))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// A list of `count` numbers.
    pub(crate) fn u16s(&mut self, count: u16) -> Result<Vec<u16>, Error> {
        let bytes = self.take(usize::from(count) * 2)?;
        Ok(bytes
            .chunks_exact(2)
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
            .collect())
    }

    /// Fails unless everything was read.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            extra => Err(self.error(ErrorKind::Trailing {
                extra: extra as u64,
            })),
        }
    }

    /// An error at the next byte.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::at(self.base + self.at, kind)
    }
}

/// The length of a list of a class file.
///
/// # Panics
/// When the list is longer than the format allows. No parsed list is.
pub(crate) fn count(length: usize) -> [u8; 2] {
    u16::try_from(length)
        .expect("a list of a class file has at most 65535 entries")
        .to_be_bytes()
}
