//! What `detective` takes from the class library and other libraries beside makers of single types: makers of arrays, and methods that
//! change objects.

use super::candidate::Candidate;
use super::detective::Detective;
use super::error::Error;
use super::hierarchy::Origin;
use super::summary::access;
use super::{literals, types, unfit};
use crate::model::OperationKind;
use std::collections::BTreeSet;

/// The most methods of one type that change its objects.
const MOST_CHANGERS: usize = 8;

impl Detective<'_, '_, '_> {
    /// Adds makers of arrays of numbers and letters: long ones, and those that texts become.
    pub(super) fn add_array_makers(&mut self) -> Result<(), Error> {
        let parameters = self
            .collector
            .candidates
            .iter()
            .flat_map(|one| &one.parameters);
        let arrays = parameters.filter(|one| one.len() == 2 && one.starts_with('['));
        let arrays: BTreeSet<String> = arrays.cloned().collect();
        for class in ["java/util/Arrays", "java/lang/String"] {
            let Some(known) = self.collector.places.hierarchy.with_members(class)? else {
                continue;
            };
            for maker in self.members(&known.summary)? {
                let gives = maker.result.as_ref();
                let wanted = gives.is_some_and(|gives| arrays.contains(gives));
                if wanted && unfit::is_array_maker(&maker) {
                    self.take(maker);
                }
            }
        }
        Ok(())
    }

    /// Adds methods of a type outside the subject that change their receiver, going by their names, or by giving nothing.
    pub(super) fn add_changers(&mut self, name: &str) -> Result<(), Error> {
        let Some(known) = self.collector.places.hierarchy.with_members(name)? else {
            return Ok(());
        };
        if known.origin == Origin::Subject || !self.is_fit(name)? {
            return Ok(());
        }
        let simple = |candidate: &Candidate| {
            let given = candidate.parameters.iter().skip(1);
            let mut given = given.filter(|one| types::is_reference(one));
            given.all(|one| !literals::of_type(one).is_empty())
        };
        let mut changers: Vec<Candidate> = self
            .members(&known.summary)?
            .into_iter()
            .filter(|one| one.operation.kind == OperationKind::Method)
            .filter(|one| one.operation.access & access::STATIC == 0)
            .filter(|one| unfit::is_changer(one) && simple(one))
            .collect();
        changers.sort_by_key(|one| (unfit::rank(&one.operation.name), one.parameters.len()));
        changers.truncate(MOST_CHANGERS);
        for changer in changers {
            // Its result is no input for anybody: everything would fit the `Object` that `Map.put` gives.
            self.take(Candidate {
                result: None,
                ..changer
            });
        }
        Ok(())
    }
}
