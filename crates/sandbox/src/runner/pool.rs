//! Keeps several sessions with runners busy. Results come back in the order of submission, whatever the runners do.
//!
//! Its threads do nothing but wait for runners; what is expensive and must be in order happens on the caller's thread.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// The threads of a pool ended too early, which is a fault of ours.
#[derive(Debug, thiserror::Error)]
#[error("a thread of ours ended too early")]
pub struct Ended;

/// A chunk of a round: the number of the round, its place there, and what it is.
type Placed<T> = (u64, usize, T);

/// A pool of sessions `S` that make results `R` of chunks `C`. Dropping it ends them.
pub struct Pool<S, C, R> {
    /// The number of the next round.
    rounds: u64,
    /// Rounds that were submitted and not collected: number and count of chunks.
    pending: VecDeque<(u64, usize)>,
    arrived: BTreeMap<u64, Vec<(usize, R)>>,
    chunks: Option<Sender<Placed<C>>>,
    results: Receiver<Placed<R>>,
    threads: Vec<JoinHandle<S>>,
}

impl<S: Send + 'static, C: Send + 'static, R: Send + 'static> Pool<S, C, R> {
    /// A pool in which each session runs chunks in a thread of its own.
    pub fn start(
        sessions: impl IntoIterator<Item = S>,
        run: impl Fn(&mut S, &C) -> R + Clone + Send + 'static,
    ) -> Pool<S, C, R> {
        let (chunks, queue) = channel::<Placed<C>>();
        let (sender, results) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let serve = |mut session: S| {
            let (queue, sender, run) = (Arc::clone(&queue), sender.clone(), run.clone());
            thread::spawn(move || {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((round, place, chunk)) = next else {
                        return session;
                    };
                    let result = run(&mut session, &chunk);
                    if sender.send((round, place, result)).is_err() {
                        return session;
                    }
                }
            })
        };
        let threads = sessions.into_iter().map(serve).collect();
        Pool {
            rounds: 0,
            pending: VecDeque::new(),
            arrived: BTreeMap::new(),
            chunks: Some(chunks),
            results,
            threads,
        }
    }

    /// Submits a round of chunks.
    pub fn submit(&mut self, round: impl IntoIterator<Item = C>) {
        let mut count = 0;
        for chunk in round {
            if let Some(chunks) = &self.chunks {
                // A pool whose threads are gone says so when it is collected.
                let _ = chunks.send((self.rounds, count, chunk));
            }
            count += 1;
        }
        self.pending.push_back((self.rounds, count));
        self.rounds += 1;
    }

    /// Waits for the oldest round that was submitted; nothing if there is none.
    pub fn collect(&mut self) -> Result<Option<Vec<R>>, Ended> {
        let Some((number, count)) = self.pending.pop_front() else {
            return Ok(None);
        };
        while self.arrived.entry(number).or_default().len() < count {
            let (round, place, result) = self.results.recv().map_err(|_| Ended)?;
            self.arrived.entry(round).or_default().push((place, result));
        }
        let mut arrived = self.arrived.remove(&number).unwrap_or_default();
        arrived.sort_by_key(|(place, _)| *place);
        Ok(Some(
            arrived.into_iter().map(|(_, result)| result).collect(),
        ))
    }
}

impl<S, C, R> Pool<S, C, R> {
    /// Waits until what was submitted has run; gives the sessions back.
    pub fn finish(mut self) -> Vec<S> {
        self.stop()
    }

    fn stop(&mut self) -> Vec<S> {
        self.chunks = None;
        let threads = self.threads.drain(..);
        // A thread that panicked has shown itself in `collect`.
        threads.filter_map(|thread| thread.join().ok()).collect()
    }
}

impl<S, C, R> Drop for Pool<S, C, R> {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_submission() {
        let mut pool = Pool::start([0u32, 0], |runs: &mut u32, chunk: &u64| {
            *runs += 1;
            // Early chunks take longer than late ones.
            (0..(40 - *chunk) * 10_000).fold(*chunk, |sum, one| sum.wrapping_add(one ^ sum));
            *chunk
        });
        for round in 0..4 {
            pool.submit((0..10).map(|one| round * 10 + one));
        }
        for round in 0..4 {
            let expected: Vec<u64> = (round * 10..round * 10 + 10).collect();
            assert_eq!(pool.collect().unwrap(), Some(expected));
        }
        assert!(pool.collect().unwrap().is_none());
        assert_eq!(pool.finish().iter().sum::<u32>(), 40);
    }

    #[test]
    fn a_round_of_nothing_gives_nothing() {
        let mut pool = Pool::start([()], |(), chunk: &u8| *chunk);
        pool.submit([]);
        pool.submit([7]);
        assert_eq!(pool.collect().unwrap(), Some(vec![]));
        assert_eq!(pool.collect().unwrap(), Some(vec![7]));
    }

    #[test]
    fn a_pool_whose_threads_are_gone_says_so() {
        let mut pool = Pool::<(), u8, u8>::start([], |(), chunk| *chunk);
        pool.submit([1]);
        assert!(pool.collect().is_err());
    }
}
