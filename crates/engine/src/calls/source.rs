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
use super::fenwick::Fenwick;
use super::hash::Memory;
use super::inputs::Builder;
use super::knowledge::Knowledge;
use super::literals::Literals;
use super::parts::orienteering::Costs;
use super::parts::{self, Parts};
use super::pool::{Draw, Pool};
use super::statistics::{CallStatistics, Counts};
use super::supply::Supply;
use super::weights::Weights;
use super::{CallModel, CallSettings, CallType, TypeId};
use crate::frames::{Frame, FrameBlock};
use crate::lazy::LazyTest;
use crate::run::Executed;
use crate::source::{Source, SourceError};
use crate::stream::{Seed, Stream};
use crate::test::OperationId;
use std::rc::Rc;

/// How many times as many drafts are made where the usual number gave none that can be built.
const MORE_TRIES: u32 = 50;

/// Generates call sequences and learns from them.
#[derive(Clone, Debug)]
pub struct CallSource {
    pub(super) model: CallModel,
    pub(super) settings: CallSettings,
    pub(super) literals: Rc<Literals>,
    pub(super) supply: Supply,
    pub(super) pool: Pool,
    pub(super) parts: Parts,
    /// The factors of all parts that weigh operations, multiplied.
    pub(super) factors: Vec<f64>,
    weights: Weights,
    /// The weights that change with every selection, where a part has such.
    hunted: Fenwick,
    /// Whether the weights must be computed anew.
    pub(super) stale: bool,
    pub(super) proposed: Memory,
    pub(super) values: Memory,
    pub(super) counts: Counts,
    /// How often in a row each operation threw while it made an input for another.
    pub(super) trouble: Vec<u32>,
    /// Proposals in a row that found nothing new.
    fruitless: u32,
    /// Decides which kept values are replaced.
    pub(super) ageing: Stream,
    draft: Draft,
    stack: Vec<Input>,
    /// The operations of the test that is learnt from.
    pub(super) operations: Vec<OperationId>,
}

impl CallSource {
    /// A source over the operations of a model, without guidance.
    pub fn new(model: CallModel, settings: CallSettings, seed: Seed) -> CallSource {
        CallSource::guided(model, settings, seed, &[], &Knowledge::default())
    }

    /// A source that the parts of these names guide by what is known of the subject.
    pub fn guided(
        mut model: CallModel,
        settings: CallSettings,
        seed: Seed,
        names: &[&str],
        knowledge: &Knowledge,
    ) -> CallSource {
        let parts = Parts::new(names, knowledge, &mut model);
        let mut source = CallSource::with_parts(model, settings, seed, parts);
        for factors in parts::factors(names, knowledge) {
            source.weigh(&factors);
        }
        source
    }

    fn with_parts(
        model: CallModel,
        settings: CallSettings,
        seed: Seed,
        parts: Parts,
    ) -> CallSource {
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
        let draw = match parts.orienteering.is_some() {
            true => Draw::Cheaper,
            false => Draw::Shorter,
        };
        CallSource {
            literals: Rc::new(Literals::new(&model)),
            pool: Pool::new(model.types.len(), limit, settings.slowest_ageing, draw),
            factors: vec![1.0; model.signatures.len()],
            weights: Weights::default(),
            hunted: Fenwick::default(),
            parts,
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
        let costs = self.parts.orienteering.as_ref().map(Costs::factors);
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
            let dear = costs.as_ref().map_or(1.0, |factors| factors[number]);
            let weight = self.factors[number] * seldom * dear;
            (operation, if possible { weight } else { 0.0 })
        };
        let weights: Vec<(OperationId, f64)> = (0..self.factors.len()).map(weight).collect();
        if let Some(bloodhound) = &self.parts.bloodhound {
            self.hunted = Fenwick::default();
            for (operation, weight) in &weights {
                self.hunted.push(weight * bloodhound.weight(*operation));
            }
        }
        self.weights = Weights::new(weights.into_iter());
        self.stale = false;
    }

    /// The operation that is tested next.
    fn draw(&mut self, stream: &mut Stream) -> Option<OperationId> {
        let Some(bloodhound) = &mut self.parts.bloodhound else {
            return self.weights.draw(stream);
        };
        let Some(index) = self.hunted.draw(stream) else {
            return self.weights.draw(stream);
        };
        let operation = OperationId(index as u32);
        let before = bloodhound.weight(operation);
        bloodhound.selected(operation);
        let after = bloodhound.weight(operation);
        self.hunted.scale(index, after / before);
        Some(operation)
    }

    /// Drafts a test that was not proposed before; gives its operation and whether it found one. After too many tries the
    /// next draft that can be built stands.
    fn draft(&mut self, stream: &mut Stream) -> Option<(OperationId, bool)> {
        if self.stale {
            self.refresh_weights();
        }
        let tries = self.settings.tries.max(1);
        for number in 0..tries * MORE_TRIES {
            // Where what is hunted for has nothing new to offer, others may have.
            let operation = match number <= tries / 2 {
                true => self.draw(stream)?,
                false => self.weights.draw(stream)?,
            };
            let mut builder = Builder {
                model: &self.model,
                settings: &self.settings,
                pool: &self.pool,
                supply: &self.supply,
                literals: &self.literals,
                parts: &self.parts,
                tested: operation,
                trouble: &self.trouble,
                counts: &self.counts,
                stream,
                draft: &mut self.draft,
                stack: &mut self.stack,
            };
            if builder.build().is_none() {
                continue;
            }
            if self.proposed.insert(self.draft.hash()) {
                self.fruitless = 0;
                return Some((operation, true));
            }
            if number + 1 >= tries {
                self.fruitless += 1;
                let patient = self.fruitless <= self.settings.patience;
                return patient.then_some((operation, false));
            }
        }
        None
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
        for (kind, number) in self.draft.kept() {
            self.pool.selected(kind, number);
        }
        let mut test = LazyTest::of(self.draft.finish(&self.pool), &self.literals);
        test.repeated = !new;
        Ok((test, Frame::default()))
    }

    fn learn(&mut self, round: &[Executed<'_>]) {
        for one in round {
            self.learn_one(*one);
        }
    }

    fn progress(&mut self, used: Option<f64>) {
        let bloodhound = self.parts.bloodhound.as_mut();
        let bloodhound = bloodhound.filter(|_| self.settings.timed);
        if let (Some(bloodhound), Some(used)) = (bloodhound, used) {
            self.stale |= bloodhound.progress(used);
        }
    }

    fn add_types(&mut self, types: &[CallType]) {
        self.model.types.extend_from_slice(types);
        self.pool.grow(self.model.types.len());
        self.supply.grow(self.model.types.len());
        if let Some(impurity) = &mut self.parts.impurity {
            impurity.types_added(&self.model);
        }
    }

    fn statistics(&self) -> Vec<CallStatistics> {
        self.counts.report(&self.model, &self.supply)
    }
}
