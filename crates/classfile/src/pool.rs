//! The constant pool: read, looked up, and added to.
//!
//! Entries never move or change; additions go to the end or reuse an equal entry. So everything that refers to a constant
//! by its index can be copied verbatim.

mod add;
mod constant;
mod index;
mod read;

use std::sync::OnceLock;

use crate::error::{Error, ErrorKind};
use crate::utf8;

pub use constant::Constant;
use index::Index;

/// The constants of a class. Index 0 and the second half of a long or double are [`Constant::Gap`].
#[derive(Clone, Debug)]
pub struct ConstantPool<'a> {
    constants: Vec<Constant<'a>>,
    /// The bytes of the entries that were read, for writing them back.
    raw: &'a [u8],
    /// How many of the constants `raw` holds.
    read: usize,
    /// The texts that are not plain UTF-8, by index; made when the first of them is asked for.
    decoded: OnceLock<Vec<(u16, String)>>,
    index: Option<Index>,
    short_code: bool,
}

/// A field or method as an instruction names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemberRef<'p> {
    /// The class or array type, in the form of a class constant.
    pub owner: &'p str,
    /// The member's name.
    pub name: &'p str,
    /// Its descriptor.
    pub descriptor: &'p str,
    /// Whether the owner is named as an interface.
    pub interface: bool,
}

impl<'a> ConstantPool<'a> {
    /// A pool without entries.
    pub fn empty() -> ConstantPool<'a> {
        ConstantPool {
            constants: vec![Constant::Gap],
            raw: &[],
            read: 1,
            decoded: OnceLock::new(),
            index: None,
            short_code: false,
        }
    }

    /// Whether methods use the short code header of class versions before 45.3.
    pub(crate) fn short_code(&self) -> bool {
        self.short_code
    }

    /// One more than the highest index, as the class file counts.
    pub fn count(&self) -> u16 {
        // Reading and adding both keep the pool within the format's limit.
        self.constants.len() as u16
    }

    /// All constants with their indices, without gaps.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &Constant<'a>)> {
        let all = self.constants.iter().enumerate();
        all.filter(|(_, constant)| !matches!(constant, Constant::Gap))
            .map(|(index, constant)| (index as u16, constant))
    }

    /// The constant at an index; an index outside the pool, 0 and gaps are errors.
    pub fn get(&self, index: u16) -> Result<&Constant<'a>, Error> {
        match self.constants.get(usize::from(index)) {
            Some(constant) if !matches!(constant, Constant::Gap) => Ok(constant),
            _ => Err(self.mismatch(index, "a constant")),
        }
    }

    /// The bytes of a text.
    pub fn utf8_bytes(&self, index: u16) -> Result<&[u8], Error> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::Utf8(bytes)) => Ok(bytes),
            _ => Err(self.mismatch(index, "a text")),
        }
    }

    /// A text. Surrogates without a partner are U+FFFD in it; [`ConstantPool::utf8_bytes`] has them.
    pub fn utf8(&self, index: u16) -> Result<&str, Error> {
        let bytes = self.utf8_bytes(index)?;
        match str::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(_) => Ok(self.decoded(index)),
        }
    }

    /// A text that reading or adding has checked; empty for any other index.
    pub(crate) fn text(&self, index: u16) -> &str {
        self.utf8(index).unwrap_or_default()
    }

    fn decoded(&self, index: u16) -> &str {
        let decoded = self.decoded.get_or_init(|| {
            let texts = self.iter().filter_map(|(index, constant)| match constant {
                Constant::Utf8(bytes) if str::from_utf8(bytes).is_err() => {
                    Some((index, utf8::decode(bytes)?.into_owned()))
                }
                _ => None,
            });
            texts.collect()
        });
        match decoded.binary_search_by_key(&index, |(at, _)| *at) {
            Ok(at) => &decoded[at].1,
            Err(_) => "",
        }
    }

    /// Whether the constant is this text.
    pub fn is_utf8(&self, index: u16, text: &str) -> bool {
        self.utf8_bytes(index)
            .is_ok_and(|bytes| bytes == text.as_bytes())
    }

    /// The name of a class constant, such as `java/lang/String` or `[I`.
    pub fn class_name(&self, index: u16) -> Result<&str, Error> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::Class(name)) => self.utf8(*name),
            _ => Err(self.mismatch(index, "a class")),
        }
    }

    /// The name of a module or package constant.
    pub fn module_or_package_name(&self, index: u16) -> Result<&str, Error> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::Module(name) | Constant::Package(name)) => self.utf8(*name),
            _ => Err(self.mismatch(index, "a module or package")),
        }
    }

    /// The text of a string constant.
    pub fn string(&self, index: u16) -> Result<&str, Error> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::String(text)) => self.utf8(*text),
            _ => Err(self.mismatch(index, "a string")),
        }
    }

    /// The name and the descriptor of a pair of them.
    pub fn name_and_type(&self, index: u16) -> Result<(&str, &str), Error> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::NameAndType(name, descriptor)) => {
                Ok((self.utf8(*name)?, self.utf8(*descriptor)?))
            }
            _ => Err(self.mismatch(index, "a name and type")),
        }
    }

    /// A field, method or interface method.
    pub fn member(&self, index: u16) -> Result<MemberRef<'_>, Error> {
        let (class, pair, interface) = match self.constants.get(usize::from(index)) {
            Some(Constant::Field(class, pair) | Constant::Method(class, pair)) => {
                (*class, *pair, false)
            }
            Some(Constant::InterfaceMethod(class, pair)) => (*class, *pair, true),
            _ => return Err(self.mismatch(index, "a field or method")),
        };
        let (name, descriptor) = self.name_and_type(pair)?;
        let owner = self.class_name(class)?;
        Ok(MemberRef {
            owner,
            name,
            descriptor,
            interface,
        })
    }

    /// The bootstrap method's number, the name and the descriptor of a dynamic constant or call site.
    pub fn dynamic(&self, index: u16) -> Result<(u16, &str, &str), Error> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::Dynamic(method, pair) | Constant::InvokeDynamic(method, pair)) => {
                let (name, descriptor) = self.name_and_type(*pair)?;
                Ok((*method, name, descriptor))
            }
            _ => Err(self.mismatch(index, "a dynamic constant or call site")),
        }
    }

    /// That the constant at `index` is not what is wanted. The offset is that of the constant, or of the pool's end.
    pub(crate) fn mismatch(&self, index: u16, wanted: &'static str) -> Error {
        let found = match self.constants.get(usize::from(index)) {
            Some(constant) => constant.kind(),
            None => "missing",
        };
        let kind = ErrorKind::Constant {
            index,
            found,
            wanted,
        };
        Error::at(self.offset(index), kind)
    }

    /// Where a constant starts in the file.
    pub fn offset(&self, index: u16) -> usize {
        let before = self.constants.iter().take(usize::from(index));
        10 + before.map(Constant::size).sum::<usize>()
    }

    /// Appends the count and the entries.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.count().to_be_bytes());
        out.extend_from_slice(self.raw);
        for constant in &self.constants[self.read..] {
            constant.write(out);
        }
    }

    /// How many bytes [`ConstantPool::write`] appends.
    pub(crate) fn size(&self) -> usize {
        let added = self.constants[self.read..].iter().map(Constant::size);
        2 + self.raw.len() + added.sum::<usize>()
    }
}

#[cfg(test)]
mod tests;
