//! Generic signatures: the types of classes, methods and fields with their type parameters.
//!
//! Parses the `Signature` attribute's text to a tree that prints back to the same text. The JVM does not check signatures, so
//! a class whose signature is malformed is still a good class: fall back to its descriptors. Nothing is resolved here.

mod parse;
mod print;

use crate::descriptor::Kind;

/// Types may be nested this deep. The format has no limit, our stack has.
pub const DEEPEST: u8 = 250;

/// A signature is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed signature `{text}` at character {at}")]
pub struct SignatureError {
    /// The whole signature.
    pub text: String,
    /// The byte of the text where it fails.
    pub at: usize,
}

/// The signature of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSignature<'a> {
    /// Its type parameters.
    pub parameters: Vec<TypeParameter<'a>>,
    /// Its superclass.
    pub superclass: ClassType<'a>,
    /// Its superinterfaces.
    pub interfaces: Vec<ClassType<'a>>,
}

/// The signature of a method or constructor. Parameters that are not in the source may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodSignature<'a> {
    /// Its type parameters.
    pub type_parameters: Vec<TypeParameter<'a>>,
    /// The types of its parameters.
    pub parameters: Vec<GenericType<'a>>,
    /// The type of its result; `None` for `void`.
    pub result: Option<GenericType<'a>>,
    /// What it throws: classes or type variables. Empty when no type variable is thrown.
    pub throws: Vec<GenericType<'a>>,
}

/// A type parameter with its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeParameter<'a> {
    /// Its name.
    pub name: &'a str,
    /// The class, array or variable it extends; `None` when only interfaces are given.
    pub class_bound: Option<GenericType<'a>>,
    /// The interfaces it extends.
    pub interface_bounds: Vec<GenericType<'a>>,
}

/// A type with type arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenericType<'a> {
    /// A primitive type: never [`Kind::Object`] or [`Kind::Array`].
    Primitive(Kind),
    /// A class or interface.
    Class(ClassType<'a>),
    /// A type variable.
    Variable(&'a str),
    /// An array of these.
    Array(Box<GenericType<'a>>),
}

/// A class or interface with type arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassType<'a> {
    /// The class, then the member classes inside it. The first name has the package, such as `java/util/Map`.
    pub parts: Vec<ClassPart<'a>>,
}

/// One class of a chain of nested classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassPart<'a> {
    /// Its name, as the class file spells it.
    pub name: &'a str,
    /// Its type arguments.
    pub arguments: Vec<TypeArgument<'a>>,
}

/// A type argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeArgument<'a> {
    /// `?`
    Any,
    /// A type.
    Exactly(GenericType<'a>),
    /// `? extends` a type.
    Extends(GenericType<'a>),
    /// `? super` a type.
    Super(GenericType<'a>),
}

impl ClassType<'_> {
    /// The class file's name of the class, such as `java/util/Map$Entry`.
    pub fn class_name(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| part.name).collect();
        names.join("$")
    }

    /// The type arguments of the innermost class.
    pub fn arguments(&self) -> &[TypeArgument<'_>] {
        self.parts.last().map_or(&[], |part| &part.arguments)
    }
}

#[cfg(test)]
mod tests;
