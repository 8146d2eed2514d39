//! Binds the processes that wake each other up for every run to one processor: this process and the fork servers. A
//! chain of wake-ups across processors costs more than a whole fork.
//!
//! Programs are never bound: a fork server's children release themselves, and this process is released while it starts
//! programs in the plain way.

use std::io;

use crate::sys::Processors;

/// Which processor, and whether this process is bound to it now.
pub struct Processor {
    /// Those that programs may run on. Unknown on very large machines, where nothing is bound.
    allowed: Option<Processors>,
    number: usize,
    bound: bool,
}

impl Processor {
    /// The one with the given number among those that this process may run on, counted around.
    pub fn new(number: usize) -> Processor {
        Processor {
            allowed: Processors::allowed(),
            number,
            bound: false,
        }
    }

    /// Binds another process.
    pub fn bind(&self, pid: i32) -> io::Result<()> {
        self.allowed
            .map_or(Ok(()), |allowed| allowed.bind_one(pid, self.number))
    }

    /// Binds this process.
    pub fn bind_this(&mut self) -> io::Result<()> {
        if self.bound {
            return Ok(());
        }
        self.bound = true;
        self.bind(0)
    }

    /// Lets this process, and what it starts, run everywhere.
    pub fn release_this(&mut self) -> io::Result<()> {
        let bound = std::mem::replace(&mut self.bound, false);
        self.allowed
            .filter(|_| bound)
            .map_or(Ok(()), |allowed| allowed.apply())
    }
}
