//! Which types of values can be made at all: literals, and what calls give whose receiver can be made.
//!
//! For `makeable`, parameters do not stand in the way, because `null` can be given for each. What a call really returns is not known here:
//! only declared types count.

use super::candidate::Candidate;
use super::error::Error;
use super::hierarchy::Hierarchy;
use super::{literals, types};
use std::collections::BTreeSet;

/// The descriptors of all reference types of which some candidate or literal gives a value.
pub fn makeable(
    candidates: &[Candidate],
    hierarchy: &mut Hierarchy,
) -> Result<BTreeSet<String>, Error> {
    let ready = |candidate: &Candidate, made: &BTreeSet<String>| {
        !candidate.receiver
            || candidate
                .parameters
                .first()
                .is_some_and(|one| made.contains(one))
    };
    closure(candidates, hierarchy, &ready)
}

/// The same where `null` is given for nothing. Arrays can always be had, if need be without elements.
pub fn obtainable(
    candidates: &[Candidate],
    hierarchy: &mut Hierarchy,
) -> Result<BTreeSet<String>, Error> {
    let ready = |candidate: &Candidate, made: &BTreeSet<String>| {
        candidate.parameters.iter().all(|one| {
            types::class_of(one).is_none()
                || made.contains(one)
                || !literals::of_type(one).is_empty()
        })
    };
    closure(candidates, hierarchy, &ready)
}

/// Whether a candidate can be called when values of some types can be made.
type Ready<'a> = dyn Fn(&Candidate, &BTreeSet<String>) -> bool + 'a;

fn closure(
    candidates: &[Candidate],
    hierarchy: &mut Hierarchy,
    is_ready: &Ready,
) -> Result<BTreeSet<String>, Error> {
    let mut made = BTreeSet::new();
    for boxed in BOXES {
        add(&format!("Ljava/lang/{boxed};"), &mut made, hierarchy)?;
    }
    made.retain(|one: &String| !literals::of_type(one).is_empty());
    let mut open: Vec<&Candidate> = candidates.iter().collect();
    loop {
        let (ready, rest): (Vec<&Candidate>, Vec<&Candidate>) = open
            .into_iter()
            .partition(|candidate| is_ready(candidate, &made));
        if ready.is_empty() {
            return Ok(made);
        }
        for result in ready
            .iter()
            .filter_map(|candidate| candidate.result.as_ref())
        {
            add(result, &mut made, hierarchy)?;
        }
        open = rest;
    }
}

const BOXES: [&str; 9] = [
    "Boolean",
    "Byte",
    "Short",
    "Character",
    "Integer",
    "Long",
    "Float",
    "Double",
    "String",
];

fn add(
    descriptor: &str,
    made: &mut BTreeSet<String>,
    hierarchy: &mut Hierarchy,
) -> Result<(), Error> {
    if made.insert(descriptor.to_owned()) {
        made.extend(types::supertypes(descriptor, hierarchy)?);
    }
    Ok(())
}
