//! Which of several methods of one name a call in source code would mean, and which casts make it mean the right one.
//!
//! A cast of every argument to the very type of its parameter always selects the wanted overload (it is then the most
//! specific one), so casts are written only where some other overload could be meant. Overloads that the model does not
//! know are not seen; the compiler and the verification of the suite judge those.

use crate::model::{JvmModel, JvmOperation, OperationKind};
use classfile::descriptor::{MethodType, Type};
use engine::calls::TypeId;
use std::collections::BTreeMap;

use super::literal::unboxed;
use super::source_name::is_reference;

const COLLECTION: &str = "Ljava/util/Collection;";

/// Whether a type is one of the JDK's collections that methods commonly give. A model that never takes a `Collection` does
/// not know, and a cast would only be in the way.
fn is_collection(descriptor: &str) -> bool {
    let name = descriptor.strip_prefix("Ljava/util/");
    let name = name.and_then(|name| name.strip_suffix(';'));
    name.is_some_and(|name| {
        !name.contains('$')
            && ["List", "Set", "Queue", "Deque", "Vector", "Stack"]
                .iter()
                .any(|end| name.ends_with(end))
            && name != "BitSet"
    })
}

/// The model's types and operations by name.
#[derive(Clone, Debug)]
pub struct Types<'a> {
    model: &'a JvmModel,
    types: BTreeMap<&'a str, TypeId>,
    by_name: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Types<'a> {
    /// Indexes a model.
    pub fn of(model: &'a JvmModel) -> Types<'a> {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, operation) in model.operations.iter().enumerate() {
            by_name
                .entry(operation.name.as_str())
                .or_default()
                .push(index);
        }
        let types = model.descriptors.iter().enumerate();
        Types {
            model,
            types: types
                .map(|(index, text)| (text.as_str(), TypeId(index as u32)))
                .collect(),
            by_name,
        }
    }

    /// Whether the compiler takes an expression of one reference type, or of the very same primitive type, for another.
    pub fn fits(&self, given: &str, asked: &str) -> bool {
        if given == asked {
            return true;
        }
        if !is_reference(given) || !is_reference(asked) {
            return false;
        }
        if asked == "Ljava/lang/Object;" || asked == COLLECTION && is_collection(given) {
            return true;
        }
        match (self.types.get(given), self.types.get(asked)) {
            (Some(&given), Some(&asked)) => self.model.calls.fits(given, asked),
            _ => false,
        }
    }

    /// Whether arguments of these types (`None` for `null`) could be meant for another overload of an operation.
    pub fn ambiguous(&self, operation: &JvmOperation, given: &[Option<&str>]) -> bool {
        let same_name = self.by_name.get(operation.name.as_str());
        let others = same_name.into_iter().flatten();
        others
            .map(|&index| &self.model.operations[index])
            .filter(|other| self.related(operation, other))
            .any(|other| self.takes(other, given))
    }

    /// Whether two operations of one name are overloads of each other.
    fn related(&self, one: &JvmOperation, two: &JvmOperation) -> bool {
        let called = |operation: &JvmOperation| {
            matches!(
                operation.kind,
                OperationKind::Constructor | OperationKind::Method | OperationKind::StaticMethod
            )
        };
        let parameters = |operation: &JvmOperation| {
            let end = operation.descriptor.find(')').unwrap_or(0);
            operation.descriptor[..end].to_owned()
        };
        let owner = |operation: &JvmOperation| format!("L{};", operation.owner);
        let kin = one.owner == two.owner
            || one.name != "<init>"
                && (self.fits(&owner(one), &owner(two)) || self.fits(&owner(two), &owner(one)));
        called(one) && called(two) && parameters(one) != parameters(two) && kin
    }

    fn takes(&self, other: &JvmOperation, given: &[Option<&str>]) -> bool {
        const VARARGS: u16 = 0x80;
        let Ok(method) = MethodType::parse(&other.descriptor) else {
            return false;
        };
        let parameters: Vec<Type> = method.parameters().collect();
        let each = |parameters: &[Type], given: &[Option<&str>]| {
            parameters.len() == given.len()
                && parameters
                    .iter()
                    .zip(given)
                    .all(|(parameter, given)| self.converts(*given, parameter.text()))
        };
        // With a variable number of arguments, anything that begins alike may be meant.
        let fixed = parameters.len().saturating_sub(1);
        let open = other.access & VARARGS != 0
            && given.len() >= fixed
            && each(&parameters[..fixed], &given[..fixed]);
        open || each(&parameters, given)
    }

    /// Whether the compiler converts an argument by itself, boxing and widening included.
    fn converts(&self, given: Option<&str>, asked: &str) -> bool {
        let Some(given) = given else {
            return is_reference(asked);
        };
        let numbers =
            |kind: &str| unboxed(kind).filter(|_| !matches!(kind, "Z" | "Ljava/lang/Boolean;"));
        self.fits(given, asked)
            || numbers(given).is_some() && numbers(asked).is_some()
            || !is_reference(given) && is_reference(asked) && numbers(asked).is_none()
            || unboxed(given).is_some() && unboxed(given) == unboxed(asked)
    }
}
