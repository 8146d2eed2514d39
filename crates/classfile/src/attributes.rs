//! What the well-known attributes say.
//!
//! Each function takes an attribute that was found by its name, and reads all of it. Code and frames have their own modules;
//! everything else that nobody asks for stays bytes.

mod annotations;
mod classes;
mod module;
mod tables;

pub use annotations::{
    Annotation, ElementValue, TypeAnnotation, annotation_default, annotations,
    parameter_annotations, type_annotations,
};
pub use classes::{
    BootstrapMethod, EnclosingMethod, InnerClass, RecordComponent, bootstrap_methods,
    enclosing_method, inner_classes, record_components,
};
pub use module::{Module, Provides, Related, Requires, module};
pub use tables::{
    LineNumber, LocalVariable, MethodParameter, line_numbers, local_variables, method_parameters,
};

use crate::attribute::Attribute;
use crate::error::{Error, ErrorKind};
use crate::pool::{Constant, ConstantPool};
use crate::reader::Reader;

/// The text of a `Signature` or `SourceFile`.
pub fn text<'p>(attribute: &Attribute, pool: &'p ConstantPool) -> Result<&'p str, Error> {
    let mut reader = attribute.reader();
    let text = reader.text(pool)?;
    reader.finish()?;
    Ok(text)
}

/// The classes of an `Exceptions`, `NestMembers` or `PermittedSubclasses`.
pub fn class_list<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<Vec<&'p str>, Error> {
    let mut reader = attribute.reader();
    let classes = reader.list(|reader| reader.class(pool))?;
    reader.finish()?;
    Ok(classes)
}

/// The class of a `NestHost` or `ModuleMainClass`.
pub fn class<'p>(attribute: &Attribute, pool: &'p ConstantPool) -> Result<&'p str, Error> {
    let mut reader = attribute.reader();
    let class = reader.class(pool)?;
    reader.finish()?;
    Ok(class)
}

/// The constant of a `ConstantValue`: an int, float, long, double or string.
pub fn constant_value<'p, 'a>(
    attribute: &Attribute,
    pool: &'p ConstantPool<'a>,
) -> Result<&'p Constant<'a>, Error> {
    let mut reader = attribute.reader();
    let offset = reader.offset();
    let index = reader.u16()?;
    reader.finish()?;
    match pool.get(index) {
        Ok(
            constant @ (Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_)
            | Constant::String(_)),
        ) => Ok(constant),
        _ => {
            let error = pool.mismatch(index, "a number or a string");
            Err(Error { offset, ..error })
        }
    }
}

/// Reading constants that an attribute refers to. Errors have the place of the reference.
impl<'a> Reader<'a> {
    /// An index of a constant, looked up; `None` for 0.
    fn optional<'p, T: ?Sized>(
        &mut self,
        find: impl Fn(u16) -> Result<&'p T, Error>,
    ) -> Result<Option<&'p T>, Error> {
        let offset = self.offset();
        match self.u16()? {
            0 => Ok(None),
            index => match find(index) {
                Ok(found) => Ok(Some(found)),
                Err(error) => Err(Error { offset, ..error }),
            },
        }
    }

    fn required<'p, T: ?Sized>(
        &mut self,
        find: impl Fn(u16) -> Result<&'p T, Error>,
    ) -> Result<&'p T, Error> {
        let start = self.clone();
        let what = "a reference to a constant is missing";
        self.optional(find)?
            .ok_or_else(|| start.error(ErrorKind::Attribute { what }))
    }

    fn text<'p>(&mut self, pool: &'p ConstantPool) -> Result<&'p str, Error> {
        self.required(|index| pool.utf8(index))
    }

    fn optional_text<'p>(&mut self, pool: &'p ConstantPool) -> Result<Option<&'p str>, Error> {
        self.optional(|index| pool.utf8(index))
    }

    fn class<'p>(&mut self, pool: &'p ConstantPool) -> Result<&'p str, Error> {
        self.required(|index| pool.class_name(index))
    }

    fn optional_class<'p>(&mut self, pool: &'p ConstantPool) -> Result<Option<&'p str>, Error> {
        self.optional(|index| pool.class_name(index))
    }

    /// A list with a count of two bytes.
    fn list<T>(
        &mut self,
        read: impl FnMut(&mut Reader<'a>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let count = self.u16()?;
        self.repeat(usize::from(count), read)
    }

    fn repeat<T>(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Reader<'a>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        (0..count).map(|_| read(self)).collect()
    }
}
