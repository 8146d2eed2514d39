//! What the inner process does once, before it serves: names, mounts, identity, rules.
//!
//! The order matters: mounts need capabilities, the maps must be there before ids change, changing ids clears the
//! parent-death signal, and the filter of system calls comes last because it forbids the calls used here.

use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixStream;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::identity::Identity;
use super::namespaces::Namespaces;
use super::outer::await_maps;
use super::{mounts, network, rules, serve, syscalls};
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
    let (signal, listeners) = match isolate(setup, identity, namespaces, &mut ready.missing, go) {
        Ok((signal, listeners)) => (Some(signal), listeners),
        Err(error) => {
            ready.fatal = Some(error.to_string());
            (None, Vec::new())
        }
    };
    let mut writer = Writer::new();
    ready.encode(&mut writer);
    let descriptors: Vec<_> = listeners.iter().map(AsRawFd::as_raw_fd).collect();
    writer.send(&socket, &descriptors)?;
    drop(listeners);
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
) -> io::Result<(sys::ChildSignal, Vec<TcpListener>)> {
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
    let listeners = if namespaces.net {
        network::listen(&setup.net)?
    } else {
        Vec::new()
    };
    if namespaces.mount {
        for part in mounts::arrange(setup, identity, namespaces.pid) {
            lacks(part.mechanism, part.reason);
        }
    }
    if sandboxed {
        sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0)?;
        if let Err(reason) = rules::apply(setup) {
            lacks(Mechanism::Landlock, reason);
        }
        if identity.is_real_root() {
            lacks(
                Mechanism::ProcessLimit,
                "the processes of root are not counted".to_owned(),
            );
        }
    }
    change_identity(setup, identity, missing.is_empty())?;
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
        // Nobody inside may look into this process, though it has the same user.
        sys::prctl(libc::PR_SET_DUMPABLE, 0, 0)?;
        if let Err(reason) = syscalls::apply(!setup.net.is_empty()) {
            missing.push(Missing {
                mechanism: Mechanism::Seccomp,
                reason,
            });
        }
    }
    Ok((signal, listeners))
}

/// Enters the scratch folder as the subject's user, without the capabilities of the setup.
fn change_identity(setup: &Setup, identity: &Identity, write_is_bounded: bool) -> io::Result<()> {
    if identity.changes {
        // Without a mount namespace the folder still belongs to root.
        nix::unistd::chown(
            &setup.scratch,
            Some(identity.uid.into()),
            Some(identity.gid.into()),
        )?;
        sys::prctl(libc::PR_SET_KEEPCAPS, 1, 0)?;
        sys::become_user(identity.uid, identity.gid)?;
        if write_is_bounded {
            sys::keep_capabilities(&[sys::CAP_DAC_OVERRIDE, sys::CAP_DAC_READ_SEARCH])?;
        } else {
            sys::keep_capabilities(&[sys::CAP_DAC_READ_SEARCH])?;
        }
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
