//! Runs tests of a harness again with coverage: what they hit, which steps of them are needed for it, what measuring it costs.

use super::Campaign;
use engine::reduce::shrink_list;
use engine::{Goal, LazyTest, Step, Test};
use python::harness::{Bench, Goals, HarnessTarget, Report, judge};
use python::protocol::Measure;
use python::session::{Session, WorkerError};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Executions that cutting all tests may take.
const CUTTING: usize = 4000;
/// Executions that cutting one test may take.
const CUTTING_ONE: usize = 150;
/// Tests that are run with and without coverage to learn its cost, at most.
const TIMED: usize = 200;
/// The processor time of those without coverage that is enough to know.
const ENOUGH: Duration = Duration::from_millis(250);

/// Cuts tests to what makes them cover something.
pub struct Cutter<'a> {
    target: &'a HarnessTarget,
    goals: &'a mut Goals,
    session: Session,
    left: usize,
    report: Report,
    stop: &'a AtomicBool,
}

impl<'a> Cutter<'a> {
    /// A cutter with a fresh worker.
    pub fn new(campaign: &'a Campaign<'_>, goals: &'a mut Goals) -> Cutter<'a> {
        let load = campaign.load(Measure::Branches);
        Cutter {
            target: &campaign.target,
            goals,
            session: Session::new(&campaign.runtime, &campaign.launch, load),
            left: if campaign.flags.no_reduce { 0 } else { CUTTING },
            report: campaign.report,
            stop: &campaign.stop,
        }
    }

    /// What a test hits; nothing if it does not pass.
    pub fn hits(&mut self, steps: &[Step]) -> Result<Vec<Goal>, WorkerError> {
        let test = Test {
            steps: steps.to_vec(),
        };
        let ran = self
            .session
            .run(&[self.target.encode(&test, Report::All)])?;
        let files = self.session.files();
        let judge = |ran| judge(ran, &self.target.model, self.goals, &|| files.clone());
        let observation = ran.first().map(judge).map(|judged| judged.observation);
        let passed = observation.filter(|one| one.failures.is_empty());
        Ok(passed.map_or(Vec::new(), |one| one.hits))
    }

    /// What a test hits that is not covered yet.
    pub fn fresh(
        &mut self,
        steps: &[Step],
        covered: &BTreeSet<Goal>,
    ) -> Result<Vec<Goal>, WorkerError> {
        let mut hits = self.hits(steps)?;
        hits.retain(|goal| !covered.contains(goal));
        Ok(hits)
    }

    /// Fewer steps that hit the same of these goals.
    pub fn cut(&mut self, steps: &[Step], wanted: &[Goal]) -> Result<Vec<Step>, WorkerError> {
        let limit = CUTTING_ONE.min(self.left);
        if limit == 0 || self.stop.load(Ordering::Relaxed) {
            return Ok(steps.to_vec());
        }
        let mut broken = None;
        let mut asked = 0;
        let cut = shrink_list(steps, limit, &mut |steps| {
            asked += 1;
            match self.hits(steps) {
                Ok(hits) => wanted.iter().all(|goal| hits.contains(goal)),
                Err(error) => {
                    broken = Some(error);
                    false
                }
            }
        });
        self.left = self.left.saturating_sub(asked);
        broken.map_or(Ok(cut), Err)
    }

    /// How many times the processor time of tests without coverage those with it take; nothing if no test could be timed.
    pub fn cost(
        &mut self,
        bench: &mut Bench<'_>,
        tests: &[LazyTest],
    ) -> Result<Option<f64>, WorkerError> {
        let (mut with, mut without) = (Duration::ZERO, Duration::ZERO);
        for test in tests.iter().cycle().take(TIMED) {
            let measured = self.timed(test)?;
            if let (Some(one), Some(other)) = (measured, bench.time(test)?) {
                with += one;
                without += other;
            }
            if without >= ENOUGH || self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        let ratio = with.as_secs_f64() / without.as_secs_f64();
        Ok(Some(ratio).filter(|ratio| ratio.is_finite()))
    }

    /// The processor time of a test, reported as while the run goes on.
    fn timed(&mut self, test: &Test) -> Result<Option<Duration>, WorkerError> {
        let ran = self.session.run(&[self.target.encode(test, self.report)])?;
        let files = self.session.files();
        let judge = |ran| judge(ran, &self.target.model, self.goals, &|| files.clone());
        Ok(ran.first().map(judge).map(|judged| judged.cpu))
    }
}
