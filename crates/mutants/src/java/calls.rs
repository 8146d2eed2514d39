//! Calls left out.
//!
//! A call without result is a statement left out; the result of any other call becomes 0, false or null. Constructors,
//! dynamic call sites, and calls that compilers put in for boxes and string concatenation stay, and so do calls whose result
//! is returned at once where a mutant of the return gives the same default.

use classfile::descriptor::{Kind, MethodType, Type};

use super::method::Pushed;
use super::mutant::{Change, Sites};
use super::returns;
use crate::Operator;

/// The classes of boxes.
const BOXES: [&str; 8] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
];

pub(super) fn visit(sites: &mut Sites, index: usize) {
    let Some((owner, name, descriptor)) = sites.method.called(index) else {
        return;
    };
    if name.starts_with('<') || owner == "kotlin/jvm/internal/Intrinsics" {
        return;
    }
    let Ok(method_type) = MethodType::parse(descriptor) else {
        return;
    };
    let original = format!("{}.{name}", owner.replace('/', "."));
    let (operator, replacement) = match method_type.result() {
        None => (Operator::StatementDeletion, "nothing"),
        Some(result) => {
            let (default, shown) = default(result);
            if is_glue(owner, name) || returns::makes(sites, index, &default) {
                return;
            }
            (Operator::CallRemoval, shown)
        }
    };
    sites.add(operator, index, Change::RemoveCall, &original, replacement);
}

/// What stands for the result, and how it is shown.
fn default(result: Type) -> (Pushed, &'static str) {
    match result.kind() {
        Kind::Object | Kind::Array => (Pushed::Null, "null"),
        Kind::Boolean => (Pushed::Int(0), "false"),
        Kind::Long => (Pushed::Long(0), "0"),
        Kind::Float => (Pushed::Float(0.0), "0"),
        Kind::Double => (Pushed::Double(0.0), "0"),
        Kind::Byte | Kind::Char | Kind::Short | Kind::Int => (Pushed::Int(0), "0"),
    }
}

/// Whether compilers put such calls in by themselves.
fn is_glue(owner: &str, name: &str) -> bool {
    let boxing = name == "valueOf" || name.ends_with("Value");
    match owner {
        "java/lang/StringBuilder" | "java/lang/StringBuffer" => {
            name == "append" || name == "toString"
        }
        _ => boxing && BOXES.contains(&owner),
    }
}
