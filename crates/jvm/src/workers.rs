//! A pool of workers that executes rounds of tests. Results come back in the order of proposal, whatever the workers do.
//!
//! Tests are encoded and replies made into observations on the caller's thread, in order, so that nothing depends on which
//! worker was faster. One more process than workers is kept ready to take the place of one that is lost.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::calls::{Literals, Sequence};
use engine::{LazyTest, Needs, Observation, OperationId, Test};
use sandbox::runner::{Ended, Pool, Starter};

use crate::judge::Judge;
use crate::loss::Lost;
use crate::prepared::Prepared;
use crate::protocol::{Classes, Encoded, Encoder, Malformed, Needed, Strings, TestReply};
use crate::session::{Session, WorkerError};
use crate::target::Target;
use crate::types::NewType;
use crate::worker::{Launch, Worker};

/// How a pool works.
#[derive(Debug, Clone)]
pub struct PoolSettings {
    /// How many workers run at a time.
    pub workers: usize,
    /// The most tests that are sent to a worker at once.
    pub batch: usize,
    /// Every so many tests the contracts of the values are checked; 0 for never.
    pub contracts_every: u64,
    /// What observations shall carry.
    pub needs: Needs,
    /// Whether every test runs in a process of its own.
    pub fresh: bool,
}

impl Default for PoolSettings {
    fn default() -> PoolSettings {
        PoolSettings {
            workers: 1,
            batch: 32,
            contracts_every: 1,
            needs: Needs {
                hits: true,
                results: true,
                ..Needs::default()
            },
            fresh: false,
        }
    }
}

/// What an executed round showed.
#[derive(Debug)]
pub struct Collected {
    /// One observation per test, in order.
    pub observations: Vec<Observation>,
    /// Types that these observations name and that were not known before.
    pub types: Vec<NewType>,
    /// Operations that turned out not to be callable, with the reasons.
    pub unlinked: Vec<(u32, String)>,
    /// Tests that did not end by themselves, or that cost a worker.
    pub lost: Vec<Lost>,
}

/// A test to be executed.
#[derive(Debug, Clone, Copy)]
pub enum Submitted<'t> {
    /// As it was proposed.
    Lazy(&'t LazyTest),
    /// Written out.
    Written(&'t Test),
}

impl<'t> Submitted<'t> {
    /// The sequence that it was proposed as, with its literals, or else the test.
    fn sequence(self) -> Result<(&'t Sequence, &'t Literals), &'t Test> {
        match self {
            Submitted::Written(test) => Err(test),
            Submitted::Lazy(test) => match test.sequence() {
                Some((sequence, literals)) => Ok((sequence, literals)),
                None => Err(test),
            },
        }
    }
}

impl<'t> From<&'t LazyTest> for Submitted<'t> {
    fn from(test: &'t LazyTest) -> Submitted<'t> {
        Submitted::Lazy(test)
    }
}

impl<'t> From<&'t Test> for Submitted<'t> {
    fn from(test: &'t Test) -> Submitted<'t> {
        Submitted::Written(test)
    }
}

/// A round that was submitted and not collected.
struct Pending {
    /// The operations of all its tests in a row, and where those of each test end.
    operations: Vec<OperationId>,
    ends: Vec<usize>,
}

/// A pool of workers.
pub struct Workers {
    settings: PoolSettings,
    prepared: Arc<Prepared>,
    judge: Judge,
    strings: Arc<Mutex<Strings>>,
    submitted: u64,
    pending: VecDeque<Pending>,
    pool: Pool<Session, Encoded, Result<Vec<TestReply>, WorkerError>>,
    // Goes after the sessions that it starts workers for.
    starter: Starter<Worker>,
}

