//! Tests that did not end by themselves, or that spoilt their worker: which, and how.

use crate::protocol::{Ran, Retired, TestReply};

/// What a test did to its worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// It used up its budget; the worker goes on.
    TimedOut,
    /// It wanted to end the process, which was prevented; the worker goes on.
    Exited,
    /// It ran out of memory.
    OutOfMemory,
    /// It left a thread behind.
    LeakedThread,
    /// It hung, and the worker was killed.
    Hung,
    /// The worker died with it.
    Died,
}

impl Loss {
    /// What happened to the worker, for people.
    pub fn text(self) -> &'static str {
        match self {
            Loss::TimedOut => "a test ran out of its budget",
            Loss::Exited => "a test wanted to end the process",
            Loss::OutOfMemory => "a test used up the memory",
            Loss::LeakedThread => "a test left a thread behind",
            Loss::Hung => "a test hung, and the worker was killed",
            Loss::Died => "the worker died with a test",
        }
    }
}

/// A test that was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Its place in the round.
    pub test: usize,
    /// How.
    pub loss: Loss,
    /// Whether its worker was replaced.
    pub replaced: bool,
}

impl Lost {
    /// What a reply says about the worker; nothing where all is well.
    pub fn of(test: usize, reply: &TestReply) -> Option<Lost> {
        let retired = reply.retired.map(|retired| match retired {
            Retired::LeakedThread => Loss::LeakedThread,
            Retired::OutOfMemory => Loss::OutOfMemory,
        });
        let ran = match reply.ran {
            Ran::Normally | Ran::Threw => None,
            Ran::TimedOut => Some(Loss::TimedOut),
            Ran::Exited => Some(Loss::Exited),
            Ran::NoMemory => Some(Loss::OutOfMemory),
            Ran::Hung => Some(Loss::Hung),
            Ran::Died => Some(Loss::Died),
        };
        let loss = retired.or(ran)?;
        let replaced = retired.is_some() || matches!(loss, Loss::Hung | Loss::Died);
        Some(Lost {
            test,
            loss,
            replaced,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_costs_a_worker_counts_as_replaced() {
        let lost = |ran, retired| {
            let reply = TestReply {
                retired,
                ..TestReply::plain(ran)
            };
            Lost::of(3, &reply).map(|lost| (lost.loss, lost.replaced))
        };
        assert_eq!(lost(Ran::Threw, None), None);
        assert_eq!(lost(Ran::TimedOut, None), Some((Loss::TimedOut, false)));
        assert_eq!(lost(Ran::Died, None), Some((Loss::Died, true)));
        assert_eq!(lost(Ran::NoMemory, None), Some((Loss::OutOfMemory, false)));
        let leaked = Some(Retired::LeakedThread);
        assert_eq!(
            lost(Ran::TimedOut, leaked),
            Some((Loss::LeakedThread, true))
        );
    }
}
