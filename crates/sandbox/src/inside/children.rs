//! The children of the inner process: reaping them, counting them, killing everything.
//!
//! Whatever outlives its parent becomes a child of this process, because it is process 1 of its namespace or, without
//! one, a subreaper. So having no children means that nothing runs.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::sys::{self, Ended};

/// What waiting for a child found.
pub enum Found {
    /// There are no children.
    None,
    /// There are, and none has ended.
    Running,
    /// This one has ended.
    Ended(Ended),
}

/// Access to all children.
pub struct Children {
    pid_namespace: bool,
    /// Lists the children; absent if the kernel has no such file.
    list: Option<File>,
}

impl Children {
    /// Opens the list of children. Must come before this process makes itself unreadable.
    pub fn new(pid_namespace: bool) -> Children {
        // By way of `self`, because another namespace's process file system knows us under another number.
        let folder = std::fs::read_link("/proc/thread-self")
            .map(|link| std::path::Path::new("/proc").join(link));
        let list = folder
            .and_then(|folder| File::open(folder.join("children")))
            .ok();
        Children {
            pid_namespace,
            list,
        }
    }

    /// Whether this process is process 1 of its namespace.
    pub fn in_pid_namespace(&self) -> bool {
        self.pid_namespace
    }

    /// Whether `are_exactly` can tell.
    pub fn can_be_counted(&self) -> bool {
        self.list.is_some()
    }

    /// Reaps a child if one has ended.
    pub fn reap(&self) -> io::Result<Found> {
        find(libc::WNOHANG)
    }

    /// Whether there are this many children, ended ones included.
    pub fn are_exactly(&self, count: usize) -> bool {
        let mut text = [0; 512];
        let Some(length) = self
            .list
            .as_ref()
            .and_then(|list| list.read_at(&mut text, 0).ok())
        else {
            return false;
        };
        text[..length]
            .split(|&byte| byte == b' ')
            .filter(|number| !number.is_empty())
            .count()
            == count
    }

    /// Kills and reaps everything, telling of each that ended.
    pub fn kill_all(&self, mut ended: impl FnMut(Ended)) -> io::Result<()> {
        loop {
            self.kill();
            match find(0)? {
                Found::None => return Ok(()),
                Found::Ended(child) => ended(child),
                Found::Running => {}
            }
        }
    }

    fn kill(&self) {
        if self.pid_namespace {
            // Process 1 of its own namespace: this reaches everything inside and nothing outside.
            let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
            return;
        }
        let mut text = [0; 4096];
        let length = self
            .list
            .as_ref()
            .and_then(|list| list.read_at(&mut text, 0).ok())
            .unwrap_or(0);
        let numbers = String::from_utf8_lossy(&text[..length]);
        for child in numbers
            .split_whitespace()
            .filter_map(|number| number.parse::<i32>().ok())
        {
            // Each program leads its own group; a child that left it is killed alone, and its children come to us.
            let _ = kill(Pid::from_raw(-child), Signal::SIGKILL);
            let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
        }
    }
}

fn find(options: i32) -> io::Result<Found> {
    match sys::wait(-1, options) {
        Ok(Some(ended)) => Ok(Found::Ended(ended)),
        Ok(None) => Ok(Found::Running),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(Found::None),
        Err(error) => Err(error),
    }
}
