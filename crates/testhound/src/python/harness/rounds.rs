//! How the rounds of a run on a harness are executed: the steps really taken are what is stored.

use super::leak::{LeakCheck, is_sampled};
use super::{Campaign, worker_failed};
use crate::exit::Failed;
use crate::rounds::Execute;
use engine::kept::{KeptTest, Reason};
use engine::{LazyTest, Observation, Proposal, Run, Test};
use python::death::Death;
use python::harness::{Goals, fatal_failure, judge};
use python::protocol::Measure;
use python::session::{Ran, WorkerError};
use python::workers::Workers;
use sandbox::runner::Ended;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, VecDeque};

/// A run that is being executed.
pub type Rounds = crate::rounds::Rounds<Noted>;

/// What is noted besides observations.
pub struct Noted {
    /// Actions taken.
    pub actions: u64,
    /// How many tests raised what the harness warns of, by class and exception.
    pub warned: BTreeMap<(u32, String), u64>,
    /// What hits mean.
    pub goals: Goals,
    /// Some tests as they were proposed, to be replayed with coverage.
    pub proposed: Sample,
}

/// Tests spread evenly over a run.
#[derive(Default)]
pub struct Sample {
    /// The tests.
    pub tests: Vec<LazyTest>,
    seen: u64,
    /// One of so many is taken, less one.
    skipped: u64,
}

impl Sample {
    /// The most tests that are kept.
    const LIMIT: usize = 2000;

    /// Takes a test, or passes it over; tells whether it was taken.
    fn add(&mut self, test: &LazyTest) -> bool {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.skipped + 1) {
            return false;
        }
        if self.tests.len() == Sample::LIMIT {
            let mut index = 0;
            self.tests.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            self.skipped = 2 * self.skipped + 1;
        }
        self.tests.push(test.clone());
        true
    }
}

/// Executes tests of a harness.
pub struct Actor<'a> {
    campaign: &'a Campaign<'a>,
    workers: Workers,
    leaks: LeakCheck<'a>,
    /// Rounds in flight as they were sent, oldest first.
    flight: VecDeque<Vec<Box<RawValue>>>,
    /// Tests of the last round that are to be replayed with coverage, also after a later sitting.
    sampled: Vec<KeptTest>,
}

impl Execute<Noted> for Actor<'_> {
    fn submit(&mut self, round: &[Proposal]) -> Result<(), Failed> {
        let Campaign { target, report, .. } = self.campaign;
        let encode = |one: &Proposal| match is_sampled(one.id) {
            true => target.encode_telling(&one.test, *report),
            false => target.encode(&one.test, *report),
        };
        let round: Vec<_> = round.iter().map(encode).collect();
        self.flight.push_back(round.clone());
        self.workers.submit(round);
        Ok(())
    }

    fn collect(
        &mut self,
        noted: &mut Noted,
        run: &mut Run,
        round: &mut [Proposal],
    ) -> Result<Vec<Observation>, Failed> {
        let observations = self.observe(noted, run, round);
        observations.map_err(|error| worker_failed(&error))
    }

    fn sampled(&mut self) -> Vec<KeptTest> {
        std::mem::take(&mut self.sampled)
    }
}

impl<'a> Actor<'a> {
    /// With the workers of a run.
    pub fn new(campaign: &'a Campaign<'_>) -> Actor<'a> {
        Actor {
            campaign,
            workers: campaign.workers(campaign.measure()),
            leaks: LeakCheck::new(campaign),
            flight: VecDeque::new(),
            sampled: Vec::new(),
        }
    }

    fn observe(
        &mut self,
        noted: &mut Noted,
        run: &Run,
        round: &mut [Proposal],
    ) -> Result<Vec<Observation>, WorkerError> {
        let (ran, deaths) = self.run(run, round)?;
        let unmeasured = self.campaign.measure() == Measure::Nothing;
        let probed = || self.workers.files();
        let mut observations = Vec::with_capacity(round.len());
        for ((proposal, ran), death) in round.iter_mut().zip(&ran).zip(deaths) {
            let judged = judge(ran, &self.campaign.target.model, &mut noted.goals, &probed);
            let mut observation = judged.observation;
            if self.campaign.settings.budget.executions.is_none() {
                observation.details.micros = judged.cpu.as_micros() as u64;
            }
            noted.actions += judged.steps;
            for warned in judged.warned {
                *noted.warned.entry(warned).or_default() += 1;
            }
            if let Some(death) = death {
                observation.failures = vec![fatal_failure(&death, &self.campaign.target)];
            }
            let passed = observation.failures.is_empty();
            if passed && noted.proposed.add(&proposal.test) && unmeasured {
                self.sampled.push(KeptTest {
                    id: proposal.id,
                    test: proposal.test.as_ref().clone(),
                    reason: Reason::default(),
                });
            }
            if let Some(steps) = observation.taken.take() {
                proposal.test = Test { steps }.into();
            }
            observations.push(observation);
        }
        Ok(observations)
    }

    /// What the oldest round in flight gave, and how tests in it took their workers with them. From a test on that shows a leak, tests are run with modules loaded anew.
    fn run(
        &mut self,
        run: &Run,
        round: &[Proposal],
    ) -> Result<(Vec<Ran>, Vec<Option<Death>>), WorkerError> {
        let mut ran = self.workers.collect()?.ok_or(WorkerError::Ended(Ended))?;
        let mut sent = self.flight.pop_front().unwrap_or_default();
        let deaths = |workers: &Workers, sent: &[Box<RawValue>]| -> Vec<Option<Death>> {
            sent.iter().map(|test| workers.take_death(test)).collect()
        };
        let mut died = deaths(&self.workers, &sent);
        for number in 0..ran.len() {
            let looked = self.leaks.look(run, &round[number], &ran[number])?;
            let Some(fresh) = looked else {
                continue;
            };
            ran[number] = fresh;
            ran.truncate(number + 1);
            self.workers = self.campaign.workers(self.campaign.measure());
            let rest = sent.split_off(number + 1);
            if !rest.is_empty() {
                ran.extend(self.workers.execute(rest.clone())?);
                died.truncate(number + 1);
                died.extend(deaths(&self.workers, &rest));
            }
            for round in &self.flight {
                self.workers.submit(round.clone());
            }
            break;
        }
        Ok((ran, died))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_bounded_and_spread_over_the_run() {
        let mut sample = Sample::default();
        for _ in 0..50_000 {
            sample.add(&Test::default().into());
        }
        assert!((1000..=2000).contains(&sample.tests.len()));
        assert_eq!(sample.skipped, 31);
    }
}
