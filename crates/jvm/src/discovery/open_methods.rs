//! Which methods a class leaves open: what an instance of it must still implement, in bytecode and in source.

use super::error::Error;
use super::hierarchy::Hierarchy;
use super::inherited::{Bindings, is_generic};
use super::summary::{MemberSummary, Summary, access};
use super::{names, types};
use crate::model::ImplementedMethod;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

const PROTECTED: u16 = 0x0004;

/// The methods that a class or interface leaves open; none where no class of its package could implement them.
pub fn open_methods(
    class: &Rc<Summary>,
    hierarchy: &mut Hierarchy,
) -> Result<Option<Vec<ImplementedMethod>>, Error> {
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    let mut written: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    let mut open = Vec::new();
    for (one, bindings) in lineage(class, hierarchy)? {
        let inherited = one.methods.iter().filter(|method| {
            !method.is(access::STATIC | access::PRIVATE) && !method.name.starts_with('<')
        });
        for method in inherited {
            let new = seen.insert((method.name.clone(), method.descriptor.clone()));
            if !new || !method.is(access::ABSTRACT) {
                continue;
            }
            let hidden = !method.is(access::PUBLIC | PROTECTED);
            if hidden && one.package() != class.package() || !names::is_identifier(&method.name) {
                return Ok(None);
            }
            let Some(types) = types::of_method(&method.descriptor) else {
                return Ok(None);
            };
            open.push(implemented(
                method,
                bindings.apply(method, types),
                &mut written,
            ));
        }
    }
    Ok(Some(open))
}

fn implemented(
    method: &MemberSummary,
    types: (Vec<String>, Option<String>),
    written: &mut BTreeSet<(String, Vec<String>)>,
) -> ImplementedMethod {
    // Nearer types come first, and have the nearer results.
    let new = written.insert((method.name.clone(), types.0.clone()));
    ImplementedMethod {
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
        access: method.access,
        generic: method.signature.as_deref().is_some_and(is_generic),
        source: new.then_some(types),
    }
}

/// A class with all its supertypes, each with what its type variables stand for: superclasses first, nearer ones first.
fn lineage(
    class: &Rc<Summary>,
    hierarchy: &mut Hierarchy,
) -> Result<Vec<(Rc<Summary>, Bindings)>, Error> {
    let mut all: Vec<(Rc<Summary>, Bindings)> = Vec::new();
    let mut interfaces = VecDeque::new();
    let mut next = Some((class.clone(), Bindings::default()));
    if class.is(access::INTERFACE) {
        interfaces.push_back((class.clone(), Bindings::default()));
        let object = hierarchy.with_members("java/lang/Object")?;
        next = object.map(|known| (known.summary, Bindings::default()));
    }
    while let Some((one, bindings)) = next.take() {
        let above = one.super_name.iter().chain(&one.interfaces);
        for name in above {
            let Some(found) = supertype(&one, &bindings, name, hierarchy)? else {
                continue;
            };
            match found.0.is(access::INTERFACE) {
                true => interfaces.push_back(found),
                false => next = Some(found),
            }
        }
        all.push((one, bindings));
    }
    let mut seen = BTreeSet::new();
    while let Some((one, bindings)) = interfaces.pop_front() {
        if !seen.insert(one.name.clone()) {
            continue;
        }
        for name in &one.interfaces {
            interfaces.extend(supertype(&one, &bindings, name, hierarchy)?);
        }
        all.push((one, bindings));
    }
    Ok(all)
}

fn supertype(
    class: &Summary,
    bindings: &Bindings,
    name: &str,
    hierarchy: &mut Hierarchy,
) -> Result<Option<(Rc<Summary>, Bindings)>, Error> {
    let Some(known) = hierarchy.with_members(name)? else {
        return Ok(None);
    };
    // A generic class is used raw, and so are its supertypes; what is bound in a supertype says what its own variables are.
    let signature = class.signature.as_deref();
    let raw = signature.is_some_and(is_generic) && bindings.is_empty();
    let above = known.summary.signature.as_deref();
    let bindings = bindings.above(signature.filter(|_| !raw), (name, above));
    Ok(Some((known.summary, bindings)))
}
