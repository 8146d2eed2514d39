//! Fork servers: programs that were loaded once, wait before their `main`, and fork for each request.
//!
//! A server belongs to one program file with one environment, because libraries may read the environment when they are
//! loaded. Only what certainly is a dynamically linked glibc program is tried; whatever does not answer is started in
//! the plain way from then on. `preload/forkserver.rs` is the other side.

use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io::{self, IoSlice, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use nix::fcntl::{FcntlArg, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{Signal, kill};
use nix::sys::socket::{
    AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType, recv, sendmsg, socketpair,
};
use nix::sys::stat::fstat;
use nix::unistd::{AccessFlags, Pid, access};

use super::elf;
use super::processor::Processor;
use crate::message::Run;
use crate::sys::{self, Limit, Pointers, Spawn, Spawner};

const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/forkserver.so"));

/// The numbers that the library expects its socket and itself at.
const SOCKET_AT: RawFd = 3;
const LIBRARY_AT: RawFd = 4;
/// Descriptors of ours that become these must not be among them.
const ABOVE: RawFd = 10;

/// Binding all symbols at once saves every child from doing it.
const ADDED: &[u8] = b"LD_BIND_NOW=1\0LD_PRELOAD=/proc/self/fd/4\0TESTHOUND_FORK_SERVER=1\0";
const ADDED_COUNT: usize = 3;
const HELLO: &[u8] = b"hound-01";

/// What fits into the library's buffers.
const MAX_TEXT: usize = 60 * 1024;
const MAX_ARGUMENTS: usize = 4096;

/// Servers at one time. Differential testing alternates between two programs, studies between more.
pub const MAX_SERVERS: usize = 4;

/// Programs that are remembered.
const MAX_KNOWN: usize = 64;

/// Milliseconds until a program must have answered that it is a server.
const PATIENCE: u16 = 5000;

/// How often a server may die by itself before its program is only started in the plain way.
const MAX_DEATHS: u32 = 3;

/// What a server is for: the program file as it is now, its path, its environment.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    file: [u64; 5],
    text: Vec<u8>,
}

struct Server {
    key: Key,
    pid: i32,
    socket: OwnedFd,
}

struct Known {
    key: Key,
    deaths: u32,
}

/// What servers are started with.
pub struct Starter<'a> {
    /// Starts processes.
    pub spawner: &'a mut Spawner,
    /// Limits of programs, without that on CPU time, which each child gets by itself.
    pub limits: &'a [Limit],
    /// The processor that servers are bound to.
    pub processor: &'a mut Processor,
    /// Whether the servers must be told to die with us.
    pub die_with_parent: bool,
    /// Whether a program gets a server at its first run already, not at its second.
    pub at_once: bool,
}

/// What came of looking for a server.
pub enum Search {
    /// The server with this process id can be asked.
    Found(i32),
    /// The program must be started in the plain way.
    Plain,
    /// The same, but it was tried: the program may have run by itself and left traces.
    Tried,
}

/// The fork servers of a launcher.
pub struct ForkServers {
    library: OwnedFd,
    servers: Vec<Server>,
    known: Vec<Known>,
}

impl ForkServers {
    /// None where the library does not exist.
    pub fn new() -> io::Result<Option<ForkServers>> {
        if LIBRARY.is_empty() {
            return Ok(None);
        }
        let mut memory = File::from(memfd_create(c"forkserver", MFdFlags::MFD_CLOEXEC)?);
        memory.write_all(LIBRARY)?;
        Ok(Some(ForkServers {
            library: above(&memory)?,
            servers: Vec::new(),
            known: Vec::new(),
        }))
    }

    /// How many servers live.
    pub fn count(&self) -> usize {
        self.servers.len()
    }

