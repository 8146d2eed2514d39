//! Ways to make inputs outside the classes under test: members of the subject's other classes, as far as parameters ask for
//! what they give.
//!
//! Only what needs no instance is taken: constructors, static methods, static fields. Types that have literals ask for
//! nothing, because everything would fit `Object`.

use super::candidate::Candidate;
use super::error::Error;
use super::members::Collector;
use super::summary::Summary;
use super::{literals, types};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Adds auxiliary candidates for the parameters of what the collector has, and for theirs in turn.
pub fn add_helpers<'s>(
    others: impl Iterator<Item = &'s Rc<Summary>>,
    collector: &mut Collector,
) -> Result<(), Error> {
    let (wanting, reasons) = (collector.candidates.len(), collector.reasons.len());
    for class in others {
        if collector.class_obstacle(class)?.is_none() {
            collector.add_class(class)?;
        }
    }
    collector.reasons.truncate(reasons);
    let mut offered: Vec<Option<Candidate>> = collector
        .candidates
        .split_off(wanting)
        .into_iter()
        .map(Some)
        .collect();
    let mut givers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, candidate) in offered.iter().flatten().enumerate() {
        let Some(result) = candidate.result.as_ref().filter(|_| !candidate.receiver) else {
            continue;
        };
        if types::is_reference(result) {
            let mut given = types::supertypes(result, collector.places.hierarchy)?;
            given.insert(result.clone());
            for given in given {
                givers.entry(given).or_default().push(index);
            }
        }
    }
    let mut open: Vec<String> = collector.candidates.iter().flat_map(wanted).collect();
    let mut seen = BTreeSet::new();
    let mut taken = BTreeSet::new();
    while let Some(one) = open.pop() {
        if !seen.insert(one.clone()) {
            continue;
        }
        for &index in givers.get(&one).into_iter().flatten() {
            if taken.insert(index) {
                open.extend(offered[index].iter().flat_map(wanted));
            }
        }
    }
    let helpers = taken.iter().filter_map(|&index| offered[index].take());
    let helpers = helpers.map(|candidate| Candidate {
        auxiliary: true,
        foreign: true,
        ..candidate
    });
    collector.candidates.extend(helpers);
    Ok(())
}

/// What the parameters of a candidate ask for; for arrays, their elements.
fn wanted(candidate: &Candidate) -> impl Iterator<Item = String> + use<> {
    let parameters = candidate.parameters.iter();
    let elements = parameters.map(|one| one.trim_start_matches('[').to_owned());
    let asking: Vec<String> = elements
        .filter(|one| types::is_reference(one) && literals::of_type(one).is_empty())
        .collect();
    asking.into_iter()
}
