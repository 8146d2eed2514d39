//! Class literals as inputs: of the classes under test and of a few of the JDK.

use super::candidate::{Candidate, Place};
use super::error::Error;
use super::members::Collector;
use super::places::Stop;
use super::summary::{Summary, access};
use crate::model::{JvmOperation, OperationKind};
use std::rc::Rc;

/// The descriptor of `Class`.
pub const CLASS: &str = "Ljava/lang/Class;";

/// Literals of classes under test at most.
const MOST: usize = 12;

/// Classes of the JDK whose literals are offered: a plain one, a number, an interface, an array's element, an enum.
const COMMON: [&str; 5] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Integer",
    "java/util/List",
    "java/lang/Thread$State",
];

/// The literals that are offered where some classes are tested.
pub fn of(under_test: &[Rc<Summary>], collector: &mut Collector) -> Result<Vec<Candidate>, Error> {
    let mut literals = Vec::new();
    let own = under_test.iter().map(|one| one.name.as_str());
    for name in COMMON.into_iter().chain(own) {
        if literals.len() >= COMMON.len() + MOST {
            break;
        }
        let place = match collector.places.of_class(name) {
            Ok(place) => place,
            Err(Stop::Reason(..)) => continue,
            Err(Stop::Failed(error)) => return Err(error),
        };
        if let Some(known) = collector.places.hierarchy.get(name)? {
            literals.push(literal(&known.summary, place));
        }
    }
    Ok(literals)
}

fn literal(class: &Summary, place: Place) -> Candidate {
    Candidate {
        operation: JvmOperation {
            kind: OperationKind::ClassLiteral,
            owner: class.name.clone(),
            interface: class.is(access::INTERFACE),
            name: "class".to_owned(),
            descriptor: CLASS.to_owned(),
            access: access::PUBLIC,
            throws: Vec::new(),
            signature: None,
            implementation: None,
        },
        parameters: Vec::new(),
        receiver: false,
        result: Some(CLASS.to_owned()),
        repeats: false,
        auxiliary: true,
        foreign: true,
        name: format!("{}.class", class.source_name),
        lines: None,
        place,
    }
}
