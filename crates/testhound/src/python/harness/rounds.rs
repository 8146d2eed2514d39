//! How the rounds of a run on a harness are executed: the steps really taken are what is stored.

use super::{Campaign, worker_failed};
use crate::exit::Failed;
use crate::rounds::Execute;
use engine::{Observation, Proposal, Run, Test};
use python::harness::{Goals, judge};
use python::session::WorkerError;
use python::workers::Workers;
use sandbox::runner::Ended;

/// A run that is being executed.
pub type Rounds = crate::rounds::Rounds<Noted>;

/// What is noted besides observations.
pub struct Noted {
    /// Actions taken.
    pub actions: u64,
    /// What hits mean.
    pub goals: Goals,
}

/// Executes tests of a harness.
pub struct Actor<'a> {
    /// The run.
    pub campaign: &'a Campaign<'a>,
    /// Its workers.
    pub workers: Workers,
}

impl Execute<Noted> for Actor<'_> {
    fn submit(&mut self, round: &[Proposal]) -> Result<(), Failed> {
        let Campaign { target, report, .. } = self.campaign;
        let encode = |one: &Proposal| target.encode(&one.test, *report);
        self.workers.submit(round.iter().map(encode).collect());
        Ok(())
    }

    fn collect(
        &mut self,
        noted: &mut Noted,
        _run: &mut Run,
        round: &mut [Proposal],
    ) -> Result<Vec<Observation>, Failed> {
        let observations = self.observe(noted, round);
        observations.map_err(|error| worker_failed(&error))
    }
}

impl Actor<'_> {
    fn observe(
        &mut self,
        noted: &mut Noted,
        round: &mut [Proposal],
    ) -> Result<Vec<Observation>, WorkerError> {
        let ran = self.workers.collect()?.ok_or(WorkerError::Ended(Ended))?;
        let probed = || self.workers.files();
        let mut observations = Vec::with_capacity(round.len());
        for (proposal, ran) in round.iter_mut().zip(&ran) {
            let judged = judge(ran, &self.campaign.target.model, &mut noted.goals, &probed);
            let mut observation = judged.observation;
            noted.actions += judged.steps;
            if let Some(steps) = observation.taken.take() {
                proposal.test = Test { steps }.into();
            }
            observations.push(observation);
        }
        Ok(observations)
    }
}
