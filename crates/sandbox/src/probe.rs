//! The mechanisms the sandbox is made of, and which of them are missing here.

use std::fmt;
use std::fs;
use std::os::fd::AsRawFd;
use std::path::Path;

use crate::error::Error;
use crate::policy::{Mode, Policy};
use crate::process::{LauncherCommand, Process, Serves};
use crate::streams::Streams;

/// One mechanism of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mechanism {
    /// Own user ids; what lets an ordinary user set up all other namespaces.
    UserNamespace,
    /// No network.
    NetNamespace,
    /// No shared memory or message queues of others.
    IpcNamespace,
    /// Own host name.
    UtsNamespace,
    /// Read-only file system, bounded private scratch folder.
    MountNamespace,
    /// Own process numbers: nothing outside can be signalled, nothing inside escapes being killed.
    PidNamespace,
    /// A process file system that shows the inside only.
    Proc,
    /// Write rules of the Landlock security module.
    Landlock,
    /// Filter of system calls.
    Seccomp,
    /// A bound on the number of processes that holds for this user.
    ProcessLimit,
}

impl Mechanism {
    /// All of them, in the order of `doctor`.
    pub const ALL: [Mechanism; 10] = [
        Mechanism::UserNamespace,
        Mechanism::NetNamespace,
        Mechanism::IpcNamespace,
        Mechanism::UtsNamespace,
        Mechanism::MountNamespace,
        Mechanism::PidNamespace,
        Mechanism::Proc,
        Mechanism::Landlock,
        Mechanism::Seccomp,
        Mechanism::ProcessLimit,
    ];

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Mechanism::UserNamespace => "user-namespace",
            Mechanism::NetNamespace => "net-namespace",
            Mechanism::IpcNamespace => "ipc-namespace",
            Mechanism::UtsNamespace => "uts-namespace",
            Mechanism::MountNamespace => "mount-namespace",
            Mechanism::PidNamespace => "pid-namespace",
            Mechanism::Proc => "proc",
            Mechanism::Landlock => "landlock",
            Mechanism::Seccomp => "seccomp",
            Mechanism::ProcessLimit => "process-limit",
        }
    }
}

/// A mechanism that could not be set up, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Which one.
    pub mechanism: Mechanism,
    /// Why, for the user.
    pub reason: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "`{}` ({})", self.mechanism.name(), self.reason)
    }
}

/// Tries all mechanisms out: each with why it is missing, or `None` if it works. The folder is used as scratch folder
/// and removed again if it did not exist.
pub fn probe(
    folder: &Path,
    command: &LauncherCommand,
) -> Result<Vec<(Mechanism, Option<String>)>, Error> {
    let existed = folder.exists();
    let mut policy = Policy::new(folder.to_owned());
    policy.mode = Mode::BestEffort;
    let streams = Streams::new()?;
    let process = Process::start(
        &policy,
        command,
        streams.theirs().map(AsRawFd::as_raw_fd),
        Serves::Many,
    )?;
    let reason = |mechanism| {
        process
            .missing()
            .iter()
            .find(|m| m.mechanism == mechanism)
            .map(|m| m.reason.clone())
    };
    let probed = Mechanism::ALL
        .into_iter()
        .map(|mechanism| (mechanism, reason(mechanism)))
        .collect();
    drop(process);
    if !existed {
        fs::remove_dir(folder).map_err(|source| Error::Scratch {
            path: folder.to_owned(),
            source,
        })?;
    }
    Ok(probed)
}
