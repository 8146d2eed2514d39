//! The rounds of a run: propose, execute on the workers, write the journal, learn, show progress.

use super::folder::RunFolder;
use crate::exit::Failed;
use crate::progress::{Progress, run_message};
use crate::setup::{Setup, sandbox_failed};
use command::Input;
use command::oracle::{Expectation, Judged};
use command::source::test_input;
use engine::{End, Event, Observation, Proposal, Run, SourceError, Stop};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A run that is being executed.
pub struct Rounds {
    /// The state of the run.
    pub run: Run,
    /// Its folder.
    pub folder: RunFolder,
    /// How executions ended.
    pub ends: BTreeMap<End, u64>,
    /// Time used in all sittings.
    pub elapsed: Duration,
    stop: Arc<AtomicBool>,
    progress: Progress,
}

type Task = (Input, Expectation);

impl Rounds {
    /// A run in its folder. `quiet` shows no progress.
    pub fn new(run: Run, folder: RunFolder, stop: &Arc<AtomicBool>, quiet: bool) -> Rounds {
        let progress = Progress::new(&folder.plan.guide, quiet);
        Rounds {
            run,
            folder,
            ends: BTreeMap::new(),
            elapsed: Duration::ZERO,
            stop: Arc::clone(stop),
            progress,
        }
    }

    /// Goes on until a limit is reached; tells which.
    pub fn execute(&mut self, setup: &Setup) -> Result<Stop, Failed> {
        let earlier = self.folder.recorded.elapsed;
        let start = Instant::now();
        let stopped = loop {
            let replaying = !self.folder.recorded.is_empty();
            if !replaying {
                self.elapsed = earlier + start.elapsed();
            }
            if let Some(stop) = self.run.over(self.elapsed) {
                break stop;
            }
            let round = self.run.propose().map_err(|error| source_failed(&error))?;
            if round.is_empty() {
                break Stop::Exhausted;
            }
            let observations = self.observe(setup, &round)?;
            if !replaying {
                self.elapsed = earlier + start.elapsed();
            }
            let whole = observations.iter().all(Option::is_some);
            self.learn(&round, observations, start.elapsed());
            if !whole || self.stop.load(Ordering::Relaxed) {
                break Stop::Interrupted;
            }
            self.folder.journal.round(self.elapsed)?;
        };
        self.progress.finish();
        Ok(stopped)
    }

    /// What the tests of a round show: from the journal of an earlier sitting, else by running them.
    fn observe(
        &mut self,
        setup: &Setup,
        round: &[Proposal],
    ) -> Result<Vec<Option<Observation>>, Failed> {
        let mut observations: Vec<Option<Observation>> = Vec::new();
        for proposal in round {
            observations.push(self.folder.recorded.observation(proposal)?);
        }
        let open: Vec<usize> = (0..round.len())
            .filter(|&index| observations[index].is_none())
            .collect();
        let tasks = open
            .iter()
            .map(|&index| task(setup, &round[index]))
            .collect::<Result<Vec<Task>, _>>()?;
        let judge = Arc::clone(&setup.judge);
        let journal = &mut self.folder.journal;
        let mut failed: Option<Failed> = None;
        let results = setup.workers.map(
            tasks,
            Arc::new(move |launcher, (input, expectation): Task| {
                judge.run(launcher, &input, expectation)
            }),
            &mut |index, result| {
                if let Ok(judged) = result {
                    let written =
                        journal.tests([(&round[open[index]], &observation(judged))].into_iter());
                    failed = failed.take().or(written.err());
                }
            },
        );
        if let Some(failed) = failed {
            return Err(failed);
        }
        for (index, result) in open.into_iter().zip(results) {
            match result {
                Some(Ok(judged)) => observations[index] = Some(observation(&judged)),
                Some(Err(error)) => return Err(sandbox_failed(&error)),
                None => {}
            }
        }
        Ok(observations)
    }

    /// Learns from a round; of one that was interrupted, from the tests that were executed.
    fn learn(
        &mut self,
        round: &[Proposal],
        observations: Vec<Option<Observation>>,
        sitting: Duration,
    ) {
        let executed = round
            .iter()
            .zip(observations)
            .filter_map(|(proposal, seen)| Some((proposal.clone(), seen?)));
        let (proposals, observations): (Vec<Proposal>, Vec<Observation>) = executed.unzip();
        for observation in &observations {
            *self.ends.entry(observation.end).or_default() += 1;
        }
        for event in self.run.learn(&proposals, &observations, self.elapsed) {
            self.show(&event, sitting);
        }
    }

    fn show(&mut self, event: &Event, sitting: Duration) {
        match event {
            Event::NewFailure { id, failure } => {
                self.progress.say(&format!(
                    "failure in test {}: {}: {}",
                    id.0 + 1,
                    failure.oracle,
                    failure.message
                ));
            }
            Event::NewGoal { .. } => {}
            Event::Round {
                executions,
                failures,
                elapsed,
            } => {
                let share = self.run.used(*elapsed).unwrap_or(0.0);
                let found = format!("{failures} failures");
                let message = run_message(*executions, *elapsed, &found, share, sitting);
                self.progress.update(share, &message);
            }
        }
    }
}

fn task(setup: &Setup, proposal: &Proposal) -> Result<Task, Failed> {
    let input = test_input(&setup.spec, &proposal.test);
    let input = input
        .ok_or_else(|| Failed::input(format!("test {} is not one of a program", proposal.id.0)))?;
    Ok((input, setup.expectation(&proposal.frame)))
}

fn observation(judged: &Judged) -> Observation {
    let end = match judged.finished.end {
        sandbox::End::Exited(code) => End::Exited(code),
        sandbox::End::Signalled(signal) => End::Signalled(signal),
        sandbox::End::TimedOut => End::TimedOut,
        sandbox::End::Lost => End::WorkerLost,
    };
    Observation {
        failures: judged.failures.clone(),
        ..Observation::plain(end)
    }
}

fn source_failed(error: &SourceError) -> Failed {
    Failed::input(error.to_string())
        .hint("`testhound lint` samples every generator of the specification")
}