    /// Finds or starts the server for a program.
    pub fn find(&mut self, run: &Run, starter: Starter) -> io::Result<Search> {
        if run.args.count > MAX_ARGUMENTS || run.args.text.len() > MAX_TEXT {
            return Ok(Search::Plain);
        }
        let Some(key) = Key::of(run) else {
            return Ok(Search::Plain);
        };
        if let Some(server) = self.servers.iter().find(|server| server.key == key) {
            return Ok(Search::Found(server.pid));
        }
        match self.known.iter().find(|known| known.key == key) {
            Some(known) if known.deaths >= MAX_DEATHS => return Ok(Search::Plain),
            Some(_) => {}
            None => {
                self.known.truncate(MAX_KNOWN - 1);
                self.known.insert(
                    0,
                    Known {
                        key: key.clone(),
                        deaths: 0,
                    },
                );
                if !starter.at_once {
                    return Ok(Search::Plain);
                }
            }
        }
        if self.servers.len() == MAX_SERVERS {
            end(self.servers.remove(0).pid)?;
        }
        self.start(key, run, starter)
    }

    fn start(&mut self, key: Key, run: &Run, starter: Starter) -> io::Result<Search> {
        let program = CStr::from_bytes_until_nul(run.args.text).map_err(io::Error::other)?;
        // Unless it proves to be suited, it is never tried again.
        let known = self.known.iter_mut().find(|known| known.key == key);
        let deaths = &mut known.expect("`find` put it there").deaths;
        let deaths_before = std::mem::replace(deaths, MAX_DEATHS);
        if !File::open(path(program)).is_ok_and(|file| elf::is_dynamic_glibc(&file)) {
            return Ok(Search::Plain);
        }
        // A server must see where programs may run, to release its children.
        starter.processor.release_this()?;
        let flags = SockFlag::SOCK_CLOEXEC;
        let (socket, theirs) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, flags)?;
        let theirs = above(&theirs)?;
        let env = [run.env.text, ADDED].concat();
        let spawned = starter.spawner.spawn(&Spawn {
            program,
            args: &Pointers::new(run.args.text, 1),
            env: &Pointers::new(&env, run.env.count + ADDED_COUNT),
            extra: &[
                (theirs.as_raw_fd(), SOCKET_AT),
                (self.library.as_raw_fd(), LIBRARY_AT),
            ],
            folder: None,
            limits: starter.limits,
            die_with_parent: starter.die_with_parent,
        });
        drop(theirs);
        // What cannot be executed fails again, and is reported, in the plain way.
        let Ok(pid) = spawned else {
            return Ok(Search::Plain);
        };
        if !says_hello(&socket)? || wrote_something()? {
            end(pid)?;
            return Ok(Search::Tried);
        }
        starter.processor.bind(pid)?;
        *deaths = deaths_before;
        self.servers.push(Server { key, pid, socket });
        Ok(Search::Found(pid))
    }

    /// Asks a server to run the program, with a limit on CPU time; `false` if the server is dead.
    pub fn ask(&self, server: i32, run: &Run, cpu: Option<Limit>) -> io::Result<bool> {
        let Some(server) = self
            .servers
            .iter()
            .find(|candidate| candidate.pid == server)
        else {
            return Ok(false);
        };
        let folder = open_folder(without_zero(run.folder.text))?;
        let descriptors: Vec<_> = folder.iter().map(AsRawFd::as_raw_fd).collect();
        let rights = [ControlMessage::ScmRights(&descriptors)];
        let control = if descriptors.is_empty() {
            &[]
        } else {
            &rights[..]
        };
        let (soft, hard) = cpu.map_or((u64::MAX, u64::MAX), |limit| (limit.soft, limit.hard));
        let head = [soft, hard, run.args.count as u64]
            .map(u64::to_le_bytes)
            .concat();
        let slices = [IoSlice::new(&head), IoSlice::new(run.args.text)];
        match sendmsg::<()>(
            server.socket.as_raw_fd(),
            &slices,
            control,
            MsgFlags::MSG_NOSIGNAL,
            None,
        ) {
            Ok(_) => Ok(true),
            // `died` will be told when it is reaped.
            Err(nix::Error::EPIPE | nix::Error::ECONNRESET) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The process id of the program that a server was asked for, if it has started.
    pub fn started(&self, server: i32) -> Option<i32> {
        let server = self
            .servers
            .iter()
            .find(|candidate| candidate.pid == server)?;
        let mut pid = [0; 4];
        let received = recv(server.socket.as_raw_fd(), &mut pid, MsgFlags::MSG_DONTWAIT);
        (received == Ok(pid.len())).then(|| i32::from_le_bytes(pid))
    }

    /// Notes that a process ended by itself; whether it was a server.
    pub fn died(&mut self, pid: i32) -> bool {
        let Some(index) = self.servers.iter().position(|server| server.pid == pid) else {
            return false;
        };
        let key = self.servers.remove(index).key;
        if let Some(known) = self.known.iter_mut().find(|known| known.key == key) {
            known.deaths += 1;
        }
        true
    }

    /// Notes that we killed a process; whether it was a server.
    pub fn killed(&mut self, pid: i32) -> bool {
        let before = self.servers.len();
        self.servers.retain(|server| server.pid != pid);
        before != self.servers.len()
    }
}

impl Drop for ForkServers {
    fn drop(&mut self) {
        for server in &self.servers {
            // At the latest, it ends with this process.
            let _ = end(server.pid);
        }
    }
}

impl Key {
    /// None if there is no such file, its path is relative, or the environment says something to the loader.
    fn of(run: &Run) -> Option<Key> {
        if run
            .env
            .text
            .split(|&byte| byte == 0)
            .any(|entry| entry.starts_with(b"LD_"))
        {
            return None;
        }
        let program = CStr::from_bytes_until_nul(run.args.text).ok()?;
        let path = path(program);
        let data = path.is_absolute().then(|| std::fs::metadata(path).ok())??;
        let changed = [data.mtime() as u64, data.mtime_nsec() as u64];
        let file = [data.dev(), data.ino(), data.size(), changed[0], changed[1]];
        Some(Key {
            file,
            text: [program.to_bytes_with_nul(), run.env.text].concat(),
        })
    }
}

fn path(program: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(program.to_bytes()))
}

