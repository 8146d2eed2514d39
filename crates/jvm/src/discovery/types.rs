//! The table of types: which there are, what they are called, and which values of one can be given for another.
//!
//! Types are erased: `List<String>` is `List`. A primitive value is also one of its box and the box's supertypes, because
//! that is what it becomes when it is passed on; the other way round would fail for `null` and is not offered.

use super::error::Error;
use super::hierarchy::Hierarchy;
use super::literals;
use classfile::descriptor::{MethodType, Type};
use engine::calls::{CallType, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// The types that signatures speak of, numbered in the order in which they came.
#[derive(Debug, Default)]
pub struct TypeTable {
    ids: BTreeMap<String, TypeId>,
    descriptors: Vec<String>,
}

impl TypeTable {
    /// The number of a type, new if need be.
    pub fn id(&mut self, descriptor: &str) -> TypeId {
        if let Some(id) = self.ids.get(descriptor) {
            return *id;
        }
        let id = TypeId(self.descriptors.len() as u32);
        self.ids.insert(descriptor.to_owned(), id);
        self.descriptors.push(descriptor.to_owned());
        id
    }

    /// All types with names, supertypes among them, and literals; and their descriptors.
    pub fn finish(self, hierarchy: &mut Hierarchy) -> Result<(Vec<CallType>, Vec<String>), Error> {
        let mut types = Vec::with_capacity(self.descriptors.len());
        for descriptor in &self.descriptors {
            let all = supertypes(descriptor, hierarchy)?;
            let known = all.iter().filter_map(|one| self.ids.get(one).copied());
            let mut supertypes: Vec<TypeId> = known.collect();
            supertypes.sort_unstable();
            types.push(CallType {
                name: source_name(descriptor, hierarchy)?,
                supertypes,
                literals: literals::of_type(descriptor),
                closed: false,
            });
        }
        Ok((types, self.descriptors))
    }
}

/// The descriptors of all supertypes of a type, without itself.
pub fn supertypes(descriptor: &str, hierarchy: &mut Hierarchy) -> Result<BTreeSet<String>, Error> {
    let mut all = BTreeSet::new();
    if let Some(element) = descriptor.strip_prefix('[') {
        all.extend(
            [
                "java/lang/Object",
                "java/lang/Cloneable",
                "java/io/Serializable",
            ]
            .map(of_class),
        );
        if element.starts_with(['L', '[']) {
            let elements = supertypes(element, hierarchy)?;
            all.extend(elements.iter().map(|element| format!("[{element}")));
        }
    } else if let Some(boxed) = box_of(descriptor) {
        all.insert(of_class(boxed));
        all.extend(
            hierarchy
                .supertypes(boxed)?
                .all
                .iter()
                .map(|name| of_class(name)),
        );
    } else if let Some(name) = class_of(descriptor) {
        all.extend(
            hierarchy
                .supertypes(name)?
                .all
                .iter()
                .map(|name| of_class(name)),
        );
        all.insert(of_class("java/lang/Object"));
        all.remove(descriptor);
    }
    Ok(all)
}

/// A type as Java source writes it, in full.
pub fn source_name(descriptor: &str, hierarchy: &mut Hierarchy) -> Result<String, Error> {
    if let Some(element) = descriptor.strip_prefix('[') {
        return Ok(source_name(element, hierarchy)? + "[]");
    }
    let Some(name) = class_of(descriptor) else {
        return Ok(plain_name(descriptor));
    };
    Ok(match hierarchy.get(name)? {
        Some(known) => known.summary.source_name.clone(),
        None => name.replace('/', "."),
    })
}

/// A type as its descriptor names it, without looking at classes: `java.util.Map$Entry`.
pub fn plain_name(descriptor: &str) -> String {
    match Type::parse(descriptor) {
        Ok(kind) => kind.to_string(),
        Err(_) => descriptor.to_owned(),
    }
}

fn box_of(descriptor: &str) -> Option<&'static str> {
    Some(match descriptor {
        "Z" => "java/lang/Boolean",
        "B" => "java/lang/Byte",
        "S" => "java/lang/Short",
        "C" => "java/lang/Character",
        "I" => "java/lang/Integer",
        "J" => "java/lang/Long",
        "F" => "java/lang/Float",
        "D" => "java/lang/Double",
        _ => return None,
    })
}

/// The descriptor of a class given in internal form.
pub fn of_class(name: &str) -> String {
    format!("L{name};")
}

/// The internal name in the descriptor of a class.
pub fn class_of(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// The class that a type is made of, through all dimensions; none for primitives.
pub fn innermost_class(descriptor: &str) -> Option<&str> {
    class_of(descriptor.trim_start_matches('['))
}

/// Whether values of the type may be `null`.
pub fn is_reference(descriptor: &str) -> bool {
    descriptor.starts_with(['L', '['])
}

/// The descriptors of a method's parameters and of its result; none where the text is not the descriptor of a method.
pub fn of_method(descriptor: &str) -> Option<(Vec<String>, Option<String>)> {
    let method = MethodType::parse(descriptor).ok()?;
    let parameters = method.parameters().map(|one| one.text().to_owned());
    let result = method.result().map(|result| result.text().to_owned());
    Some((parameters.collect(), result))
}
