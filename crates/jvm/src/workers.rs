//! A pool of workers that executes rounds of tests. Results come back in the order of proposal, whatever the workers do.
//!
//! Threads of this file do nothing but wait for worker processes. Tests are encoded and replies made into observations on the
//! caller's thread, in order, so that nothing depends on which worker was faster. One more process than workers is kept
//! ready to take the place of one that is lost.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use engine::calls::{Literals, Sequence};
use engine::{LazyTest, Needs, Observation, OperationId, Test};

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

struct Chunk {
    round: u64,
    first: usize,
    tests: Encoded,
}

type ChunkResult = (u64, usize, Result<Vec<TestReply>, WorkerError>);

/// A round that was submitted and not collected.
struct Pending {
    number: u64,
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
    rounds: u64,
    pending: VecDeque<Pending>,
    arrived: BTreeMap<u64, Vec<(usize, Vec<TestReply>)>>,
    chunks: Option<Sender<Chunk>>,
    results: Receiver<ChunkResult>,
    threads: Vec<JoinHandle<Duration>>,
    starter: Option<Starter>,
}

impl Workers {
    /// Starts a pool. Workers come up while the first round is made.
    pub fn start(target: &Target, launch: &Launch, settings: PoolSettings) -> Workers {
        let needed = Needed::of(settings.needs);
        let starter = Starter::new(&target.prepared, launch, settings.workers);
        let (chunks, queue) = channel();
        let (sender, results) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let (classes, strings) = (Classes::default(), Arc::<Mutex<Strings>>::default());
        let threads = (0..settings.workers)
            .map(|_| {
                let mut session = Session::of(
                    starter.source(),
                    classes.of_another_worker(),
                    Arc::clone(&strings),
                    needed,
                );
                session.fresh = settings.fresh;
                let (queue, sender, spare) = (Arc::clone(&queue), sender.clone(), starter.spare());
                thread::spawn(move || serve(session, &queue, &sender, &spare))
            })
            .collect();
        Workers {
            judge: Judge::new(target, classes, settings.needs),
            settings,
            prepared: Arc::clone(&target.prepared),
            strings,
            submitted: 0,
            rounds: 0,
            pending: VecDeque::new(),
            arrived: BTreeMap::new(),
            chunks: Some(chunks),
            results,
            threads,
            starter: Some(starter),
        }
    }

    /// Sends a round of tests to the workers.
    pub fn submit<'t, T: Into<Submitted<'t>>>(
        &mut self,
        tests: impl IntoIterator<Item = T>,
    ) -> Result<(), Malformed> {
        let tests: Vec<Submitted<'t>> = tests.into_iter().map(Into::into).collect();
        let mut pending = Pending {
            number: self.rounds,
            operations: Vec::new(),
            ends: Vec::with_capacity(tests.len()),
        };
        self.rounds += 1;
        let share = tests.len().div_ceil(self.settings.workers.max(1));
        let size = share.clamp(1, self.settings.batch.max(1));
        for (index, tests) in tests.chunks(size).enumerate() {
            let chunk = Chunk {
                round: pending.number,
                first: index * size,
                tests: self.encode(tests, &mut pending)?,
            };
            if let Some(chunks) = &self.chunks {
                // A pool whose threads are gone says so when it is collected.
                let _ = chunks.send(chunk);
            }
        }
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
        let replies = self.replies(&pending)?;
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
        self.collect()?.ok_or(WorkerError::Thread)
    }

    fn replies(&mut self, pending: &Pending) -> Result<Vec<TestReply>, WorkerError> {
        loop {
            let arrived = self.arrived.entry(pending.number).or_default();
            if arrived
                .iter()
                .map(|(_, replies)| replies.len())
                .sum::<usize>()
                == pending.ends.len()
            {
                let mut arrived = std::mem::take(arrived);
                self.arrived.remove(&pending.number);
                arrived.sort_by_key(|(first, _)| *first);
                return Ok(arrived
                    .into_iter()
                    .flat_map(|(_, replies)| replies)
                    .collect());
            }
            let (round, first, replies) = self.results.recv().map_err(|_| WorkerError::Thread)?;
            self.arrived
                .entry(round)
                .or_default()
                .push((first, replies?));
        }
    }

    /// How many worker processes have run tests, or are about to.
    pub fn started(&self) -> usize {
        let starter = self.starter.as_ref();
        starter.map_or(0, |starter| starter.taken.load(Ordering::Relaxed))
    }

    /// Ends all workers; gives the processor time that they used, those that were lost included.
    pub fn finish(mut self) -> Duration {
        self.stop()
    }

    fn stop(&mut self) -> Duration {
        self.chunks = None;
        let threads = self.threads.drain(..);
        // A thread that panicked has shown itself in `collect`.
        let spent = threads.filter_map(|thread| thread.join().ok()).sum();
        self.starter = None;
        spent
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs chunks until there are no more; gives the processor time of the workers.
fn serve(
    mut session: Session,
    queue: &Mutex<Receiver<Chunk>>,
    results: &Sender<ChunkResult>,
    spare: &Spare,
) -> Duration {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(chunk) = next else {
            return session.processor_time();
        };
        let replies = session.run(&chunk.tests);
        spare.ready();
        if results.send((chunk.round, chunk.first, replies)).is_err() {
            return session.processor_time();
        }
    }
}

/// Starts worker processes from one thread that lives as long as the pool: they die with the thread that started them.
struct Starter {
    orders: Sender<()>,
    started: Arc<Mutex<Receiver<Result<Worker, sandbox::Error>>>>,
    taken: Arc<AtomicUsize>,
    workers: usize,
    thread: Option<JoinHandle<()>>,
    spared: Arc<AtomicUsize>,
}

/// Orders one more worker than needed, once, when the first has answered: before that the processor has better things to do.
struct Spare {
    orders: Sender<()>,
    spared: Arc<AtomicUsize>,
}

impl Spare {
    fn ready(&self) {
        if self.spared.swap(1, Ordering::Relaxed) == 0 {
            let _ = self.orders.send(());
        }
    }
}

impl Starter {
    fn new(prepared: &Arc<Prepared>, launch: &Launch, workers: usize) -> Starter {
        let (orders, ordered) = channel();
        let (sender, started) = channel();
        let (prepared, launch) = (Arc::clone(prepared), launch.clone());
        let thread = thread::spawn(move || {
            while ordered.recv().is_ok() {
                if sender.send(Worker::start(&prepared, &launch)).is_err() {
                    return;
                }
            }
        });
        for _ in 0..workers {
            let _ = orders.send(());
        }
        Starter {
            orders,
            started: Arc::new(Mutex::new(started)),
            taken: Arc::default(),
            workers,
            thread: Some(thread),
            spared: Arc::default(),
        }
    }

    fn spare(&self) -> Spare {
        Spare {
            orders: self.orders.clone(),
            spared: Arc::clone(&self.spared),
        }
    }

    /// A source that takes a worker that was started, and has the next one started.
    fn source(&self) -> crate::session::Source {
        let (orders, started) = (self.orders.clone(), Arc::clone(&self.started));
        let (taken, workers) = (Arc::clone(&self.taken), self.workers);
        Box::new(move || {
            // The first workers are ordered already.
            if taken.fetch_add(1, Ordering::Relaxed) >= workers {
                let _ = orders.send(());
            }
            let next = started
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            next.map_err(|_| sandbox::Error::Setup("the pool is being stopped".to_owned()))?
        })
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        // Closes the last sender of orders: those of the sessions are gone with their threads.
        let (closed, _) = channel();
        self.orders = closed;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
