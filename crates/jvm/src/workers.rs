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

use engine::{Needs, Observation, Test};

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

struct Chunk {
    round: u64,
    first: usize,
    tests: Vec<Encoded>,
}

type ChunkResult = (u64, usize, Result<Vec<TestReply>, WorkerError>);

/// A round that was submitted and not collected.
struct Pending {
    number: u64,
    tests: Vec<Test>,
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
    threads: Vec<JoinHandle<()>>,
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
    pub fn submit<'t>(
        &mut self,
        tests: impl IntoIterator<Item = &'t Test>,
    ) -> Result<(), Malformed> {
        let tests: Vec<Test> = tests.into_iter().cloned().collect();
        let every = self.settings.contracts_every;
        let mut encoded = Vec::with_capacity(tests.len());
        {
            let mut strings = self.strings.lock().unwrap_or_else(PoisonError::into_inner);
            let mut encoder = Encoder {
                shapes: &self.prepared.shapes,
                strings: &mut strings,
            };
            for test in &tests {
                let contracts = every > 0 && self.submitted.is_multiple_of(every);
                encoded.push(encoder.test(test, contracts)?);
                self.submitted += 1;
            }
        }
        let round = self.rounds;
        self.rounds += 1;
        let share = tests.len().div_ceil(self.settings.workers.max(1));
        let size = share.clamp(1, self.settings.batch.max(1));
        let mut first = 0;
        while !encoded.is_empty() {
            let rest = encoded.split_off(size.min(encoded.len()));
            let chunk = Chunk {
                round,
                first,
                tests: encoded,
            };
            first += chunk.tests.len();
            encoded = rest;
            if let Some(chunks) = &self.chunks {
                // A pool whose threads are gone says so when it is collected.
                let _ = chunks.send(chunk);
            }
        }
        self.pending.push_back(Pending {
            number: round,
            tests,
        });
        Ok(())
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
        for (test, reply) in pending.tests.iter().zip(replies) {
            collected.unlinked.extend(reply.unlinked.clone());
            let place = collected.observations.len();
            collected.lost.extend(Lost::of(place, &reply));
            let observation = self.judge.observation(test, &reply, &mut collected.types);
            collected.observations.push(observation);
        }
        Ok(Some(collected))
    }

    /// Runs a round and waits for it.
    pub fn execute<'t>(
        &mut self,
        tests: impl IntoIterator<Item = &'t Test>,
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
                == pending.tests.len()
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

    /// Ends all workers.
    fn stop(&mut self) {
        self.chunks = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has shown itself in `collect`.
            let _ = thread.join();
        }
        self.starter = None;
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs chunks until there are no more.
fn serve(
    mut session: Session,
    queue: &Mutex<Receiver<Chunk>>,
    results: &Sender<ChunkResult>,
    spare: &Spare,
) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(chunk) = next else {
            return;
        };
        let replies = session.run(&chunk.tests);
        spare.ready();
        if results.send((chunk.round, chunk.first, replies)).is_err() {
            return;
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
