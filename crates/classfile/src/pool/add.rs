//! Adding constants: an equal entry is reused, a new one goes to the end. Appending never looks for an equal one.

use std::borrow::Cow;

use super::{Constant, ConstantPool, Index};
use crate::error::PoolFull;
use crate::utf8;

impl<'a> ConstantPool<'a> {
    /// Adds a constant whose indices refer to this pool. [`Constant::Gap`] is index 0.
    pub fn add(&mut self, constant: Constant<'a>) -> Result<u16, PoolFull> {
        if matches!(constant, Constant::Gap) {
            return Ok(0);
        }
        let constants = &mut self.constants;
        let index = self.index.get_or_insert_with(|| Index::of(constants));
        match index.find(constants, &constant) {
            Some(found) => Ok(found),
            None => self.append(constant),
        }
    }

    /// Adds a constant at the end, whether there is an equal one or not. This is faster where there cannot be one, or where
    /// the caller remembers what was appended.
    pub fn append(&mut self, constant: Constant<'a>) -> Result<u16, PoolFull> {
        let constants = &mut self.constants;
        let at = constants.len();
        let width = constant.width();
        if at + width > usize::from(u16::MAX) {
            return Err(PoolFull::Entries);
        }
        if let Constant::Utf8(bytes) = &constant {
            if bytes.len() > usize::from(u16::MAX) {
                let length = bytes.len();
                return Err(PoolFull::Text { length });
            }
            self.decoded.take();
        }
        constants.push(constant);
        if width == 2 {
            constants.push(Constant::Gap);
        }
        if let Some(index) = &mut self.index {
            index.added(constants, at as u16);
        }
        Ok(at as u16)
    }

    /// A class by its name, found by looking at every class of the pool. Faster than [`ConstantPool::add_class`] for a few
    /// classes of a pool that nothing else was added to.
    pub(crate) fn scan_class(&mut self, name: &str) -> Result<u16, PoolFull> {
        let text = utf8::encode(name);
        let is_class = |constant: &Constant| match constant {
            Constant::Class(name) => self.utf8_bytes(*name).is_ok_and(|bytes| *bytes == *text),
            _ => false,
        };
        match self.constants.iter().position(is_class) {
            Some(found) => Ok(found as u16),
            None => {
                let text = Constant::Utf8(Cow::Owned(text.into_owned()));
                let name = self.append(text)?;
                self.append(Constant::Class(name))
            }
        }
    }

    /// Adds a text.
    pub fn add_utf8(&mut self, text: &str) -> Result<u16, PoolFull> {
        let bytes = utf8::encode(text);
        let constants = &mut self.constants;
        let index = self.index.get_or_insert_with(|| Index::of(constants));
        if let Some(found) = index.find(constants, &Constant::Utf8(Cow::Borrowed(&bytes))) {
            return Ok(found);
        }
        self.add(Constant::Utf8(Cow::Owned(bytes.into_owned())))
    }

    /// Adds a class, interface or array type by its name, such as `java/lang/String` or `[I`.
    pub fn add_class(&mut self, name: &str) -> Result<u16, PoolFull> {
        let name = self.add_utf8(name)?;
        self.add(Constant::Class(name))
    }

    /// Adds a string.
    pub fn add_string(&mut self, text: &str) -> Result<u16, PoolFull> {
        let text = self.add_utf8(text)?;
        self.add(Constant::String(text))
    }

    /// Adds an int.
    pub fn add_integer(&mut self, value: i32) -> Result<u16, PoolFull> {
        self.add(Constant::Integer(value))
    }

    /// Adds a long.
    pub fn add_long(&mut self, value: i64) -> Result<u16, PoolFull> {
        self.add(Constant::Long(value))
    }

    /// Adds a float with exactly these bits.
    pub fn add_float(&mut self, value: f32) -> Result<u16, PoolFull> {
        self.add(Constant::Float(value.to_bits()))
    }

    /// Adds a double with exactly these bits.
    pub fn add_double(&mut self, value: f64) -> Result<u16, PoolFull> {
        self.add(Constant::Double(value.to_bits()))
    }

    /// Adds a name with a descriptor.
    pub fn add_name_and_type(&mut self, name: &str, descriptor: &str) -> Result<u16, PoolFull> {
        let name = self.add_utf8(name)?;
        let descriptor = self.add_utf8(descriptor)?;
        self.add(Constant::NameAndType(name, descriptor))
    }

    fn add_member(
        &mut self,
        kind: fn(u16, u16) -> Constant<'a>,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolFull> {
        let class = self.add_class(owner)?;
        let pair = self.add_name_and_type(name, descriptor)?;
        self.add(kind(class, pair))
    }

    /// Adds a field.
    pub fn add_field_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolFull> {
        self.add_member(Constant::Field, owner, name, descriptor)
    }

    /// Adds a method of a class.
    pub fn add_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolFull> {
        self.add_member(Constant::Method, owner, name, descriptor)
    }

    /// Adds a method of an interface.
    pub fn add_interface_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolFull> {
        self.add_member(Constant::InterfaceMethod, owner, name, descriptor)
    }
}
