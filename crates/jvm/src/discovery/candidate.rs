//! A member that a test may call, before it is known whether all it needs can be made.

use super::types;
use crate::model::{JvmOperation, OperationKind};
use std::collections::BTreeSet;

/// From where a test can name something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// From every package.
    Anywhere,
    /// From this package only, in internal form.
    Package(String),
}

impl Place {
    /// Where both can be named; none where there is no such place.
    pub fn and(self, other: Place) -> Option<Place> {
        match (self, other) {
            (Place::Anywhere, place) | (place, Place::Anywhere) => Some(place),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// The package that a test must be in, if any.
    pub fn package(self) -> Option<String> {
        match self {
            Place::Anywhere => None,
            Place::Package(package) => Some(package),
        }
    }
}

/// A member that a test may call.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The call.
    pub operation: JvmOperation,
    /// Descriptors of all parameters, the receiver or outer instance first.
    pub parameters: Vec<String>,
    /// Whether the first parameter is a receiver or outer instance, which cannot be `null`.
    pub receiver: bool,
    /// The descriptor of what it gives.
    pub result: Option<String>,
    /// Whether the last parameter is given any number of times.
    pub repeats: bool,
    /// Whether it only makes inputs.
    pub auxiliary: bool,
    /// Whether its class is not under test, or has it from one that is not, so that it needs no reason.
    pub foreign: bool,
    /// Its name for people.
    pub name: String,
    /// Its size in source lines, where known.
    pub lines: Option<u32>,
    /// From where it can be called.
    pub place: Place,
}

impl Candidate {
    /// The operation that makes an array of a type from its elements.
    pub fn array(descriptor: &str, source_name: &str, place: Place) -> Candidate {
        Candidate {
            operation: JvmOperation {
                kind: OperationKind::Array,
                owner: descriptor.to_owned(),
                interface: false,
                name: String::new(),
                descriptor: String::new(),
                access: 0,
                throws: Vec::new(),
                signature: None,
                implementation: None,
            },
            parameters: vec![descriptor[1..].to_owned()],
            receiver: false,
            result: Some(descriptor.to_owned()),
            repeats: true,
            auxiliary: true,
            foreign: false,
            name: format!("new {source_name}"),
            lines: None,
            place,
        }
    }

    /// Array types among the parameters, and those that they are made of.
    pub fn array_parameters(&self) -> impl Iterator<Item = &str> {
        let arrays = self.parameters.iter().filter(|one| one.starts_with('['));
        arrays.flat_map(|array| {
            let dimensions = array.bytes().take_while(|&byte| byte == b'[').count();
            (0..dimensions).map(|depth| &array[depth..])
        })
    }

    /// Parameters of which nothing but `null` can be given.
    pub fn only_null<'a>(
        &'a self,
        makeable: &'a BTreeSet<String>,
    ) -> impl Iterator<Item = &'a str> {
        let parameters = self.parameters.iter().skip(usize::from(self.receiver));
        let unmade = parameters.filter(|one| {
            types::is_reference(one) && !one.starts_with('[') && !makeable.contains(*one)
        });
        unmade.map(String::as_str)
    }
}
