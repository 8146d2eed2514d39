//! Numbers and texts as the worker's protocol writes them.
//!
//! Numbers are 7 bits per byte, the lowest first, or in big-endian order where their size is fixed. The Java side has the same
//! in `In` and `Out`.

/// A reply that does not follow the protocol: the subject wrote into the worker's output, or the worker is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the worker's reply is broken at byte {at}")]
pub struct Broken {
    /// Where.
    pub at: usize,
}

/// Appends a number, 7 bits per byte.
pub fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a signed number so that small ones are short.
pub fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put_number(bytes, ((number << 1) ^ (number >> 63)) as u64);
}

/// Appends a text.
pub fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Reads a reply.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads from the start.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// What is wrong here.
    pub fn broken(&self) -> Broken {
        Broken { at: self.at }
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8, Broken> {
        let byte = *self.bytes.get(self.at).ok_or(self.broken())?;
        self.at += 1;
        Ok(byte)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..count).ok_or(self.broken())?;
        self.at += count;
        Ok(taken)
    }

    /// A number of 32 bits.
    pub fn number(&mut self) -> Result<u32, Broken> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.broken())
    }

    /// A number that counts something, each of which takes at least this many bytes.
    pub fn count(&mut self, size: usize) -> Result<usize, Broken> {
        let count = self.number()? as usize;
        if count.saturating_mul(size) > self.bytes.len() - self.at {
            return Err(self.broken());
        }
        Ok(count)
    }

    /// A number of 64 bits.
    pub fn bits(&mut self) -> Result<u64, Broken> {
        let taken = self.take(8)?;
        let bytes = taken.try_into().map_err(|_| self.broken())?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// A text as its UTF-16 units, and how long it was before it was cut.
    pub fn units(&mut self) -> Result<(Vec<u16>, usize), Broken> {
        let length = self.number()? as usize;
        let shown = self.number()? as usize;
        let taken = self.take(shown.checked_mul(2).ok_or(self.broken())?)?;
        let units = taken
            .chunks_exact(2)
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
            .collect();
        Ok((units, length))
    }

    /// A text; what is not valid Unicode is replaced.
    pub fn text(&mut self) -> Result<String, Broken> {
        let (units, _) = self.units()?;
        Ok(String::from_utf16_lossy(&units))
    }

    /// Whether everything was read.
    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were_written() {
        for number in [0, 1, 127, 128, 16_383, 16_384, u32::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, u64::from(number));
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.number(), Ok(number));
            assert!(reader.is_at_end());
        }
    }

    #[test]
    fn small_signed_numbers_are_short() {
        for (number, length) in [(0, 1), (-1, 1), (63, 1), (-64, 1), (64, 2), (i64::MIN, 10)] {
            let mut bytes = Vec::new();
            put_signed(&mut bytes, number);
            assert_eq!(bytes.len(), length, "{number}");
        }
    }

    #[test]
    fn a_reply_that_is_cut_off_is_broken_and_not_a_panic() {
        let whole = [0x85, 0x01, 1, 1, 0, 65];
        for length in 0..whole.len() {
            let mut reader = Reader::new(&whole[..length]);
            let read = reader.number().and_then(|_| reader.text());
            assert!(read.is_err(), "{length}");
        }
        assert!(Reader::new(&[0xff; 9]).number().is_err());
    }
}
