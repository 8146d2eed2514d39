//! The rounds of a run on a harness: propose, execute on the workers, store the steps really taken, learn. Always two rounds are
//! in flight, whatever the number of workers.

use super::{Campaign, worker_failed};
use crate::exit::Failed;
use crate::jvm::kept::KeptJournal;
use crate::progress::{Progress, run_message};
use engine::{End, Event, Observation, Proposal, Run, Stop, Test};
use python::harness::{Goals, judge};
use python::session::WorkerError;
use python::workers::Workers;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Rounds that are proposed and not learnt.
const IN_FLIGHT: usize = 2;

/// A run that is being executed.
pub struct Rounds {
    /// The state of the run.
    pub run: Run,
    /// How executions ended.
    pub ends: BTreeMap<End, u64>,
    /// Actions taken.
    pub actions: u64,
    /// What hits mean.
    pub goals: Goals,
    /// Time used in all sittings.
    pub elapsed: Duration,
    journal: KeptJournal,
    stop: Arc<AtomicBool>,
    progress: Progress,
}

impl Rounds {
    /// A run with its journal, after `elapsed` in earlier sittings.
    pub fn new(
        run: Run,
        journal: KeptJournal,
        elapsed: Duration,
        goals: Goals,
        campaign: &Campaign<'_>,
    ) -> Rounds {
        Rounds {
            run,
            ends: BTreeMap::new(),
            actions: 0,
            goals,
            elapsed,
            journal,
            stop: Arc::clone(&campaign.stop),
            progress: Progress::new("tests", campaign.flags.json),
        }
    }

    /// Goes on until a limit is reached; tells which.
    pub fn execute(
        &mut self,
        campaign: &Campaign<'_>,
        workers: &mut Workers,
    ) -> Result<Stop, Failed> {
        let (earlier, start) = (self.elapsed, Instant::now());
        let mut flight: VecDeque<Vec<Proposal>> = VecDeque::new();
        let mut stopped = None;
        loop {
            self.elapsed = earlier + start.elapsed();
            stopped = stopped.or_else(|| self.stopped());
            while stopped.is_none() && flight.len() < IN_FLIGHT {
                let round = self.run.propose();
                let round = round.map_err(|error| Failed::input(error.to_string()))?;
                if round.is_empty() {
                    stopped = flight.is_empty().then_some(Stop::Exhausted);
                    break;
                }
                let encode = |one: &Proposal| campaign.target.encode(&one.test, campaign.report);
                workers.submit(round.iter().map(encode).collect());
                flight.push_back(round);
            }
            let Some(mut round) = flight.pop_front() else {
                break;
            };
            let observations = self.observe(campaign, &mut round, workers);
            let observations = observations.map_err(|error| worker_failed(&error))?;
            self.elapsed = earlier + start.elapsed();
            self.learn(&round, &observations, start.elapsed())?;
        }
        self.progress.finish();
        Ok(stopped.unwrap_or(Stop::Exhausted))
    }

    fn stopped(&self) -> Option<Stop> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        self.run.over(self.elapsed)
    }

    /// What the oldest round in flight showed; its tests become the steps really taken.
    fn observe(
        &mut self,
        campaign: &Campaign<'_>,
        round: &mut [Proposal],
        workers: &mut Workers,
    ) -> Result<Vec<Observation>, WorkerError> {
        let ran = workers.collect()?.ok_or(WorkerError::Thread)?;
        let probed = || workers.files();
        let mut observations = Vec::with_capacity(round.len());
        for (proposal, ran) in round.iter_mut().zip(&ran) {
            let judged = judge(ran, &campaign.target.model, &mut self.goals, &probed);
            let mut observation = judged.observation;
            self.actions += judged.steps;
            if let Some(steps) = observation.taken.take() {
                proposal.test = Test { steps }.into();
            }
            observations.push(observation);
        }
        Ok(observations)
    }

    fn learn(
        &mut self,
        round: &[Proposal],
        observations: &[Observation],
        sitting: Duration,
    ) -> Result<(), Failed> {
        for observation in observations {
            // Where a test threw is of no interest here.
            let end = match observation.end {
                End::Threw(_) => End::Threw(0),
                end => end,
            };
            *self.ends.entry(end).or_default() += 1;
        }
        let events = self.run.learn(round, observations, self.elapsed);
        let kept = self.run.kept(round, &events);
        self.journal
            .round(kept, self.run.executions(), self.elapsed)?;
        for event in &events {
            self.show(event, sitting);
        }
        Ok(())
    }

    fn show(&mut self, event: &Event, sitting: Duration) {
        match event {
            Event::NewFailure { failure, .. } => {
                self.progress
                    .say(&format!("failure: {}: {}", failure.oracle, failure.message));
            }
            Event::NewGoal { .. } => {}
            Event::Round {
                executions,
                failures,
                elapsed,
            } => {
                let share = self.run.used(*elapsed).unwrap_or(0.0);
                let covered = self.run.covered().first().copied().unwrap_or(0);
                let goals = self.run.model().criteria.first().map_or(0, |one| one.goals);
                let found = format!("{covered}/{goals} branches, {failures} failures");
                let message = run_message(*executions, *elapsed, &found, share, sitting);
                self.progress.update(share, &message);
            }
        }
    }
}
