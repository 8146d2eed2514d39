//! Applies an insertion plan to one method.
//!
//! Gives the new content of the `Code` attribute, or says why there is none; the class is not changed here, but for
//! constants that frames need.

use super::emit::Emitter;
use super::layout::Layout;
use super::plan::Plan;
use super::shape::Shape;
use super::tables::{self, Handlers};
use super::{Refused, annotations, frames};
use crate::code::Code;
use crate::error::{Error, ErrorKind};
use crate::frames::Frames;
use crate::pool::ConstantPool;

/// Room for the work on one method, used again for the next.
#[derive(Debug, Default)]
pub(super) struct Workshop {
    pub shape: Shape,
    layout: Layout,
}

impl Workshop {
    /// The new content of the `Code` attribute. The shape must be that of `code`.
    pub(super) fn apply(
        &mut self,
        code: &Code,
        frames: Option<&Frames>,
        plan: &mut Plan,
        pool: &mut ConstantPool,
    ) -> Result<Vec<u8>, Refused> {
        plan.finish(&self.shape);
        self.layout.compute(&code.bytes, &self.shape, plan)?;
        let stack = code.max_stack.checked_add(plan.stack);
        let locals = code.max_locals.checked_add(plan.local.is_some().into());
        let (Some(stack), Some(locals)) = (stack, locals) else {
            return Err(Refused::TooLarge);
        };
        let size = self.layout.total as usize + code.handlers.len() * 8;
        let mut out = Vec::with_capacity(size + size / 2 + 64);
        if code.short && (stack > 255 || locals > 255) {
            return Err(Refused::TooLarge);
        }
        match code.short {
            true => {
                out.extend([stack as u8, locals as u8]);
                out.extend((self.layout.total as u16).to_be_bytes());
            }
            false => {
                out.extend(stack.to_be_bytes());
                out.extend(locals.to_be_bytes());
                out.extend(self.layout.total.to_be_bytes());
            }
        }
        let emitter = Emitter {
            code: &code.bytes,
            shape: &self.shape,
            plan,
            layout: &self.layout,
        };
        emitter.emit(&mut out);
        let handlers = tables::handlers(&code.handlers, &self.layout)?;
        out.extend((handlers.handlers.len() as u16).to_be_bytes());
        for part in handlers.handlers.iter().flatten() {
            out.extend(part.to_be_bytes());
        }
        self.attributes(code, frames, plan, &handlers, pool, &mut out)?;
        Ok(out)
    }

    fn attributes(
        &self,
        code: &Code,
        frames: Option<&Frames>,
        plan: &Plan,
        handlers: &Handlers,
        pool: &mut ConstantPool,
        out: &mut Vec<u8>,
    ) -> Result<(), Refused> {
        let start = out.len();
        let mut count = 0u16;
        out.extend([0, 0]);
        let layout = &self.layout;
        for attribute in &code.attributes {
            let name = pool.utf8_bytes(attribute.name).unwrap_or_default();
            // Offsets that nobody reads any more; wrong ones would be worse than none.
            if matches!(
                name,
                b"StackMap" | b"CharacterRangeTable" | b"CoverageTable"
            ) {
                continue;
            }
            count += 1;
            out.extend(attribute.name.to_be_bytes());
            if name == b"StackMapTable"
                && let Some(frames) = frames
            {
                let moved = frames::moved(frames, layout, plan.local, pool)?;
                out.extend((moved.len() as u32).to_be_bytes());
                out.extend_from_slice(&moved);
                continue;
            }
            out.extend((attribute.info.len() as u32).to_be_bytes());
            let from = out.len();
            out.extend_from_slice(&attribute.info);
            let info = &mut out[from..];
            let moved = match name {
                b"LineNumberTable" => tables::lines(info, layout),
                b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                    tables::variables(info, layout)
                }
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    annotations::shift(info, layout, &handlers.first)
                }
                _ => Some(()),
            };
            moved.ok_or_else(|| {
                let what = "an attribute of code does not follow the format";
                let kind = ErrorKind::Attribute { what };
                Refused::Malformed(Error::at(attribute.offset as usize, kind))
            })?;
        }
        out[start..start + 2].copy_from_slice(&count.to_be_bytes());
        Ok(())
    }
}
