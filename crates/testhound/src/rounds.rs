//! The rounds of a run on a called subject: propose, execute, write down what is worth keeping, learn.
//!
//! Always two rounds are in flight, whatever the number of workers, so that workers have something to do while a round is
//! learnt and the tests do not depend on how many workers there are. How tests are executed is the target's: see [`Execute`].

use crate::exit::Failed;
use crate::kept::KeptJournal;
use crate::progress::{Progress, run_message};
use engine::kept::KeptTest;
use engine::{End, Event, Observation, Proposal, Run, Stop};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Rounds that are proposed and not learnt.
const IN_FLIGHT: usize = 2;

/// Executes the tests of rounds; `T` is what a target notes besides observations.
pub trait Execute<T> {
    /// Hands a round to the workers.
    fn submit(&mut self, round: &[Proposal]) -> Result<(), Failed>;

    /// Waits for the oldest round that was submitted and tells what it showed. Its tests may become the steps really taken.
    fn collect(
        &mut self,
        noted: &mut T,
        run: &mut Run,
        round: &mut [Proposal],
    ) -> Result<Vec<Observation>, Failed>;

    /// Tests of the round collected last that a later sitting should execute again, whatever they showed.
    fn sampled(&mut self) -> Vec<KeptTest> {
        Vec::new()
    }
}

/// A run that is being executed.
pub struct Rounds<T> {
    /// The state of the run.
    pub run: Run,
    /// How executions ended; where a test threw is of no interest here.
    pub ends: BTreeMap<End, u64>,
    /// Time used in all sittings.
    pub elapsed: Duration,
    /// What the target noted.
    pub noted: T,
    journal: KeptJournal,
    stop: Arc<AtomicBool>,
    progress: Progress,
}

impl<T> Rounds<T> {
    /// A run with its journal, after `elapsed` in earlier sittings. `quiet` shows no progress.
    pub fn new(
        run: Run,
        journal: KeptJournal,
        elapsed: Duration,
        noted: T,
        stop: &Arc<AtomicBool>,
        quiet: bool,
    ) -> Rounds<T> {
        Rounds {
            run,
            ends: BTreeMap::new(),
            elapsed,
            noted,
            journal,
            stop: Arc::clone(stop),
            progress: Progress::new("tests", quiet),
        }
    }

    /// Goes on until a limit is reached; tells which.
    pub fn execute(&mut self, workers: &mut impl Execute<T>) -> Result<Stop, Failed> {
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
                    // What is in flight may bring something to go on with.
                    stopped = flight.is_empty().then_some(Stop::Exhausted);
                    break;
                }
                workers.submit(&round)?;
                flight.push_back(round);
            }
            let Some(mut round) = flight.pop_front() else {
                break;
            };
            let observations = workers.collect(&mut self.noted, &mut self.run, &mut round)?;
            self.elapsed = earlier + start.elapsed();
            let sampled = workers.sampled();
            self.learn(&round, &observations, sampled, start.elapsed())?;
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

    fn learn(
        &mut self,
        round: &[Proposal],
        observations: &[Observation],
        sampled: Vec<KeptTest>,
        sitting: Duration,
    ) -> Result<(), Failed> {
        for observation in observations {
            let end = match observation.end {
                End::Threw(_) => End::Threw(0),
                end => end,
            };
            *self.ends.entry(end).or_default() += 1;
        }
        let events = self.run.learn(round, observations, self.elapsed);
        let mut kept = self.run.kept(round, &events);
        let mut again: Vec<KeptTest> = sampled;
        again.retain(|one| self.run.is_new(one.id) && kept.iter().all(|other| other.id != one.id));
        kept.extend(again);
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
                let found = match goals {
                    0 => format!("{failures} failures"),
                    goals => format!("{covered}/{goals} branches, {failures} failures"),
                };
                let message = run_message(*executions, *elapsed, &found, share, sitting);
                self.progress.update(share, &message);
            }
        }
    }
}
