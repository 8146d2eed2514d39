//! The frames of a method: what the verifier is told about the local variables and the stack at jump targets.
//!
//! Frames are read expanded, each with all its types, and written again in the form they had. Nothing is inferred: a frame is
//! only ever copied, moved or padded.

mod read;
mod write;

use std::ops::Range;

pub use write::FrameWriter;

/// The type of a local variable or of a value on the stack. Longs and doubles are one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerificationType {
    /// Unknown or unusable.
    Top,
    /// An int, also for the smaller integer types.
    Integer,
    /// A float.
    Float,
    /// A double.
    Double,
    /// A long.
    Long,
    /// The null reference.
    Null,
    /// The receiver of a constructor before it has called another one.
    UninitializedThis,
    /// An object of the class that a class constant names.
    Object(u16),
    /// An object that `new` made at this offset and that no constructor has seen yet.
    Uninitialized(u16),
    /// An object of the type that the method's descriptor gives to this parameter, counted from 0 without the receiver. The
    /// pool may have no class constant for it; [`FrameWriter`] adds one where it has to be spelled out.
    Parameter(u8),
}

/// How a frame is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As short as possible.
    Short,
    /// With an offset of two bytes, though one would do.
    Extended,
    /// With all its types.
    Full,
}

/// One frame. Its types are in [`Frames`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The instruction it describes.
    pub offset: u32,
    /// How it was written.
    pub form: Form,
    locals: Range<u32>,
    stack: Range<u32>,
}

/// The frames of a method, in order of offset, and the frame at its entry.
#[derive(Clone, Debug)]
pub struct Frames {
    /// The frames in the file; the implicit one at entry is not among them.
    pub list: Vec<Frame>,
    types: Vec<VerificationType>,
    initial: Range<u32>,
    /// The text of the method's descriptor.
    descriptor: u16,
}

impl Frames {
    /// The types of the local variables at the method's entry.
    pub fn initial(&self) -> &[VerificationType] {
        self.types(&self.initial)
    }

    /// The types of the local variables of a frame of this method.
    pub fn locals(&self, frame: &Frame) -> &[VerificationType] {
        self.types(&frame.locals)
    }

    /// The types on the stack of a frame of this method, the top last.
    pub fn stack(&self, frame: &Frame) -> &[VerificationType] {
        self.types(&frame.stack)
    }

    /// The frame at an offset.
    pub fn at(&self, offset: u32) -> Option<&Frame> {
        let found = self
            .list
            .binary_search_by_key(&offset, |frame| frame.offset);
        found.ok().map(|at| &self.list[at])
    }

    fn types(&self, range: &Range<u32>) -> &[VerificationType] {
        let range = range.start as usize..range.end as usize;
        self.types.get(range).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
