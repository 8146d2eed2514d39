//! Learning from an executed test: what it made is kept for later ones, and the parts of the guide are told.

use super::parts::{detective, orienteering};
use super::pool::Kept;
use super::sequence::Sequence;
use super::slice::slice;
use super::source::CallSource;
use crate::observation::{End, Observation, StepResult};
use crate::run::Executed;

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
        self.note_time(observation);
        self.store_built(&sequence, observation);
        // An object that breaks a contract is an object still.
        let kept = normal || self.parts.elephant && matches!(observation.end, End::Exited(_));
        let whole = results.len() == sequence.len() && !results.is_empty();
        let short = results.len() <= self.settings.longest_kept.min(64);
        if kept && whole && short && !repeated && !self.used_up(observation) {
            self.keep(&sequence, results, self.cost(observation));
        }
    }

    /// Whether a test cost as much as a worker does, so that nobody should have to repeat it.
    fn used_up(&self, observation: &Observation) -> bool {
        let counts = self.settings.ticks && self.parts.orienteering.is_some();
        counts && observation.details.micros >= orienteering::DEAR
    }

    /// What executing a test cost, as far as that counts.
    fn cost(&self, observation: &Observation) -> u64 {
        match self.settings.ticks {
            true => observation.ticks,
            false => 0,
        }
    }

    /// Tells the part that weighs operations by their time how long a test took, where time counts.
    fn note_time(&mut self, observation: &Observation) {
        let tested = self.operations.last().filter(|_| self.settings.ticks);
        if let (Some(costs), Some(tested)) = (&mut self.parts.orienteering, tested) {
            self.stale |= costs.executed(*tested, observation.details.micros);
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
}
