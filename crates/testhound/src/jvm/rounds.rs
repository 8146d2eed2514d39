//! The rounds of a run on a called subject: propose, execute on the workers, write down what is worth keeping, learn.
//!
//! Always two rounds are in flight, whatever the number of workers, so that workers have something to do while a round is
//! learnt and the tests do not depend on how many workers there are.

use super::kept::KeptJournal;
use super::troubles::Troubles;
use crate::exit::{Failed, told};
use crate::progress::{Progress, run_message};
use engine::calls::CallType;
use engine::{End, Event, Proposal, Run, SourceError, Stop};
use jvm::session::WorkerError;
use jvm::workers::Workers;
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
    /// Operations called.
    pub calls: u64,
    /// What stood in the way.
    pub troubles: Troubles,
    /// Worker processes that ran tests.
    pub workers: usize,
    /// Time used in all sittings.
    pub elapsed: Duration,
    /// Time from the start of this sitting, preparations included, to its first executed tests.
    pub first_test: Option<Duration>,
    begun: Instant,
    journal: KeptJournal,
    stop: Arc<AtomicBool>,
    progress: Progress,
}

impl Rounds {
    /// A run with its journal, in a sitting that began at `begun`, after `elapsed` in earlier ones. `quiet` shows no
    /// progress.
    pub fn new(
        run: Run,
        journal: KeptJournal,
        begun: Instant,
        elapsed: Duration,
        stop: &Arc<AtomicBool>,
        quiet: bool,
    ) -> Rounds {
        Rounds {
            run,
            ends: BTreeMap::new(),
            calls: 0,
            troubles: Troubles::default(),
            workers: 0,
            elapsed,
            first_test: None,
            begun,
            journal,
            stop: Arc::clone(stop),
            progress: Progress::new("tests", quiet),
        }
    }

    /// Goes on until a limit is reached; tells which.
    pub fn execute(&mut self, workers: &mut Workers) -> Result<Stop, Failed> {
        let (earlier, start) = (self.elapsed, Instant::now());
        let mut flight: VecDeque<Vec<Proposal>> = VecDeque::new();
        let mut stopped = None;
        loop {
            self.elapsed = earlier + start.elapsed();
            stopped = stopped.or_else(|| self.stopped());
            while stopped.is_none() && flight.len() < IN_FLIGHT {
                let round = self.run.propose().map_err(|error| source_failed(&error))?;
                if round.is_empty() {
                    // What is in flight may bring something to go on with.
                    stopped = flight.is_empty().then_some(Stop::Exhausted);
                    break;
                }
                let tests = round.iter().map(|proposal| &proposal.test);
                workers
                    .submit(tests)
                    .map_err(|error| worker_failed(&error.into()))?;
                flight.push_back(round);
            }
            let Some(round) = flight.pop_front() else {
                break;
            };
            self.learn(&round, workers, start, earlier)?;
        }
        self.workers = workers.started();
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
        workers: &mut Workers,
        start: Instant,
        earlier: Duration,
    ) -> Result<(), Failed> {
        let collected = workers.collect().map_err(|error| worker_failed(&error))?;
        let collected = collected.ok_or_else(|| worker_failed(&WorkerError::Thread))?;
        self.first_test.get_or_insert_with(|| self.begun.elapsed());
        self.troubles
            .note(round, collected.unlinked, &collected.lost);
        let types: Vec<CallType> = collected.types.into_iter().map(|one| one.kind).collect();
        self.run.add_types(&types);
        for observation in &collected.observations {
            *self.ends.entry(observation.end).or_default() += 1;
            self.calls += observation.details.results.len() as u64;
        }
        self.elapsed = earlier + start.elapsed();
        let events = self.run.learn(round, &collected.observations, self.elapsed);
        let kept = self.run.kept(round, &events);
        self.journal
            .round(kept, self.run.executions(), self.elapsed)?;
        for event in &events {
            self.show(event, start.elapsed());
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

fn source_failed(error: &SourceError) -> Failed {
    Failed::input(error.to_string())
}

/// A worker pool that cannot go on, for the user.
pub fn worker_failed(error: &WorkerError) -> Failed {
    told(&error.to_string(), Failed::subject)
}
