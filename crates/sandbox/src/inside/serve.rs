//! The loop of the inner process: lay files, start, wait, kill what is left, clean, answer.
//!
//! Everything that could be done once was done before; a request costs little more than starting the program.

use std::ffi::CStr;
use std::io;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use super::children::{Children, Found};
use super::forkserver::{ForkServers, Search, Starter};
use super::processor::Processor;
use super::scratch::Scratch;
use super::{limits, memory};
use crate::message::{Ran, Reply, Run, Serves, Setup};
use crate::policy::Launch;
use crate::request::Collect;
use crate::sys::{self, ChildSignal, Ended, Limit, Pointers, Spawn, Spawner};
use crate::wire::{Receiver, Writer};

/// Serves requests until the client goes away.
pub fn serve(
    socket: &UnixStream,
    setup: &Setup,
    children: Children,
    signal: ChildSignal,
) -> io::Result<()> {
    let forks = setup.launch != Launch::Plain && children.can_be_counted();
    let mut server = Server {
        spawner: Spawner::new()?,
        processor: Processor::new(setup.processor),
        signal,
        scratch: Scratch::open(&setup.scratch, setup.limits.output)?,
        limits: limits::of_programs(&setup.limits, setup.mode),
        cpu: setup.limits.cpu.map(limits::of_cpu),
        memory: setup.limits.memory.filter(|_| memory::can_be_watched()),
        fork_servers: if forks { ForkServers::new()? } else { None },
        launch: setup.launch,
        children,
    };
    let mut receiver = Receiver::new();
    let mut writer = Writer::new();
    loop {
        let Some((reader, _)) = receiver.receive(socket)? else {
            return Ok(());
        };
        let reply = server.run(&Run::decode(reader)?)?;
        writer.clear();
        reply.encode(&mut writer);
        writer.send(socket, &[])?;
        if setup.serves == Serves::One {
            return Ok(());
        }
    }
}

struct Server {
    spawner: Spawner,
    processor: Processor,
    signal: ChildSignal,
    scratch: Scratch,
    /// Without that on CPU time.
    limits: Vec<Limit>,
    cpu: Option<Limit>,
    /// The most memory of all processes together, if it can be watched.
    memory: Option<u64>,
    fork_servers: Option<ForkServers>,
    launch: Launch,
    children: Children,
}

/// The program of a request.
enum Subject {
    /// It has this process id.
    Started(i32),
    /// This fork server was asked for it.
    Asked(i32),
}

impl Server {
    fn run(&mut self, run: &Run) -> io::Result<Reply> {
        let server = self.find_fork_server(run)?;
        if let Err(error) = self.scratch.lay(&run.files) {
            self.scratch.clean()?;
            return Ok(Reply::NoFiles(error.to_string()));
        }
        let reply = match self.start_and_wait(run, server) {
            Ok(mut ran) => {
                if run.collect == Collect::Files {
                    (ran.files, ran.files_truncated) = self.scratch.collect();
                }
                Reply::Ran(ran)
            }
            Err(error) => Reply::NotStarted(error.raw_os_error().ok_or(error)?),
        };
        self.scratch.clean()?;
        Ok(reply)
    }

    /// Finds the fork server for a program. Whatever trying to start one left behind is gone afterwards.
    fn find_fork_server(&mut self, run: &Run) -> io::Result<Option<i32>> {
        let Some(fork_servers) = &mut self.fork_servers else {
            return Ok(None);
        };
        let starter = Starter {
            spawner: &mut self.spawner,
            limits: &self.limits,
            processor: &mut self.processor,
            die_with_parent: !self.children.in_pid_namespace(),
            at_once: self.launch == Launch::ForkServer,
        };
        match fork_servers.find(run, starter)? {
            Search::Found(server) => {
                self.processor.bind_this()?;
                Ok(Some(server))
            }
            Search::Plain => Ok(None),
            Search::Tried => {
                self.children.kill_all(|ended| {
                    fork_servers.killed(ended.pid);
                })?;
                self.scratch.clean()?;
                sys::rewind_streams()?;
                Ok(None)
            }
        }
    }

    fn start_and_wait(&mut self, run: &Run, server: Option<i32>) -> io::Result<Ran> {
        let begin = Instant::now();
        if let (Some(server), Some(fork_servers)) = (server, &self.fork_servers)
            && fork_servers.ask(server, run, self.cpu)?
            && let Some(ran) = self.wait(Subject::Asked(server), begin, run.timeout)?
        {
            return Ok(ran);
        }
        self.processor.release_this()?;
        let begin = Instant::now();
        let pid = self.start(run)?;
        let ran = self.wait(Subject::Started(pid), begin, run.timeout)?;
        Ok(ran.expect("a program that has a process id has started"))
    }

