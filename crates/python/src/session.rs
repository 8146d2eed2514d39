//! A worker that is there again when it is gone: tests that kill or hang it are told as such, and the rest goes on in the next
//! process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::protocol::{Load, ProbedFiles, Reply, frame};
use crate::runtime::Runtime;
use crate::worker::{Gone, Launch, Worker};

/// Workers that end one after another without having run a test mean that none ever will.
const MOST_SILENT: u32 = 3;

/// Why no worker can be had.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The sandbox refuses.
    #[error(transparent)]
    Sandbox(#[from] sandbox::Error),
    /// Workers end before they run a test.
    #[error("workers end before they run a test: {0}")]
    Silent(String),
    /// The subject cannot be loaded, or the Python side refuses a request.
    #[error("{0}")]
    Refused(String),
    /// A reply is not what was asked for.
    #[error("a worker's reply cannot be read: {0}")]
    Reply(#[from] serde_json::Error),
    /// The thread that ran workers is gone.
    #[error("a thread of ours ended too early")]
    Thread,
}

/// What became of a test in a worker.
#[derive(Debug, Clone)]
pub enum Ran {
    /// The runner's reply.
    Replied(Box<RawValue>),
    /// It ran so long that the worker had to be killed.
    Hung,
    /// The worker died of it.
    Died,
}

/// Gives new workers.
pub type Source = Box<dyn FnMut() -> Result<Worker, sandbox::Error> + Send>;

/// A worker and what is needed to replace it.
pub struct Session {
    source: Source,
    worker: Option<Worker>,
    load: Arc<Load>,
    files: Arc<Mutex<ProbedFiles>>,
    silent: u32,
    /// How many workers were used up.
    pub replaced: u32,
    /// What the runner of the worker that was lost last left behind.
    pub left: Option<String>,
}

impl Session {
    /// A session with workers of its own.
    pub fn new(runtime: &Arc<Runtime>, launch: &Launch, load: Load) -> Session {
        let (runtime, launch) = (Arc::clone(runtime), launch.clone());
        let source = Box::new(move || Worker::start(&runtime, &launch));
        Session::of(source, Arc::new(load), Arc::default())
    }

    /// A session over a source of workers, which shares what is known of probes with others.
    pub fn of(source: Source, load: Arc<Load>, files: Arc<Mutex<ProbedFiles>>) -> Session {
        Session {
            source,
            worker: None,
            load,
            files,
            silent: 0,
            replaced: 0,
            left: None,
        }
    }

    /// The source files that workers of this session gave probes so far.
    pub fn files(&self) -> ProbedFiles {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.clone()
    }

    /// Ends the worker; the next test runs in a fresh one.
    pub fn retire(&mut self) {
        if self.worker.take().is_some() {
            self.replaced += 1;
        }
    }

    /// Runs tests in order. Every test has a reply, whatever it does.
    pub fn run(&mut self, tests: &[Box<RawValue>]) -> Result<Vec<Ran>, WorkerError> {
        let mut replies: Vec<Ran> = Vec::with_capacity(tests.len());
        // Tests that took a worker with them. Those before them in the same batch have run, but their replies are lost.
        let mut fatal: BTreeMap<usize, Ran> = BTreeMap::new();
        let mut most = tests.len();
        while replies.len() < tests.len() {
            let done = replies.len();
            if let Some(ran) = fatal.remove(&done) {
                replies.push(ran);
                continue;
            }
            let end = fatal.keys().next().copied().unwrap_or(tests.len());
            let end = end.min(done.saturating_add(most));
            match self.exchange("run", &tests[done..end])? {
                Ok(ran) if !ran.is_empty() && ran.len() <= end - done => {
                    replies.extend(ran.into_iter().map(Ran::Replied));
                }
                Err(Gone::Hung(index)) => _ = fatal.insert(done + index, Ran::Hung),
                Err(Gone::Died(index)) => _ = fatal.insert(done + index, Ran::Died),
                // Its mark is spoilt. Alone, every test shows what it is.
                Err(Gone::Silent) | Ok(_) if most > 1 => most = 1,
                Err(Gone::Silent) | Ok(_) => _ = fatal.insert(done, Ran::Died),
            }
        }
        Ok(replies)
    }

    /// Asks the runner for something; `Err` tells how that took the worker down.
    pub fn ask<T: DeserializeOwned>(
        &mut self,
        what: &str,
        with: &impl Serialize,
    ) -> Result<Result<T, Gone>, WorkerError> {
        Ok(match self.exchange(what, with)? {
            Err(gone) => Err(gone),
            Ok(replies) => {
                let reply = replies.first().map_or("null", |reply| reply.get());
                Ok(serde_json::from_str(reply)?)
            }
        })
    }

    fn exchange<T: ?Sized + Serialize>(
        &mut self,
        what: &str,
        with: &T,
    ) -> Result<Result<Vec<Box<RawValue>>, Gone>, WorkerError> {
        if self.worker.is_none() {
            let worker = (self.source)()?;
            self.worker = Some(worker);
            let load = Arc::clone(&self.load);
            if let Err(gone) = self.send("load", &*load)? {
                // A subject that cannot be loaded is no fault of the test that comes first.
                self.silent = self.silent.max(MOST_SILENT - 1);
                self.lost(&gone)?;
                return Ok(Err(Gone::Silent));
            }
        }
        let replies = self.send(what, with)?;
        if let Err(gone) = &replies {
            self.lost(gone)?;
        } else {
            self.silent = 0;
        }
        Ok(replies)
    }

    fn send<T: ?Sized + Serialize>(
        &mut self,
        what: &str,
        with: &T,
    ) -> Result<Result<Vec<Box<RawValue>>, Gone>, WorkerError> {
        let Some(worker) = &mut self.worker else {
            return Ok(Err(Gone::Silent));
        };
        worker.number += 1;
        let bytes = match worker.ask(&frame(worker.number, what, with)) {
            Ok(bytes) => bytes,
            Err(gone) => return Ok(Err(gone)),
        };
        // What is no reply of ours was written by the subject.
        let Ok(reply) = serde_json::from_slice::<Reply>(&bytes) else {
            return Ok(Err(Gone::Silent));
        };
        if !reply.files.is_empty() {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.extend(reply.files);
        }
        if reply.retired.is_some() || reply.error.is_some() {
            self.retire();
        }
        match reply.error {
            Some(error) => Err(WorkerError::Refused(error)),
            None => Ok(Ok(reply.replies)),
        }
    }

    /// Buries a worker. That several in a row ran nothing is no fault of tests.
    fn lost(&mut self, gone: &Gone) -> Result<(), WorkerError> {
        let Some(worker) = self.worker.take() else {
            return Ok(());
        };
        self.replaced += 1;
        self.left = worker.left();
        if !matches!(gone, Gone::Silent) {
            self.silent = 0;
            return Ok(());
        }
        self.silent += 1;
        if self.silent < MOST_SILENT {
            return Ok(());
        }
        let said = worker.farewell().map(|finished| {
            let stderr = String::from_utf8_lossy(&finished.stderr).trim().to_owned();
            format!("{:?}: {stderr}", finished.end)
        });
        Err(WorkerError::Silent(said?))
    }
}
