//! The client's side of a launcher: start it, send requests, read what came out, start it anew when it dies.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::error::Error;
use crate::inside::LAUNCHER_ARGUMENT;
use crate::message::{Ran, Ready, Reply, Setup, encode_run};
use crate::policy::{Limits, Mode, NetAddress, Policy};
use crate::probe::Missing;
use crate::request::{End, Finished, Request};
use crate::streams::{Streams, read_back};
use crate::wire::{Receiver, Writer};

/// How much longer than a request's time-out we wait for the launcher before we give it up.
const GRACE: Duration = Duration::from_secs(20);

/// The program that becomes the launcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LauncherCommand {
    /// A program that calls [`launcher_main`](crate::launcher_main).
    pub program: PathBuf,
    /// Its arguments; the first must be `__launcher`.
    pub args: Vec<OsString>,
}

impl LauncherCommand {
    /// The program that is running now.
    pub fn this_program() -> io::Result<LauncherCommand> {
        Ok(LauncherCommand {
            program: std::env::current_exe()?,
            args: vec![OsString::from(LAUNCHER_ARGUMENT)],
        })
    }
}

/// Starts programs under a policy, one after another. Use one launcher per thread, each with its own scratch folder.
pub struct Launcher {
    policy: Policy,
    command: LauncherCommand,
    process: Process,
    receiver: Receiver,
    writer: Writer,
}

impl Launcher {
    /// Starts a launcher with the given policy.
    pub fn start(policy: Policy, command: LauncherCommand) -> Result<Launcher, Error> {
        let mut receiver = Receiver::new();
        let mut writer = Writer::new();
        let process = Process::start(&policy, &command, &mut writer, &mut receiver)?;
        Ok(Launcher {
            policy,
            command,
            process,
            receiver,
            writer,
        })
    }

    /// The mechanisms that this launcher does without, for the user to see once. Empty unless the mode is best-effort.
    pub fn missing(&self) -> &[Missing] {
        &self.process.missing
    }

    /// The policy it was started with.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The process id of the launcher, for messages.
    pub fn id(&self) -> u32 {
        self.process.child.id()
    }

    /// Runs a program and returns what it showed. When the launcher dies meanwhile, it is started anew and the run
    /// ends as [`End::Lost`].
    pub fn run(&mut self, request: &Request) -> Result<Finished, Error> {
        check(request)?;
        let mut streams = Streams::new(&request.stdin)?;
        self.writer.clear();
        encode_run(request, &mut self.writer);
        let reply = self.exchange(request.timeout, &streams)?;
        let ran = match reply {
            Some(Reply::Ran(ran)) => ran,
            Some(Reply::NotStarted(errno)) => {
                let source = io::Error::from_raw_os_error(errno);
                return Err(Error::Start {
                    program: request.program.clone(),
                    source,
                });
            }
            Some(Reply::NoFiles(reason)) => return Err(Error::Files(reason)),
            None => {
                self.restart()?;
                return self.finished(Ran::default(), End::Lost, &mut streams);
            }
        };
        let end = end(&ran);
        self.finished(ran, end, &mut streams)
    }

