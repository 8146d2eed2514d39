//! What the inner process does once, before it serves: names, mounts, identity, rules.
//!
//! The order matters: mounts need capabilities, the maps must be there before ids change, changing ids clears the
//! parent-death signal, and the filter of system calls comes last because it forbids the calls used here.

use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixStream;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::identity::Identity;
use super::namespaces::Namespaces;
use super::outer::await_maps;
use super::{mounts, rules, serve, syscalls};
use crate::message::{Ready, Setup};
use crate::policy::Mode;
use crate::probe::{Mechanism, Missing};
use crate::sys;
use crate::wire::Writer;

/// Isolates this process, tells the client what is missing, and serves until the client goes away.
pub fn inner(
    socket: UnixStream,
    setup: &Setup,
    identity: &Identity,
    namespaces: Namespaces,
    missing: Vec<Missing>,
    go: io::PipeReader,
) -> io::Result<()> {
    let mut ready = Ready {
        missing,
        fatal: None,
    };
    let signal = match isolate(setup, identity, namespaces, &mut ready.missing, go) {
        Ok(signal) => Some(signal),
        Err(error) => {
            ready.fatal = Some(error.to_string());
            None
        }
    };
    let mut writer = Writer::new();
    ready.encode(&mut writer);
    writer.send(&socket, &[])?;
    match signal {
        Some(signal) => serve::serve(&socket, setup, namespaces, signal),
        None => Ok(()),
    }
}

fn isolate(
    setup: &Setup,
    identity: &Identity,
    namespaces: Namespaces,
    missing: &mut Vec<Missing>,
    mut go: io::PipeReader,
) -> io::Result<sys::ChildSignal> {
    let sandboxed = setup.mode != Mode::Off;
    let mut lacks = |mechanism, reason: String| missing.push(Missing { mechanism, reason });
    let problem = await_maps(&mut go)?;
    if !problem.is_empty() {
        lacks(Mechanism::UserNamespace, problem);
    }
    nix::unistd::setsid()?;
    if sandboxed && namespaces.uts {
        nix::unistd::sethostname("sandbox")?;
    }
    if namespaces.mount {
        for part in mounts::arrange(setup, identity, namespaces.pid) {
            lacks(part.mechanism, part.reason);
        }
    }
    change_identity(setup, identity)?;
    if sandboxed && identity.is_real_root() {
        lacks(
            Mechanism::ProcessLimit,
            "the processes of root are not counted".to_owned(),
        );
    }
    // Changing ids cleared the parent-death signal, so it is set here; then see whether the parent was quicker.
    sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as u64, 0)?;
    if !namespaces.pid {
        sys::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0)?;
    }
    let mut parent = [PollFd::new(go.as_fd(), PollFlags::empty())];
    if poll(&mut parent, PollTimeout::ZERO)? > 0 {
        return Err(io::Error::other("the outer process is gone"));
    }
    quiet_streams()?;
    let signal = sys::ChildSignal::block()?;
    if sandboxed {
        sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0)?;
        // Nobody inside may look into this process, though it has the same user.
        sys::prctl(libc::PR_SET_DUMPABLE, 0, 0)?;
        if let Err(reason) = rules::apply(setup) {
            lacks(Mechanism::Landlock, reason);
        }
        if let Err(reason) = syscalls::apply(!setup.net.is_empty()) {
            lacks(Mechanism::Seccomp, reason);
        }
    }
    Ok(signal)
}

/// Enters the scratch folder as the subject's user, without the capabilities of the setup.
fn change_identity(setup: &Setup, identity: &Identity) -> io::Result<()> {
    if identity.changes {
        // Without a mount namespace the folder still belongs to root.
        nix::unistd::chown(
            &setup.scratch,
            Some(identity.uid.into()),
            Some(identity.gid.into()),
        )?;
        sys::prctl(libc::PR_SET_KEEPCAPS, 1, 0)?;
        sys::become_user(identity.uid, identity.gid)?;
        sys::keep_capabilities(&[sys::CAP_DAC_READ_SEARCH])?;
    } else if setup.mode != Mode::Off {
        sys::keep_capabilities(&[])?;
    }
    nix::unistd::chdir(&setup.scratch)?;
    Ok(())
}

/// Puts `/dev/null` on descriptors 0 to 2, so that later ones are above and nothing of the user's is held.
fn quiet_streams() -> io::Result<()> {
    let null = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    for stream in 0..3 {
        sys::duplicate_to(null.as_raw_fd(), stream)?;
    }
    Ok(())
}
