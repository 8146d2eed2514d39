//! What stood in the way while tests ran: workers that were given up, with a culprit each, and reasons for members that could
//! not be called, or never well.

use super::Campaign;
use super::failure_record::excerpt;
use engine::calls::TypeId;
use engine::calls::{CallStatistics, Lack};
use engine::observation::StepResult;
use engine::{OperationId, Proposal, Test};
use jvm::discovery::{Reason, Untested};
use jvm::loss::Loss;
use jvm::observed::{Observed, ObservedStep, ObservedValue};
use jvm::suite::{KeptTest, SuiteInput, SuiteOptions, write};
use jvm::workers::Collected;
use report::jvm::RetiredRecord;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What went wrong in a run, counted.
#[derive(Default)]
pub struct Troubles {
    /// Operations that turned out not to be callable, with the reasons.
    unlinked: BTreeMap<u32, String>,
    /// How tests were lost that ended with an operation.
    lost: BTreeMap<OperationId, BTreeMap<Loss, u64>>,
    /// How often an operation threw what.
    threw: BTreeMap<OperationId, BTreeMap<TypeId, u64>>,
    /// Types that the model does not name.
    types: BTreeMap<TypeId, String>,
    /// Why workers were replaced, how often, and the first test that did it.
    replaced: BTreeMap<Loss, (u64, Rc<Test>)>,
}

impl Troubles {
    /// Notes the operations that do not link, what was thrown, and the tests of a round that were lost.
    pub fn note(&mut self, round: &[Proposal], collected: &Collected) {
        self.unlinked.extend(collected.unlinked.iter().cloned());
        let types = collected.types.iter();
        self.types
            .extend(types.map(|one| (one.id, one.descriptor.clone())));
        for (proposal, observation) in round.iter().zip(&collected.observations) {
            let results = &observation.details.results;
            if let Some(StepResult::Threw { kind }) = results.last()
                && let Some(operation) = proposal.test.operation(results.len() - 1)
            {
                let threw = self.threw.entry(operation).or_default();
                *threw.entry(*kind).or_default() += 1;
            }
        }
        for one in &collected.lost {
            let Some(proposal) = round.get(one.test) else {
                continue;
            };
            if let Some(step) = proposal.test.steps.last() {
                let losses = self.lost.entry(step.operation).or_default();
                *losses.entry(one.loss).or_default() += 1;
            }
            if one.replaced {
                let (count, _) = self
                    .replaced
                    .entry(one.loss)
                    .or_insert_with(|| (0, Rc::clone(&proposal.test)));
                *count += 1;
            }
        }
    }

    /// The workers that were given up, most frequent cause first.
    pub fn retired(&self, campaign: &Campaign) -> Vec<RetiredRecord> {
        let mut records: Vec<RetiredRecord> = self
            .replaced
            .iter()
            .map(|(loss, (count, test))| RetiredRecord {
                reason: loss.text().to_owned(),
                count: *count,
                example: source(campaign, test),
            })
            .collect();
        records.sort_by_key(|record| std::cmp::Reverse(record.count));
        records
    }

    /// Why members that can be called by their signatures could not be, or never ended well.
    pub fn reasons(&self, campaign: &Campaign, statistics: &[CallStatistics]) -> Vec<Untested> {
        let model = &campaign.target.model;
        let mut reasons = Vec::new();
        for ((number, operation), counts) in (0..).zip(&model.operations).zip(statistics) {
            let found = match self.unlinked.get(&number) {
                Some(cause) => Some((Reason::DoesNotLink, cause.clone())),
                None if model.calls.signatures[number as usize].auxiliary => None,
                None => self.of_counts(campaign, OperationId(number), counts),
            };
            reasons.extend(found.map(|(reason, detail)| Untested {
                class: operation.owner.clone(),
                name: Some(operation.name.clone()),
                descriptor: operation.descriptor.clone(),
                reason,
                detail,
            }));
        }
        reasons
    }

    fn of_counts(
        &self,
        campaign: &Campaign,
        operation: OperationId,
        counts: &CallStatistics,
    ) -> Option<(Reason, String)> {
        let ended = counts.normal + counts.threw + counts.failed + counts.lost;
        if ended == 0 {
            let kind = match counts.lack {
                Some(Lack::NoProducer(kind) | Lack::NoValue(kind)) => Some(kind),
                None => None,
            };
            let kind = kind.and_then(|kind| campaign.target.model.descriptors.get(kind.0 as usize));
            let detail = kind.map(|kind| format!("no value of {}", jvm::types::source_name(kind)));
            return Some((Reason::NeverCalled, detail.unwrap_or_default()));
        }
        let losses = self.lost.get(&operation);
        let all: u64 = losses.iter().flat_map(|losses| losses.values()).sum();
        let most = losses.and_then(|losses| losses.iter().max_by_key(|(_, count)| **count));
        match most {
            Some((loss, _)) if all >= ended => Some((reason(*loss), String::new())),
            _ if counts.threw == ended => Some(self.always_throws(campaign, operation)),
            _ => None,
        }
    }

    /// The reason of an operation that only ever threw, with what it threw most often.
    fn always_throws(&self, campaign: &Campaign, operation: OperationId) -> (Reason, String) {
        let threw = self.threw.get(&operation);
        let most = threw.and_then(|threw| threw.iter().max_by_key(|(_, count)| **count));
        let descriptors = &campaign.target.model.descriptors;
        let name = most.and_then(|(kind, _)| {
            let of_model = descriptors.get(kind.0 as usize);
            of_model.or_else(|| self.types.get(kind))
        });
        match name.map(String::as_str) {
            Some("Ljava/lang/ExceptionInInitializerError;") => {
                (Reason::StaticInitialiserThrows, String::new())
            }
            Some(name) => (Reason::AlwaysThrows, jvm::types::source_name(name)),
            None => (Reason::AlwaysThrows, String::new()),
        }
    }
}

fn reason(loss: Loss) -> Reason {
    match loss {
        Loss::TimedOut | Loss::Hung => Reason::TimesOut,
        Loss::Exited => Reason::ExitsJvm,
        Loss::OutOfMemory => Reason::OutOfMemory,
        Loss::LeakedThread => Reason::LeaksThreads,
        Loss::Died => Reason::CrashesJvm,
    }
}

/// A test as source, although nobody saw what its steps gave; empty if it cannot be written.
fn source(campaign: &Campaign, test: &Test) -> String {
    let signatures = &campaign.target.model.calls.signatures;
    let step = |operation: OperationId| match signatures[operation.0 as usize].result {
        Some(_) => ObservedStep::Value(ObservedValue::Unknown),
        None => ObservedStep::Void,
    };
    let steps = test.steps.iter().map(|one| step(one.operation));
    let tests = [KeptTest {
        observed: Observed {
            steps: steps.collect(),
        },
        test: test.clone(),
        goals: Vec::new(),
        kills: None,
        failure: None,
    }];
    let suite = write(&SuiteInput {
        model: &campaign.target.model,
        tests: &tests,
        options: SuiteOptions {
            junit: campaign.junit,
        },
        closed: &BTreeSet::new(),
    });
    let mut files = suite.files.iter();
    files
        .find_map(|file| Some(excerpt(&file.text, file.methods.first()?.lines)))
        .unwrap_or_default()
}
