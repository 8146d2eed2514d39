//! Which mutants of the subject the chosen tests and their assertions kill. Assertions that kill none are left out.

use super::Campaign;
use super::choose::Chosen;
use super::rounds::worker_failed;
use crate::exit::Failed;
use engine::Needs;
use jvm::mutation::{LookedTest, Looking, MutantSubject, looks};
use jvm::protocol::{Encoded, Encoder, Needed};
use jvm::session::Session;
use jvm::suite::{AssertionKills, Suite, SuiteInput, candidates};
use jvm::target::originals;
use mutants::java::{ClassMutant, Options};
use report::jvm::MutationTotals;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

/// Mutants that were run, and those that no test reaches.
pub struct Looked {
    run: usize,
    /// Where only a sample of the reached mutants was run, the same share of all that are not reached.
    not_reached: usize,
}

/// Runs the tests on mutants that they reach, and notes for each test what it and its assertions kill.
pub fn find_kills(
    campaign: &Campaign,
    tests: &mut [Chosen],
    looking: Looking,
) -> Result<Looked, Failed> {
    let launch = jvm::worker::Launch {
        redefines: true,
        ..campaign.launch.clone()
    };
    let needed = Needed::of(Needs::default());
    let mut session = Session::new(&campaign.target.prepared, &launch, needed);
    let originals = originals(&campaign.opened.subject, &campaign.opened.discovered);
    let all: Vec<ClassMutant> = originals
        .iter()
        .flat_map(|class| class.mutants(&Options::default()))
        .collect();
    let encoded = encode(campaign, &session, tests)?;
    let looked: Vec<LookedTest<'_>> = tests
        .iter()
        .zip(&encoded)
        .map(|(chosen, encoded)| LookedTest {
            encoded,
            goals: &chosen.kept.goals,
            frames: &chosen.frames,
        })
        .collect();
    let subject = MutantSubject {
        originals: &originals,
        coverage: &campaign.target.coverage,
    };
    let looks = looks(&mut session, &subject, all, &looked, looking)
        .map_err(|error| worker_failed(&error))?;
    for (chosen, seen) in tests.iter_mut().zip(&looks.by_test) {
        let observed = &chosen.kept.observed;
        let kills = AssertionKills::of(&candidates(observed), observed, seen);
        chosen.kept.kills = Some(kills);
    }
    let run = looks.mutants.len();
    Ok(Looked {
        run,
        not_reached: looks.not_reached * run / (run + looks.left_out).max(1),
    })
}

fn encode(
    campaign: &Campaign,
    session: &Session,
    tests: &[Chosen],
) -> Result<Vec<Encoded>, Failed> {
    let strings = Arc::clone(session.strings());
    let mut strings = strings.lock().unwrap_or_else(PoisonError::into_inner);
    let mut encoder = Encoder::new(&campaign.target.prepared.shapes, &mut strings);
    let encoded = tests
        .iter()
        .map(|chosen| encoder.test(&chosen.kept.test, false));
    encoded
        .collect::<Result<_, _>>()
        .map_err(|error| worker_failed(&error.into()))
}

/// What the written suite kills of the mutants that were run.
pub fn totals(looked: &Looked, input: &SuiteInput<'_>, suite: &Suite) -> MutationTotals {
    let mut killed = BTreeSet::new();
    let mut without = BTreeSet::new();
    for method in &suite.methods {
        let kept = &input.tests[method.test];
        let Some(kills) = &kept.kills else {
            continue;
        };
        killed.extend(kills.by_test.iter().copied());
        without.extend(kills.by_test.iter().copied());
        let all = candidates(&kept.observed);
        for (candidate, kills) in all.iter().zip(&kills.by_assertion) {
            if method.assertions.contains(candidate) {
                killed.extend(kills.iter().copied());
            }
        }
    }
    MutationTotals {
        mutants: (looked.run + looked.not_reached) as u64,
        killed: killed.len() as u64,
        killed_without_assertions: without.len() as u64,
        not_covered: looked.not_reached as u64,
    }
}
