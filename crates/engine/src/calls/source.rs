//! `random` on subjects that are called: feedback-directed random generation of call sequences.
//!
//! ## What it does
//! Chooses an operation, makes its inputs from sequences that were executed before and ended normally (by the declared type
//! of their values), from literals or, seldom, from nothing, and appends the call. A test that was proposed before is dropped
//! before it runs. After execution the new values of a test that ended normally are kept for later tests: its last result,
//! and the objects that its last call was given, which may have changed. Tests that threw, failed, timed out or lost their
//! worker are never extended.
//!
//! ## Why
//! It is the baseline that guided methods of call sequences are compared with, and the loop that they plug into.
//!
//! ## Example
//! `testhound generate app.jar --guide random`
//!
//! ## References
//! Pacheco, Lahiri, Ernst and Ball, "Feedback-Directed Random Test Generation" (ICSE 2007), Figure 3; Ma et al., "GRT:
//! Program-Analysis-Guided Random Testing" (ASE 2015), Sections II-A and II-B.
//!
//! ## Differences
//! - Memory is bounded: at most `kept_in_all` values, or 8 per type if that is more, of sequences of at most `longest_kept`
//!   steps that take some 20 bytes each, and four tables of remembered hashes, of 4 MiB each when full.
//! - The subtype of an input is drawn first, then two values of it, of which the one made by fewer calls is taken: else
//!   most of the time goes into calls that were made before.
//! - Only operations whose inputs can be made are drawn. One that can only be given nothing for some parameter is drawn
//!   seldom instead of never.
//! - Operations whose tests time out or lose their worker become rare, because such a test costs thousands of others.
//! - Repeated calls draw their literals anew.
//! - The receiver of a call is not also its argument.
//! - A test stays within what one place can call, such as one package's hidden members: no other could be written.

use super::draft::{Draft, Input};
use super::hash::{self, Memory};
use super::inputs::Builder;
use super::literals::Literals;
use super::pool::{Kept, Pool};
use super::sequence::Sequence;
use super::statistics::{CallStatistics, Counts};
use super::supply::Supply;
use super::weights::Weights;
use super::{CallModel, CallSettings, PlaceId, TypeId};
use crate::frames::{Frame, FrameBlock};
use crate::lazy::LazyTest;
use crate::observation::{End, StepResult};
use crate::run::Executed;
use crate::source::{Source, SourceError};
use crate::stream::{Seed, Stream};
use crate::test::OperationId;
use std::rc::Rc;

/// Generates call sequences and learns from them.
#[derive(Clone, Debug)]
pub struct CallSource {
    model: CallModel,
    settings: CallSettings,
    literals: Rc<Literals>,
    supply: Supply,
    pool: Pool,
    /// The factors of all parts that weigh operations, multiplied.
    factors: Vec<f64>,
    weights: Weights,
    /// Whether the weights must be computed anew.
    stale: bool,
    proposed: Memory,
    values: Memory,
    counts: Counts,
    /// How often in a row each operation threw while it made an input for another.
    trouble: Vec<u32>,
    /// Proposals in a row that found nothing new.
    fruitless: u32,
    /// Decides which kept values are replaced.
    ageing: Stream,
    draft: Draft,
    stack: Vec<Input>,
    /// The operations of the test that is learnt from.
    operations: Vec<OperationId>,
}

impl CallSource {
    /// A source over the operations of a model.
    pub fn new(model: CallModel, settings: CallSettings, seed: Seed) -> CallSource {
        let supply = Supply::new(&model);
        let mut given: Vec<TypeId> = model
            .signatures
            .iter()
            .filter_map(|one| one.result)
            .collect();
        given.sort_unstable();
        given.dedup();
        let share = settings.kept_in_all / given.len().max(1);
        let limit = share.clamp(8, settings.kept_per_type.max(8));
        CallSource {
            literals: Rc::new(Literals::new(&model)),
            pool: Pool::new(model.types.len(), limit, settings.slowest_ageing),
            factors: vec![1.0; model.signatures.len()],
            weights: Weights::default(),
            stale: true,
            proposed: Memory::new(settings.remembered),
            values: Memory::new(settings.remembered),
            counts: Counts::new(model.signatures.len()),
            trouble: vec![0; model.signatures.len()],
            fruitless: 0,
            ageing: seed.derive("ageing", 0).stream(),
            draft: Draft::default(),
            stack: Vec::new(),
            operations: Vec::new(),
            model,
            settings,
            supply,
        }
    }

