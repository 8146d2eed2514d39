//! Measures what tests cover that ran without coverage: a sample of them is run again with it, by all workers.
//!
//! Which tests add something does not depend on the number of workers: each reports what it has not hit before, and gets its tests in
//! their order, so what is new to the run is new to the worker.

use super::Campaign;
use engine::{Goal, LazyTest, Step};
use python::harness::{Goals, Report, judge};
use python::protocol::Measure;
use python::session::{Ran, WorkerError};
use python::workers::Workers;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long tests are run again, where the budget is time; others are to repeat exactly.
const LONGEST: Duration = Duration::from_secs(30);
/// Tests that are handed to the workers at a time.
const ROUND: usize = 64;

/// What running tests again showed.
pub struct Replayed {
    /// How many there were.
    pub tests: u64,
    /// The steps of those that passed and cover more than the ones before.
    pub covering: Vec<Vec<Step>>,
}

/// Runs tests again with coverage, as far as time allows.
pub fn replay(
    campaign: &Campaign<'_>,
    goals: &mut Goals,
    tests: &[LazyTest],
) -> Result<Replayed, WorkerError> {
    let mut workers = campaign.workers(Measure::Branches);
    let begin = Instant::now();
    let timed = campaign.settings.budget.executions.is_none();
    let over = || {
        let late = timed && begin.elapsed() > LONGEST;
        late || campaign.stop.load(Ordering::Relaxed)
    };
    let mut replaying = Replaying {
        campaign,
        goals,
        covered: BTreeSet::new(),
        replayed: Replayed {
            tests: 0,
            covering: Vec::new(),
        },
    };
    for (number, round) in tests.chunks(ROUND).enumerate() {
        if over() {
            break;
        }
        let encode = |test: &LazyTest| campaign.target.encode(test, Report::Fresh);
        workers.submit(round.iter().map(encode).collect());
        // One round is always waiting, so that no worker is idle.
        if number > 0 {
            replaying.collect(&mut workers)?;
        }
    }
    while replaying.collect(&mut workers)? {}
    replaying.goals.add_all(&workers.files());
    Ok(replaying.replayed)
}

struct Replaying<'a> {
    campaign: &'a Campaign<'a>,
    goals: &'a mut Goals,
    covered: BTreeSet<Goal>,
    replayed: Replayed,
}

impl Replaying<'_> {
    /// Takes the oldest round that was submitted; tells whether there was one.
    fn collect(&mut self, workers: &mut Workers) -> Result<bool, WorkerError> {
        let Some(round) = workers.collect()? else {
            return Ok(false);
        };
        for ran in &round {
            self.take(ran, workers);
        }
        Ok(true)
    }

    fn take(&mut self, ran: &Ran, workers: &Workers) {
        let model = &self.campaign.target.model;
        let observation = judge(ran, model, self.goals, &|| workers.files()).observation;
        self.replayed.tests += 1;
        if !observation.failures.is_empty() {
            return;
        }
        let before = self.covered.len();
        self.covered.extend(observation.hits);
        if self.covered.len() > before {
            let steps = observation.taken.unwrap_or_default();
            self.replayed.covering.push(steps);
        }
    }
}
