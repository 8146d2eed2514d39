//! New classes, put together from nothing: enough for small generated classes.
//!
//! The caller says every instruction and every frame. The number of stack slots and local variables is counted; types are not
//! checked, the JVM's verifier does that.

mod code;
mod finish;

use std::borrow::Cow;

use crate::attribute::Attribute;
use crate::class::ClassFile;
use crate::error::{Error, PoolFull};
use crate::frames::Frames;
use crate::member::Member;
use crate::pool::ConstantPool;

pub use code::{CodeBuilder, Label};

/// A class cannot be built as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A constant does not fit the pool.
    #[error(transparent)]
    Pool(#[from] PoolFull),
    /// A constant or descriptor that an instruction uses is wrong.
    #[error(transparent)]
    Class(#[from] Error),
    /// The code of a method is longer than 65,535 bytes.
    #[error("the code of method `{method}` is longer than 65535 bytes")]
    TooLong {
        /// The method's name.
        method: String,
    },
    /// A jump goes further than its instruction can.
    #[error("a jump at offset {from} to offset {to} is too far")]
    TooFar {
        /// The jump.
        from: u32,
        /// Where it should go.
        to: u32,
    },
    /// A jump goes to a label that has no place.
    #[error("a jump at offset {from} goes to a label without a place")]
    NoPlace {
        /// The jump.
        from: u32,
    },
    /// An instruction takes more from the stack than there is.
    #[error("the instruction at offset {at} takes more from the stack than there is")]
    Underflow {
        /// The instruction.
        at: u32,
    },
}

/// A class being built. Its lists may be added to directly; code comes from [`ClassBuilder::method`].
#[derive(Clone, Debug)]
pub struct ClassBuilder {
    /// The class so far.
    pub class: ClassFile<'static>,
}

impl ClassBuilder {
    /// A class without members. `major` is the class file version, such as 52 for Java 8.
    pub fn new(
        major: u16,
        access: u16,
        name: &str,
        super_name: &str,
    ) -> Result<ClassBuilder, BuildError> {
        let mut pool = ConstantPool::empty();
        let this_class = pool.add_class(name)?;
        let super_class = pool.add_class(super_name)?;
        let class = ClassFile {
            minor: 0,
            major,
            pool,
            access,
            this_class,
            super_class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        Ok(ClassBuilder { class })
    }

    /// Adds a superinterface.
    pub fn interface(&mut self, name: &str) -> Result<(), BuildError> {
        let interface = self.class.pool.add_class(name)?;
        self.class.interfaces.push(interface);
        Ok(())
    }

    /// Adds a field.
    pub fn field(&mut self, access: u16, name: &str, descriptor: &str) -> Result<(), BuildError> {
        let field = self.member(access, name, descriptor)?;
        self.class.fields.push(field);
        Ok(())
    }

    /// Adds a method without code.
    pub fn abstract_method(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<(), BuildError> {
        let method = self.member(access, name, descriptor)?;
        self.class.methods.push(method);
        Ok(())
    }

    /// Starts the code of a method. [`ClassBuilder::finish_method`] adds it to the class.
    pub fn method(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<CodeBuilder, BuildError> {
        let member = self.member(access, name, descriptor)?;
        let entry = Frames::entry(&self.class.pool, self.class.this_class, &member)?;
        Ok(CodeBuilder::new(member, entry))
    }

    /// Adds a method whose code is complete.
    pub fn finish_method(&mut self, code: CodeBuilder) -> Result<(), BuildError> {
        let pool = &mut self.class.pool;
        let (mut member, content) = code.finish(pool)?;
        let name = pool.add_utf8("Code")?;
        member.attributes.push(Attribute {
            name,
            info: Cow::Owned(content),
            offset: 0,
        });
        self.class.methods.push(member);
        Ok(())
    }

    /// The bytes of the class.
    pub fn finish(&self) -> Vec<u8> {
        self.class.write()
    }

    fn member(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<Member<'static>, BuildError> {
        Ok(Member {
            access,
            name: self.class.pool.add_utf8(name)?,
            descriptor: self.class.pool.add_utf8(descriptor)?,
            attributes: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests;
