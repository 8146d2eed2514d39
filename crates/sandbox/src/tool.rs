//! Runs a trusted tool, such as a compiler or the user's own command: no sandbox, but a time limit and captured output.
//!
//! The tool inherits our environment and finds programs through `PATH`. Its process group is killed when the time is
//! over and when it has ended, so that nothing of it stays behind unless it made a session of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::error::Error;
use crate::policy::Launch;
use crate::request::{End, Finished};
use crate::streams::Streams;
use crate::sys;

/// The most output of a tool that is read back, per stream.
const OUTPUT: u64 = 64 << 20;

/// A trusted tool to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The program, a path or a name to look up in `PATH`.
    pub program: PathBuf,
    /// The arguments after the zeroth.
    pub args: Vec<OsString>,
    /// Variables added to the inherited environment.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads from standard input.
    pub stdin: Vec<u8>,
    /// The working folder; ours if absent.
    pub folder: Option<PathBuf>,
    /// Wall time after which it is killed.
    pub timeout: Duration,
}

impl Tool {
    /// Runs `program` with the given arguments in our folder, with no input, for at most a minute.
    pub fn new(program: PathBuf, args: Vec<OsString>) -> Tool {
        Tool {
            program,
            args,
            env: Vec::new(),
            stdin: Vec::new(),
            folder: None,
            timeout: Duration::from_secs(60),
        }
    }

    /// Runs it to its end. CPU time and leftover processes are not counted.
    pub fn run(&self) -> Result<Finished, Error> {
        let mut streams = Streams::new()?;
        streams.prepare(&self.stdin)?;
        let begin = Instant::now();
        let mut child = self.start(&streams)?;
        let ended = wait(&child, begin, self.timeout);
        // As long as the tool is not reaped, the number of its group is not given to another.
        let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
        let status = child.wait()?;
        let end = if ended? { end(status) } else { End::TimedOut };
        let wall = begin.elapsed();
        let [(stdout, stdout_truncated), (stderr, stderr_truncated)] = streams.read_back(OUTPUT)?;
        Ok(Finished {
            end,
            stdout,
            stderr,
            stdout_truncated,
            stderr_truncated,
            cpu: Duration::ZERO,
            wall,
            launch: Launch::Plain,
            memory_exceeded: false,
            leftover: 0,
            files: BTreeMap::new(),
            files_truncated: false,
        })
    }

    fn start(&self, streams: &Streams) -> Result<Child, Error> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .process_group(0);
        let [stdin, stdout, stderr] = streams.theirs();
        command.stdin(Stdio::from(stdin.try_clone()?));
        command.stdout(Stdio::from(stdout.try_clone()?));
        command.stderr(Stdio::from(stderr.try_clone()?));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.spawn().map_err(|source| Error::Start {
            program: self.program.clone(),
            source,
        })
    }
}

/// Waits until the tool has ended, without reaping it; `false` when its time is over first.
fn wait(child: &Child, begin: Instant, timeout: Duration) -> io::Result<bool> {
    let ended = sys::pidfd(child.id() as i32)?;
    loop {
        let left = timeout.saturating_sub(begin.elapsed());
        // Rounded up, so that the last wait does not spin.
        let time =
            PollTimeout::try_from(left + Duration::from_millis(1)).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(ended.as_fd(), PollFlags::POLLIN)], time) {
            Ok(0) if begin.elapsed() >= timeout => return Ok(false),
            Ok(0) | Err(nix::Error::EINTR) => {}
            Ok(_) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

fn end(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Signalled(signal.unwrap_or(0)),
    }
}