    fn start(&mut self, run: &Run) -> io::Result<i32> {
        let folder = Some(c_str(run.folder.text)?).filter(|folder| !folder.is_empty());
        let limits: Vec<_> = self.limits.iter().copied().chain(self.cpu).collect();
        self.spawner.spawn(&Spawn {
            program: c_str(run.args.text)?,
            args: &Pointers::new(run.args.text, run.args.count),
            env: &Pointers::new(run.env.text, run.env.count),
            extra: &[],
            folder,
            limits: &limits,
            die_with_parent: !self.children.in_pid_namespace(),
        })
    }

    /// Waits for the program until its time is over, then kills all that is left. `None` if a fork server died before
    /// the program started.
    fn wait(
        &mut self,
        mut subject: Subject,
        begin: Instant,
        timeout: Duration,
    ) -> io::Result<Option<Ran>> {
        let mut ran = Ran {
            forked: matches!(subject, Subject::Asked(_)),
            ..Ran::default()
        };
        loop {
            let left = timeout.saturating_sub(begin.elapsed());
            self.signal.wait(if self.memory.is_some() {
                left.min(memory::INTERVAL)
            } else {
                left
            });
            match self.reap(&mut subject)? {
                Reaped::Program(ended) => {
                    (ran.status, ran.cpu, ran.wall) = (ended.status, ended.cpu, begin.elapsed());
                    break;
                }
                Reaped::NeverStarted => return Ok(None),
                Reaped::Others => {}
            }
            ran.timed_out = begin.elapsed() >= timeout;
            ran.memory_exceeded = !ran.timed_out && self.memory.is_some_and(memory::exceeds);
            if ran.timed_out || ran.memory_exceeded {
                (ran.status, ran.wall) = (libc::SIGKILL, begin.elapsed());
                break;
            }
        }
        if ran.timed_out || ran.memory_exceeded || !self.nothing_left()? {
            self.kill_all(&mut subject, &mut ran)?;
        }
        Ok(Some(ran))
    }

    /// Reaps ended children until the program itself is among them.
    fn reap(&mut self, subject: &mut Subject) -> io::Result<Reaped> {
        while let Found::Ended(ended) = self.children.reap()? {
            self.learn(subject);
            if matches!(*subject, Subject::Started(pid) if pid == ended.pid) {
                return Ok(Reaped::Program(ended));
            }
            let server_died = self
                .fork_servers
                .as_mut()
                .is_some_and(|servers| servers.died(ended.pid));
            if server_died && matches!(*subject, Subject::Asked(pid) if pid == ended.pid) {
                return Ok(Reaped::NeverStarted);
            }
        }
        Ok(Reaped::Others)
    }

    /// Learns the process id of a program that a fork server was asked for.
    fn learn(&self, subject: &mut Subject) {
        if let Subject::Asked(server) = *subject
            && let Some(pid) = self
                .fork_servers
                .as_ref()
                .and_then(|servers| servers.started(server))
        {
            *subject = Subject::Started(pid);
        }
    }

    /// Whether only fork servers run.
    fn nothing_left(&mut self) -> io::Result<bool> {
        loop {
            match self.children.reap()? {
                Found::None => return Ok(true),
                Found::Running => break,
                Found::Ended(ended) => {
                    self.fork_servers
                        .as_mut()
                        .map(|servers| servers.died(ended.pid));
                }
            }
        }
        let servers = self.fork_servers.as_ref().map_or(0, ForkServers::count);
        Ok(servers > 0 && self.children.are_exactly(servers))
    }

    fn kill_all(&mut self, subject: &mut Subject, ran: &mut Ran) -> io::Result<()> {
        self.learn(subject);
        let fork_servers = &mut self.fork_servers;
        self.children.kill_all(|ended| {
            if matches!(*subject, Subject::Started(pid) if pid == ended.pid) {
                ran.cpu = ended.cpu;
            } else if !fork_servers
                .as_mut()
                .is_some_and(|servers| servers.killed(ended.pid))
            {
                ran.leftover += 1;
            }
        })
    }
}

enum Reaped {
    /// The program has ended.
    Program(Ended),
    /// Only others, or none.
    Others,
    /// The fork server ended before it made the program.
    NeverStarted,
}

/// The first of strings that are each ended by a zero byte.
fn c_str(text: &[u8]) -> io::Result<&CStr> {
    CStr::from_bytes_until_nul(text).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))
}