fn without_zero(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\0").unwrap_or(text)
}

/// Opens a folder that a program can enter.
fn open_folder(path: &[u8]) -> io::Result<Option<File>> {
    if path.is_empty() {
        return Ok(None);
    }
    access(path, AccessFlags::X_OK)?;
    let flags = libc::O_PATH | libc::O_DIRECTORY;
    File::options()
        .read(true)
        .custom_flags(flags)
        .open(OsStr::from_bytes(path))
        .map(Some)
}

/// Kills and reaps one server.
fn end(pid: i32) -> io::Result<()> {
    let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    sys::wait(pid, 0).map(|_| ())
}

fn says_hello(socket: &OwnedFd) -> io::Result<bool> {
    let mut polled = [PollFd::new(socket.as_fd(), PollFlags::POLLIN)];
    if poll(&mut polled, PollTimeout::from(PATIENCE))? == 0 {
        return Ok(false);
    }
    let mut hello = [0; HELLO.len()];
    let received = recv(socket.as_raw_fd(), &mut hello, MsgFlags::MSG_DONTWAIT);
    Ok(received == Ok(HELLO.len()) && hello == HELLO)
}

/// Whether a library wrote to the standard streams while it was loaded, which every run must show.
fn wrote_something() -> io::Result<bool> {
    Ok(fstat(io::stdout())?.st_size > 0 || fstat(io::stderr())?.st_size > 0)
}

/// A copy of a descriptor with a number that the library does not use.
fn above(descriptor: &dyn AsFd) -> io::Result<OwnedFd> {
    Ok(sys::own(fcntl(
        descriptor.as_fd(),
        FcntlArg::F_DUPFD_CLOEXEC(ABOVE),
    )?))
}
