//! Runs programs one after another: send the request, read what came out, start the launcher anew when it dies.

use std::io;
use std::os::fd::AsRawFd;
use std::time::Duration;

use crate::error::Error;
use crate::message::{Ran, Reply};
use crate::policy::{Launch, Policy};
use crate::probe::Missing;
use crate::process::{LauncherCommand, Process, Serves};
use crate::request::{End, Finished, Request};
use crate::streams::Streams;

/// How much longer than a request's time-out we wait for the launcher before we give it up.
const GRACE: Duration = Duration::from_secs(20);

/// Starts programs under a policy, one after another. Use one launcher per thread, each with its own scratch folder.
pub struct Launcher {
    policy: Policy,
    command: LauncherCommand,
    process: Process,
    streams: Streams,
}

impl Launcher {
    /// Starts a launcher with the given policy.
    pub fn start(policy: Policy, command: LauncherCommand) -> Result<Launcher, Error> {
        let streams = Streams::new()?;
        let process = Process::start(
            &policy,
            &command,
            streams.theirs().map(AsRawFd::as_raw_fd),
            Serves::Many,
        )?;
        Ok(Launcher {
            policy,
            command,
            process,
            streams,
        })
    }

    /// The mechanisms that this launcher does without, for the user to see once. Empty unless the mode is best-effort.
    pub fn missing(&self) -> &[Missing] {
        self.process.missing()
    }

    /// The policy it was started with.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The process id of the launcher, for messages.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Runs a program and returns what it showed. When the launcher dies meanwhile, it is started anew and the run
    /// ends as [`End::Lost`].
    pub fn run(&mut self, request: &Request) -> Result<Finished, Error> {
        self.streams.prepare(&request.stdin)?;
        let sent = self.process.send(request)?;
        let reply = if sent {
            self.process
                .receive(request.timeout.saturating_add(GRACE))?
        } else {
            None
        };
        let lost = reply.is_none();
        let finished = finished(reply, request, &self.policy, &mut self.streams);
        if lost || self.streams.spoilt() {
            *self = Launcher::start(self.policy.clone(), self.command.clone())?;
        }
        finished
    }
}

/// Puts reply and output together. Without a reply the run is lost.
pub fn finished(
    reply: Option<Reply>,
    request: &Request,
    policy: &Policy,
    streams: &mut Streams,
) -> Result<Finished, Error> {
    let ran = match reply {
        Some(Reply::Ran(ran)) => Some(ran),
        Some(Reply::NotStarted(errno)) => {
            let source = io::Error::from_raw_os_error(errno);
            return Err(Error::Start {
                program: request.program.clone(),
                source,
            });
        }
        Some(Reply::NoFiles(reason)) => return Err(Error::Files(reason)),
        None => None,
    };
    // A stream that has grown to the limit on file sizes was cut, so it must count as longer than what is read.
    let limit = policy
        .limits
        .output
        .min(policy.limits.file_size.saturating_sub(1));
    let [(stdout, stdout_truncated), (stderr, stderr_truncated)] = streams.read_back(limit)?;
    let end = ran.as_ref().map_or(End::Lost, end);
    let ran = ran.unwrap_or_default();
    Ok(Finished {
        end,
        stdout,
        stderr,
        stdout_truncated,
        stderr_truncated,
        cpu: ran.cpu,
        wall: ran.wall,
        launch: if ran.forked {
            Launch::ForkServer
        } else {
            Launch::Plain
        },
        memory_exceeded: ran.memory_exceeded,
        leftover: ran.leftover,
        files: ran.files.into_iter().collect(),
        files_truncated: ran.files_truncated,
    })
}

fn end(ran: &Ran) -> End {
    if ran.timed_out {
        End::TimedOut
    } else if libc::WIFSIGNALED(ran.status) {
        End::Signalled(libc::WTERMSIG(ran.status))
    } else {
        End::Exited(libc::WEXITSTATUS(ran.status))
    }
}
