//! Methods by which objects check themselves, such as `checkRep`: named by the user, or marked with an annotation.
//!
//! A check has no parameters and gives a boolean or nothing. Private ones are not used, because a written test could not call
//! them.

use super::candidate::Candidate;
use super::error::Error;
use super::hierarchy::Hierarchy;
use super::method_pattern::MethodPattern;
use super::pattern::Pattern;
use super::summary::{MemberSummary, Summary};
use crate::model::OperationKind;
use engine::{OperationId, similar};
use std::rc::Rc;

/// How a user says which methods check their object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// Methods that a pattern means: `checkRep`, `Foo.checkRep`, `org.example.Foo.isSound`.
    Method(Pattern),
    /// Methods with an annotation, by its full or simple name. It is no error if there is none.
    Annotation(String),
}

impl Check {
    /// Reads `checkRep` or `@CheckRep`.
    pub fn new(text: &str) -> Check {
        match text.strip_prefix('@') {
            Some(name) => Check::Annotation(name.to_owned()),
            None => Check::Method(Pattern::new(text)),
        }
    }

    fn means(&self, class: &Summary, method: &MemberSummary) -> bool {
        match self {
            Check::Method(pattern) => MethodPattern::new(pattern).matches(class, method),
            Check::Annotation(name) => method.annotations.iter().any(|annotation| {
                let full = annotation.replace(['/', '$'], ".");
                full == *name || full.rsplit('.').next() == Some(name)
            }),
        }
    }
}

/// The candidates that are checks, by their places. Of a method and its overrides only the first is taken: calling it on an
/// object calls the one that the object has.
pub fn find_checks(
    checks: &[Check],
    candidates: &[Candidate],
    hierarchy: &mut Hierarchy,
) -> Result<Vec<OperationId>, Error> {
    let mut possible: Vec<(usize, Rc<Summary>, MemberSummary)> = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let operation = &candidate.operation;
        let fits = matches!(operation.descriptor.as_str(), "()Z" | "()V");
        if operation.kind == OperationKind::Method && fits && !checks.is_empty() {
            let declared = declaration(candidate, hierarchy)?;
            possible.extend(declared.map(|(class, method)| (index, class, method)));
        }
    }
    for check in checks {
        let found = possible
            .iter()
            .any(|(_, class, method)| check.means(class, method));
        if let (Check::Method(pattern), false) = (check, found) {
            let names = possible.iter().map(|(_, _, method)| method.name.as_str());
            return Err(Error::NoMatch {
                what: "method without parameters that gives a boolean or nothing",
                pattern: pattern.text().to_owned(),
                hint: similar::hint(pattern.text(), names).unwrap_or_default(),
            });
        }
    }
    possible.retain(|(_, class, method)| checks.iter().any(|check| check.means(class, method)));
    let mut found = Vec::new();
    for (index, _, method) in &possible {
        let above = hierarchy.supertypes(&candidates[*index].operation.owner)?;
        let overrides = possible.iter().any(|(other, _, overridden)| {
            overridden.name == method.name
                && above.all.contains(&candidates[*other].operation.owner)
        });
        if !overrides {
            found.push(OperationId(*index as u32));
        }
    }
    Ok(found)
}

/// The method that a candidate calls, as its class or a superclass declares it.
fn declaration(
    candidate: &Candidate,
    hierarchy: &mut Hierarchy,
) -> Result<Option<(Rc<Summary>, MemberSummary)>, Error> {
    let operation = &candidate.operation;
    let mut name = Some(operation.owner.clone());
    while let Some(known) = match name.take() {
        Some(name) => hierarchy.with_members(&name)?,
        None => None,
    } {
        let mut methods = known.summary.methods.iter();
        let found = methods
            .find(|one| one.name == operation.name && one.descriptor == operation.descriptor);
        if let Some(method) = found {
            return Ok(Some((known.summary.clone(), method.clone())));
        }
        name.clone_from(&known.summary.super_name);
    }
    Ok(None)
}
