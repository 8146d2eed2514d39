//! A pool of workers that executes rounds of tests. Replies come back in the order of submission, whatever the workers do.
//!
//! Threads of this file do nothing but wait for worker processes. One more process than workers is kept ready to take the
//! place of one that is lost.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use serde_json::value::RawValue;

use crate::protocol::{Load, ProbedFiles};
use crate::runtime::Runtime;
use crate::session::{Ran, Session, Source, WorkerError};
use crate::worker::{Launch, Worker};

/// How a pool works.
#[derive(Debug, Clone)]
pub struct PoolSettings {
    /// How many workers run at a time.
    pub workers: usize,
    /// The most tests that are sent to a worker at once.
    pub batch: usize,
}

impl Default for PoolSettings {
    fn default() -> PoolSettings {
        PoolSettings {
            workers: 1,
            batch: 32,
        }
    }
}

struct Chunk {
    round: u64,
    first: usize,
    tests: Vec<Box<RawValue>>,
}

type ChunkResult = (u64, usize, Result<Vec<Ran>, WorkerError>);

/// A pool of workers.
pub struct Workers {
    settings: PoolSettings,
    files: Arc<Mutex<ProbedFiles>>,
    rounds: u64,
    /// Rounds that were submitted and not collected: number and count of tests.
    pending: VecDeque<(u64, usize)>,
    arrived: BTreeMap<u64, Vec<(usize, Vec<Ran>)>>,
    chunks: Option<Sender<Chunk>>,
    results: Receiver<ChunkResult>,
    threads: Vec<JoinHandle<()>>,
    starter: Option<Starter>,
}

impl Workers {
    /// Starts a pool. Workers come up while the first round is made.
    pub fn start(
        runtime: &Arc<Runtime>,
        launch: &Launch,
        load: Load,
        settings: PoolSettings,
    ) -> Workers {
        let starter = Starter::new(runtime, launch, settings.workers);
        let (chunks, queue) = channel();
        let (sender, results) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let (load, files) = (Arc::new(load), Arc::<Mutex<ProbedFiles>>::default());
        let threads = (0..settings.workers)
            .map(|_| {
                let session = Session::of(starter.source(), Arc::clone(&load), Arc::clone(&files));
                let (queue, sender, spare) = (Arc::clone(&queue), sender.clone(), starter.spare());
                thread::spawn(move || serve(session, &queue, &sender, &spare))
            })
            .collect();
        Workers {
            settings,
            files,
            rounds: 0,
            pending: VecDeque::new(),
            arrived: BTreeMap::new(),
            chunks: Some(chunks),
            results,
            threads,
            starter: Some(starter),
        }
    }

    /// The source files that workers gave probes so far.
    pub fn files(&self) -> ProbedFiles {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.clone()
    }

    /// Sends a round of tests to the workers.
    pub fn submit(&mut self, mut tests: Vec<Box<RawValue>>) {
        let (round, count) = (self.rounds, tests.len());
        self.rounds += 1;
        let share = count.div_ceil(self.settings.workers.max(1));
        let size = share.clamp(1, self.settings.batch.max(1));
        let mut first = 0;
        while !tests.is_empty() {
            let rest = tests.split_off(size.min(tests.len()));
            let chunk = Chunk {
                round,
                first,
                tests,
            };
            first += chunk.tests.len();
            tests = rest;
            if let Some(chunks) = &self.chunks {
                // A pool whose threads are gone says so when it is collected.
                let _ = chunks.send(chunk);
            }
        }
        self.pending.push_back((round, count));
    }

    /// Waits for the oldest round that was submitted; nothing if there is none.
    pub fn collect(&mut self) -> Result<Option<Vec<Ran>>, WorkerError> {
        let Some((number, count)) = self.pending.pop_front() else {
            return Ok(None);
        };
        loop {
            let arrived = self.arrived.entry(number).or_default();
            let there: usize = arrived.iter().map(|(_, replies)| replies.len()).sum();
            if there == count {
                let mut arrived = std::mem::take(arrived);
                self.arrived.remove(&number);
                arrived.sort_by_key(|(first, _)| *first);
                let replies = arrived.into_iter().flat_map(|(_, replies)| replies);
                return Ok(Some(replies.collect()));
            }
            let (round, first, replies) = self.results.recv().map_err(|_| WorkerError::Thread)?;
            let arrived = self.arrived.entry(round).or_default();
            arrived.push((first, replies?));
        }
    }

    /// Runs a round and waits for it.
    pub fn execute(&mut self, tests: Vec<Box<RawValue>>) -> Result<Vec<Ran>, WorkerError> {
        self.submit(tests);
        self.collect()?.ok_or(WorkerError::Thread)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.chunks = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has shown itself in `collect`.
            let _ = thread.join();
        }
        self.starter = None;
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
    fn new(runtime: &Arc<Runtime>, launch: &Launch, workers: usize) -> Starter {
        let (orders, ordered) = channel();
        let (sender, started) = channel();
        let (runtime, launch) = (Arc::clone(runtime), launch.clone());
        let thread = thread::spawn(move || {
            while ordered.recv().is_ok() {
                if sender.send(Worker::start(&runtime, &launch)).is_err() {
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
    fn source(&self) -> Source {
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
