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
//!   steps that take some 20 bytes each, and six tables of remembered hashes, of 4 MiB each when full.
//! - The subtype of an input is drawn first, then two values of it, of which the one made by fewer calls is taken: else
//!   most of the time goes into calls that were made before.
//! - Only operations whose inputs can be made are drawn. One that can only be given nothing for some parameter is drawn
//!   seldom instead of never.
//! - Operations whose tests time out or lose their worker become rare, because such a test costs thousands of others.
//! - Repeated calls draw their literals anew.
//! - The receiver of a call is not also its argument.
//! - A test stays within what one place can call, such as one package's hidden members: no other could be written.

use super::code::{Code, Literals};
use super::draft::{Draft, Input};
use super::hash::{self, Memory};
use super::inputs::Builder;
use super::pool::{Kept, Pool};
use super::statistics::{CallStatistics, Counts};
use super::supply::Supply;
use super::weights::Weights;
use super::{CallModel, CallSettings, PlaceId, TypeId};
use crate::frames::{Frame, FrameBlock};
use crate::observation::{End, StepResult};
use crate::run::Executed;
use crate::source::{Source, SourceError};
use crate::stream::{Seed, Stream};
use crate::test::{Argument, OperationId, Test};

/// Generates call sequences and learns from them.
#[derive(Clone, Debug)]
pub struct CallSource {
    model: CallModel,
    settings: CallSettings,
    literals: Literals,
    supply: Supply,
    pool: Pool,
    /// The factors of all parts that weigh operations, multiplied.
    factors: Vec<f64>,
    weights: Weights,
    /// Whether the weights must be computed anew.
    stale: bool,
    proposed: Memory,
    kept: Memory,
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
            literals: Literals::new(&model),
            pool: Pool::new(model.types.len(), limit, settings.slowest_ageing),
            factors: vec![1.0; model.signatures.len()],
            weights: Weights::default(),
            stale: true,
            proposed: Memory::new(settings.remembered),
            kept: Memory::new(settings.remembered),
            values: Memory::new(settings.remembered),
            counts: Counts::new(model.signatures.len()),
            trouble: vec![0; model.signatures.len()],
            fruitless: 0,
            ageing: seed.derive("ageing", 0).stream(),
            draft: Draft::default(),
            stack: Vec::new(),
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

    /// Drafts a test that was not proposed before; gives its operation. After too many tries the last draft stands.
    fn draft(&mut self, stream: &mut Stream) -> Option<OperationId> {
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
                return drafted;
            }
        }
        self.fruitless += 1;
        drafted.filter(|_| self.fruitless <= self.settings.patience)
    }

    fn learn_one(&mut self, one: Executed<'_>) {
        let observation = one.observation;
        let taken = observation.taken.clone().map(|steps| Test { steps });
        let test = taken.as_ref().unwrap_or(&one.proposal.test);
        if let Some((operation, lost)) = self.counts.ended(&test.steps, observation) {
            // From 1 over a fifth after two to a hundredth after ten.
            let before = 1.0 + ((lost - 1) * (lost - 1)) as f64;
            self.factors[operation.0 as usize] *= before / (1.0 + (lost * lost) as f64);
            self.stale = true;
        }
        self.note_trouble(test, observation.end);
        let results = &observation.details.results;
        let normal = matches!(observation.end, End::Exited(_)) && observation.failures.is_empty();
        let whole = results.len() == test.steps.len() && !results.is_empty();
        if !normal || !whole || results.len() > self.settings.longest_kept.min(64) {
            return;
        }
        let hash = hash::sequence(&test.steps);
        self.proposed.insert(hash);
        if self.kept.insert(hash) {
            self.keep(test, hash, results);
        }
    }

    /// Notes whether operations that make inputs do their work.
    fn note_trouble(&mut self, test: &Test, end: End) {
        let (ended, threw) = match end {
            End::Exited(_) => (test.steps.len(), false),
            End::Threw(step) => (step as usize, true),
            _ => return,
        };
        for (index, step) in test.steps.iter().enumerate().take(ended + 1) {
            let operation = step.operation.0 as usize;
            if self.model.signatures[operation].auxiliary {
                let failed = threw && index == ended;
                let trouble = &mut self.trouble[operation];
                *trouble = if failed { *trouble + 1 } else { 0 };
            }
        }
    }

    /// Keeps the result of the last step, if it is a new value, and the objects that it was given.
    fn keep(&mut self, test: &Test, hash: u64, results: &[StepResult]) {
        let last = results.len() - 1;
        let gave = |result: &StepResult| matches!(result, StepResult::Value { .. });
        let bits = results.iter().enumerate();
        let values = bits.fold(0, |bits, (step, result)| {
            bits | u64::from(gave(result)) << step
        });
        let Some(code) = Code::new(&self.literals, &test.steps) else {
            return;
        };
        let mut places = test.steps.iter().map(|step| self.place(step.operation));
        let place = places.find_map(|place| place);
        let kept = |step: usize| Kept {
            code: code.clone(),
            step: step as u32,
            hash,
            values,
            place,
        };
        let mut new = results[last] == StepResult::Void;
        if let (Some(kind), StepResult::Value { fingerprint, .. }) =
            (self.filed(test, last, results), results[last])
        {
            new = fingerprint == 0 || self.values.insert(hash::fingerprint(kind, fingerprint));
            if new {
                self.offer(kind, kept(last));
            }
        }
        if !new && !self.ageing.chance(self.settings.dull) {
            return;
        }
        let arguments = &test.steps[last].arguments;
        for (index, argument) in arguments.iter().enumerate() {
            let Argument::Result(step) = *argument else {
                continue;
            };
            // Values with a fingerprint cannot have changed.
            let result = results[step as usize];
            let changeable = matches!(result, StepResult::Value { fingerprint: 0, .. });
            if changeable
                && !arguments[..index].contains(argument)
                && let Some(kind) = self.filed(test, step as usize, results)
            {
                self.offer(kind, kept(step as usize));
            }
        }
    }

    /// Where a test with an operation must stand.
    fn place(&self, operation: OperationId) -> Option<PlaceId> {
        self.model.signatures[operation.0 as usize].place
    }

    /// The type under which a step's value is kept: what its operation says it gives, or what it is.
    fn filed(&self, test: &Test, step: usize, results: &[StepResult]) -> Option<TypeId> {
        let operation = test.steps[step].operation;
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
    ) -> Result<(Test, Frame), SourceError> {
        let operation = self.draft(stream).ok_or(SourceError::Exhausted)?;
        self.counts.proposed(operation);
        let test = self.draft.finish(&self.literals, &self.pool);
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
