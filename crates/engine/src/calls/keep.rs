//! Keeping what a test made for later ones: its last result, and the objects that its last call may have changed.

use super::pool::Kept;
use super::sequence::{Call, Sequence};
use super::source::CallSource;
use super::{PlaceId, TypeId, hash};
use crate::observation::StepResult;
use crate::test::OperationId;

impl CallSource {
    /// Keeps the result of the last step, if it is a new value, and the objects that it was given.
    pub(super) fn keep(&mut self, sequence: &Sequence, results: &[StepResult], cost: u64) {
        let last = results.len() - 1;
        let bits = results.iter().enumerate();
        let values = bits.fold(0, |bits, (step, result)| {
            bits | u64::from(result.is_value()) << step
        });
        let mut places = self.operations.iter().map(|one| self.place(*one));
        let place = places.find_map(|place| place);
        let kept = |step: usize| Kept {
            sequence: sequence.clone(),
            step: step as u32,
            values,
            place,
            number: match results[step] {
                StepResult::Number { bits, .. } => bits,
                _ => 0,
            },
            cost,
        };
        let mut new = results[last] == StepResult::Void;
        let fingerprint = match results[last] {
            StepResult::Value { fingerprint, .. } => Some(fingerprint),
            // Never 0, which tells nothing.
            StepResult::Number { bits, .. } => Some(hash::spread(bits) | 1),
            _ => None,
        };
        if let (Some(kind), Some(fingerprint)) = (self.filed(last, results), fingerprint) {
            new = fingerprint == 0 || self.values.insert(hash::fingerprint(kind, fingerprint));
            if new {
                self.offer(kind, kept(last));
            }
        }
        // Without knowing what calls change, most that give nothing new are taken to only look.
        let told = self.parts.impurity.is_some();
        if !told && !new && !self.ageing.chance(self.settings.dull) {
            return;
        }
        for step in self.changed(sequence, results) {
            if let Some(kind) = self.filed(step, results) {
                self.offer(kind, kept(step));
            }
        }
    }

    /// The steps whose values the last call may have changed: what it was given and, where it is known which of that changes, what
    /// those were made from, because a part of an object that changes changes the object.
    fn changed(&self, sequence: &Sequence, results: &[StepResult]) -> Vec<usize> {
        let calls: Vec<Call<'_>> = sequence.calls().collect();
        // Values with a fingerprint cannot have changed.
        let changeable =
            |step: usize| matches!(results[step], StepResult::Value { fingerprint: 0, .. });
        let mut changed: Vec<usize> = Vec::new();
        let last = calls.len() - 1;
        for (index, back) in calls[last].results().enumerate() {
            let step = last - back as usize;
            let parameter = calls[last].parameter_of_result(index);
            let may = self.may_change(calls[last].operation, parameter);
            if may && changeable(step) && !changed.contains(&step) {
                changed.push(step);
            }
        }
        let mut looked = 0;
        while looked < changed.len() && self.parts.impurity.is_some() {
            let step = changed[looked];
            for back in calls[step].results() {
                let origin = step - back as usize;
                if changeable(origin) && !changed.contains(&origin) {
                    changed.push(origin);
                }
            }
            looked += 1;
        }
        changed
    }

    /// Whether an operation may have changed what it was given for a parameter, as far as is known.
    fn may_change(&self, operation: OperationId, parameter: usize) -> bool {
        let impurity = self.parts.impurity.as_ref();
        impurity.is_none_or(|impurity| impurity.changes(operation, parameter))
    }

    /// Where a test with an operation must stand.
    fn place(&self, operation: OperationId) -> Option<PlaceId> {
        self.model.signatures[operation.0 as usize].place
    }

    /// The type under which the value of a step of the learnt test is kept: what its operation says it gives, or what it is.
    pub(super) fn filed(&self, step: usize, results: &[StepResult]) -> Option<TypeId> {
        let operation = self.operations[step];
        let signature = &self.model.signatures[operation.0 as usize];
        match results[step] {
            StepResult::Value { kind, .. }
                if signature.observed && (kind.0 as usize) < self.pool.types() =>
            {
                Some(kind)
            }
            _ => signature.result,
        }
    }

    pub(super) fn offer(&mut self, kind: TypeId, kept: Kept) {
        if self.pool.offer(kind, kept, &mut self.ageing) {
            self.supply.first_kept(&self.model, kind);
            self.stale = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::{CallModel, CallSettings, CallType, Knowledge, Parameter, Signature};
    use crate::frames::Frame;
    use crate::observation::{End, Failure, Observation};
    use crate::run::{Executed, Proposal};
    use crate::stream::Seed;
    use crate::test::{Argument, Step, Test, TestId};

    const BOOK: TypeId = TypeId(0);
    const PAGE: TypeId = TypeId(1);

    /// Operations `new Book()`, `Page pageOf(Book)` and `void write(Page)`, which changes the page.
    fn source(parts: &[&str]) -> CallSource {
        let signature = |given: Option<TypeId>, result| Signature {
            parameters: given
                .into_iter()
                .map(|kind| Parameter {
                    kind,
                    nullable: false,
                })
                .collect(),
            result,
            ..Signature::default()
        };
        let model = CallModel {
            types: vec![CallType::default(); 2],
            signatures: vec![
                signature(None, Some(BOOK)),
                signature(Some(BOOK), Some(PAGE)),
                signature(Some(PAGE), None),
            ],
        };
        let knowledge = Knowledge {
            changes: vec![0, 0, 1],
            ..Knowledge::default()
        };
        CallSource::guided(model, CallSettings::default(), Seed(1), parts, &knowledge)
    }

    /// Learns that a test which calls the first `count` operations, each on what the one before gave, ended normally.
    fn learn(source: &mut CallSource, count: u32, failures: Vec<Failure>) {
        let step = |operation: u32| Step {
            operation: OperationId(operation),
            arguments: operation
                .checked_sub(1)
                .map(Argument::Result)
                .into_iter()
                .collect(),
        };
        let proposal = Proposal {
            id: TestId(0),
            frame: Frame::default(),
            test: Test {
                steps: (0..count).map(step).collect(),
            }
            .into(),
        };
        let value = |kind| StepResult::Value {
            kind,
            fingerprint: 0,
        };
        let mut observation = Observation::plain(End::Exited(0));
        let results = [value(BOOK), value(PAGE), StepResult::Void];
        observation.details.results = results[..count as usize].to_vec();
        observation.failures = failures;
        source.learn_one(Executed {
            proposal: &proposal,
            observation: &observation,
        });
    }

    #[test]
    fn what_a_changed_object_was_got_from_is_kept_as_changed() {
        for (parts, books) in [(&["impurity"][..], 1), (&[], 0)] {
            let mut source = source(parts);
            learn(&mut source, 3, Vec::new());
            let kept = (source.pool.count(BOOK), source.pool.count(PAGE));
            assert_eq!(kept, (books, 1), "{parts:?}");
        }
    }

    #[test]
    fn an_object_that_breaks_a_contract_is_kept_by_elephant_alone() {
        let failure = Failure {
            oracle: "to-string-returns".to_owned(),
            signature: String::new(),
            message: String::new(),
        };
        for (parts, books) in [(&["elephant"][..], 1), (&[], 0)] {
            let mut source = source(parts);
            learn(&mut source, 1, vec![failure.clone()]);
            assert_eq!(source.pool.count(BOOK), books, "{parts:?}");
        }
    }
}
