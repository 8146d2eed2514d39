//! What is known of a JVM subject: its operations as the JVM and as Java source name them.
//!
//! Types and signatures are the engine's; this adds what calling and rendering need. Operations have one number everywhere:
//! in the engine's model, in the trampolines and in the worker's protocol.

use classfile::descriptor::{MethodType, Type};
use engine::calls::{CallModel, TypeId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OperationKind {
    /// `new Owner(…)`.
    Constructor,
    /// `Owner.name(…)`.
    StaticMethod,
    /// `receiver.name(…)`; the receiver is the first parameter.
    Method,
    /// `Owner.name`, also an enum constant.
    StaticField,
    /// `receiver.name`.
    Field,
    /// `new Element[] {…}` with any number of elements.
    Array,
    /// `new Owner(…) {…}`: an instance of a class that is made for the test, because the owner is abstract.
    Implementor,
    /// `Owner.class`.
    ClassLiteral,
}

/// A method of a class that is made for a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImplementedMethod {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Its access flags.
    pub access: u16,
    /// Whether it has type parameters of its own, so that no lambda can be it.
    pub generic: bool,
    /// The parameters and the result as source code has them, where it has the method at all: of methods that differ in their
    /// result alone it has one.
    pub source: Option<(Vec<String>, Option<String>)>,
}

/// What a method of a class that is made for a test gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// Nothing: `void`, or `null`.
    Nothing,
    /// A number, or a truth as 0 or 1.
    Number(i8),
    /// What it is given for this parameter.
    Argument(u8),
}

/// How the methods of a class that is made for a test answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Manner {
    /// With 0, false and `null`.
    Empty,
    /// With -1, false and `null`, as a stream at its end does: others would be read without end.
    Ended,
    /// With 1, true, and the first argument of the type of the result, or else `null`.
    Willing,
}

/// A class that is made for a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Implementation {
    /// The methods that its superclass or interface leaves open.
    pub methods: Vec<ImplementedMethod>,
    /// What they give.
    pub manner: Manner,
}

impl ImplementedMethod {
    /// What it gives.
    pub fn answer(&self, manner: Manner) -> Answer {
        let Ok(method) = MethodType::parse(&self.descriptor) else {
            return Answer::Nothing;
        };
        let Some(result) = method.result() else {
            return Answer::Nothing;
        };
        if !result.text().starts_with(['L', '[']) {
            return Answer::Number(match manner {
                Manner::Ended if result.text() != "Z" => -1,
                Manner::Empty | Manner::Ended => 0,
                Manner::Willing => 1,
            });
        }
        let same = |(index, one): (usize, Type)| {
            let source = self.source.as_ref();
            // Type arguments may tell apart what the descriptor does not.
            let alike = source.is_none_or(|(given, gives)| given.get(index) == gives.as_ref());
            one.text() == result.text() && alike
        };
        match method.parameters().enumerate().position(same) {
            Some(index) if manner == Manner::Willing && index < 255 => {
                Answer::Argument(index as u8)
            }
            _ => Answer::Nothing,
        }
    }
}

/// One thing a test can do to a JVM subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JvmOperation {
    /// What it does.
    pub kind: OperationKind,
    /// The class that declares the member, in internal form (`java/util/Map$Entry`); for an array its own descriptor.
    pub owner: String,
    /// Whether the owner is an interface.
    pub interface: bool,
    /// The member's name; `<init>` for constructors, empty for arrays.
    pub name: String,
    /// The member's descriptor; empty for arrays.
    pub descriptor: String,
    /// The access flags of the member.
    pub access: u16,
    /// Exceptions that it declares, in internal form.
    pub throws: Vec<String>,
    /// The generic signature of the member, where it has one.
    pub signature: Option<String>,
    /// What an implementor adds to its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<Box<Implementation>>,
}

/// A class or interface as source code names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JvmClass {
    /// Its access flags as its source gave them: those of the `InnerClasses` attribute where it is nested, so that
    /// `private`, `protected` and `static` are among them.
    pub access: u16,
    /// The class whose member it is, in internal form.
    pub outer: Option<String>,
    /// Its simple name in source; none for anonymous and local classes, which source elsewhere cannot name.
    pub simple: Option<String>,
    /// Its generic signature, where it has one.
    pub signature: Option<String>,
}

/// The types of a subject as the JVM names them, beside the engine's call model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JvmModel {
    /// Types and signatures for the engine.
    pub calls: CallModel,
    /// The descriptor of every type of the call model: `I`, `Ljava/lang/String;`, `[J`.
    pub descriptors: Vec<String>,
    /// All operations.
    pub operations: Vec<JvmOperation>,
    /// The classes that operations, types and declared exceptions name, by internal name. One that is not here counts as
    /// public, and as nested where its name has a `$`.
    #[serde(default)]
    pub classes: BTreeMap<String, JvmClass>,
}

impl JvmModel {
    /// The type with this descriptor.
    pub fn type_of(&self, descriptor: &str) -> Option<TypeId> {
        let index = self.descriptors.iter().position(|one| one == descriptor)?;
        Some(TypeId(index as u32))
    }
}
