//! A pool of workers that executes rounds of tests. Replies come back in the order of submission, whatever the workers do.
//!
//! One more process than workers is kept ready to take the place of one that is lost.

use std::sync::Arc;

use sandbox::runner::{Ended, Pool, Starter};
use serde_json::value::RawValue;

use crate::death::Death;
use crate::protocol::{Load, ProbedFiles};
use crate::runtime::Runtime;
use crate::session::{Notes, Ran, Session, WorkerError};
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

type Chunk = Vec<Box<RawValue>>;

/// A pool of workers.
pub struct Workers {
    settings: PoolSettings,
    notes: Notes,
    pool: Pool<Session, Chunk, Result<Vec<Ran>, WorkerError>>,
    // Goes after the sessions that it starts workers for.
    _starter: Starter<Worker>,
}

impl Workers {
    /// Starts a pool. Workers come up while the first round is made.
    pub fn start(
        runtime: &Arc<Runtime>,
        launch: &Launch,
        load: Load,
        settings: PoolSettings,
    ) -> Workers {
        let notes = Notes::of(runtime);
        let (runtime, launch) = (Arc::clone(runtime), launch.clone());
        let starter = Starter::new(settings.workers, move || Worker::start(&runtime, &launch));
        let load = Arc::new(load);
        let session = |_| Session::of(starter.source(), Arc::clone(&load), notes.clone());
        let spare = starter.spare();
        let pool = Pool::start(
            (0..settings.workers).map(session),
            move |session: &mut Session, tests: &Chunk| {
                let replies = session.run(tests);
                spare.ready();
                replies
            },
        );
        Workers {
            settings,
            notes,
            pool,
            _starter: starter,
        }
    }

    /// The source files that workers gave probes so far.
    pub fn files(&self) -> ProbedFiles {
        self.notes.files()
    }

    /// How a test took its worker with it, once; nothing if it did not, or if its runner marks nothing.
    pub fn take_death(&self, test: &RawValue) -> Option<Death> {
        self.notes.take_death(test)
    }

    /// Sends a round of tests to the workers.
    pub fn submit(&mut self, tests: Vec<Box<RawValue>>) {
        let share = tests.len().div_ceil(self.settings.workers.max(1));
        let size = share.clamp(1, self.settings.batch.max(1));
        let mut chunks: Vec<Chunk> = Vec::with_capacity(tests.len().div_ceil(size));
        for test in tests {
            match chunks.last_mut() {
                Some(chunk) if chunk.len() < size => chunk.push(test),
                _ => chunks.push(vec![test]),
            }
        }
        self.pool.submit(chunks);
    }

    /// Waits for the oldest round that was submitted; nothing if there is none.
    pub fn collect(&mut self) -> Result<Option<Vec<Ran>>, WorkerError> {
        let Some(chunks) = self.pool.collect()? else {
            return Ok(None);
        };
        let mut replies = Vec::new();
        for chunk in chunks {
            replies.extend(chunk?);
        }
        Ok(Some(replies))
    }

    /// Runs a round and waits for it.
    pub fn execute(&mut self, tests: Vec<Box<RawValue>>) -> Result<Vec<Ran>, WorkerError> {
        self.submit(tests);
        Ok(self.collect()?.ok_or(Ended)?)
    }
}
