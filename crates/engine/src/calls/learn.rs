//! Learning from an executed test: what it made is kept for later ones, and the parts of the guide are told.

use super::PlaceId;
use super::TypeId;
use super::hash;
use super::parts::detective;
use super::pool::Kept;
use super::sequence::Sequence;
use super::slice::slice;
use super::source::CallSource;
use crate::observation::{End, Observation, StepResult};
use crate::run::Executed;
use crate::test::OperationId;

impl CallSource {
    /// The sequence that a test was executed as, and whether it is known not to be the first of its kind.
    fn executed(&mut self, one: Executed<'_>) -> Option<(Sequence, bool)> {
        let proposed = &one.proposal.test;
        if one.observation.taken.is_none()
            && let Some((sequence, _)) = proposed.sequence()
        {
            return Some((sequence.clone(), proposed.repeated));
        }
        let taken = one.observation.taken.as_deref();
        let steps = taken.unwrap_or_else(|| &proposed.steps);
        let sequence = Sequence::new(&self.literals, steps)?;
        let repeated = !self.proposed.insert(sequence.hash());
        Some((sequence, repeated))
    }

    pub(super) fn learn_one(&mut self, one: Executed<'_>) {
        let observation = one.observation;
        let Some((sequence, repeated)) = self.executed(one) else {
            return;
        };
        self.operations.clear();
        self.operations.extend(sequence.operations());
        if let Some((operation, lost)) = self.counts.ended(&self.operations, observation) {
            // From 1 over a fifth after two to a hundredth after ten.
            let before = 1.0 + ((lost - 1) * (lost - 1)) as f64;
            self.factors[operation.0 as usize] *= before / (1.0 + (lost * lost) as f64);
            self.stale = true;
        }
        self.note_trouble(observation.end);
        let results = &observation.details.results;
        let normal = matches!(observation.end, End::Exited(_)) && observation.failures.is_empty();
        self.note_coverage(normal, observation);
        self.store_built(&sequence, observation);
        let whole = results.len() == sequence.len() && !results.is_empty();
        let short = results.len() <= self.settings.longest_kept.min(64);
        if normal && whole && short && !repeated {
            self.keep(&sequence, results, self.cost(observation));
        }
    }

    /// What executing a test cost, as far as that counts.
    fn cost(&self, observation: &Observation) -> u64 {
        match self.settings.ticks {
            true => observation.ticks,
            false => 0,
        }
    }

    /// Tells the part that follows coverage what a test did.
    fn note_coverage(&mut self, normal: bool, observation: &Observation) {
        if let Some(bloodhound) = &mut self.parts.bloodhound {
            let tested = self.operations.last().copied().filter(|_| normal);
            self.stale |= bloodhound.executed(tested, &observation.hits);
        }
    }

    /// Stores what was built on demand for a call that threw: others may have a use for it.
    fn store_built(&mut self, sequence: &Sequence, observation: &Observation) {
        let (Some(detective), End::Threw(end)) = (&mut self.parts.detective, observation.end)
        else {
            return;
        };
        let ticks = if self.settings.ticks {
            observation.ticks
        } else {
            0
        };
        let results = &observation.details.results;
        let most = (end as usize).min(self.settings.longest_kept);
        for (step, result) in results.iter().enumerate().take(most) {
            let operation = self.operations[step];
            let signature = &self.model.signatures[operation.0 as usize];
            let built = signature.auxiliary && !signature.repeats;
            let (Some(kind), StepResult::Value { .. }) = (signature.result, result) else {
                continue;
            };
            if !built || !detective.wants(kind, &mut self.ageing) {
                continue;
            }
            let test = sequence.test(&self.literals);
            let test = slice(&test, &[step as u32], &|_| false);
            let last = test.steps.len().saturating_sub(1);
            let mut places = test.steps.iter();
            let place =
                places.find_map(|one| self.model.signatures[one.operation.0 as usize].place);
            if let Some(sequence) = Sequence::new(&self.literals, &test.steps)
                && sequence.len() <= detective::LONGEST
            {
                let kept = Kept {
                    sequence,
                    step: last as u32,
                    values: 1 << last,
                    place,
                    ticks,
                };
                detective.offer(kind, kept, &mut self.ageing);
            }
        }
    }

    /// Notes whether operations that make inputs do their work.
    fn note_trouble(&mut self, end: End) {
        let (ended, threw) = match end {
            End::Exited(_) => (self.operations.len(), false),
            End::Threw(step) => (step as usize, true),
            _ => return,
        };
        for (index, operation) in self.operations.iter().enumerate().take(ended + 1) {
            let operation = operation.0 as usize;
            if self.model.signatures[operation].auxiliary {
                let failed = threw && index == ended;
                let trouble = &mut self.trouble[operation];
                *trouble = if failed { *trouble + 1 } else { 0 };
            }
        }
    }

    /// Keeps the result of the last step, if it is a new value, and the objects that it was given.
    fn keep(&mut self, sequence: &Sequence, results: &[StepResult], ticks: u64) {
        let last = results.len() - 1;
        let gave = |result: &StepResult| matches!(result, StepResult::Value { .. });
        let bits = results.iter().enumerate();
        let values = bits.fold(0, |bits, (step, result)| {
            bits | u64::from(gave(result)) << step
        });
        let mut places = self.operations.iter().map(|one| self.place(*one));
        let place = places.find_map(|place| place);
        let kept = |step: usize| Kept {
            sequence: sequence.clone(),
            step: step as u32,
            values,
            place,
            ticks,
        };
        let mut new = results[last] == StepResult::Void;
        if let (Some(kind), StepResult::Value { fingerprint, .. }) =
            (self.filed(last, results), results[last])
        {
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
        let Some(call) = sequence.calls().last() else {
            return;
        };
        for (index, back) in call.results().enumerate() {
            if !self.may_change(call.operation, call.parameter_of_result(index)) {
                continue;
            }
            let step = last - back as usize;
            // Values with a fingerprint cannot have changed.
            let changeable = matches!(results[step], StepResult::Value { fingerprint: 0, .. });
            if changeable
                && !call.results().take(index).any(|before| before == back)
                && let Some(kind) = self.filed(step, results)
            {
                self.offer(kind, kept(step));
            }
        }
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
    fn filed(&self, step: usize, results: &[StepResult]) -> Option<TypeId> {
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

    fn offer(&mut self, kind: TypeId, kept: Kept) {
        if self.pool.offer(kind, kept, &mut self.ageing) {
            self.supply.first_kept(&self.model, kind);
            self.stale = true;
        }
    }
}
