//! A worker that is there again when it is gone: tests that kill, hang or spoil it are told as such, and the rest goes on in
//! the next process.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sandbox::runner::{Ended, Gone, Loss, Silence, Source, run_all};

use crate::prepared::Prepared;
use crate::protocol::{
    self, Classes, Encoded, Look, Needed, Ran, Strings, TestReply, World, decode_batch,
    decode_links, decode_look,
};
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
    /// A test does not fit the operations.
    #[error(transparent)]
    Malformed(#[from] protocol::Malformed),
    /// A class was refused by the virtual machine.
    #[error("the classes cannot be redefined: {0}")]
    Redefinition(String),
    /// The threads that ran workers are gone.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// A worker and what is needed to replace it.
pub struct Session {
    source: Source<Worker>,
    worker: Option<Worker>,
    classes: Classes,
    strings: Arc<Mutex<Strings>>,
    needed: Needed,
    silence: Silence,
    /// Classes that every worker of this session gets instead of the prepared ones.
    redefined: Vec<(String, Vec<u8>)>,
    /// How many workers were used up.
    pub replaced: u32,
    /// Whether every test runs in a process of its own.
    pub fresh: bool,
    /// The processor time of workers that are gone.
    spent: Duration,
}

impl Session {
    /// A session with workers of its own.
    pub fn new(prepared: &Arc<Prepared>, launch: &Launch, needed: Needed) -> Session {
        let (prepared, launch) = (Arc::clone(prepared), launch.clone());
        let source = Box::new(move || Worker::start(&prepared, &launch));
        Session::of(source, Classes::default(), Arc::default(), needed)
    }

    /// A session over a source of workers, which share strings and classes with others.
    pub fn of(
        source: Source<Worker>,
        classes: Classes,
        strings: Arc<Mutex<Strings>>,
        needed: Needed,
    ) -> Session {
        Session {
            source,
            worker: None,
            classes,
            strings,
            needed,
            silence: Silence::default(),
            redefined: Vec::new(),
            replaced: 0,
            fresh: false,
            spent: Duration::ZERO,
        }
    }

    /// Ends the session and tells how its last worker ended.
    pub fn finish(mut self) -> Result<Option<sandbox::Finished>, sandbox::Error> {
        let worker = self.worker.take();
        worker.map(|worker| worker.runner.farewell()).transpose()
    }

    /// The classes that the numbers in replies mean.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The strings that workers know by number.
    pub fn strings(&self) -> &Arc<Mutex<Strings>> {
        &self.strings
    }

    /// The processor time that all its workers have used.
    pub fn processor_time(&self) -> Duration {
        let running = self.worker.as_ref();
        let running = running.and_then(|worker| worker.runner.processor_time());
        self.spent + running.unwrap_or_default()
    }

    /// Ends the worker; the next test runs in a fresh one.
    pub fn retire(&mut self) {
        self.spent = self.processor_time();
        if self.worker.take().is_some() {
            self.replaced += 1;
        }
        self.classes = self.classes.of_another_worker();
    }

    fn worker(&mut self) -> Result<&mut Worker, WorkerError> {
        if self.worker.is_none() {
            let mut worker = (self.source)()?;
            if !self.redefined.is_empty() {
                let reply = worker.runner.ask(&protocol::redefinition(&self.redefined));
                redefined(reply)?;
            }
            self.worker = Some(worker);
        }
        Ok(self.worker.as_mut().expect("it was just made"))
    }

    /// The strings that the worker does not know yet.
    fn unknown_strings(strings: &Mutex<Strings>, worker: &mut Worker) -> Vec<String> {
        let strings = strings.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = strings.since(worker.strings);
        worker.strings = strings.count();
        unknown
    }

    /// Runs tests in order. Every test has a reply, whatever it does.
    pub fn run(&mut self, tests: &Encoded) -> Result<Vec<TestReply>, WorkerError> {
        let most = if self.fresh { 1 } else { tests.len() };
        let lost = |loss| {
            TestReply::plain(match loss {
                Loss::Hung => Ran::Hung,
                Loss::Died => Ran::Died,
            })
        };
        run_all(tests.len(), most, |range| self.batch(tests, range), lost)
    }

    fn batch(
        &mut self,
        tests: &Encoded,
        range: Range<usize>,
    ) -> Result<Result<Vec<TestReply>, Gone>, WorkerError> {
        let needed = self.needed;
        let strings = Arc::clone(&self.strings);
        let worker = self.worker()?;
        worker.runner.number += 1;
        let unknown = Session::unknown_strings(&strings, worker);
        let request = protocol::batch(worker.runner.number, needed, &unknown, tests, range.clone());
        let gone = match worker.runner.ask(&request) {
            Ok(reply) => match decode_batch(&reply, range.len(), needed, &mut self.classes) {
                Ok((mut replies, retired))
                    if !replies.is_empty() && replies.len() <= range.len() =>
                {
                    self.silence.is_over();
                    if retired.is_some() || self.fresh {
                        self.retire();
                    }
                    if let Some(last) = replies.last_mut() {
                        last.retired = retired;
                    }
                    return Ok(Ok(replies));
                }
                _ => Gone::Silent,
            },
            Err(gone) => gone,
        };
        self.lost(gone)?;
        Ok(Err(gone))
    }

    /// Buries a worker. That several in a row ran nothing is no fault of tests.
    fn lost(&mut self, gone: Gone) -> Result<(), WorkerError> {
        self.spent = self.processor_time();
        let Some(worker) = self.worker.take() else {
            return Ok(());
        };
        self.retire();
        self.replaced += 1;
        match self.silence.bury(worker.runner, gone)? {
            None => Ok(()),
            Some(said) => Err(WorkerError::Silent(said)),
        }
    }

    /// Runs one test and looks closely at what it gives; `Err` tells how it took the worker down.
    pub fn look(&mut self, test: &Encoded, world: World) -> Result<Result<Look, Ran>, WorkerError> {
        let needed = self.needed;
        let strings = Arc::clone(&self.strings);
        let worker = self.worker()?;
        worker.runner.number += 1;
        let unknown = Session::unknown_strings(&strings, worker);
        let request = protocol::examination(worker.runner.number, needed, world, &unknown, test);
        let gone = match worker.runner.ask(&request) {
            Ok(reply) => match decode_look(&reply, needed, &mut self.classes) {
                Ok((look, retired)) => {
                    self.silence.is_over();
                    if retired.is_some() || self.fresh {
                        self.retire();
                    }
                    return Ok(Ok(look));
                }
                Err(_) => Gone::Silent,
            },
            Err(gone) => gone,
        };
        self.lost(gone)?;
        Ok(Err(match gone {
            Gone::Hung(_) => Ran::Hung,
            Gone::Died(_) | Gone::Silent => Ran::Died,
        }))
    }

    /// Asks which operations cannot be called, with the reasons. Loads all classes but initialises none.
    pub fn links(&mut self) -> Result<Vec<(u32, String)>, WorkerError> {
        let reply = self.worker()?.runner.ask(&protocol::link());
        match reply {
            Ok(reply) => Ok(decode_links(&reply).unwrap_or_default()),
            Err(gone) => {
                self.silence.is_certain();
                self.lost(gone)?;
                Ok(Vec::new())
            }
        }
    }

    /// Replaces the code of classes, by their names in internal form, in this worker and those that follow it.
    pub fn redefine(&mut self, classes: &[(String, Vec<u8>)]) -> Result<(), WorkerError> {
        let classes: Vec<(String, Vec<u8>)> = classes
            .iter()
            .map(|(name, bytes)| (name.replace('/', "."), bytes.clone()))
            .collect();
        let reply = self.worker()?.runner.ask(&protocol::redefinition(&classes));
        redefined(reply)?;
        for (name, bytes) in classes {
            self.redefined.retain(|(known, _)| *known != name);
            self.redefined.push((name, bytes));
        }
        Ok(())
    }

    /// Puts a class back as it was prepared; those that follow have it so by themselves.
    pub fn restore(&mut self, name: &str, prepared: &[u8]) -> Result<(), WorkerError> {
        let name = name.replace('/', ".");
        self.redefined.retain(|(known, _)| *known != name);
        if self.worker.is_none() {
            return Ok(());
        }
        let class = [(name, prepared.to_vec())];
        let reply = self.worker()?.runner.ask(&protocol::redefinition(&class));
        redefined(reply)
    }
}

fn redefined(reply: Result<Vec<u8>, Gone>) -> Result<(), WorkerError> {
    let problem = match reply {
        Ok(reply) => protocol::decode_problem(&reply),
        Err(gone) => Some(format!("{gone:?}")),
    };
    problem.map_or(Ok(()), |problem| Err(WorkerError::Redefinition(problem)))
}
