//! Makes the inner process in new namespaces, as many as this kernel and user allow.

use std::fs;
use std::io;

use libc::{CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWUTS};

use crate::policy::Mode;
use crate::probe::{Mechanism, Missing};
use crate::sys;

/// Which namespaces the inner process has.
#[derive(Debug, Clone, Copy, Default)]
pub struct Namespaces {
    pub user: bool,
    pub net: bool,
    pub uts: bool,
    pub mount: bool,
    pub pid: bool,
}

const FLAGS: [(i32, Mechanism); 6] = [
    (CLONE_NEWUSER, Mechanism::UserNamespace),
    (CLONE_NEWNET, Mechanism::NetNamespace),
    (CLONE_NEWIPC, Mechanism::IpcNamespace),
    (CLONE_NEWUTS, Mechanism::UtsNamespace),
    (CLONE_NEWNS, Mechanism::MountNamespace),
    (CLONE_NEWPID, Mechanism::PidNamespace),
];

/// Forks: what is missing, what the child has, and the child's id in the parent or `None` in the child.
pub fn fork(mode: Mode) -> io::Result<(Vec<Missing>, Namespaces, Option<i32>)> {
    if mode == Mode::Off {
        return Ok((Vec::new(), Namespaces::default(), sys::fork_into(0)?));
    }
    let all = FLAGS.iter().fold(0, |all, (flag, _)| all | flag);
    if let Ok(pid) = sys::fork_into(all) {
        return Ok((Vec::new(), described(all), pid));
    }
    let mut missing = Vec::new();
    let mut flags = 0;
    for (flag, mechanism) in FLAGS {
        // Without a user namespace an ordinary user gets none of the others, and root should not either.
        match try_out(CLONE_NEWUSER | flag) {
            Ok(()) => flags |= flag,
            Err(error) => missing.push(Missing {
                mechanism,
                reason: reason(&error),
            }),
        }
    }
    let pid = sys::fork_into(flags)?;
    Ok((missing, described(flags), pid))
}

fn described(flags: i32) -> Namespaces {
    Namespaces {
        user: flags & CLONE_NEWUSER != 0,
        net: flags & CLONE_NEWNET != 0,
        uts: flags & CLONE_NEWUTS != 0,
        mount: flags & CLONE_NEWNS != 0,
        pid: flags & CLONE_NEWPID != 0,
    }
}

fn try_out(flags: i32) -> io::Result<()> {
    match sys::fork_into(flags)? {
        None => std::process::exit(0),
        Some(pid) => sys::wait(pid, 0).map(|_| ()),
    }
}

/// Names the setting that forbids user namespaces, if one does.
fn reason(error: &io::Error) -> String {
    let settings = [
        ("/proc/sys/user/max_user_namespaces", "0"),
        ("/proc/sys/kernel/unprivileged_userns_clone", "0"),
        (
            "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
            "1",
        ),
    ];
    for (path, forbidding) in settings {
        if fs::read_to_string(path).is_ok_and(|text| text.trim() == forbidding) {
            return format!("{error}; `{path}` is {forbidding}");
        }
    }
    error.to_string()
}
