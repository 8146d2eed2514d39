//! Fields and methods.

use crate::attribute::Attribute;
use crate::code::Code;
use crate::error::Error;
use crate::pool::ConstantPool;
use crate::reader::{Reader, count};

/// A field or a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The access flags, as in the file.
    pub access: u16,
    /// The text that names it.
    pub name: u16,
    /// The text that describes its type.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
}

impl<'a> Member<'a> {
    /// The member's name.
    pub fn name<'p>(&self, pool: &'p ConstantPool) -> &'p str {
        pool.text(self.name)
    }

    /// The member's descriptor.
    pub fn descriptor<'p>(&self, pool: &'p ConstantPool) -> &'p str {
        pool.text(self.descriptor)
    }

    /// The attribute of this name.
    pub fn attribute(&self, pool: &ConstantPool, name: &str) -> Option<&Attribute<'a>> {
        Attribute::find(&self.attributes, pool, name)
    }

    /// The method's code, checked; `None` for fields and for abstract and native methods.
    pub fn code<'b>(&'b self, pool: &ConstantPool) -> Result<Option<Code<'b>>, Error> {
        self.attribute(pool, "Code")
            .map(|attribute| Code::parse(attribute, pool))
            .transpose()
    }

    /// Reads a list of members with its count. Their names and descriptors are texts afterwards.
    pub(crate) fn read_all(
        reader: &mut Reader<'a>,
        pool: &ConstantPool,
    ) -> Result<Vec<Member<'a>>, Error> {
        let count = reader.u16()?;
        // A wrong count must not reserve much memory.
        let mut members = Vec::with_capacity(usize::from(count.min(256)));
        for _ in 0..count {
            let at = reader.offset();
            let access = reader.u16()?;
            let name = reader.u16()?;
            let descriptor = reader.u16()?;
            for text in [name, descriptor] {
                if let Err(mut error) = pool.utf8_bytes(text) {
                    error.offset = at;
                    return Err(error);
                }
            }
            let attributes = Attribute::read_all(reader, pool)?;
            members.push(Member {
                access,
                name,
                descriptor,
                attributes,
            });
        }
        Ok(members)
    }

    /// Appends a list of members with its count.
    pub(crate) fn write_all(members: &[Member], out: &mut Vec<u8>) {
        out.extend(count(members.len()));
        for member in members {
            out.extend(member.access.to_be_bytes());
            out.extend(member.name.to_be_bytes());
            out.extend(member.descriptor.to_be_bytes());
            Attribute::write_all(&member.attributes, out);
        }
    }

    /// How many bytes [`Member::write_all`] appends.
    pub(crate) fn size_all(members: &[Member]) -> usize {
        let sizes = members
            .iter()
            .map(|member| 6 + Attribute::size_all(&member.attributes));
        2 + sizes.sum::<usize>()
    }
}
