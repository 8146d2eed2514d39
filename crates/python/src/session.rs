//! A worker that is there again when it is gone: tests that kill or hang it are told as such, and the rest goes on in the next
//! process.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sandbox::runner::{Ended, Gone, Loss, Silence, Source, run_all};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::death::{Death, Deaths};
use crate::protocol::{Load, ProbedFiles, Reply, Unmeasured, frame};
use crate::runtime::Runtime;
use crate::worker::{Launch, Worker};

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
    /// The threads that ran workers are gone.
    #[error(transparent)]
    Ended(#[from] Ended),
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

/// What sessions note for those who ask later.
#[derive(Debug, Clone)]
pub struct Notes {
    files: Arc<Mutex<ProbedFiles>>,
    deaths: Arc<Mutex<Deaths>>,
    unmeasured: Arc<Mutex<Unmeasured>>,
}

impl Notes {
    /// Notes of a new group of sessions; what was not measured is noted for all that use the Python side.
    pub fn of(runtime: &Runtime) -> Notes {
        Notes {
            files: Arc::default(),
            deaths: Arc::default(),
            unmeasured: Arc::clone(&runtime.unmeasured),
        }
    }

    /// The source files that were given probes so far.
    pub fn files(&self) -> ProbedFiles {
        locked(&self.files).clone()
    }

    /// How a test took its worker with it, once; nothing if it did not, or if its runner marks nothing.
    pub fn take_death(&self, test: &RawValue) -> Option<Death> {
        locked(&self.deaths).remove(test.get())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A worker and what is needed to replace it.
pub struct Session {
    source: Source<Worker>,
    worker: Option<Worker>,
    load: Arc<Load>,
    notes: Notes,
    /// How the last worker was lost, where its runner marks what it does.
    death: Option<Death>,
    silence: Silence,
    /// How many workers were used up.
    pub replaced: u32,
    /// What the runner of the worker that was lost last left behind.
    pub left: Option<String>,
}

impl Session {
    /// A session with workers of its own.
    pub fn new(runtime: &Arc<Runtime>, launch: &Launch, load: Load) -> Session {
        let notes = Notes::of(runtime);
        let (runtime, launch) = (Arc::clone(runtime), launch.clone());
        let source = Box::new(move || Worker::start(&runtime, &launch));
        Session::of(source, Arc::new(load), notes)
    }

    /// A session over a source of workers, which shares its notes with others.
    pub fn of(source: Source<Worker>, load: Arc<Load>, notes: Notes) -> Session {
        Session {
            source,
            worker: None,
            load,
            notes,
            death: None,
            silence: Silence::default(),
            replaced: 0,
            left: None,
        }
    }

    /// The source files that workers of this session gave probes so far.
    pub fn files(&self) -> ProbedFiles {
        self.notes.files()
    }

    /// How a test took its worker with it, once; nothing if it did not, or if its runner marks nothing.
    pub fn take_death(&self, test: &RawValue) -> Option<Death> {
        self.notes.take_death(test)
    }

    /// Ends the worker; the next test runs in a fresh one.
    pub fn retire(&mut self) {
        if self.worker.take().is_some() {
            self.replaced += 1;
        }
    }

    /// Runs tests in order. Every test has a reply, whatever it does.
    pub fn run(&mut self, tests: &[Box<RawValue>]) -> Result<Vec<Ran>, WorkerError> {
        let batch = |range: Range<usize>| {
            let count = range.len();
            self.death = None;
            Ok(match self.exchange("run", &tests[range.clone()])? {
                Ok(ran) if !ran.is_empty() && ran.len() <= count => {
                    Ok(ran.into_iter().map(Ran::Replied).collect())
                }
                Ok(_) => Err(Gone::Silent),
                Err(gone) => {
                    self.note_death(gone, &tests[range]);
                    Err(gone)
                }
            })
        };
        let lost = |loss| match loss {
            Loss::Hung => Ran::Hung,
            Loss::Died => Ran::Died,
        };
        run_all(tests.len(), tests.len(), batch, lost)
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
                self.silence.is_certain();
                self.lost(gone)?;
                return Ok(Err(Gone::Silent));
            }
        }
        let replies = self.send(what, with)?;
        match replies {
            Err(gone) => self.lost(gone)?,
            Ok(_) => self.silence.is_over(),
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
        worker.runner.number += 1;
        let bytes = match worker.runner.ask(&frame(worker.runner.number, what, with)) {
            Ok(bytes) => bytes,
            Err(gone) => return Ok(Err(gone)),
        };
        // What is no reply of ours was written by the subject.
        let Ok(reply) = serde_json::from_slice::<Reply>(&bytes) else {
            return Ok(Err(Gone::Silent));
        };
        if !reply.files.is_empty() {
            locked(&self.notes.files).extend(reply.files);
        }
        if !reply.unmeasured.is_empty() {
            locked(&self.notes.unmeasured).extend(reply.unmeasured);
        }
        if reply.retired.is_some() || reply.error.is_some() {
            self.retire();
        }
        match reply.error {
            Some(error) => Err(WorkerError::Refused(error)),
            None => Ok(Ok(reply.replies)),
        }
    }

    /// Notes which of these tests took the last worker with it, and how.
    fn note_death(&mut self, gone: Gone, tests: &[Box<RawValue>]) {
        let (Gone::Hung(index) | Gone::Died(index)) = gone else {
            return;
        };
        if let Some((test, death)) = tests.get(index).zip(self.death.take()) {
            locked(&self.notes.deaths).insert(test.get().to_owned(), death);
        }
    }

    /// Buries a worker. That several in a row ran nothing is no fault of tests.
    fn lost(&mut self, gone: Gone) -> Result<(), WorkerError> {
        let Some(worker) = self.worker.take() else {
            return Ok(());
        };
        self.replaced += 1;
        self.left = worker.left();
        let doing = worker.doing();
        let marked = doing.map(|doing| u32::try_from(doing).ok());
        match (gone, marked) {
            (Gone::Hung(_), Some(doing)) => {
                self.death = Some(Death {
                    doing,
                    end: None,
                    within: None,
                });
            }
            (Gone::Died(_), Some(doing)) => {
                self.silence.is_over();
                self.death = Some(Death::of(doing, &worker.runner.farewell()?));
                return Ok(());
            }
            _ => {}
        }
        match self.silence.bury(worker.runner, gone)? {
            None => Ok(()),
            Some(said) => Err(WorkerError::Silent(said)),
        }
    }
}
