//! Annotations of classes, members, parameters and types.

use crate::attribute::Attribute;
use crate::error::{Error, ErrorKind};
use crate::pool::{Constant, ConstantPool};
use crate::reader::Reader;

/// Annotations may be nested this deep. The format has no limit, our stack has.
const DEEPEST: u8 = 64;

/// An annotation with its elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation<'p> {
    /// The descriptor of its type, such as `Ljava/lang/Deprecated;`.
    pub descriptor: &'p str,
    /// Names and values that were given, in file order.
    pub elements: Vec<(&'p str, ElementValue<'p>)>,
}

impl Annotation<'_> {
    /// The name of its class, such as `java/lang/Deprecated`.
    pub fn class_name(&self) -> &str {
        let name = self.descriptor.strip_prefix('L');
        name.and_then(|name| name.strip_suffix(';'))
            .unwrap_or(self.descriptor)
    }

    /// The value given to an element.
    pub fn element(&self, name: &str) -> Option<&ElementValue<'_>> {
        let found = self.elements.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| value)
    }
}

/// The value of an annotation's element.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementValue<'p> {
    /// A boolean, byte, char, short or int: its letter in descriptors, and the value.
    Int(u8, i32),
    /// A long.
    Long(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// A string.
    Text(&'p str),
    /// A constant of an enum: descriptor of the enum, and the name.
    Enum(&'p str, &'p str),
    /// A class, by a descriptor that may also be `V`.
    Class(&'p str),
    /// An annotation.
    Annotation(Box<Annotation<'p>>),
    /// A list of values.
    Array(Vec<ElementValue<'p>>),
}

/// An annotation of a type inside a declaration or inside code.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeAnnotation<'p> {
    /// The kind of place, as the format numbers them.
    pub target: u8,
    /// The annotation.
    pub annotation: Annotation<'p>,
}

/// The annotations of a `RuntimeVisibleAnnotations` or `RuntimeInvisibleAnnotations`.
pub fn annotations<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<Vec<Annotation<'p>>, Error> {
    let mut reader = attribute.reader();
    let annotations = reader.list(|reader| annotation(reader, pool, 0))?;
    reader.finish()?;
    Ok(annotations)
}

/// The annotations of each parameter, from a `RuntimeVisibleParameterAnnotations` or its invisible kin. Compilers may leave
/// out parameters that are not in the source.
pub fn parameter_annotations<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<Vec<Vec<Annotation<'p>>>, Error> {
    let mut reader = attribute.reader();
    let count = reader.u8()?;
    let parameters = reader.repeat(usize::from(count), |reader| {
        reader.list(|reader| annotation(reader, pool, 0))
    })?;
    reader.finish()?;
    Ok(parameters)
}

/// The value of an `AnnotationDefault`.
pub fn annotation_default<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<ElementValue<'p>, Error> {
    let mut reader = attribute.reader();
    let value = element_value(&mut reader, pool, 0)?;
    reader.finish()?;
    Ok(value)
}

/// The annotations of a `RuntimeVisibleTypeAnnotations` or its invisible kin, without their exact places.
pub fn type_annotations<'p>(
    attribute: &Attribute,
    pool: &'p ConstantPool,
) -> Result<Vec<TypeAnnotation<'p>>, Error> {
    let mut reader = attribute.reader();
    let annotations = reader.list(|reader| {
        let target = reader.u8()?;
        skip_target(reader, target)?;
        let path = reader.u8()?;
        reader.take(usize::from(path) * 2)?;
        let annotation = annotation(reader, pool, 0)?;
        Ok(TypeAnnotation { target, annotation })
    })?;
    reader.finish()?;
    Ok(annotations)
}

fn skip_target(reader: &mut Reader, target: u8) -> Result<(), Error> {
    let length = match target {
        0x00 | 0x01 | 0x16 => 1,
        0x10..=0x12 | 0x17 | 0x42..=0x46 => 2,
        0x13..=0x15 => 0,
        0x40 | 0x41 => usize::from(reader.u16()?) * 6,
        0x47..=0x4b => 3,
        _ => return Err(malformed(reader, "unknown kind of annotated type")),
    };
    reader.take(length)?;
    Ok(())
}

fn annotation<'p>(
    reader: &mut Reader,
    pool: &'p ConstantPool,
    depth: u8,
) -> Result<Annotation<'p>, Error> {
    let descriptor = reader.text(pool)?;
    let elements =
        reader.list(|reader| Ok((reader.text(pool)?, element_value(reader, pool, depth)?)))?;
    Ok(Annotation {
        descriptor,
        elements,
    })
}

fn element_value<'p>(
    reader: &mut Reader,
    pool: &'p ConstantPool,
    depth: u8,
) -> Result<ElementValue<'p>, Error> {
    if depth == DEEPEST {
        return Err(malformed(reader, "annotations are nested too deeply"));
    }
    let value = match reader.u8()? {
        b's' => ElementValue::Text(reader.text(pool)?),
        b'e' => ElementValue::Enum(reader.text(pool)?, reader.text(pool)?),
        b'c' => ElementValue::Class(reader.text(pool)?),
        b'@' => ElementValue::Annotation(Box::new(annotation(reader, pool, depth + 1)?)),
        b'[' => ElementValue::Array(reader.list(|reader| element_value(reader, pool, depth + 1))?),
        letter => number(reader, pool, letter)?,
    };
    Ok(value)
}

fn number<'p>(
    reader: &mut Reader,
    pool: &ConstantPool,
    letter: u8,
) -> Result<ElementValue<'p>, Error> {
    let constant = reader.required(|index| pool.get(index))?;
    match (letter, constant) {
        (b'B' | b'C' | b'I' | b'S' | b'Z', Constant::Integer(value)) => {
            Ok(ElementValue::Int(letter, *value))
        }
        (b'J', Constant::Long(value)) => Ok(ElementValue::Long(*value)),
        (b'F', Constant::Float(bits)) => Ok(ElementValue::Float(f32::from_bits(*bits))),
        (b'D', Constant::Double(bits)) => Ok(ElementValue::Double(f64::from_bits(*bits))),
        _ => Err(malformed(reader, "unknown kind of element value")),
    }
}

fn malformed(reader: &Reader, what: &'static str) -> Error {
    reader.error(ErrorKind::Attribute { what })
}
