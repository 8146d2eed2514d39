//! What a class under test has from superclasses that are not: methods that can only be called on it.
//!
//! Where the class fixes type arguments (`extends AbstractList<String>`), source code sees `add(String)`, although the
//! descriptor says `Object`; then those are the types that tests may give. A generic class is used raw, and so erased.

use super::error::Error;
use super::members::{Collector, Types};
use super::places::Stop;
use super::summary::{MemberSummary, Summary, access};
use super::types;
use classfile::signature::{ClassSignature, GenericType, MethodSignature, TypeArgument};
use std::collections::{BTreeMap, BTreeSet};

/// Classes whose methods say nothing about a subclass, or start threads that outlive a test.
const ROOTS: &[&str] = &[
    "java/lang/Object",
    "java/lang/Enum",
    "java/lang/Record",
    "java/lang/Throwable",
    "java/lang/Thread",
];

/// Adds the public methods of superclasses up to the first that is under test itself, overridden ones left out.
pub fn add_inherited(
    class: &Summary,
    under_test: &BTreeSet<String>,
    collector: &mut Collector,
) -> Result<(), Error> {
    let key = |method: &MemberSummary| (method.name.clone(), method.parameters().to_owned());
    let mut seen: BTreeSet<(String, String)> = class.methods.iter().map(key).collect();
    let mut bindings = Bindings::default();
    let mut signature = class.signature.clone().filter(|text| !is_generic(text));
    let mut above = class.super_name.clone();
    while let Some(name) = above.take() {
        if under_test.contains(&name) || ROOTS.contains(&name.as_str()) {
            break;
        }
        let Some(known) = collector.places.hierarchy.with_members(&name)? else {
            break;
        };
        bindings = bindings.above(
            signature.as_deref(),
            (&name, known.summary.signature.as_deref()),
        );
        for method in &known.summary.methods {
            let callable = method.is(access::PUBLIC) && !method.is(access::STATIC);
            let types = types::of_method(&method.descriptor);
            let new = seen.insert(key(method)) && callable && method.name != "<init>";
            let Some(types) = types.filter(|_| new) else {
                continue;
            };
            match collector.inherited(class, method, bindings.apply(method, types)) {
                Ok(candidate) => collector.candidates.push(candidate),
                Err(Stop::Reason(..)) => {}
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        signature = known.summary.signature.clone();
        above = known.summary.super_name.clone();
    }
    Ok(())
}

pub fn is_generic(signature: &str) -> bool {
    signature.starts_with('<')
}

/// What the type variables of a class stand for, as descriptors; only those that are known.
#[derive(Clone, Debug, Default)]
pub struct Bindings(BTreeMap<String, String>);

impl Bindings {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same for a direct supertype of this name, by the signatures of both.
    pub fn above(&self, signature: Option<&str>, above: (&str, Option<&str>)) -> Bindings {
        let (name, above) = above;
        let own = signature.and_then(|text| ClassSignature::parse(text).ok());
        let above = above.and_then(|text| ClassSignature::parse(text).ok());
        let (Some(own), Some(above)) = (own, above) else {
            return Bindings::default();
        };
        let mut direct = std::iter::once(&own.superclass).chain(&own.interfaces);
        let Some(direct) = direct.find(|one| one.class_name() == name) else {
            return Bindings::default();
        };
        let arguments = direct.arguments().iter();
        let pairs = above.parameters.iter().zip(arguments);
        let bound = pairs.filter_map(|(parameter, argument)| match argument {
            TypeArgument::Exactly(argument) => {
                Some((parameter.name.to_owned(), self.erased(argument)?))
            }
            _ => None,
        });
        Bindings(bound.collect())
    }

    /// The descriptor of a type, where all its variables are known.
    fn erased(&self, generic: &GenericType) -> Option<String> {
        match generic {
            GenericType::Primitive(_) => None,
            GenericType::Class(class) => Some(types::of_class(&class.class_name())),
            GenericType::Variable(name) => self.0.get(*name).cloned(),
            GenericType::Array(element) => match &**element {
                GenericType::Primitive(_) => None,
                element => Some(format!("[{}", self.erased(element)?)),
            },
        }
    }

    /// The types of a method with variables replaced; as they are where its signature says nothing.
    pub fn apply(&self, method: &MemberSummary, (parameters, result): Types) -> Types {
        let signature = method.signature.as_deref();
        let signature = signature.and_then(|text| MethodSignature::parse(text).ok());
        let signature = signature.filter(|one| one.parameters.len() == parameters.len());
        let Some(signature) = signature.filter(|_| !self.0.is_empty()) else {
            return (parameters, result);
        };
        let own = |name: &str| signature.type_parameters.iter().any(|one| one.name == name);
        let replaced = |generic: &GenericType, erased: String| match innermost_variable(generic) {
            Some(name) if !own(name) => self.erased(generic).unwrap_or(erased),
            _ => erased,
        };
        let pairs = signature.parameters.iter().zip(parameters);
        let parameters = pairs.map(|(generic, erased)| replaced(generic, erased));
        let parameters = parameters.collect();
        let result = match (&signature.result, result) {
            (Some(generic), Some(erased)) => Some(replaced(generic, erased)),
            (_, erased) => erased,
        };
        (parameters, result)
    }
}

/// The variable that a type is or is an array of.
fn innermost_variable<'a>(generic: &GenericType<'a>) -> Option<&'a str> {
    match generic {
        GenericType::Variable(name) => Some(name),
        GenericType::Array(element) => innermost_variable(element),
        _ => None,
    }
}
