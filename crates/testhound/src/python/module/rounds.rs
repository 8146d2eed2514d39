//! How the rounds of a run on a module are executed.

use super::worker_failed;
use crate::exit::Failed;
use crate::rounds::Execute;
use engine::{Observation, Proposal, Run};
use python::module::open::Opened;
use python::module::{encode, judge};
use python::session::WorkerError;
use python::workers::Workers;
use sandbox::runner::Ended;

/// A run that is being executed.
pub type Rounds = crate::rounds::Rounds<()>;

/// Executes calls of a module.
pub struct Caller<'a> {
    /// The module.
    pub opened: &'a Opened,
    /// Its workers.
    pub workers: Workers,
}

impl Execute<()> for Caller<'_> {
    fn submit(&mut self, round: &[Proposal]) -> Result<(), Failed> {
        let encode = |one: &Proposal| encode::test(&self.opened.model, &one.test);
        self.workers.submit(round.iter().map(encode).collect());
        Ok(())
    }

    fn collect(
        &mut self,
        _noted: &mut (),
        _run: &mut Run,
        round: &mut [Proposal],
    ) -> Result<Vec<Observation>, Failed> {
        self.observe(round).map_err(|error| worker_failed(&error))
    }
}

impl Caller<'_> {
    fn observe(&mut self, round: &[Proposal]) -> Result<Vec<Observation>, WorkerError> {
        let ran = self.workers.collect()?.ok_or(WorkerError::Ended(Ended))?;
        let Opened {
            model, coverage, ..
        } = self.opened;
        let both = round.iter().zip(&ran);
        both.map(|(one, ran)| judge::observation(model, coverage, &one.test, ran))
            .collect()
    }
}
