//! What became of each operation: how often it was tried and how that ended, or why it could not be tried.

use super::supply::Supply;
use super::{CallModel, TypeId};
use crate::observation::{End, Observation};
use crate::test::OperationId;
use serde::{Deserialize, Serialize};

/// Counts of one operation. Every executed test is counted in one of `normal`, `threw`, `failed` and `lost`, for the operation
/// that it ended with: the one it was proposed for, unless an input could not be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallStatistics {
    /// Tests proposed for it.
    pub proposed: u64,
    /// Tests that ended normally.
    pub normal: u64,
    /// Tests in which it threw, without an oracle calling that a failure.
    pub threw: u64,
    /// Tests in which an oracle saw a failure.
    pub failed: u64,
    /// Tests that ran out of time or lost their worker.
    pub lost: u64,
    /// Why it could not be called, if it could not.
    pub lack: Option<Lack>,
}

/// Why an operation cannot be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lack {
    /// No operation gives a value of this type, and it has no literals.
    NoProducer(TypeId),
    /// Operations give this type, but none of them ever gave a value.
    NoValue(TypeId),
}

/// The counts of all operations.
#[derive(Clone, Debug)]
pub(super) struct Counts(Vec<CallStatistics>);

impl Counts {
    pub(super) fn new(operations: usize) -> Counts {
        Counts(vec![CallStatistics::default(); operations])
    }

    /// How many tests with an operation were lost.
    pub(super) fn lost(&self, operation: OperationId) -> u64 {
        self.0[operation.0 as usize].lost
    }

    pub(super) fn proposed(&mut self, operation: OperationId) {
        self.0[operation.0 as usize].proposed += 1;
    }

    /// Counts how a test ended, for the operation that it ended with; gives that operation's number of lost tests if this
    /// was one.
    pub(super) fn ended(
        &mut self,
        operations: &[OperationId],
        observation: &Observation,
    ) -> Option<(OperationId, u64)> {
        let last = match observation.end {
            End::Threw(step) => operations.get(step as usize),
            End::Exited(_) => operations.last(),
            // The steps before it gave something.
            _ => operations
                .get(observation.details.results.len())
                .or(operations.last()),
        };
        let operation = *last?;
        let counts = self.0.get_mut(operation.0 as usize)?;
        match observation.end {
            End::TimedOut | End::WorkerLost | End::Signalled(_) => {
                counts.lost += 1;
                return Some((operation, counts.lost));
            }
            _ if !observation.failures.is_empty() => counts.failed += 1,
            End::Threw(_) => counts.threw += 1,
            End::Exited(_) => counts.normal += 1,
        }
        None
    }

    /// All counts, with the reasons why operations cannot be called as things stand.
    pub(super) fn report(&self, model: &CallModel, supply: &Supply) -> Vec<CallStatistics> {
        let mut produced = vec![false; model.types.len()];
        for result in model.signatures.iter().filter_map(|one| one.result) {
            let kind = &model.types[result.0 as usize];
            for above in kind.supertypes.iter().chain([&result]) {
                produced[above.0 as usize] = true;
            }
        }
        let mut counts = self.0.clone();
        for (counts, signature) in counts.iter_mut().zip(&model.signatures) {
            let lacking = signature.required().iter().find(|parameter| {
                let way = supply.ways(parameter.kind).any;
                !parameter.nullable && !way
            });
            counts.lack = lacking.map(|parameter| {
                if produced[parameter.kind.0 as usize] {
                    Lack::NoValue(parameter.kind)
                } else {
                    Lack::NoProducer(parameter.kind)
                }
            });
        }
        counts
    }
}
