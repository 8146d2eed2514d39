//! Moves the frames of a method and gives islands theirs.
//!
//! A frame keeps its shape and only its offset changes. An island gets the frame of the instruction it goes to, and an added
//! local pads every frame. Types are never inferred: where a target has no frame, its islands have none either, and the
//! verifier says of it what it said before.

use super::Refused;
use super::layout::Layout;
use crate::frames::{Form, Frame, FrameWriter, Frames, VerificationType};
use crate::pool::ConstantPool;

/// The content of the new `StackMapTable`.
pub(super) fn moved(
    frames: &Frames,
    layout: &Layout,
    local: Option<u16>,
    pool: &mut ConstantPool,
) -> Result<Vec<u8>, Refused> {
    let mut mover = Mover {
        writer: FrameWriter::new(frames),
        frames,
        layout,
        local,
        locals: Vec::new(),
        stack: Vec::new(),
    };
    let mut islands = layout.order.iter().map(|number| {
        let island = &layout.islands[*number as usize];
        (island.at, frames.at(island.target))
    });
    let mut island = islands.next();
    for frame in &frames.list {
        let at = layout.label(frame.offset);
        while let Some((place, copied)) = island.filter(|(place, _)| *place < at) {
            mover.push(place, copied, pool)?;
            island = islands.next();
        }
        mover.push(at, Some(frame), pool)?;
    }
    while let Some((place, copied)) = island {
        mover.push(place, copied, pool)?;
        island = islands.next();
    }
    Ok(mover.writer.finish())
}

struct Mover<'m> {
    writer: FrameWriter,
    frames: &'m Frames,
    layout: &'m Layout,
    local: Option<u16>,
    locals: Vec<VerificationType>,
    stack: Vec<VerificationType>,
}

impl Mover<'_> {
    fn push(
        &mut self,
        at: u32,
        frame: Option<&Frame>,
        pool: &mut ConstantPool,
    ) -> Result<(), Refused> {
        let Some(frame) = frame else {
            return Ok(());
        };
        shift(self.frames.locals(frame), self.layout, &mut self.locals);
        shift(self.frames.stack(frame), self.layout, &mut self.stack);
        if let Some(local) = self.local {
            let used: usize = self.locals.iter().map(slots).sum();
            let padding = usize::from(local).saturating_sub(used);
            let length = self.locals.len() + padding;
            self.locals.resize(length, VerificationType::Top);
            self.locals.push(VerificationType::Integer);
        }
        self.writer
            .push(pool, at, Form::Short, &self.locals, &self.stack)?;
        Ok(())
    }
}

/// Copies types and moves the offsets of `new` instructions among them.
fn shift(types: &[VerificationType], layout: &Layout, moved: &mut Vec<VerificationType>) {
    moved.clear();
    moved.extend(types.iter().map(|found| match found {
        // The new code is at most 65,535 bytes long.
        VerificationType::Uninitialized(pc) => {
            VerificationType::Uninitialized(layout.at((*pc).into()) as u16)
        }
        other => *other,
    }));
}

fn slots(found: &VerificationType) -> usize {
    match found {
        VerificationType::Long | VerificationType::Double => 2,
        _ => 1,
    }
}
