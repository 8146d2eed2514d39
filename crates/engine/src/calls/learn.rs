//! Learning from an executed test: what it made is kept for later ones, and the parts of the guide are told.

use super::parts::{detective, orienteering};
use super::pool::Kept;
use super::sequence::Sequence;
use super::slice::{steps_of_slice, with_steps};
use super::source::CallSource;
use super::{TypeId, hash};
use crate::observation::{End, Observation};
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
        let counts = self.settings.timed && self.parts.orienteering.is_some();
        counts && observation.details.micros >= orienteering::DEAR
    }

    /// The time that executing a test took, as far as that counts; its ticks where time was not measured.
    fn cost(&self, observation: &Observation) -> u64 {
        let micros = observation.details.micros;
        let costs = self.parts.orienteering.as_ref();
        match (
            costs.filter(|_| self.settings.timed),
            self.operations.last(),
        ) {
            (Some(costs), Some(tested)) if micros > 0 => costs.time(*tested, micros),
            (Some(_), _) => observation.ticks,
            (None, _) => 0,
        }
    }

    /// Tells the part that weighs operations by their time how long a test took, where time counts.
    fn note_time(&mut self, observation: &Observation) {
        let tested = self.operations.last().filter(|_| self.settings.timed);
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

    /// Stores what was built on demand. What a test that ends normally gave to one of its steps goes to the main pool. After a call that
    /// threw, what was built goes to the second pool: others may have a use for it.
    fn store_built(&mut self, sequence: &Sequence, observation: &Observation) {
        let model = &self.model;
        let built = |operation: &OperationId| {
            let signature = &model.signatures[operation.0 as usize];
            signature.auxiliary && !signature.repeats
        };
        // Most tests end here: nothing was built for them.
        if self.parts.detective.is_none() || !self.operations.iter().any(built) {
            return;
        }
        let (end, used) = match observation.end {
            End::Threw(end) => (end as usize, None),
            End::Exited(_) => (sequence.len(), Some(sequence.used())),
            _ => return,
        };
        let results = &observation.details.results;
        let most = end.min(self.settings.longest_kept);
        for step in 0..results.len().min(most) {
            let signature = &self.model.signatures[self.operations[step].0 as usize];
            let built = signature.auxiliary && !signature.repeats;
            let Some(made) = signature.result.filter(|_| results[step].is_value()) else {
                continue;
            };
            let given = used.as_ref().is_none_or(|used| used[step]);
            if !built || !given {
                continue;
            }
            match used {
                Some(_) => self.store_used(sequence, step, made, observation),
                None => self.store_unused(sequence, step, made, observation),
            }
        }
    }

    fn store_unused(
        &mut self,
        sequence: &Sequence,
        step: usize,
        made: TypeId,
        observation: &Observation,
    ) {
        let wanted = match &self.parts.detective {
            Some(detective) => detective.wants(made, &mut self.ageing),
            None => false,
        };
        let kept = wanted.then(|| self.built(sequence, step, observation));
        if let (Some(kept), Some(detective)) = (kept.flatten(), &mut self.parts.detective) {
            detective.offer(made, kept, &mut self.ageing);
        }
    }

    fn store_used(
        &mut self,
        sequence: &Sequence,
        step: usize,
        made: TypeId,
        observation: &Observation,
    ) {
        let Some(second) = &mut self.parts.detective else {
            return;
        };
        if !second.looks_at_used(made, &mut self.ageing) {
            return;
        }
        let Some(kept) = self.built(sequence, step, observation) else {
            return;
        };
        if let Some(second) = &mut self.parts.detective {
            second.remove(made, &kept.sequence);
        }
        let kind = self.filed(step, &observation.details.results);
        let kind = kind.unwrap_or(made);
        // The same calls make the same object; a test that was given it has it again.
        if self.values.insert(hash::built(kind, kept.sequence.hash())) {
            self.offer(kind, kept);
        }
    }

    /// What a step made, with the steps that it needs and no others; nothing if that is long.
    fn built(&self, sequence: &Sequence, step: usize, observation: &Observation) -> Option<Kept> {
        let test = sequence.test(&self.literals);
        let stays = steps_of_slice(&test, &[step as u32], &|_| false);
        let test = with_steps(&test, &stays);
        if test.steps.len() > detective::LONGEST {
            return None;
        }
        let results = observation.details.results.iter().zip(&stays);
        let results = results.filter(|(_, stays)| **stays);
        let values = results.enumerate().fold(0, |bits, (place, (result, _))| {
            bits | u64::from(result.is_value()) << place
        });
        let mut steps = test.steps.iter();
        let place = steps.find_map(|one| self.model.signatures[one.operation.0 as usize].place);
        let cost = self.cost(observation) * test.steps.len() as u64 / stays.len().max(1) as u64;
        Some(Kept {
            sequence: Sequence::new(&self.literals, &test.steps)?,
            step: test.steps.len().saturating_sub(1) as u32,
            values,
            place,
            number: 0,
            cost,
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::{CallModel, CallSettings, CallType, Knowledge, Parameter, Signature};
    use crate::frames::Frame;
    use crate::observation::StepResult;
    use crate::run::Proposal;
    use crate::stream::Seed;
    use crate::test::{Argument, Step, Test, TestId};

    const TOOL: TypeId = TypeId(0);

    /// Operations `new Tool()`, which only makes inputs, and `void use(Tool)`.
    fn source(parts: &[&str]) -> CallSource {
        let tool = Parameter {
            kind: TOOL,
            nullable: false,
        };
        let model = CallModel {
            types: vec![CallType::default()],
            signatures: vec![
                Signature {
                    result: Some(TOOL),
                    auxiliary: true,
                    ..Signature::default()
                },
                Signature {
                    parameters: vec![tool],
                    ..Signature::default()
                },
            ],
        };
        // `use` changes nothing.
        let knowledge = Knowledge {
            changes: vec![0, 0],
            ..Knowledge::default()
        };
        CallSource::guided(model, CallSettings::default(), Seed(1), parts, &knowledge)
    }

    /// Learns how `use(new Tool())` ended; gives how many tools the main pool and the second one have then.
    fn learn(source: &mut CallSource, end: End) -> (usize, usize) {
        let step = |operation: u32, arguments: Vec<Argument>| Step {
            operation: OperationId(operation),
            arguments,
        };
        let steps = vec![step(0, vec![]), step(1, vec![Argument::Result(0)])];
        let proposal = Proposal {
            id: TestId(0),
            frame: Frame::default(),
            test: Test { steps }.into(),
        };
        let mut observation = Observation::plain(end);
        let made = StepResult::Value {
            kind: TOOL,
            fingerprint: 0,
        };
        observation.details.results = match end {
            End::Threw(_) => vec![made, StepResult::Threw { kind: TOOL }],
            _ => vec![made, StepResult::Void],
        };
        source.learn_one(Executed {
            proposal: &proposal,
            observation: &observation,
        });
        let second = source.parts.detective.as_ref();
        let second = second.map_or(0, |detective| detective.count(TOOL));
        (source.pool.count(TOOL), second)
    }

    #[test]
    fn what_was_built_in_vain_waits_in_the_second_pool_and_moves_when_it_was_of_use() {
        let mut source = source(&["detective", "impurity"]);
        assert_eq!(learn(&mut source, End::Threw(1)), (0, 1));
        assert_eq!(learn(&mut source, End::Exited(0)), (1, 0));
    }

    #[test]
    fn what_was_built_and_of_use_at_once_goes_to_the_main_pool_once() {
        let mut source = source(&["detective", "impurity"]);
        assert_eq!(learn(&mut source, End::Exited(0)), (1, 0));
        assert_eq!(learn(&mut source, End::Exited(0)), (1, 0));
    }

    #[test]
    fn without_the_part_nothing_that_was_built_is_kept() {
        let mut source = source(&["impurity"]);
        assert_eq!(learn(&mut source, End::Threw(1)), (0, 0));
        assert_eq!(learn(&mut source, End::Exited(0)), (0, 0));
    }
}
