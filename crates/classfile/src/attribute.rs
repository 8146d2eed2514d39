//! Attributes as they are in the file: a name and bytes.
//!
//! What the bytes mean is read on demand by `Code` and by the modules that need an attribute's content.

use std::borrow::Cow;

use crate::error::Error;
use crate::pool::ConstantPool;
use crate::reader::{Reader, count};

/// An attribute of a class, a member or a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// The text that names it.
    pub name: u16,
    /// Its content, verbatim.
    pub info: Cow<'a, [u8]>,
    /// Where the content starts in the file, for error messages.
    pub offset: u32,
}

impl<'a> Attribute<'a> {
    /// The attribute's name.
    pub fn name<'p>(&self, pool: &'p ConstantPool) -> &'p str {
        pool.text(self.name)
    }

    /// The attribute of this name in a list.
    pub fn find<'b>(
        attributes: &'b [Attribute<'a>],
        pool: &ConstantPool,
        name: &str,
    ) -> Option<&'b Attribute<'a>> {
        attributes
            .iter()
            .find(|attribute| pool.is_utf8(attribute.name, name))
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader::new(&self.info, self.offset)
    }

    /// Reads a list of attributes with its count. Their names are texts afterwards.
    pub(crate) fn read_all(
        reader: &mut Reader<'a>,
        pool: &ConstantPool,
    ) -> Result<Vec<Attribute<'a>>, Error> {
        let count = reader.u16()?;
        // A wrong count must not reserve much memory, and most lists are short.
        let mut attributes = Vec::with_capacity(usize::from(count.min(16)));
        for _ in 0..count {
            let at = reader.offset();
            let name = reader.u16()?;
            if let Err(mut error) = pool.utf8_bytes(name) {
                error.offset = at;
                return Err(error);
            }
            let length = reader.u32()?;
            let offset = reader.offset();
            let info = Cow::Borrowed(reader.take(length as usize)?);
            attributes.push(Attribute { name, info, offset });
        }
        Ok(attributes)
    }

    /// Appends a list of attributes with its count.
    ///
    /// # Panics
    /// When the list or an attribute is larger than the format allows. No parsed one is.
    pub(crate) fn write_all(attributes: &[Attribute], out: &mut Vec<u8>) {
        out.extend(count(attributes.len()));
        for attribute in attributes {
            let length = u32::try_from(attribute.info.len())
                .expect("an attribute is smaller than 4 GiB, like the class it is in");
            out.extend(attribute.name.to_be_bytes());
            out.extend(length.to_be_bytes());
            out.extend_from_slice(&attribute.info);
        }
    }

    /// How many bytes [`Attribute::write_all`] appends.
    pub(crate) fn size_all(attributes: &[Attribute]) -> usize {
        let sizes = attributes.iter().map(|attribute| 6 + attribute.info.len());
        2 + sizes.sum::<usize>()
    }
}
