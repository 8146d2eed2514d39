//! Writes frames, each relative to the one before.

use super::{Form, Frames, VerificationType};
use crate::descriptor::MethodType;
use crate::error::PoolFull;
use crate::pool::ConstantPool;

/// Collects the frames of one method, in order of offset, into the content of a `StackMapTable`.
#[derive(Clone, Debug)]
pub struct FrameWriter {
    out: Vec<u8>,
    count: u16,
    /// The offset of the last frame.
    offset: Option<u32>,
    /// The locals of the last frame.
    locals: Vec<VerificationType>,
    descriptor: u16,
    /// The class constants of parameters that were needed so far; 0 for others.
    classes: Vec<u16>,
}

impl FrameWriter {
    /// Starts with the frame at entry of a method.
    pub fn new(frames: &Frames) -> FrameWriter {
        FrameWriter {
            out: vec![0, 0],
            count: 0,
            offset: None,
            locals: frames.initial().to_vec(),
            descriptor: frames.descriptor,
            classes: Vec::new(),
        }
    }

    /// Adds a frame. Its form is a wish: a frame that has no short form is written in full.
    ///
    /// # Panics
    /// When the offset is not greater than the last one or is over 65,535, or when a list is that long.
    pub fn push(
        &mut self,
        pool: &mut ConstantPool,
        offset: u32,
        form: Form,
        locals: &[VerificationType],
        stack: &[VerificationType],
    ) -> Result<(), PoolFull> {
        let delta = match self.offset {
            Some(last) => offset.checked_sub(last + 1),
            None => Some(offset),
        };
        let delta = delta
            .and_then(|delta| u16::try_from(delta).ok())
            .expect("frames come in order of offset, inside the code");
        self.offset = Some(offset);
        self.count += 1;
        let tag = match form {
            Form::Full => 255,
            _ => self.tag(delta, form, locals, stack),
        };
        self.out.push(tag);
        if tag >= 128 {
            self.out.extend(delta.to_be_bytes());
        }
        match tag {
            0..=247 => self.types(pool, stack)?,
            252..=254 => self.types(pool, &locals[self.locals.len()..])?,
            255 => {
                self.out.extend(length(locals));
                self.types(pool, locals)?;
                self.out.extend(length(stack));
                self.types(pool, stack)?;
            }
            _ => {}
        }
        // Only the part that changed is copied.
        let same = self.locals.iter().zip(locals);
        let kept = same.take_while(|(old, new)| old == new).count();
        self.locals.truncate(kept);
        self.locals.extend_from_slice(&locals[kept..]);
        Ok(())
    }

    /// The shortest kind of frame that describes this one.
    fn tag(
        &self,
        delta: u16,
        form: Form,
        locals: &[VerificationType],
        stack: &[VerificationType],
    ) -> u8 {
        let short = delta < 64 && form == Form::Short;
        let before = &self.locals[..];
        let common = before.len().min(locals.len());
        if stack.len() > 1 || before[..common] != locals[..common] {
            return 255;
        }
        let (more, fewer) = (locals.len() - common, before.len() - common);
        match (stack.len(), more, fewer) {
            (0, 0, 0) if short => delta as u8,
            (0, 0, 0) => 251,
            (1, 0, 0) if short => 64 + delta as u8,
            (1, 0, 0) => 247,
            (0, 1..=3, 0) => 251 + more as u8,
            (0, 0, 1..=3) => 251 - fewer as u8,
            _ => 255,
        }
    }

    fn types(
        &mut self,
        pool: &mut ConstantPool,
        types: &[VerificationType],
    ) -> Result<(), PoolFull> {
        for found in types {
            let (tag, index) = match *found {
                VerificationType::Top => (0, None),
                VerificationType::Integer => (1, None),
                VerificationType::Float => (2, None),
                VerificationType::Double => (3, None),
                VerificationType::Long => (4, None),
                VerificationType::Null => (5, None),
                VerificationType::UninitializedThis => (6, None),
                VerificationType::Object(index) => (7, Some(index)),
                VerificationType::Uninitialized(offset) => (8, Some(offset)),
                VerificationType::Parameter(number) => (7, Some(self.class(pool, number)?)),
            };
            self.out.push(tag);
            if let Some(index) = index {
                self.out.extend(index.to_be_bytes());
            }
        }
        Ok(())
    }

    /// The class constant of a parameter's type.
    fn class(&mut self, pool: &mut ConstantPool, number: u8) -> Result<u16, PoolFull> {
        let at = usize::from(number);
        if let Some(known) = self.classes.get(at).filter(|known| **known != 0) {
            return Ok(*known);
        }
        let descriptor = MethodType::parse(pool.text(self.descriptor));
        let parameter = descriptor.ok().and_then(|descriptor| {
            let name = descriptor.parameters().nth(usize::from(number))?;
            name.constant_name().map(str::to_owned)
        });
        let name = parameter.expect("only parameters that are objects are marked");
        let class = pool.scan_class(&name)?;
        self.classes.resize(self.classes.len().max(at + 1), 0);
        self.classes[at] = class;
        Ok(class)
    }

    /// How many frames there are.
    pub fn count(&self) -> u16 {
        self.count
    }

    /// The content of the attribute.
    pub fn finish(mut self) -> Vec<u8> {
        self.out[..2].copy_from_slice(&self.count.to_be_bytes());
        self.out
    }
}

fn length(types: &[VerificationType]) -> [u8; 2] {
    crate::reader::count(types.len())
}