    /// Sends the written frame and waits for the reply; `None` when the launcher died or does not answer.
    fn exchange(&mut self, timeout: Duration, streams: &Streams) -> Result<Option<Reply>, Error> {
        let socket = &self.process.socket;
        let descriptors =
            [&streams.stdin, &streams.stdout, &streams.stderr].map(AsRawFd::as_raw_fd);
        if let Err(error) = self.writer.send(socket, &descriptors) {
            return if error.kind() == io::ErrorKind::BrokenPipe {
                Ok(None)
            } else {
                Err(error.into())
            };
        }
        if self.process.patience != timeout {
            socket.set_read_timeout(timeout.checked_add(GRACE))?;
            self.process.patience = timeout;
        }
        match self.receiver.receive(socket) {
            Ok(Some((reader, _))) => Ok(Some(Reply::decode(reader)?)),
            Ok(None) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn restart(&mut self) -> Result<(), Error> {
        self.process = Process::start(
            &self.policy,
            &self.command,
            &mut self.writer,
            &mut self.receiver,
        )?;
        Ok(())
    }

    fn finished(&self, ran: Ran, end: End, streams: &mut Streams) -> Result<Finished, Error> {
        // A stream that has grown to the limit on file sizes was cut, so it must count as longer than what is read.
        let Limits {
            output, file_size, ..
        } = self.policy.limits;
        let limit = output.min(file_size.saturating_sub(1));
        let (stdout, stdout_truncated) = read_back(&mut streams.stdout, limit)?;
        let (stderr, stderr_truncated) = read_back(&mut streams.stderr, limit)?;
        Ok(Finished {
            end,
            stdout,
            stderr,
            stdout_truncated,
            stderr_truncated,
            cpu: ran.cpu,
            wall: ran.wall,
            leftover: ran.leftover,
            files: ran.files.into_iter().collect(),
            files_truncated: ran.files_truncated,
        })
    }
}

/// The launcher's outer process and the socket to its inner one.
struct Process {
    child: Child,
    socket: UnixStream,
    missing: Vec<Missing>,
    patience: Duration,
}

impl Process {
    fn start(
        policy: &Policy,
        command: &LauncherCommand,
        writer: &mut Writer,
        receiver: &mut Receiver,
    ) -> Result<Process, Error> {
        let setup = setup(policy)?;
        let failed = |source| Error::Launcher {
            program: command.program.clone(),
            source,
        };
        let (socket, theirs) = UnixStream::pair()?;
        let child = Command::new(&command.program)
            .args(&command.args)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let mut process = Process {
            child,
            socket,
            missing: Vec::new(),
            patience: Duration::ZERO,
        };
        writer.clear();
        setup.encode(writer);
        writer.send(&process.socket, &[]).map_err(failed)?;
        let answer = receiver.receive(&process.socket).map_err(failed)?;
        let silent = || {
            failed(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "it ended without an answer",
            ))
        };
        let (reader, _) = answer.ok_or_else(silent)?;
        let ready = Ready::decode(reader).map_err(failed)?;
        if policy.mode == Mode::Full && !ready.missing.is_empty() {
            return Err(Error::Missing(ready.missing));
        }
        if let Some(reason) = ready.fatal {
            return Err(Error::Setup(reason));
        }
        process.missing = ready.missing;
        Ok(process)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The outer process ends when the socket is shut, and takes everything with it.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let _ = self.child.wait();
    }
}

fn setup(policy: &Policy) -> Result<Setup, Error> {
    let scratch = make_scratch(&policy.scratch).map_err(|source| Error::Scratch {
        path: policy.scratch.clone(),
        source,
    })?;
    let write = |path: &PathBuf| {
        fs::canonicalize(path).map_err(|source| Error::WriteFolder {
            path: path.clone(),
            source,
        })
    };
    let mut net = Vec::new();
    for address in &policy.net {
        net.extend(resolve(address).map_err(|source| Error::Resolve {
            address: address.clone(),
            source,
        })?);
    }
    Ok(Setup {
        mode: policy.mode,
        scratch,
        write: policy.write.iter().map(write).collect::<Result<_, _>>()?,
        net,
        limits: policy.limits.clone(),
    })
}

fn make_scratch(path: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(path)?;
    fs::canonicalize(path)
}

fn resolve(address: &NetAddress) -> io::Result<Vec<SocketAddr>> {
    Ok((address.host.as_str(), address.port)
        .to_socket_addrs()?
        .collect())
}

/// Finds what cannot be passed to a program.
fn check(request: &Request) -> Result<(), Error> {
    let program = request.program.as_os_str();
    if !program.as_bytes().contains(&b'/') {
        let text = program.display();
        return Err(Error::Request(format!(
            "program `{text}` is no path\nhint: look it up with `find_program`"
        )));
    }
    let folder = request.folder.iter().map(|folder| folder.as_os_str());
    let env = request
        .env
        .iter()
        .flat_map(|(name, value)| [name.as_os_str(), value.as_os_str()]);
    let args = request.args.iter().map(OsString::as_os_str);
    for text in std::iter::once(program)
        .chain(folder)
        .chain(args)
        .chain(env)
    {
        if text.as_bytes().contains(&0) {
            return Err(Error::Request(format!(
                "`{}` contains a zero byte",
                text.display()
            )));
        }
    }
    Ok(())
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
