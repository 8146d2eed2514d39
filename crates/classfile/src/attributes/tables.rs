//! Attributes about the source of a method: lines, variables, parameters.

use crate::attribute::Attribute;
use crate::error::Error;
use crate::pool::ConstantPool;

/// A row of a `LineNumberTable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNumber {
    /// The instruction where the line starts.
    pub pc: u16,
    /// The line.
    pub line: u16,
}

/// The rows of a `LineNumberTable`, in file order.
pub fn line_numbers(attribute: &Attribute) -> Result<Vec<LineNumber>, Error> {
    let mut reader = attribute.reader();
    let lines = reader.list(|reader| {
        Ok(LineNumber {
            pc: reader.u16()?,
            line: reader.u16()?,
        })
    })?;
    reader.finish()?;
    Ok(lines)
}

/// A row of a `LocalVariableTable` or `LocalVariableTypeTable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVariable<'p> {
    /// Where the variable has a value first.
    pub start: u16,
    /// Over how many bytes of code it keeps one.
    pub length: u16,
    /// Its name.
    pub name: &'p str,
    /// Its descriptor, or its generic signature in a `LocalVariableTypeTable`.
    pub descriptor: &'p str,
    /// The local variable.
    pub local: u16,
}

/// The rows of a `LocalVariableTable` or `LocalVariableTypeTable`, in file order.
pub fn local_variables<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<Vec<LocalVariable<'p>>, Error> {
    let mut reader = attribute.reader();
    let variables = reader.list(|reader| {
        Ok(LocalVariable {
            start: reader.u16()?,
            length: reader.u16()?,
            name: reader.text(pool)?,
            descriptor: reader.text(pool)?,
            local: reader.u16()?,
        })
    })?;
    reader.finish()?;
    Ok(variables)
}

/// A row of a `MethodParameters`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodParameter<'p> {
    /// The parameter's name, if it has one.
    pub name: Option<&'p str>,
    /// Its flags: `final`, synthetic, mandated.
    pub access: u16,
}

/// The rows of a `MethodParameters`, one per parameter.
pub fn method_parameters<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<Vec<MethodParameter<'p>>, Error> {
    let mut reader = attribute.reader();
    let count = reader.u8()?;
    let parameters = reader.repeat(usize::from(count), |reader| {
        Ok(MethodParameter {
            name: reader.optional_text(pool)?,
            access: reader.u16()?,
        })
    })?;
    reader.finish()?;
    Ok(parameters)
}
