//! Changing an object before it is used: the part `impurity` on objects. What changes it is called right behind the sequence that
//! made it.

use std::ops::Range;

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
        // What is drawn for the other parameters is behind this.
        let end = self.draft.len() as u32;
        if !self.draft.move_to(signature.place) {
            return None;
        }
        for (index, parameter) in signature.required().iter().enumerate() {
            let own = match index as u32 == changer.parameter {
                true => Some(step),
                false => self.of_sequence(parameter.kind, start..end, step),
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

    /// A value of the object's own sequence, made before or after it. Neither the object itself, nor what a call gave that the object was
    /// given to and whose type fits the object's: many such calls give the object back, and a collection that contains itself
    /// has no hash code.
    fn of_sequence(&mut self, kind: TypeId, steps: Range<u32>, object: u32) -> Option<u32> {
        let (model, pool) = (self.model, self.pool);
        self.draft.values(model, pool);
        let draft = &*self.draft;
        let own = draft.value(object);
        let fits = |step: &u32| {
            let Some(value) = draft.value(*step).filter(|_| *step != object) else {
                return false;
            };
            let same = own.is_some_and(|own| model.fits(value, own));
            model.fits(value, kind) && !(same && draft.is_given(pool, *step, object))
        };
        let fitting = || steps.clone().filter(fits);
        let count = fitting().count();
        if count == 0 {
            return None;
        }
        fitting().nth(self.stream.index(count))
    }
}

#[cfg(test)]
mod tests {
    use crate::calls::{
        CallModel, CallSettings, CallSource, CallType, Knowledge, Parameter, Signature, TypeId,
    };
    use crate::frames::{Frame, FrameBlock};
    use crate::observation::{End, Observation, StepResult};
    use crate::run::{Executed, Proposal};
    use crate::source::Source;
    use crate::stream::Seed;
    use crate::test::{Argument, OperationId, Step, Test, TestId};

    const KEY: TypeId = TypeId(0);
    const LOCK: TypeId = TypeId(1);
    const SET: OperationId = OperationId(2);
    const LOOK: OperationId = OperationId(3);

    fn signature(given: &[TypeId], result: Option<TypeId>) -> Signature {
        let parameter = |&kind: &TypeId| Parameter {
            kind,
            nullable: false,
        };
        Signature {
            parameters: given.iter().map(parameter).collect(),
            result,
            ..Signature::default()
        }
    }

    /// Tests of `Key key()`, `new Lock(Key)` and `void look(Lock)`; `void set(Lock, Key)`, which changes the lock, is not tested.
    fn tests(parts: &[&str]) -> Vec<Test> {
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

    /// Learns `bag = new Bag(); item = new Item(); bag.add(item)`, where `add` gives the bag; then gives the tests of `look(Bag)` in which
    /// `remove(Bag, Object)` changed the bag before.
    fn removals() -> Vec<Test> {
        let [object, bag, item] = [TypeId(0), TypeId(1), TypeId(2)];
        let of_object = CallType {
            supertypes: vec![object],
            ..CallType::default()
        };
        let model = CallModel {
            types: vec![CallType::default(), of_object.clone(), of_object],
            signatures: vec![
                signature(&[], Some(bag)),
                signature(&[], Some(item)),
                signature(&[bag, item], Some(bag)),
                signature(&[bag, object], None),
                signature(&[bag], None),
            ],
        };
        let knowledge = Knowledge {
            changes: vec![0, 0, 1, 1, 0],
            ..Knowledge::default()
        };
        let settings = CallSettings::default();
        let mut source = CallSource::guided(model, settings, Seed(1), &["impurity"], &knowledge);
        source.weigh(&[0.0, 0.0, 0.0, 0.0, 1.0]);
        let step = |operation, given: &[u32]| Step {
            operation: OperationId(operation),
            arguments: given.iter().copied().map(Argument::Result).collect(),
        };
        let value = |kind| StepResult::Value {
            kind,
            fingerprint: 0,
        };
        let proposal = Proposal {
            id: TestId(0),
            frame: Frame::default(),
            test: Test {
                steps: vec![step(0, &[]), step(1, &[]), step(2, &[0, 1])],
            }
            .into(),
        };
        let mut observation = Observation::plain(End::Exited(0));
        observation.details.results = vec![value(bag), value(item), value(bag)];
        source.learn(&[Executed {
            proposal: &proposal,
            observation: &observation,
        }]);
        let mut stream = Seed(2).stream();
        let mut propose = || {
            let (test, _) = source
                .finish(&FrameBlock::new(0, 1), 0, &mut stream)
                .unwrap();
            test.as_ref().clone()
        };
        let tests = (0..400).map(|_| propose());
        tests
            .filter(|test| !steps_of(test, OperationId(3)).is_empty())
            .collect()
    }

    #[test]
    fn what_a_change_needs_may_have_been_made_after_the_object_but_is_not_the_object_given_back() {
        let mut of_first = 0;
        let removals = removals();
        for test in &removals {
            for remove in steps_of(test, OperationId(3)) {
                let Argument::Result(bag) = remove.arguments[0] else {
                    panic!("{test:?}");
                };
                // The object is the bag before the item or the one that `add` gave.
                if test.steps[bag as usize].operation == OperationId(0) {
                    of_first += 1;
                    assert_eq!(remove.arguments[1], Argument::Result(bag + 1), "{test:?}");
                }
            }
        }
        assert!(of_first > 20, "{of_first} of {}", removals.len());
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
