//! A whole class file.
//!
//! Reading borrows from the bytes; attributes stay bytes until someone asks. Writing what was read gives the same bytes.

use crate::attribute::Attribute;
use crate::error::{Error, ErrorKind};
use crate::member::Member;
use crate::pool::ConstantPool;
use crate::reader::{Reader, count};

const MAGIC: u32 = 0xcafe_babe;

/// A class, interface, annotation type or module description.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    /// The minor version.
    pub minor: u16,
    /// The major version: 45 is Java 1.1, 52 is Java 8, 69 is Java 25.
    pub major: u16,
    /// The constants.
    pub pool: ConstantPool<'a>,
    /// The access flags, as in the file.
    pub access: u16,
    /// The class constant that names this class.
    pub this_class: u16,
    /// The class constant that names the superclass; 0 when there is none.
    pub super_class: u16,
    /// The class constants of the direct superinterfaces.
    pub interfaces: Vec<u16>,
    /// The fields, in file order.
    pub fields: Vec<Member<'a>>,
    /// The methods, in file order.
    pub methods: Vec<Member<'a>>,
    /// The attributes of the class itself.
    pub attributes: Vec<Attribute<'a>>,
}

impl<'a> ClassFile<'a> {
    /// Reads a class file. Everything is checked that can be without looking into attributes.
    pub fn parse(bytes: &'a [u8]) -> Result<ClassFile<'a>, Error> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(Error::at(0, ErrorKind::TooLarge));
        }
        let mut reader = Reader::new(bytes, 0);
        let (major, minor) = version(&mut reader)?;
        let short_code = major == 45 && minor < 3;
        let pool = ConstantPool::read(&mut reader, short_code)?;
        let access = reader.u16()?;
        let this_class = class(&mut reader, &pool)?;
        let super_class = super_class(&mut reader, &pool)?;
        let interfaces = interfaces(&mut reader, &pool)?;
        let fields = Member::read_all(&mut reader, &pool)?;
        let methods = Member::read_all(&mut reader, &pool)?;
        let attributes = Attribute::read_all(&mut reader, &pool)?;
        reader.finish()?;
        Ok(ClassFile {
            minor,
            major,
            pool,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// The bytes of the class file.
    ///
    /// # Panics
    /// When a list is longer than the format allows. No parsed list is.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.size());
        out.extend(MAGIC.to_be_bytes());
        out.extend(self.minor.to_be_bytes());
        out.extend(self.major.to_be_bytes());
        self.pool.write(&mut out);
        out.extend(self.access.to_be_bytes());
        out.extend(self.this_class.to_be_bytes());
        out.extend(self.super_class.to_be_bytes());
        out.extend(count(self.interfaces.len()));
        for interface in &self.interfaces {
            out.extend(interface.to_be_bytes());
        }
        Member::write_all(&self.fields, &mut out);
        Member::write_all(&self.methods, &mut out);
        Attribute::write_all(&self.attributes, &mut out);
        out
    }

    fn size(&self) -> usize {
        16 + self.pool.size()
            + self.interfaces.len() * 2
            + Member::size_all(&self.fields)
            + Member::size_all(&self.methods)
            + Attribute::size_all(&self.attributes)
    }

    /// The class's name, such as `java/lang/String`.
    pub fn name(&self) -> &str {
        self.pool.class_name(self.this_class).unwrap_or_default()
    }

    /// The superclass's name; `None` for `java/lang/Object` and module descriptions.
    pub fn super_name(&self) -> Option<&str> {
        self.pool.class_name(self.super_class).ok()
    }

    /// The names of the direct superinterfaces.
    pub fn interface_names(&self) -> impl Iterator<Item = &str> {
        let names = self.interfaces.iter();
        names.map(|interface| self.pool.class_name(*interface).unwrap_or_default())
    }

    /// The class's own attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        Attribute::find(&self.attributes, &self.pool, name)
    }

    /// The method of this name and descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&Member<'a>> {
        find(&self.methods, &self.pool, name, descriptor)
    }

    /// The field of this name and descriptor.
    pub fn field(&self, name: &str, descriptor: &str) -> Option<&Member<'a>> {
        find(&self.fields, &self.pool, name, descriptor)
    }
}

fn find<'b, 'a>(
    members: &'b [Member<'a>],
    pool: &ConstantPool,
    name: &str,
    descriptor: &str,
) -> Option<&'b Member<'a>> {
    members
        .iter()
        .find(|member| pool.text(member.name) == name && pool.text(member.descriptor) == descriptor)
}

fn version(reader: &mut Reader) -> Result<(u16, u16), Error> {
    let start = reader.clone();
    let found = reader.u32()?;
    if found != MAGIC {
        return Err(start.error(ErrorKind::Magic { found }));
    }
    let start = reader.clone();
    let minor = reader.u16()?;
    let major = reader.u16()?;
    if major < 45 {
        return Err(start.error(ErrorKind::Version { major, minor }));
    }
    Ok((major, minor))
}

fn class(reader: &mut Reader, pool: &ConstantPool) -> Result<u16, Error> {
    let offset = reader.offset();
    let index = reader.u16()?;
    match pool.class_name(index) {
        Ok(_) => Ok(index),
        Err(error) => Err(Error { offset, ..error }),
    }
}

fn super_class(reader: &mut Reader, pool: &ConstantPool) -> Result<u16, Error> {
    match reader.clone().u16() {
        Ok(0) => reader.u16(),
        _ => class(reader, pool),
    }
}

fn interfaces(reader: &mut Reader, pool: &ConstantPool) -> Result<Vec<u16>, Error> {
    let start = reader.clone();
    let count = reader.u16()?;
    let interfaces = reader.u16s(count)?;
    let mut again = start;
    again.u16()?;
    for _ in &interfaces {
        class(&mut again, pool)?;
    }
    Ok(interfaces)
}
