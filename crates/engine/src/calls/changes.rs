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
