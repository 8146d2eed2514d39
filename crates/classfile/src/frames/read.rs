//! Reads the `StackMapTable` of a method into expanded frames.

use std::ops::Range;

use super::{Form, Frame, Frames, VerificationType};
use crate::class::ClassFile;
use crate::code::Code;
use crate::descriptor::{Kind, MethodType};
use crate::error::{Error, ErrorKind};
use crate::member::Member;
use crate::pool::ConstantPool;
use crate::reader::Reader;

/// Expanded frames of one method may hold so many types. Real methods stay far below; a made-up one could ask for gigabytes.
const MOST_TYPES: usize = 1 << 22;

impl Frames {
    /// Reads the frames of a method. Without a `StackMapTable` only the frame at entry is there.
    pub fn parse(class: &ClassFile, method: &Member, code: &Code) -> Result<Frames, Error> {
        let mut frames = Frames::entry(&class.pool, class.this_class, method)?;
        let Some(attribute) = code.attribute(&class.pool, "StackMapTable") else {
            return Ok(frames);
        };
        let mut reader = attribute.reader();
        let count = reader.u16()?;
        frames
            .list
            .reserve(usize::from(count).min(attribute.info.len()));
        let length = code.bytes.len() as u32;
        for _ in 0..count {
            let start = reader.clone();
            let frame = frames.frame(&mut reader, &class.pool, length)?;
            if frame.offset >= length {
                return Err(start.error(malformed("a frame lies outside the code")));
            }
            frames.list.push(frame);
            if frames.types.len() > MOST_TYPES {
                return Err(start.error(malformed("the frames hold over 4194304 types")));
            }
        }
        reader.finish()?;
        Ok(frames)
    }

    /// Only the frame at a method's entry, from its descriptor.
    pub(crate) fn entry(
        pool: &ConstantPool,
        this_class: u16,
        method: &Member,
    ) -> Result<Frames, Error> {
        const STATIC: u16 = 0x0008;
        let Ok(descriptor) = MethodType::parse(method.descriptor(pool)) else {
            let kind = malformed("the descriptor of a method with code is malformed");
            return Err(Error::at(pool.offset(method.descriptor), kind));
        };
        let mut types = Vec::new();
        if method.access & STATIC == 0 {
            let object = pool
                .class_name(this_class)
                .is_ok_and(|name| name == "java/lang/Object");
            types.push(match pool.is_utf8(method.name, "<init>") && !object {
                true => VerificationType::UninitializedThis,
                false => VerificationType::Object(this_class),
            });
        }
        for (number, parameter) in descriptor.parameters().enumerate() {
            types.push(match parameter.kind() {
                Kind::Long => VerificationType::Long,
                Kind::Double => VerificationType::Double,
                Kind::Float => VerificationType::Float,
                // A method has at most 255 parameters.
                Kind::Object | Kind::Array => VerificationType::Parameter(number as u8),
                _ => VerificationType::Integer,
            });
        }
        Ok(Frames {
            list: Vec::new(),
            initial: 0..types.len() as u32,
            types,
            descriptor: method.descriptor,
        })
    }

    fn frame(
        &mut self,
        reader: &mut Reader,
        pool: &ConstantPool,
        length: u32,
    ) -> Result<Frame, Error> {
        let start = reader.clone();
        let tag = reader.u8()?;
        let delta = match tag {
            0..=63 => u16::from(tag),
            64..=127 => u16::from(tag - 64),
            128..=246 => return Err(start.error(malformed("unknown kind of frame"))),
            _ => reader.u16()?,
        };
        let (locals, form) = match tag {
            248..=250 => (self.chop(251 - tag, &start)?, Form::Short),
            252..=254 => {
                let added = u16::from(tag - 251);
                (self.append(added, reader, pool, length)?, Form::Short)
            }
            255 => {
                let count = reader.u16()?;
                (self.read(count, reader, pool, length)?, Form::Full)
            }
            247 | 251 if delta < 64 => (self.last_locals(), Form::Extended),
            _ => (self.last_locals(), Form::Short),
        };
        let stack = match tag {
            64..=127 | 247 => self.read(1, reader, pool, length)?,
            255 => {
                let count = reader.u16()?;
                self.read(count, reader, pool, length)?
            }
            _ => 0..0,
        };
        let offset = match self.list.last() {
            Some(last) => last.offset + u32::from(delta) + 1,
            None => u32::from(delta),
        };
        Ok(Frame {
            offset,
            form,
            locals,
            stack,
        })
    }

    fn last_locals(&self) -> Range<u32> {
        match self.list.last() {
            Some(frame) => frame.locals.clone(),
            None => self.initial.clone(),
        }
    }

    fn chop(&self, count: u8, start: &Reader) -> Result<Range<u32>, Error> {
        let last = self.last_locals();
        match last.len() < usize::from(count) {
            true => Err(start.error(malformed("a frame drops more locals than there are"))),
            false => Ok(last.start..last.end - u32::from(count)),
        }
    }

    fn append(
        &mut self,
        count: u16,
        reader: &mut Reader,
        pool: &ConstantPool,
        length: u32,
    ) -> Result<Range<u32>, Error> {
        let last = self.last_locals();
        // Types that end the list can be followed by the new ones; others are copied.
        if last.end as usize == self.types.len() {
            let added = self.read(count, reader, pool, length)?;
            return Ok(last.start..added.end);
        }
        let start = self.types.len() as u32;
        self.types
            .extend_from_within(last.start as usize..last.end as usize);
        let added = self.read(count, reader, pool, length)?;
        Ok(start..added.end)
    }

    fn read(
        &mut self,
        count: u16,
        reader: &mut Reader,
        pool: &ConstantPool,
        length: u32,
    ) -> Result<Range<u32>, Error> {
        let start = self.types.len() as u32;
        for _ in 0..count {
            self.types.push(read_type(reader, pool, length)?);
        }
        Ok(start..self.types.len() as u32)
    }
}

fn read_type(
    reader: &mut Reader,
    pool: &ConstantPool,
    length: u32,
) -> Result<VerificationType, Error> {
    let start = reader.clone();
    let found = match reader.u8()? {
        0 => VerificationType::Top,
        1 => VerificationType::Integer,
        2 => VerificationType::Float,
        3 => VerificationType::Double,
        4 => VerificationType::Long,
        5 => VerificationType::Null,
        6 => VerificationType::UninitializedThis,
        7 => {
            let index = reader.u16()?;
            if let Err(error) = pool.class_name(index) {
                let offset = start.offset();
                return Err(Error { offset, ..error });
            }
            VerificationType::Object(index)
        }
        8 => match reader.u16()? {
            offset if u32::from(offset) < length => VerificationType::Uninitialized(offset),
            _ => return Err(start.error(malformed("a type names an offset outside the code"))),
        },
        _ => return Err(start.error(malformed("unknown verification type"))),
    };
    Ok(found)
}

fn malformed(what: &'static str) -> ErrorKind {
    ErrorKind::Attribute { what }
}
