//! The launcher as a process: start it, send it requests, receive its replies. `Launcher` and `Worker` build on it.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::{Shutdown, SocketAddr, ToSocketAddrs};
use std::os::fd::{AsFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::error::Error;
use crate::inside::LAUNCHER_ARGUMENT;
pub use crate::message::Serves;
use crate::message::{Ready, Reply, Setup, encode_run};
use crate::policy::{Mode, NetAddress, Policy};
use crate::probe::Missing;
use crate::relay::Relay;
use crate::request::Request;
use crate::sys;
use crate::wire::{MAX_DESCRIPTORS, Receiver, Writer};

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

/// Milliseconds that an idle launcher has to end by itself.
const FAREWELL: u16 = 1000;

/// Spreads the launchers of this process over the processors; different processes begin at different ones.
static NEXT_PROCESSOR: AtomicUsize = AtomicUsize::new(0);

/// The launcher's outer process and the socket to its inner one.
pub struct Process {
    child: Child,
    socket: UnixStream,
    missing: Vec<Missing>,
    relays: Vec<Relay>,
    receiver: Receiver,
    writer: Writer,
    patience: Option<Duration>,
    /// Whether a request has been sent and not been answered.
    busy: bool,
}

impl Process {
    /// Starts a launcher and waits until it is isolated.
    pub fn start(
        policy: &Policy,
        command: &LauncherCommand,
        streams: [RawFd; 3],
        serves: Serves,
    ) -> Result<Process, Error> {
        let setup = setup(policy, serves)?;
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
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let mut process = Process {
            child,
            socket,
            missing: Vec::new(),
            relays: Vec::new(),
            receiver: Receiver::new(),
            writer: Writer::new(),
            patience: None,
            busy: true,
        };
        let (ready, listeners) = process.set_up(&setup, &streams).map_err(failed)?;
        if policy.mode == Mode::Full && !ready.missing.is_empty() {
            return Err(Error::Missing(ready.missing));
        }
        if let Some(reason) = ready.fatal {
            return Err(Error::Setup(reason));
        }
        process.missing = ready.missing;
        process.busy = false;
        for (listener, address) in listeners.into_iter().zip(setup.net) {
            process.relays.push(Relay::start(listener, address)?);
        }
        Ok(process)
    }

    fn set_up(&mut self, setup: &Setup, streams: &[RawFd]) -> io::Result<(Ready, Vec<OwnedFd>)> {
        self.writer.clear();
        setup.encode(&mut self.writer);
        self.writer.send(&self.socket, streams)?;
        let answer = self.receiver.receive(&self.socket)?;
        let silent = || io::Error::new(io::ErrorKind::UnexpectedEof, "it ended without an answer");
        let (reader, listeners) = answer.ok_or_else(silent)?;
        Ok((Ready::decode(reader)?, listeners))
    }

    /// The process id of the outer process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The mechanisms that this launcher does without.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// Sends a request; `false` when the launcher is dead.
    pub fn send(&mut self, request: &Request) -> Result<bool, Error> {
        check(request)?;
        self.writer.clear();
        encode_run(request, &mut self.writer);
        self.busy = true;
        match self.writer.send(&self.socket, &[]) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits for the reply; `None` when the launcher is dead or the time is over.
    pub fn receive(&mut self, patience: Duration) -> Result<Option<Reply>, Error> {
        if self.patience != Some(patience) {
            self.socket
                .set_read_timeout(Some(patience.max(Duration::from_millis(1))))?;
            self.patience = Some(patience);
        }
        let reply = match self.receiver.receive(&self.socket) {
            Ok(Some((reader, _))) => Some(Reply::decode(reader)?),
            Ok(None) => None,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        self.busy = reply.is_none();
        for relay in &self.relays {
            relay.cut();
        }
        Ok(reply)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An idle inner process ends by itself when nothing more can come, and tidies up. Otherwise, the outer process
        // takes everything down when the socket is shut.
        if !self.busy {
            let _ = self.socket.shutdown(Shutdown::Write);
            let _ = sys::pidfd(self.child.id() as i32).map(|ended| {
                let mut polled = [PollFd::new(ended.as_fd(), PollFlags::POLLIN)];
                poll(&mut polled, PollTimeout::from(FAREWELL))
            });
        }
        let _ = self.socket.shutdown(Shutdown::Both);
        let _ = self.child.wait();
    }
}

fn setup(policy: &Policy, serves: Serves) -> Result<Setup, Error> {
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
    if net.len() > MAX_DESCRIPTORS {
        return Err(Error::Request(format!(
            "{} allowed addresses are more than {MAX_DESCRIPTORS}",
            net.len()
        )));
    }
    Ok(Setup {
        mode: policy.mode,
        scratch,
        write: policy.write.iter().map(write).collect::<Result<_, _>>()?,
        net,
        limits: policy.limits.clone(),
        launch: policy.launch,
        serves,
        processor: NEXT_PROCESSOR.fetch_add(1, Ordering::Relaxed) + std::process::id() as usize,
    })
}

fn make_scratch(path: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(path)?;
    fs::canonicalize(path)
}

fn resolve(address: &NetAddress) -> io::Result<Vec<SocketAddr>> {
    let mut addresses: Vec<_> = (address.host.as_str(), address.port)
        .to_socket_addrs()?
        .collect();
    addresses.sort();
    addresses.dedup();
    Ok(addresses)
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
