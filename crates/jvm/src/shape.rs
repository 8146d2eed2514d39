//! What calling an operation needs to know of its descriptor: one letter per parameter, and which boxes fit.

use classfile::descriptor::{MethodType, Type};
use engine::Value;

use crate::model::{JvmOperation, OperationKind};

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its descriptor.
    pub descriptor: String,
    /// The letter of a primitive, or `L` for all objects.
    pub letter: u8,
}

impl Parameter {
    /// The primitive whose box a literal becomes.
    pub fn boxed(&self, value: &Value) -> Option<u8> {
        let exact = match self.descriptor.as_str() {
            "Ljava/lang/Boolean;" => b'Z',
            "Ljava/lang/Byte;" => b'B',
            "Ljava/lang/Short;" => b'S',
            "Ljava/lang/Character;" => b'C',
            "Ljava/lang/Integer;" => b'I',
            "Ljava/lang/Long;" => b'J',
            "Ljava/lang/Float;" => b'F',
            "Ljava/lang/Double;" => b'D',
            _ => match value {
                Value::Bool(_) => b'Z',
                Value::Int(number) if i32::try_from(*number).is_ok() => b'I',
                Value::Int(_) => b'J',
                Value::Float(_) => b'D',
                Value::Nothing | Value::Text(_) => return None,
            },
        };
        Some(exact)
    }
}

/// What an operation takes and gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The parameters, the receiver first; for an array its element.
    pub parameters: Vec<Parameter>,
    /// Whether the one parameter may be given any number of times.
    pub repeats: bool,
    /// The letter of what it gives: a primitive's, `L`, or `V`.
    pub result: u8,
}

/// The letter of a descriptor's type, `L` also for arrays.
pub fn letter(descriptor: &str) -> u8 {
    match descriptor.as_bytes().first() {
        Some(b'[') | None => b'L',
        Some(&letter) => letter,
    }
}

impl Shape {
    /// The shape of an operation; `None` if its descriptor is malformed.
    pub fn of(operation: &JvmOperation) -> Option<Shape> {
        let parameter = |descriptor: &str| Parameter {
            descriptor: descriptor.to_owned(),
            letter: letter(descriptor),
        };
        let receiver = || parameter(&format!("L{};", operation.owner));
        let shape = |parameters, result| Shape {
            parameters,
            repeats: false,
            result,
        };
        Some(match operation.kind {
            OperationKind::Array => Shape {
                parameters: vec![parameter(
                    Type::parse(&operation.owner).ok()?.element()?.text(),
                )],
                repeats: true,
                result: b'L',
            },
            OperationKind::ClassLiteral => shape(vec![], b'L'),
            OperationKind::StaticField => shape(vec![], letter(&operation.descriptor)),
            OperationKind::Field => shape(vec![receiver()], letter(&operation.descriptor)),
            kind => {
                let method = MethodType::parse(&operation.descriptor).ok()?;
                let given = method.parameters().map(|one| parameter(one.text()));
                let first = (kind == OperationKind::Method).then(receiver);
                let result = match kind {
                    OperationKind::Constructor | OperationKind::Implementor => b'L',
                    _ => method.result().map_or(b'V', |one| letter(one.text())),
                };
                shape(first.into_iter().chain(given).collect(), result)
            }
        })
    }
}
