//! The loop of the inner process: lay files, start, wait, kill what is left, clean, answer.
//!
//! Everything that could be done once was done before; a request costs little more than starting the program.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::namespaces::Namespaces;
use super::scratch::Scratch;
use crate::message::{Ran, Reply, Run, Setup};
use crate::policy::{Limits, Mode};
use crate::request::Collect;
use crate::sys::{self, ChildSignal, Ended, Pointers, Spawn, Spawner};
use crate::wire::{Receiver, Writer};

/// Serves requests until the client goes away.
pub fn serve(
    socket: &UnixStream,
    setup: &Setup,
    namespaces: Namespaces,
    signal: ChildSignal,
) -> io::Result<()> {
    let mut server = Server {
        spawner: Spawner::new()?,
        signal,
        scratch: Scratch::open(&setup.scratch, setup.limits.output)?,
        limits: resource_limits(&setup.limits, setup.mode),
        namespaces,
    };
    let mut receiver = Receiver::new();
    let mut writer = Writer::new();
    loop {
        let Some((reader, descriptors)) = receiver.receive(socket)? else {
            return Ok(());
        };
        let reply = server.run(&Run::decode(reader)?, descriptors)?;
        writer.clear();
        reply.encode(&mut writer);
        writer.send(socket, &[])?;
    }
}

fn resource_limits(limits: &Limits, mode: Mode) -> Vec<(i32, u64)> {
    let mut list = vec![
        (libc::RLIMIT_FSIZE as i32, limits.file_size),
        (libc::RLIMIT_NOFILE as i32, limits.open_files),
        (libc::RLIMIT_CORE as i32, limits.core),
    ];
    // Rounded up, and at least one: zero seconds would kill before the first instruction.
    let cpu = limits
        .cpu
        .map(|time| time.as_millis().div_ceil(1000).max(1) as u64);
    let optional = [
        (libc::RLIMIT_CPU, cpu),
        (libc::RLIMIT_AS, limits.address_space),
        // Without a user namespace this would count all processes of the user.
        (
            libc::RLIMIT_NPROC,
            limits.processes.filter(|_| mode != Mode::Off),
        ),
    ];
    list.extend(
        optional
            .into_iter()
            .filter_map(|(resource, value)| Some((resource as i32, value?))),
    );
    list
}

struct Server {
    spawner: Spawner,
    signal: ChildSignal,
    scratch: Scratch,
    limits: Vec<(i32, u64)>,
    namespaces: Namespaces,
}

impl Server {
    fn run(&mut self, run: &Run, streams: Vec<OwnedFd>) -> io::Result<Reply> {
        if let Err(error) = self.scratch.lay(&run.files) {
            self.scratch.clean()?;
            return Ok(Reply::NoFiles(error.to_string()));
        }
        let begin = Instant::now();
        let pid = match self.start(run, &streams) {
            Ok(pid) => pid,
            Err(error) => {
                self.scratch.clean()?;
                return Ok(Reply::NotStarted(error.raw_os_error().unwrap_or(libc::EIO)));
            }
        };
        // Closed while the program runs, so that a pipe among them ends with the program.
        drop(streams);
        let mut ran = self.wait(pid, begin, run.timeout)?;
        if run.collect == Collect::Files {
            (ran.files, ran.files_truncated) = self.scratch.collect();
        }
        self.scratch.clean()?;
        Ok(Reply::Ran(ran))
    }

    fn start(&mut self, run: &Run, streams: &[OwnedFd]) -> io::Result<i32> {
        let [stdin, stdout, stderr] = streams else {
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        };
        let program = c_str(run.args.text)?;
        let folder = Some(c_str(run.folder.text)?).filter(|folder| !folder.is_empty());
        self.spawner.spawn(&Spawn {
            program,
            args: &Pointers::new(run.args.text, run.args.count),
            env: &Pointers::new(run.env.text, run.env.count),
            streams: [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()],
            extra: None,
            folder,
            limits: &self.limits,
            die_with_parent: !self.namespaces.pid,
        })
    }

    /// Waits for the program until its time is over, then kills all that is left.
    fn wait(&self, pid: i32, begin: Instant, timeout: Duration) -> io::Result<Ran> {
        let mut ran = Ran::default();
        loop {
            let left = timeout.saturating_sub(begin.elapsed());
            self.signal.wait(left);
            if let Some(ended) = self.reap_until(pid)? {
                ran.wall = begin.elapsed();
                (ran.status, ran.cpu) = (ended.status, ended.cpu);
                break;
            }
            if begin.elapsed() >= timeout {
                ran.timed_out = true;
                ran.wall = begin.elapsed();
                break;
            }
        }
        self.kill_rest(pid, &mut ran)?;
        Ok(ran)
    }

    /// Reaps ended children; the program itself if it is among them.
    fn reap_until(&self, pid: i32) -> io::Result<Option<Ended>> {
        while let Some(ended) = wait_for_one(libc::WNOHANG)? {
            if ended.pid == pid {
                return Ok(Some(ended));
            }
        }
        Ok(None)
    }

    /// Kills and reaps everything that still runs, and counts what outlived the program.
    fn kill_rest(&self, pid: i32, ran: &mut Ran) -> io::Result<()> {
        // Whatever outlives its parent becomes our child, so having no children means that nothing runs.
        loop {
            match wait(libc::WNOHANG)? {
                Children::None => return Ok(()),
                Children::Ended(_) => {}
                Children::Running => break,
            }
        }
        loop {
            self.kill_all();
            match wait(0)? {
                Children::None => return Ok(()),
                Children::Ended(ended) if ended.pid == pid => ran.cpu = ended.cpu,
                Children::Ended(_) => ran.leftover += 1,
                Children::Running => {}
            }
        }
    }

    fn kill_all(&self) {
        if self.namespaces.pid {
            // Process 1 of its own namespace: this reaches everything inside and nothing outside.
            let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
            return;
        }
        let me = std::process::id();
        let children =
            std::fs::read_to_string(format!("/proc/{me}/task/{me}/children")).unwrap_or_default();
        for child in children
            .split_whitespace()
            .filter_map(|text| text.parse::<i32>().ok())
        {
            // Each program leads its own group; a child that left it is killed alone, and its children come to us.
            let _ = kill(Pid::from_raw(-child), Signal::SIGKILL);
            let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
        }
    }
}

enum Children {
    None,
    Running,
    Ended(Ended),
}

fn wait(options: i32) -> io::Result<Children> {
    match sys::wait(-1, options) {
        Ok(Some(ended)) => Ok(Children::Ended(ended)),
        Ok(None) => Ok(Children::Running),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(Children::None),
        Err(error) => Err(error),
    }
}

fn wait_for_one(options: i32) -> io::Result<Option<Ended>> {
    match wait(options)? {
        Children::Ended(ended) => Ok(Some(ended)),
        Children::None | Children::Running => Ok(None),
    }
}

/// The first of strings that are each ended by a zero byte.
fn c_str(text: &[u8]) -> io::Result<&CStr> {
    CStr::from_bytes_until_nul(text).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))
}