impl Workers {
    /// Starts a pool. Workers come up while the first round is made.
    pub fn start(target: &Target, launch: &Launch, settings: PoolSettings) -> Workers {
        let needed = Needed::of(settings.needs);
        let (classes, strings) = (Classes::default(), Arc::<Mutex<Strings>>::default());
        let (prepared, launch) = (Arc::clone(&target.prepared), launch.clone());
        let starter = Starter::new(settings.workers, move || Worker::start(&prepared, &launch));
        let session = |_| {
            let (classes, strings) = (classes.of_another_worker(), Arc::clone(&strings));
            let mut session = Session::of(starter.source(), classes, strings, needed);
            session.fresh = settings.fresh;
            session
        };
        let spare = starter.spare();
        let pool = Pool::start(
            (0..settings.workers).map(session),
            move |session: &mut Session, tests| {
                let replies = session.run(tests);
                spare.ready();
                replies
            },
        );
        Workers {
            judge: Judge::new(target, classes, settings.needs),
            settings,
            prepared: Arc::clone(&target.prepared),
            strings,
            submitted: 0,
            pending: VecDeque::new(),
            pool,
            starter,
        }
    }

    /// Sends a round of tests to the workers.
    pub fn submit<'t, T: Into<Submitted<'t>>>(
        &mut self,
        tests: impl IntoIterator<Item = T>,
    ) -> Result<(), Malformed> {
        let tests: Vec<Submitted<'t>> = tests.into_iter().map(Into::into).collect();
        let mut pending = Pending {
            operations: Vec::new(),
            ends: Vec::with_capacity(tests.len()),
        };
        let share = tests.len().div_ceil(self.settings.workers.max(1));
        let size = share.clamp(1, self.settings.batch.max(1));
        let chunks = tests.chunks(size);
        let chunks = chunks.map(|tests| self.encode(tests, &mut pending));
        let chunks: Vec<Encoded> = chunks.collect::<Result<_, _>>()?;
        self.pool.submit(chunks);
        self.pending.push_back(pending);
        Ok(())
    }

    fn encode(
        &mut self,
        tests: &[Submitted<'_>],
        pending: &mut Pending,
    ) -> Result<Encoded, Malformed> {
        let every = self.settings.contracts_every;
        let mut strings = self.strings.lock().unwrap_or_else(PoisonError::into_inner);
        let mut encoder = Encoder::new(&self.prepared.shapes, &mut strings);
        let mut encoded = Encoded::default();
        for test in tests {
            let contracts = every > 0 && self.submitted.is_multiple_of(every);
            self.submitted += 1;
            let operations = &mut pending.operations;
            match test.sequence() {
                Ok((sequence, literals)) => {
                    encoder.append(&mut encoded, (sequence, literals), contracts)?;
                    operations.extend(sequence.operations());
                }
                Err(test) => {
                    encoder.append_test(&mut encoded, test, contracts)?;
                    operations.extend(test.steps.iter().map(|step| step.operation));
                }
            }
            pending.ends.push(pending.operations.len());
        }
        Ok(encoded)
    }

    /// Waits for the oldest round that was submitted; nothing if there is none.
    pub fn collect(&mut self) -> Result<Option<Collected>, WorkerError> {
        let Some(pending) = self.pending.pop_front() else {
            return Ok(None);
        };
        let mut replies = Vec::with_capacity(pending.ends.len());
        for chunk in self.pool.collect()?.ok_or(Ended)? {
            replies.extend(chunk?);
        }
        let mut collected = Collected {
            observations: Vec::with_capacity(replies.len()),
            types: Vec::new(),
            unlinked: Vec::new(),
            lost: Vec::new(),
        };
        let mut start = 0;
        for (end, reply) in pending.ends.iter().zip(replies) {
            let operations = &pending.operations[start..*end];
            start = *end;
            let place = collected.observations.len();
            collected.lost.extend(Lost::of(place, &reply));
            let observation = self
                .judge
                .observation(operations, &reply, &mut collected.types);
            collected.unlinked.extend(reply.unlinked);
            collected.observations.push(observation);
        }
        Ok(Some(collected))
    }

    /// Runs a round and waits for it.
    pub fn execute<'t, T: Into<Submitted<'t>>>(
        &mut self,
        tests: impl IntoIterator<Item = T>,
    ) -> Result<Collected, WorkerError> {
        self.submit(tests)?;
        Ok(self.collect()?.ok_or(Ended)?)
    }

    /// How many worker processes have run tests, or are about to.
    pub fn started(&self) -> usize {
        self.starter.taken()
    }

    /// Ends all workers; gives the processor time that they used, those that were lost included.
    pub fn finish(self) -> Duration {
        let sessions = self.pool.finish();
        sessions.iter().map(Session::processor_time).sum()
    }
}
