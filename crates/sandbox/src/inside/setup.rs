//! What the inner process does once, before it serves: names, mounts, identity, rules.
//!
//! The order matters: mounts need capabilities, the maps must be there before ids change, changing ids clears the
//! parent-death signal, and the filter of system calls comes last because it forbids the calls used here.

use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::children::Children;
use super::identity::Identity;
use super::namespaces::Namespaces;
use super::outer::await_maps;
use super::syscalls::Allowed;
use super::{mounts, network, rules, serve, syscalls};
use crate::message::{Ready, Setup};
use crate::policy::Mode;
use crate::probe::{Mechanism, Missing};
use crate::sys::{self, ChildSignal};
use crate::wire::Writer;

/// The inner process as it begins.
pub struct Inner {
    pub setup: Setup,
    pub identity: Identity,
    pub namespaces: Namespaces,
    /// What is missing so far.
    pub missing: Vec<Missing>,
    /// Tells that the maps are written, and by closing that the outer process is gone.
    pub go: io::PipeReader,
    /// The standard streams of all programs.
    pub streams: Vec<OwnedFd>,
}

impl Inner {
    /// Isolates this process, tells the client what is missing, and serves until the client goes away.
    pub fn run(mut self, socket: &UnixStream) -> io::Result<()> {
        let isolated = self.isolate();
        let fatal = isolated.as_ref().err().map(ToString::to_string);
        let mut writer = Writer::new();
        Ready {
            missing: self.missing,
            fatal,
        }
        .encode(&mut writer);
        let Ok((signal, children, listeners)) = isolated else {
            return writer.send(socket, &[]);
        };
        let descriptors: Vec<_> = listeners.iter().map(AsRawFd::as_raw_fd).collect();
        writer.send(socket, &descriptors)?;
        drop(listeners);
        serve::serve(socket, &self.setup, children, signal)
    }

    fn isolate(&mut self) -> io::Result<(ChildSignal, Children, Vec<TcpListener>)> {
        let sandboxed = self.setup.mode != Mode::Off;
        let problem = await_maps(&mut self.go)?;
        if !problem.is_empty() {
            self.lacks(Mechanism::UserNamespace, problem);
        }
        self.leave_terminal()?;
        if sandboxed && self.namespaces.uts {
            nix::unistd::sethostname("sandbox")?;
        }
        let listeners = if self.namespaces.net {
            network::listen(&self.setup.net)?
        } else {
            Vec::new()
        };
        if self.namespaces.mount {
            self.missing.extend(mounts::arrange(
                &self.setup,
                &self.identity,
                self.namespaces.pid,
            ));
        }
        if sandboxed {
            sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0)?;
            if let Err(reason) = rules::apply(&self.setup) {
                self.lacks(Mechanism::Landlock, reason);
            }
            if self.identity.is_real_root() {
                self.lacks(
                    Mechanism::ProcessLimit,
                    "the processes of root are not counted".to_owned(),
                );
            }
        }
        self.change_identity()?;
        self.tie_to_parent()?;
        self.take_streams()?;
        let signal = ChildSignal::block()?;
        let children = Children::new(self.namespaces.pid);
        if sandboxed {
            // Nobody inside may look into this process, though it has the same user.
            sys::prctl(libc::PR_SET_DUMPABLE, 0, 0)?;
            let allowed = Allowed {
                net: !self.setup.net.is_empty(),
                trace: self.namespaces.pid,
            };
            if let Err(reason) = syscalls::apply(allowed) {
                self.lacks(Mechanism::Seccomp, reason);
            }
        }
        Ok((signal, children, listeners))
    }

    /// Programs must not reach the user's terminal. A session of our own would do, but the kernel schedules sessions
    /// against each other, and passing the turn between two of them is slow on a busy machine.
    fn leave_terminal(&self) -> io::Result<()> {
        sys::leave_terminal();
        let this = nix::unistd::Pid::from_raw(0);
        Ok(nix::unistd::setpgid(this, this)?)
    }

    fn lacks(&mut self, mechanism: Mechanism, reason: String) {
        self.missing.push(Missing { mechanism, reason });
    }

    /// Enters the scratch folder as the subject's user, without the capabilities of the setup.
    fn change_identity(&self) -> io::Result<()> {
        let (scratch, identity) = (&self.setup.scratch, &self.identity);
        if identity.changes {
            // Without a mount namespace the folder still belongs to root.
            nix::unistd::chown(
                scratch,
                Some(identity.uid.into()),
                Some(identity.gid.into()),
            )?;
            sys::prctl(libc::PR_SET_KEEPCAPS, 1, 0)?;
            sys::become_user(identity.uid, identity.gid)?;
            // What ignoring permissions could harm is bounded only if everything is in force.
            if self.missing.is_empty() {
                sys::keep_capabilities(&[sys::CAP_DAC_OVERRIDE, sys::CAP_DAC_READ_SEARCH])?;
            } else {
                sys::keep_capabilities(&[sys::CAP_DAC_READ_SEARCH])?;
            }
        } else if self.setup.mode != Mode::Off {
            sys::keep_capabilities(&[])?;
        }
        nix::unistd::chdir(scratch)?;
        Ok(())
    }

    /// Makes this process die with the outer one. Changing ids would undo it, so it comes after that.
    fn tie_to_parent(&self) -> io::Result<()> {
        sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as u64, 0)?;
        if !self.namespaces.pid {
            sys::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0)?;
        }
        let mut parent = [PollFd::new(self.go.as_fd(), PollFlags::empty())];
        if poll(&mut parent, PollTimeout::ZERO)? > 0 {
            return Err(io::Error::other("the outer process is gone"));
        }
        Ok(())
    }

    /// Puts the programs' standard streams in place of our own, so that programs inherit them and we hold nothing of
    /// the user's terminal.
    fn take_streams(&mut self) -> io::Result<()> {
        if self.streams.len() != 3 {
            return Err(io::Error::other("there must be three streams"));
        }
        for (given, number) in self.streams.drain(..).zip(0..) {
            sys::duplicate_to(given.as_raw_fd(), number)?;
        }
        Ok(())
    }
}
