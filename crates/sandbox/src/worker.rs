//! A long-lived program in the sandbox that talks to us through pipes, such as a virtual machine that runs many tests.
//!
//! Each worker has a launcher of its own, so ending it ends everything it started. What is said over the pipes is the
//! caller's business.

use std::io::{PipeReader, PipeWriter, pipe};
use std::os::fd::AsRawFd;
use std::time::Duration;

use crate::error::Error;
use crate::launcher::finished;
use crate::policy::{Launch, Policy};
use crate::probe::Missing;
use crate::process::{LauncherCommand, Process, Serves};
use crate::processor_time;
use crate::request::{Finished, Request};
use crate::streams::Streams;

/// A running worker. Dropping it kills it.
pub struct Worker {
    process: Process,
    policy: Policy,
    request: Request,
    streams: Streams,
    /// The worker's standard input; taking and dropping it shows the worker the end of its input.
    pub stdin: Option<PipeWriter>,
    /// The worker's standard output. Its end means that the worker and all it started are gone.
    pub stdout: PipeReader,
}

impl Worker {
    /// Starts a worker. The request's `stdin` must be empty, and its time-out bounds the worker's whole life. That the
    /// program does not start shows as the end of `stdout`, and `wait` tells why.
    pub fn start(
        policy: Policy,
        command: &LauncherCommand,
        request: Request,
    ) -> Result<Worker, Error> {
        if !request.stdin.is_empty() {
            return Err(Error::Request(
                "a worker gets its input through the pipe".to_owned(),
            ));
        }
        // A worker is started once.
        let policy = Policy {
            launch: Launch::Plain,
            ..policy
        };
        let streams = Streams::new()?;
        let (their_stdin, stdin) = pipe()?;
        let (stdout, their_stdout) = pipe()?;
        let descriptors = [
            their_stdin.as_raw_fd(),
            their_stdout.as_raw_fd(),
            streams.theirs()[2].as_raw_fd(),
        ];
        let mut process = Process::start(&policy, command, descriptors, Serves::One)?;
        // A launcher that died at once shows as the end of `stdout` too.
        process.send(&request)?;
        Ok(Worker {
            process,
            policy,
            request,
            streams,
            stdin: Some(stdin),
            stdout,
        })
    }

    /// The mechanisms that its launcher does without.
    pub fn missing(&self) -> &[Missing] {
        self.process.missing()
    }

    /// The processor time that it has used so far; `None` where that cannot be read.
    pub fn processor_time(&self) -> Option<Duration> {
        processor_time::of_tree(self.process.id())
    }

    /// Waits for the worker's end, closing its input; kills it when `patience` is over, which then shows as
    /// [`End::Lost`](crate::End::Lost). Standard error is in the result, standard output only in the pipe.
    pub fn wait(mut self, patience: Duration) -> Result<Finished, Error> {
        self.stdin = None;
        let reply = self.process.receive(patience)?;
        finished(reply, &self.request, &self.policy, &mut self.streams)
    }
}
