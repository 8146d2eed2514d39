//! Attributes about how a class stands to others: nesting, records, call sites.

use crate::attribute::Attribute;
use crate::error::Error;
use crate::pool::ConstantPool;

/// A row of an `InnerClasses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerClass<'p> {
    /// The nested class.
    pub class: &'p str,
    /// The class it is a member of; `None` for local and anonymous classes.
    pub outer: Option<&'p str>,
    /// Its simple name; `None` for anonymous classes.
    pub name: Option<&'p str>,
    /// Its access flags in the source, with `static`, `private` and `protected`.
    pub access: u16,
}

/// The rows of an `InnerClasses`.
pub fn inner_classes<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<Vec<InnerClass<'p>>, Error> {
    let mut reader = attribute.reader();
    let classes = reader.list(|reader| {
        Ok(InnerClass {
            class: reader.class(pool)?,
            outer: reader.optional_class(pool)?,
            name: reader.optional_text(pool)?,
            access: reader.u16()?,
        })
    })?;
    reader.finish()?;
    Ok(classes)
}

/// The content of an `EnclosingMethod`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnclosingMethod<'p> {
    /// The class around.
    pub class: &'p str,
    /// Name and descriptor of the method around, if it is one.
    pub method: Option<(&'p str, &'p str)>,
}

/// The content of an `EnclosingMethod`.
pub fn enclosing_method<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<EnclosingMethod<'p>, Error> {
    let mut reader = attribute.reader();
    let class = reader.class(pool)?;
    let offset = reader.offset();
    let method = match reader.u16()? {
        0 => None,
        index => {
            let found = pool.name_and_type(index);
            Some(found.map_err(|error| Error { offset, ..error })?)
        }
    };
    reader.finish()?;
    Ok(EnclosingMethod { class, method })
}

/// How a dynamic constant or call site is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootstrapMethod {
    /// The method handle constant of the method that makes it.
    pub handle: u16,
    /// The constants given to that method.
    pub arguments: Vec<u16>,
}

/// The rows of a `BootstrapMethods`. Handles and arguments are constants afterwards.
pub fn bootstrap_methods(
    attribute: &Attribute,
    pool: &ConstantPool,
) -> Result<Vec<BootstrapMethod>, Error> {
    let mut reader = attribute.reader();
    let methods = reader.list(|reader| {
        let offset = reader.offset();
        let handle = reader.u16()?;
        let count = reader.u16()?;
        let arguments = reader.u16s(count)?;
        for index in [handle].iter().chain(&arguments) {
            let found = pool.get(*index);
            found.map_err(|error| Error { offset, ..error })?;
        }
        Ok(BootstrapMethod { handle, arguments })
    })?;
    reader.finish()?;
    Ok(methods)
}

/// A component of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordComponent<'p, 'b> {
    /// Its name.
    pub name: &'p str,
    /// Its descriptor.
    pub descriptor: &'p str,
    /// Its attributes, such as `Signature` and annotations.
    pub attributes: Vec<Attribute<'b>>,
}

/// The components of a `Record`, in order.
pub fn record_components<'p, 'b>(
    attribute: &'b Attribute,
    pool: &'p ConstantPool,
) -> Result<Vec<RecordComponent<'p, 'b>>, Error> {
    let mut reader = attribute.reader();
    let components = reader.list(|reader| {
        Ok(RecordComponent {
            name: reader.text(pool)?,
            descriptor: reader.text(pool)?,
            attributes: Attribute::read_all(reader, pool)?,
        })
    })?;
    reader.finish()?;
    Ok(components)
}
