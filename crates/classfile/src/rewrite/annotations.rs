//! Moves the offsets in type annotations of code.
//!
//! The annotations keep their size, so numbers are changed in a copy. What the annotations say is only skipped.

use super::layout::Layout;
use super::tables::{check, number, put, range};

/// How deep annotations in annotations may be; deeper ones are taken as malformed.
const DEPTH: u32 = 64;

/// Moves a `RuntimeVisibleTypeAnnotations` or `RuntimeInvisibleTypeAnnotations` of code; `None` where it is malformed.
/// `handlers` has the new number of each exception handler.
pub(super) fn shift(info: &mut [u8], layout: &Layout, handlers: &[u16]) -> Option<()> {
    let mut walk = Walk {
        bytes: info,
        at: 0,
        layout,
        handlers,
    };
    for _ in 0..walk.take_number()? {
        walk.target()?;
        let path = walk.take_byte()?;
        walk.skip(2 * usize::from(path))?;
        walk.annotation(DEPTH)?;
    }
    (walk.at == walk.bytes.len()).then_some(())
}

struct Walk<'w> {
    bytes: &'w mut [u8],
    at: usize,
    layout: &'w Layout,
    handlers: &'w [u16],
}

impl Walk<'_> {
    fn take_byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn take_number(&mut self) -> Option<u32> {
        self.skip(2)?;
        Some(number(self.bytes, self.at - 2))
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.at += count;
        (self.at <= self.bytes.len()).then_some(())
    }

    /// The part of an annotation that says what is annotated.
    fn target(&mut self) -> Option<()> {
        match self.take_byte()? {
            0x40 | 0x41 => {
                for _ in 0..self.take_number()? {
                    self.skip(6)?;
                    range(&mut self.bytes[self.at - 6..self.at], self.layout)?;
                }
            }
            0x42 => {
                let handler = self.take_number()? as usize;
                let new = *self.handlers.get(handler)?;
                put(self.bytes, self.at - 2, new.into());
            }
            kind @ 0x43..=0x4b => {
                let pc = self.take_number()?;
                let new = self.layout.at(check(pc, self.layout)?);
                put(self.bytes, self.at - 2, new);
                if kind >= 0x47 {
                    self.skip(1)?;
                }
            }
            // Targets outside of code.
            0x00 | 0x01 | 0x16 => self.skip(1)?,
            0x10 | 0x11 | 0x12 | 0x17 => self.skip(2)?,
            0x13..=0x15 => {}
            _ => return None,
        }
        Some(())
    }

    fn annotation(&mut self, depth: u32) -> Option<()> {
        self.skip(2)?;
        for _ in 0..self.take_number()? {
            self.skip(2)?;
            self.value(depth)?;
        }
        Some(())
    }

    fn value(&mut self, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match self.take_byte()? {
            b'e' => self.skip(4),
            b'@' => self.annotation(depth),
            b'[' => {
                for _ in 0..self.take_number()? {
                    self.value(depth)?;
                }
                Some(())
            }
            _ => self.skip(2),
        }
    }
}
