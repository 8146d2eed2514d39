//! How the rounds of a run on a JVM subject are executed, and what is noted of them.

use super::troubles::Troubles;
use crate::exit::{Failed, told};
use crate::rounds::Execute;
use engine::calls::CallType;
use engine::{Observation, Proposal, Run};
use jvm::session::WorkerError;
use jvm::workers::Workers;
use sandbox::runner::Ended;
use std::time::{Duration, Instant};

/// A run that is being executed.
pub type Rounds = crate::rounds::Rounds<Noted>;

/// What is noted besides observations.
pub struct Noted {
    /// Operations called.
    pub calls: u64,
    /// What stood in the way.
    pub troubles: Troubles,
    /// Worker processes that ran tests.
    pub workers: usize,
    /// Time from the start of this sitting, preparations included, to its first executed tests.
    pub first_test: Option<Duration>,
    begun: Instant,
}

impl Noted {
    /// Nothing yet, in a sitting that began at `begun`.
    pub fn new(begun: Instant) -> Noted {
        Noted {
            calls: 0,
            troubles: Troubles::default(),
            workers: 0,
            first_test: None,
            begun,
        }
    }
}

impl Execute<Noted> for Workers {
    fn submit(&mut self, round: &[Proposal]) -> Result<(), Failed> {
        let tests = round.iter().map(|proposal| &proposal.test);
        Workers::submit(self, tests).map_err(|error| worker_failed(&error.into()))
    }

    fn collect(
        &mut self,
        noted: &mut Noted,
        run: &mut Run,
        round: &mut [Proposal],
    ) -> Result<Vec<Observation>, Failed> {
        let collected = Workers::collect(self).map_err(|error| worker_failed(&error))?;
        let collected = collected.ok_or_else(|| worker_failed(&WorkerError::Ended(Ended)))?;
        noted
            .first_test
            .get_or_insert_with(|| noted.begun.elapsed());
        noted.troubles.note(round, &collected);
        let types: Vec<CallType> = collected.types.into_iter().map(|one| one.kind).collect();
        run.add_types(&types);
        for observation in &collected.observations {
            noted.calls += observation.details.results.len() as u64;
        }
        Ok(collected.observations)
    }
}

/// A worker pool that cannot go on, for the user.
pub fn worker_failed(error: &WorkerError) -> Failed {
    told(&error.to_string(), Failed::subject)
}