    /// Multiplies the weights of all operations by the factors of a part. An operation with factor 0 is never tested.
    pub fn weigh(&mut self, factors: &[f64]) {
        for (weight, factor) in self.factors.iter_mut().zip(factors) {
            *weight *= factor;
        }
        self.stale = true;
    }

    /// How many values are kept for later tests.
    pub fn kept(&self) -> usize {
        self.pool.len()
    }

    fn refresh_weights(&mut self) {
        let weight = |number: usize| {
            let operation = OperationId(number as u32);
            let signature = &self.model.signatures[number];
            let possible = !signature.auxiliary && self.supply.is_callable(operation);
            let nothing = self.supply.only_nothing(operation) > 0;
            let seldom = if nothing {
                self.settings.only_nothing
            } else {
                1.0
            };
            let weight = self.factors[number] * seldom;
            (operation, if possible { weight } else { 0.0 })
        };
        self.weights = Weights::new((0..self.factors.len()).map(weight));
        self.stale = false;
    }

    /// Drafts a test that was not proposed before; gives its operation and whether it found one. After too many tries the
    /// last draft stands.
    fn draft(&mut self, stream: &mut Stream) -> Option<(OperationId, bool)> {
        if self.stale {
            self.refresh_weights();
        }
        let mut drafted = None;
        for _ in 0..self.settings.tries.max(1) {
            let operation = self.weights.draw(stream)?;
            let mut builder = Builder {
                model: &self.model,
                settings: &self.settings,
                pool: &self.pool,
                supply: &self.supply,
                literals: &self.literals,
                trouble: &self.trouble,
                stream,
                draft: &mut self.draft,
                stack: &mut self.stack,
            };
            drafted = builder.build(operation).map(|()| operation);
            if drafted.is_some() && self.proposed.insert(self.draft.hash()) {
                self.fruitless = 0;
                return drafted.map(|operation| (operation, true));
            }
        }
        self.fruitless += 1;
        let patient = self.fruitless <= self.settings.patience;
        drafted
            .filter(|_| patient)
            .map(|operation| (operation, false))
    }

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

    fn learn_one(&mut self, one: Executed<'_>) {
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
        let whole = results.len() == sequence.len() && !results.is_empty();
        let short = results.len() <= self.settings.longest_kept.min(64);
        if normal && whole && short && !repeated {
            self.keep(&sequence, results);
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
    fn keep(&mut self, sequence: &Sequence, results: &[StepResult]) {
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
        if !new && !self.ageing.chance(self.settings.dull) {
            return;
        }
        let Some(call) = sequence.calls().last() else {
            return;
        };
        for (index, back) in call.results().enumerate() {
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

    /// Where a test with an operation must stand.
    fn place(&self, operation: OperationId) -> Option<PlaceId> {
        self.model.signatures[operation.0 as usize].place
    }

    /// The type under which the value of a step of the learnt test is kept: what its operation says it gives, or what it is.
    fn filed(&self, step: usize, results: &[StepResult]) -> Option<TypeId> {
        let operation = self.operations[step];
        let signature = &self.model.signatures[operation.0 as usize];
        match results[step] {
            StepResult::Value { kind, .. } if signature.observed => Some(kind),
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

impl Source for CallSource {
    /// Candidates of call sequences have no frames, so there is nothing to fill.
    fn propose(
        &mut self,
        _candidates: &mut FrameBlock,
        _stream: &mut Stream,
    ) -> Result<(), SourceError> {
        Ok(())
    }

    fn finish(
        &mut self,
        _candidates: &FrameBlock,
        _row: usize,
        stream: &mut Stream,
    ) -> Result<(LazyTest, Frame), SourceError> {
        let (operation, new) = self.draft(stream).ok_or(SourceError::Exhausted)?;
        self.counts.proposed(operation);
        let mut test = LazyTest::of(self.draft.finish(&self.pool), &self.literals);
        test.repeated = !new;
        Ok((test, Frame::default()))
    }

    fn learn(&mut self, round: &[Executed<'_>]) {
        for one in round {
            self.learn_one(*one);
        }
    }

    fn statistics(&self) -> Vec<CallStatistics> {
        self.counts.report(&self.model, &self.supply)
    }
}
