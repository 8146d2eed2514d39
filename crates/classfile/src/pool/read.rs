//! Reading a constant pool, with all checks that need no other part of the class.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::{Constant, ConstantPool};
use crate::error::{Error, ErrorKind};
use crate::reader::Reader;
use crate::utf8;

impl<'a> ConstantPool<'a> {
    /// Reads the count and the entries. Afterwards every entry refers to entries of the right kind, and every text decodes.
    pub(crate) fn read(
        reader: &mut Reader<'a>,
        short_code: bool,
    ) -> Result<ConstantPool<'a>, Error> {
        let count = usize::from(reader.u16()?);
        let mut all = reader.clone();
        let start = reader.position();
        let mut constants = Vec::with_capacity(count.max(1));
        constants.push(Constant::Gap);
        while constants.len() < count {
            let at = reader.offset() as usize;
            let constant = read(reader, constants.len() as u16)?;
            let width = constant.width();
            if constants.len() + width > count.max(1) {
                let kind = ErrorKind::Constant {
                    index: constants.len() as u16,
                    found: constant.kind(),
                    wanted: "a constant of one place",
                };
                return Err(Error::at(at, kind));
            }
            constants.push(constant);
            if width == 2 {
                constants.push(Constant::Gap);
            }
        }
        let pool = ConstantPool {
            read: constants.len(),
            constants,
            raw: all.take(reader.position() - start)?,
            decoded: OnceLock::new(),
            index: None,
            short_code,
        };
        pool.check()?;
        Ok(pool)
    }

    /// Checks that the entries refer to entries of the right kind.
    fn check(&self) -> Result<(), Error> {
        for (index, constant) in self.constants.iter().enumerate() {
            if let Some((wrong, wanted)) = self.wrong_reference(constant) {
                // The offset of the entry that refers, the index of the one referred to.
                let mut error = self.mismatch(wrong, wanted);
                error.offset = u32::try_from(self.offset(index as u16)).unwrap_or(u32::MAX);
                return Err(error);
            }
        }
        Ok(())
    }

    fn wrong_reference(&self, constant: &Constant) -> Option<(u16, &'static str)> {
        let kind = |index: u16, wanted: &'static str| {
            let found = self.constants.get(usize::from(index));
            match found.is_some_and(|constant| constant.kind() == wanted) {
                true => None,
                false => Some((index, wanted)),
            }
        };
        match *constant {
            Constant::Class(text)
            | Constant::String(text)
            | Constant::MethodType(text)
            | Constant::Module(text)
            | Constant::Package(text) => kind(text, "a text"),
            Constant::NameAndType(name, descriptor) => {
                kind(name, "a text").or_else(|| kind(descriptor, "a text"))
            }
            Constant::Field(class, pair)
            | Constant::Method(class, pair)
            | Constant::InterfaceMethod(class, pair) => {
                kind(class, "a class").or_else(|| kind(pair, "a name and type"))
            }
            Constant::Dynamic(_, pair) | Constant::InvokeDynamic(_, pair) => {
                kind(pair, "a name and type")
            }
            Constant::MethodHandle(_, member) => match self.constants.get(usize::from(member)) {
                Some(
                    Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..),
                ) => None,
                _ => Some((member, "a field or method")),
            },
            _ => None,
        }
    }
}

fn read<'a>(reader: &mut Reader<'a>, index: u16) -> Result<Constant<'a>, Error> {
    let start = reader.clone();
    let constant = match reader.u8()? {
        1 => {
            let length = usize::from(reader.u16()?);
            let bytes = reader.take(length)?;
            if !bytes.is_ascii() && str::from_utf8(bytes).is_err() && utf8::units(bytes).is_none() {
                return Err(start.error(ErrorKind::Utf8 { index }));
            }
            Constant::Utf8(Cow::Borrowed(bytes))
        }
        3 => Constant::Integer(reader.u32()? as i32),
        4 => Constant::Float(reader.u32()?),
        5 => Constant::Long(reader.u64()? as i64),
        6 => Constant::Double(reader.u64()?),
        7 => Constant::Class(reader.u16()?),
        8 => Constant::String(reader.u16()?),
        9 => Constant::Field(reader.u16()?, reader.u16()?),
        10 => Constant::Method(reader.u16()?, reader.u16()?),
        11 => Constant::InterfaceMethod(reader.u16()?, reader.u16()?),
        12 => Constant::NameAndType(reader.u16()?, reader.u16()?),
        15 => Constant::MethodHandle(reader.u8()?, reader.u16()?),
        16 => Constant::MethodType(reader.u16()?),
        17 => Constant::Dynamic(reader.u16()?, reader.u16()?),
        18 => Constant::InvokeDynamic(reader.u16()?, reader.u16()?),
        19 => Constant::Module(reader.u16()?),
        20 => Constant::Package(reader.u16()?),
        tag => return Err(start.error(ErrorKind::Tag { tag })),
    };
    Ok(constant)
}
