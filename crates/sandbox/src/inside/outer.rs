//! The outer process of a launcher: reads the policy, makes the inner process, writes its user maps, watches.

use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, IntoRawFd};
use std::os::unix::net::UnixStream;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::identity::Identity;
use super::namespaces;
use super::setup::Inner;
use crate::message::Setup;
use crate::policy::Mode;
use crate::sys;
use crate::wire::Receiver;

/// Runs the launcher on the socket at standard input; returns the exit code.
pub fn run() -> i32 {
    match start() {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("launcher: {error}");
            1
        }
    }
}

fn start() -> io::Result<()> {
    sys::close_from(3)?;
    // The socket moves up, because descriptors 0 to 2 become the programs' streams later.
    let given = UnixStream::from(sys::own(0));
    let socket = given.try_clone()?;
    let null = fs::File::open("/dev/null")?;
    sys::duplicate_to(null.as_raw_fd(), given.into_raw_fd())?;
    drop(null);
    let mut receiver = Receiver::new();
    let Some((reader, streams)) = receiver.receive(&socket)? else {
        return Ok(());
    };
    let setup = Setup::decode(reader)?;
    if setup.mode != Mode::Off {
        // Best effort: if memory runs out, the kernel shall choose us and what we start.
        let _ = fs::write("/proc/self/oom_score_adj", "1000");
    }
    let identity = Identity::choose(setup.mode);
    let (go, ready_to_go) = io::pipe()?;
    let (missing, namespaces, pid) = namespaces::fork(setup.mode)?;
    let Some(pid) = pid else {
        drop(ready_to_go);
        return Inner {
            setup,
            identity,
            namespaces,
            missing,
            go,
            streams,
        }
        .run(&socket);
    };
    drop((go, streams));
    watch(&socket, pid, &identity, namespaces.user, ready_to_go)
}

/// Ends when the inner process does, and ends it when the client goes away.
fn watch(
    socket: &UnixStream,
    pid: i32,
    identity: &Identity,
    maps: bool,
    mut go: io::PipeWriter,
) -> io::Result<()> {
    let ended = sys::pidfd(pid)?;
    // The inner process reads why its maps could not be written, or an empty line.
    let result = if maps {
        identity.write_maps(pid)
    } else {
        Ok(())
    };
    let text = result
        .err()
        .map_or_else(String::new, |error| error.to_string());
    writeln!(go, "{text}")?;
    loop {
        let mut polled = [
            PollFd::new(ended.as_fd(), PollFlags::POLLIN),
            PollFd::new(socket.as_fd(), PollFlags::empty()),
        ];
        match poll(&mut polled, PollTimeout::NONE) {
            Ok(_) => break,
            Err(nix::Error::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    // `go` is open until here: its closing tells the inner process that we are gone.
    drop(go);
    let _ = nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(pid),
        nix::sys::signal::Signal::SIGKILL,
    );
    sys::wait(pid, 0)?;
    Ok(())
}

/// Reads the line that `watch` writes: empty, or why the maps could not be written.
pub fn await_maps(go: &mut io::PipeReader) -> io::Result<String> {
    let mut line = String::new();
    let mut byte = [0];
    while go.read(&mut byte)? == 1 && byte[0] != b'\n' {
        line.push(char::from(byte[0]));
    }
    Ok(line)
}
