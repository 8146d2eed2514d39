//! Completes the code of a new method: fills in the jumps, writes frames and handlers.

use std::borrow::Cow;

use super::{BuildError, CodeBuilder, Label};
use crate::attribute::Attribute;
use crate::code::{Code, Handler};
use crate::error::PoolFull;
use crate::frames::{Form, FrameWriter};
use crate::member::Member;
use crate::pool::ConstantPool;

impl CodeBuilder {
    /// The method, and the content of its `Code`.
    pub(super) fn finish(
        mut self,
        pool: &mut ConstantPool,
    ) -> Result<(Member<'static>, Vec<u8>), BuildError> {
        if self.bytes.is_empty() || self.bytes.len() > usize::from(u16::MAX) {
            return Err(self.too_long(pool));
        }
        self.fill()?;
        let mut attributes = Vec::new();
        if !self.frames.is_empty() {
            attributes.push(Attribute {
                name: pool.add_utf8("StackMapTable")?,
                info: Cow::Owned(self.stack_map(pool)?),
                offset: 0,
            });
        }
        let code = Code {
            max_stack: self.max_stack,
            max_locals: self.max_locals,
            handlers: self.finish_handlers()?,
            bytes: Cow::Owned(self.bytes),
            attributes,
            offset: 0,
            short: false,
        };
        code.check(pool)?;
        Ok((self.member, code.write()))
    }

    fn fill(&mut self) -> Result<(), BuildError> {
        for jump in &self.jumps {
            let place = self.labels[jump.label.0 as usize];
            let to = place.ok_or(BuildError::NoPlace { from: jump.from })?;
            let distance = to as i32 - jump.from as i32;
            let at = jump.at as usize;
            if jump.wide {
                self.bytes[at..at + 4].copy_from_slice(&distance.to_be_bytes());
            } else {
                let far = BuildError::TooFar {
                    from: jump.from,
                    to,
                };
                let distance = i16::try_from(distance).map_err(|_| far)?;
                self.bytes[at..at + 2].copy_from_slice(&distance.to_be_bytes());
            }
        }
        Ok(())
    }

    fn stack_map(&self, pool: &mut ConstantPool) -> Result<Vec<u8>, PoolFull> {
        let mut writer = FrameWriter::new(&self.entry);
        for frame in &self.frames {
            writer.push(pool, frame.offset, Form::Short, &frame.locals, &frame.stack)?;
        }
        Ok(writer.finish())
    }

    fn finish_handlers(&self) -> Result<Vec<Handler>, BuildError> {
        let place = |label: &Label| {
            let place = self.labels[label.0 as usize];
            let no_place = BuildError::NoPlace { from: 0 };
            // The code is at most 65,535 bytes long.
            place.map(|place| place as u16).ok_or(no_place)
        };
        let handlers = self.handlers.iter().map(|(start, end, target, class)| {
            Ok(Handler {
                start: place(start)?,
                end: place(end)?,
                target: place(target)?,
                class: *class,
            })
        });
        handlers.collect()
    }
}
