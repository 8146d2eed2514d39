//! Tests worth keeping across sittings, for targets whose journal does not record every observation.
//!
//! A run that is resumed executes the kept tests of the earlier sitting first, so that everything they showed is found
//! again, and then goes on. Writing the records down is the caller's work.

use crate::event::Event;
use crate::goal::Goal;
use crate::run::Proposal;
use crate::test::{Test, TestId};
use serde::{Deserialize, Serialize};

/// A test that showed something new.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptTest {
    /// Its number in the run.
    pub id: TestId,
    /// The test.
    pub test: Test,
    /// What it was the first to show.
    pub reason: Reason,
}

/// What a test was the first to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reason {
    /// Goals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<Goal>,
    /// Failures, by oracle and signature.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<(String, String)>,
}

/// The tests of a learnt round that its events name, in the order of proposal.
pub fn kept_tests(round: &[Proposal], events: &[Event]) -> Vec<KeptTest> {
    let mut kept: Vec<KeptTest> = Vec::new();
    // Events come in the order of proposal, all of one test in a row.
    for event in events {
        let id = match event {
            Event::NewFailure { id, .. } | Event::NewGoal { id, .. } => *id,
            Event::Round { .. } => continue,
        };
        if kept.last().is_none_or(|last| last.id != id) {
            let Some(proposal) = round.iter().find(|one| one.id == id) else {
                continue;
            };
            kept.push(KeptTest {
                id,
                test: proposal.test.as_ref().clone(),
                reason: Reason::default(),
            });
        }
        let Some(last) = kept.last_mut() else {
            continue;
        };
        match event {
            Event::NewFailure { failure, .. } => {
                let key = (failure.oracle.clone(), failure.signature.clone());
                last.reason.failures.push(key);
            }
            Event::NewGoal { goal, .. } => last.reason.goals.push(*goal),
            Event::Round { .. } => {}
        }
    }
    kept
}
