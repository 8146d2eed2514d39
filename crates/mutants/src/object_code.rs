//! Which compiled mutants are worth running: those whose object code is new.
//!
//! Mutants that compile to the same object code as the original are equivalent to it, and two that compile to the same
//! are one mutant, so running either is wasted. Different object code proves nothing: more equivalent mutants remain.
//! How to compile so that equal code gives equal objects is told in [`crate::c`].
//!
//! Idea: M. Papadakis, Y. Jia, M. Harman, Y. Le Traon, "Trivial compiler equivalence: a large scale empirical study of a
//! simple, fast and effective equivalent mutant detection technique", ICSE 2015.
//!
//! Differences: none known; which compiler and which optimisation level is the caller's choice.

use std::collections::BTreeMap;

use crate::{Fate, MutantId};

/// The object code of one compilation, or a hash of it: only equality counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectCode(pub Vec<u8>);

/// Decides the fate of every mutant from its object code, which is `None` for one that does not compile. Of mutants
/// with the same object code the first is kept.
pub fn filter_by_object_code(
    original: &ObjectCode,
    mutants: &[(MutantId, Option<ObjectCode>)],
) -> Vec<(MutantId, Fate)> {
    let mut first_with: BTreeMap<&ObjectCode, &MutantId> = BTreeMap::new();
    let mut fates = Vec::with_capacity(mutants.len());
    for (mutant, object_code) in mutants {
        let fate = match object_code {
            None => Fate::Uncompilable,
            Some(object_code) if object_code == original => Fate::Equivalent,
            Some(object_code) => match first_with.get(object_code) {
                Some(first) => Fate::SameObjectCode((*first).clone()),
                None => {
                    first_with.insert(object_code, mutant);
                    Fate::Kept
                }
            },
        };
        fates.push((mutant.clone(), fate));
    }
    fates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Operator, survivors};

    fn id(offset: usize) -> MutantId {
        MutantId::new(Operator::Constant, offset, "0")
    }

    #[test]
    fn only_new_object_code_is_kept_and_the_first_stands_for_its_equals() {
        let code = |byte: u8| ObjectCode(vec![byte]);
        let compiled = [
            Some(code(1)),
            None,
            Some(code(0)),
            Some(code(2)),
            Some(code(1)),
            Some(code(2)),
        ];
        let mutants: Vec<_> = compiled
            .into_iter()
            .enumerate()
            .map(|(offset, code)| (id(offset), code))
            .collect();
        let fates = filter_by_object_code(&code(0), &mutants);
        let expected = [
            Fate::Kept,
            Fate::Uncompilable,
            Fate::Equivalent,
            Fate::Kept,
            Fate::SameObjectCode(id(0)),
            Fate::SameObjectCode(id(3)),
        ];
        assert_eq!(
            fates
                .iter()
                .map(|(_, fate)| fate.clone())
                .collect::<Vec<_>>(),
            expected
        );
        assert_eq!(survivors(&fates), [&id(0), &id(3)]);
    }
}
