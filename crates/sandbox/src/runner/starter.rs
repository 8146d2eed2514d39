//! Starts worker processes ahead of their use.
//!
//! All are started by one thread that lives as long as its [`Starter`], because a process in the sandbox dies with the thread that
//! started it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::error::Error;

/// Gives new workers.
pub type Source<W> = Box<dyn FnMut() -> Result<W, Error> + Send>;

/// Starts workers. It must outlive its sources and spares.
pub struct Starter<W> {
    orders: Sender<()>,
    started: Arc<Mutex<Receiver<Result<W, Error>>>>,
    taken: Arc<AtomicUsize>,
    ahead: usize,
    spared: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Orders one more worker than needed, once, when the first has answered: before that the processor has better things to do.
#[derive(Clone)]
pub struct Spare {
    orders: Sender<()>,
    spared: Arc<AtomicBool>,
}

impl Spare {
    /// A worker has answered.
    pub fn ready(&self) {
        if !self.spared.swap(true, Ordering::Relaxed) {
            let _ = self.orders.send(());
        }
    }
}

impl<W: Send + 'static> Starter<W> {
    /// Begins to start as many workers as will be taken at first.
    pub fn new(ahead: usize, start: impl Fn() -> Result<W, Error> + Send + 'static) -> Starter<W> {
        let (orders, ordered) = channel();
        let (sender, started) = channel();
        let thread = thread::spawn(move || {
            while ordered.recv().is_ok() {
                if sender.send(start()).is_err() {
                    return;
                }
            }
        });
        for _ in 0..ahead {
            let _ = orders.send(());
        }
        Starter {
            orders,
            started: Arc::new(Mutex::new(started)),
            taken: Arc::default(),
            ahead,
            spared: Arc::default(),
            thread: Some(thread),
        }
    }

    /// What orders the spare worker.
    pub fn spare(&self) -> Spare {
        Spare {
            orders: self.orders.clone(),
            spared: Arc::clone(&self.spared),
        }
    }

    /// How many workers have been taken, or are about to be.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// A source that takes a worker that was started, and has the next one started.
    pub fn source(&self) -> Source<W> {
        let (orders, started) = (self.orders.clone(), Arc::clone(&self.started));
        let (taken, ahead) = (Arc::clone(&self.taken), self.ahead);
        Box::new(move || {
            // The first workers are ordered already.
            if taken.fetch_add(1, Ordering::Relaxed) >= ahead {
                let _ = orders.send(());
            }
            let started = started.lock().unwrap_or_else(PoisonError::into_inner);
            let next = started.recv();
            next.map_err(|_| Error::Setup("the pool is being stopped".to_owned()))?
        })
    }
}

impl<W> Drop for Starter<W> {
    fn drop(&mut self) {
        // Closes the last sender of orders: those of sources and spares are gone.
        let (closed, _) = channel();
        self.orders = closed;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_more_worker_than_taken_is_started_once_the_first_has_answered() {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let starter = Starter::new(2, move || Ok(counted.fetch_add(1, Ordering::SeqCst)));
        let mut source = starter.source();
        assert_eq!((source().unwrap(), source().unwrap()), (0, 1));
        let spare = starter.spare();
        spare.ready();
        spare.ready();
        // The spare is there already, and the next is ordered in its place.
        assert_eq!(source().unwrap(), 2);
        assert_eq!(starter.taken(), 3);
        drop((source, spare, starter));
        assert_eq!(count.load(Ordering::SeqCst), 4);
    }

    #[test]
    fn a_worker_that_cannot_be_started_is_an_error_of_the_source() {
        let starter = Starter::<()>::new(1, || Err(Error::Setup("no".to_owned())));
        assert!(starter.source()().is_err());
    }
}
