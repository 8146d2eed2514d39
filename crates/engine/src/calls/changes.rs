//! Changing an object before it is used: the part `impurity` on objects. What changes it is called right behind the sequence that
//! made it.

use super::TypeId;
use super::draft::Input;
use super::inputs::Builder;
use super::parts::impurity::{self, Changer};

impl Builder<'_> {
    /// Maybe changes the value of a step, which its sequence made from the step `start` on.
    pub(super) fn change(&mut self, kind: TypeId, start: u32, step: u32, depth: usize) {
        let Some(impurity) = &self.parts.impurity else {
            return;
        };
        if depth >= self.settings.deepest || !self.stream.chance(impurity::OBJECTS) {
            return;
        }
        let Some(changer) = impurity.changer(kind, self.stream) else {
            return;
        };
        // A test that is lost costs thousands of others.
        let lost = self.counts.lost(changer.operation);
        if lost > 0 && self.stream.below(1 + lost * lost) > 0 {
            return;
        }
        let base = self.stack.len();
        if self.change_by(changer, start, step).is_none() {
            // The object is used as it is.
            self.stack.truncate(base);
        }
    }

    fn change_by(&mut self, changer: Changer, start: u32, step: u32) -> Option<()> {
        let signature = &self.model.signatures[changer.operation.0 as usize];
        let base = self.stack.len();
        if !self.draft.move_to(signature.place) {
            return None;
        }
        for (index, parameter) in signature.required().iter().enumerate() {
            let own = match index as u32 == changer.parameter {
                true => Some(step),
                false => self.of_sequence(parameter.kind, start, step),
            };
            let input = match own {
                Some(step) => Input::Step(step),
                // What is given besides is not built or changed in turn: tests would grow without end.
                None => self.input(*parameter, base, self.settings.deepest)?,
            };
            self.stack.push(input);
        }
        // One step must be left for the call itself.
        if self.draft.len() + 1 >= self.settings.longest_test {
            return None;
        }
        let inputs = &self.stack[base..];
        self.draft.push(self.literals, changer.operation, inputs);
        self.stack.truncate(base);
        Some(())
    }

    /// A value of the object's own sequence, other than the object itself.
    fn of_sequence(&mut self, kind: TypeId, start: u32, step: u32) -> Option<u32> {
        let model = self.model;
        let values = self.draft.values(model, self.pool);
        let fits = |index: &u32| {
            let value = values.get(*index as usize).copied().flatten();
            *index != step && value.is_some_and(|value| model.fits(value, kind))
        };
        let fitting: Vec<u32> = (start..step).filter(fits).collect();
        match fitting.is_empty() {
            true => None,
            false => Some(fitting[self.stream.index(fitting.len())]),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::calls::{
        CallModel, CallSettings, CallSource, CallType, Knowledge, Parameter, Signature, TypeId,
    };
    use crate::frames::FrameBlock;
    use crate::observation::{End, Observation, StepResult};
    use crate::run::{Executed, Proposal};
    use crate::source::Source;
    use crate::stream::Seed;
    use crate::test::{Argument, OperationId, Step, Test, TestId};

    const KEY: TypeId = TypeId(0);
    const LOCK: TypeId = TypeId(1);
    const SET: OperationId = OperationId(2);
    const LOOK: OperationId = OperationId(3);

    /// Tests of `Key key()`, `new Lock(Key)` and `void look(Lock)`; `void set(Lock, Key)`, which changes the lock, is not tested.
    fn tests(parts: &[&str]) -> Vec<Test> {
        let signature = |given: &[TypeId], result| Signature {
            parameters: given
                .iter()
                .map(|&kind| Parameter {
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
                signature(&[], Some(KEY)),
                signature(&[KEY], Some(LOCK)),
                signature(&[LOCK, KEY], None),
                signature(&[LOCK], None),
            ],
        };
        let knowledge = Knowledge {
            changes: vec![0, 0, 1, 0],
            ..Knowledge::default()
        };
        let results = model.signatures.iter().map(|one| one.result);
        let results: Vec<Option<TypeId>> = results.collect();
        let settings = CallSettings::default();
        let mut source = CallSource::guided(model, settings, Seed(1), parts, &knowledge);
        source.weigh(&[1.0, 1.0, 0.0, 1.0]);
        let mut stream = Seed(2).stream();
        let mut all = Vec::new();
        for number in 0..300 {
            let made = source.finish(&FrameBlock::new(0, 1), 0, &mut stream);
            let Ok((test, frame)) = made else {
                continue;
            };
            let id = TestId(number);
            let proposal = Proposal { id, frame, test };
            let mut observation = Observation::plain(End::Exited(0));
            let gave = |step: &Step| match results[step.operation.0 as usize] {
                Some(kind) => StepResult::Value {
                    kind,
                    fingerprint: 0,
                },
                None => StepResult::Void,
            };
            observation.details.results = proposal.test.steps.iter().map(gave).collect();
            all.push(proposal.test.as_ref().clone());
            source.learn(&[Executed {
                proposal: &proposal,
                observation: &observation,
            }]);
        }
        all
    }

    fn steps_of(test: &Test, operation: OperationId) -> Vec<&Step> {
        let steps = test.steps.iter();
        steps.filter(|step| step.operation == operation).collect()
    }

    #[test]
    fn objects_are_changed_before_they_are_used() {
        let looks = |parts: &[&str]| {
            let tests = tests(parts).into_iter();
            let looks = tests.filter(|test| test.steps.last().unwrap().operation == LOOK);
            looks.collect::<Vec<Test>>()
        };
        let changed = |test: &&Test| {
            let look = test.steps.last().unwrap();
            let sets = steps_of(test, SET);
            sets.iter().any(|set| set.arguments[0] == look.arguments[0])
        };
        let with = looks(&["impurity"]);
        let count = with.iter().filter(changed).count();
        assert!(count * 10 > with.len() && count < with.len(), "{count}");
        assert_eq!(looks(&[]).iter().filter(changed).count(), 0);
    }

    #[test]
    fn what_a_change_needs_comes_from_the_object_s_own_sequence_first() {
        let tests = tests(&["impurity"]);
        let mut sets = 0;
        for test in &tests {
            for set in steps_of(test, SET) {
                let Argument::Result(lock) = set.arguments[0] else {
                    panic!("{test:?}");
                };
                let made = &test.steps[lock as usize];
                assert_eq!(set.arguments[1], made.arguments[0], "{test:?}");
                sets += 1;
            }
        }
        assert!(sets > 20, "{sets}");
    }
}
