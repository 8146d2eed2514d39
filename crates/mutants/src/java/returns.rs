//! Returned values for others: the zero of a number, both truth values, the empty value of well-known types, null.
//!
//! A return that gives the same constant already has no such mutant.

use classfile::descriptor::{Kind, MethodType, Type};
use classfile::{Flow, Opcode};

use super::method::Pushed;
use super::mutant::{Change, Returned, Sites};
use crate::Operator;

/// Types with the static method without parameters that gives their empty value: type, owner, name, descriptor.
const EMPTY: [(&str, &str, &str, &str); 11] = [
    (
        "java/lang/Iterable",
        "java/util/Collections",
        "emptyList",
        "()Ljava/util/List;",
    ),
    (
        "java/util/Collection",
        "java/util/Collections",
        "emptyList",
        "()Ljava/util/List;",
    ),
    (
        "java/util/List",
        "java/util/Collections",
        "emptyList",
        "()Ljava/util/List;",
    ),
    (
        "java/util/Set",
        "java/util/Collections",
        "emptySet",
        "()Ljava/util/Set;",
    ),
    (
        "java/util/Map",
        "java/util/Collections",
        "emptyMap",
        "()Ljava/util/Map;",
    ),
    (
        "java/util/Iterator",
        "java/util/Collections",
        "emptyIterator",
        "()Ljava/util/Iterator;",
    ),
    (
        "java/util/Optional",
        "java/util/Optional",
        "empty",
        "()Ljava/util/Optional;",
    ),
    (
        "java/util/OptionalInt",
        "java/util/OptionalInt",
        "empty",
        "()Ljava/util/OptionalInt;",
    ),
    (
        "java/util/OptionalLong",
        "java/util/OptionalLong",
        "empty",
        "()Ljava/util/OptionalLong;",
    ),
    (
        "java/util/OptionalDouble",
        "java/util/OptionalDouble",
        "empty",
        "()Ljava/util/OptionalDouble;",
    ),
    (
        "java/util/stream/Stream",
        "java/util/stream/Stream",
        "empty",
        "()Ljava/util/stream/Stream;",
    ),
];

pub(super) fn visit(sites: &mut Sites, index: usize) {
    let method = sites.method;
    if !is_return(method.instructions[index].opcode) {
        return;
    }
    let before = method.only_before(index);
    let already = before.and_then(|before| method.pushed(before));
    let call = index.checked_sub(1).and_then(|index| method.called(index));
    let called = call.filter(|_| before.is_some());
    for value in values(method.descriptor) {
        let same = match &value {
            Returned::Constant(value) => already.as_ref() == Some(value),
            Returned::Boxed(..) => is_same_box(sites, index, &value),
            Returned::Call { owner, name, .. } => {
                called.is_some_and(|called| (called.0, called.1) == (*owner, *name))
            }
        };
        if !same {
            let replacement = match (&value, method.descriptor.ends_with(")Z")) {
                (Returned::Constant(Pushed::Int(truth)), true) => (*truth != 0).to_string(),
                _ => value.to_string(),
            };
            sites.add(
                Operator::ReturnValue,
                index,
                Change::Return(value),
                "the returned value",
                &replacement,
            );
        }
    }
}

pub(super) fn is_return(opcode: Opcode) -> bool {
    opcode.info().flow == Flow::Return && opcode != Opcode::RETURN
}

/// Whether the value of an instruction is returned at once and a mutant of the return gives `value` instead.
pub(super) fn makes(sites: &Sites, index: usize, value: &Pushed) -> bool {
    let method = sites.method;
    let returned = method.opcode(index + 1).is_some_and(is_return);
    let same = |other: &Returned| matches!(other, Returned::Constant(other) if other == value);
    returned
        && method.only_before(index + 1).is_some()
        && values(method.descriptor).iter().any(same)
}

/// Whether the instructions before box the same constant.
fn is_same_box(sites: &Sites, index: usize, value: &Returned) -> bool {
    let method = sites.method;
    let Returned::Boxed(constant, owner, _) = value else {
        return false;
    };
    let boxes = index.checked_sub(1).filter(|_| !method.is_target(index));
    let Some(boxes) = boxes else {
        return false;
    };
    let boxed = method
        .only_before(boxes)
        .and_then(|before| method.pushed(before));
    method
        .called(boxes)
        .is_some_and(|called| (called.0, called.1) == (*owner, "valueOf"))
        && boxed.as_ref() == Some(constant)
}

/// What a method of this descriptor may return instead.
pub(super) fn values(descriptor: &str) -> Vec<Returned> {
    let result = MethodType::parse(descriptor)
        .ok()
        .and_then(MethodType::result);
    let Some(result) = result else {
        return Vec::new();
    };
    let constant = match result.kind() {
        Kind::Boolean => {
            return vec![
                Returned::Constant(Pushed::Int(0)),
                Returned::Constant(Pushed::Int(1)),
            ];
        }
        Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Pushed::Int(0),
        Kind::Long => Pushed::Long(0),
        Kind::Float => Pushed::Float(0.0),
        Kind::Double => Pushed::Double(0.0),
        Kind::Array => Pushed::Null,
        Kind::Object => return of_class(result),
    };
    vec![Returned::Constant(constant)]
}

fn of_class(result: Type) -> Vec<Returned> {
    let name = result.class_name().unwrap_or_default();
    let boxed = |constant, owner, descriptor| vec![Returned::Boxed(constant, owner, descriptor)];
    match name {
        "java/lang/String" | "java/lang/CharSequence" => {
            vec![Returned::Constant(Pushed::Text(String::new()))]
        }
        "java/lang/Boolean" => {
            let truth = |value| {
                let descriptor = "(Z)Ljava/lang/Boolean;";
                Returned::Boxed(Pushed::Int(value), "java/lang/Boolean", descriptor)
            };
            vec![truth(0), truth(1)]
        }
        "java/lang/Byte" => boxed(Pushed::Int(0), "java/lang/Byte", "(B)Ljava/lang/Byte;"),
        "java/lang/Short" => boxed(Pushed::Int(0), "java/lang/Short", "(S)Ljava/lang/Short;"),
        "java/lang/Character" => boxed(
            Pushed::Int(0),
            "java/lang/Character",
            "(C)Ljava/lang/Character;",
        ),
        "java/lang/Integer" => boxed(
            Pushed::Int(0),
            "java/lang/Integer",
            "(I)Ljava/lang/Integer;",
        ),
        "java/lang/Long" => boxed(Pushed::Long(0), "java/lang/Long", "(J)Ljava/lang/Long;"),
        "java/lang/Float" => boxed(
            Pushed::Float(0.0),
            "java/lang/Float",
            "(F)Ljava/lang/Float;",
        ),
        "java/lang/Double" => boxed(
            Pushed::Double(0.0),
            "java/lang/Double",
            "(D)Ljava/lang/Double;",
        ),
        _ => vec![empty(name).unwrap_or(Returned::Constant(Pushed::Null))],
    }
}

fn empty(class: &str) -> Option<Returned> {
    let found = EMPTY.iter().find(|(of, ..)| *of == class)?;
    let (_, owner, name, descriptor) = *found;
    Some(Returned::Call {
        owner,
        name,
        descriptor,
        interface: owner == "java/util/stream/Stream",
    })
}
