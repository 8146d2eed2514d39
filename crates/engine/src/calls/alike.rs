//! Giving an operation what is like its first input: the part `elephant` on parameters that take values of the first input's own type.
//! An object is compared with itself, with its twin, which the same calls made, or with another one of its class.

use super::TypeId;
use super::draft::Input;
use super::inputs::Builder;

/// How often what is like the first input is given where it may be.
const ALIKE: f64 = 0.3;

impl Builder<'_> {
    /// Maybe an input of this type that is like the first one of the call under construction.
    pub(super) fn alike(
        &mut self,
        kind: TypeId,
        first: Option<Input>,
        depth: usize,
    ) -> Option<Input> {
        let Some(Input::Step(step)) = first.filter(|_| self.parts.elephant) else {
            return None;
        };
        let own = self.draft.values(self.model, self.pool);
        let own = own.get(step as usize).copied().flatten()?;
        let fits = self.model.fits(own, kind);
        if !fits || !self.pool.has(own) || !self.stream.chance(ALIKE) {
            return None;
        }
        let step = match self.stream.below(4) {
            // What changes while it is given to itself may come to contain itself, and then it has no hash code.
            0 if depth == 0 && self.only_looks() => step,
            0 | 1 => self.twin(step)?,
            _ => self.kept(&[own])?.0,
        };
        Some(Input::Step(step))
    }

    /// Whether the tested operation is known to change nothing that it is given.
    fn only_looks(&self) -> bool {
        let impurity = self.parts.impurity.as_ref();
        impurity.is_some_and(|impurity| impurity.only_looks(self.tested))
    }

    /// Makes a value of the draft once more, where it comes from the pool.
    fn twin(&mut self, step: u32) -> Option<u32> {
        let (kind, number) = self.draft.kept_at(step)?;
        let kept = self.pool.get(kind, number);
        let short = self.draft.len() + kept.sequence.len() < self.settings.longest_test;
        short.then(|| self.draft.append(self.pool, kind, number))
    }
}
