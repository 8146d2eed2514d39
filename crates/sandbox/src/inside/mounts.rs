//! The file system as subjects see it: everything read-only and without devices but the harmless ones, the allowed
//! folders writable, a bounded scratch folder in memory, and a process file system of their own.
//!
//! Landlock alone would leave changes of modes, owners, times and attributes open; a read-only mount does not.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};

use super::identity::Identity;
use crate::message::Setup;
use crate::probe::{Mechanism, Missing};
use crate::sys;

/// The devices that can be used; a read-only mount does not keep a device from being written.
pub const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Mounts everything, and says what did not work.
pub fn arrange(setup: &Setup, identity: &Identity, fresh_proc: bool) -> Vec<Missing> {
    let mut missing = Vec::new();
    if let Err(error) = folders(setup, identity) {
        missing.push(Missing {
            mechanism: Mechanism::MountNamespace,
            reason: error.to_string(),
        });
    }
    if fresh_proc && let Err(error) = own_proc() {
        missing.push(Missing {
            mechanism: Mechanism::Proc,
            reason: error.to_string(),
        });
    }
    missing
}

fn folders(setup: &Setup, identity: &Identity) -> io::Result<()> {
    let none: Option<&Path> = None;
    mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none)?;
    let devices: Vec<_> = DEVICES
        .iter()
        .map(Path::new)
        .filter(|device| device.exists())
        .collect();
    for path in setup
        .write
        .iter()
        .map(PathBuf::as_path)
        .chain(devices.iter().copied())
    {
        mount(
            Some(path),
            path,
            none,
            MsFlags::MS_BIND | MsFlags::MS_REC,
            none,
        )?;
    }
    let locked = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;
    sys::mount_attributes(c"/", locked, 0, true)?;
    for folder in &setup.write {
        sys::mount_attributes(&c_path(folder)?, 0, libc::MOUNT_ATTR_RDONLY, false)?;
    }
    for device in devices {
        sys::mount_attributes(&c_path(device)?, 0, libc::MOUNT_ATTR_NODEV, false)?;
    }
    let options = format!(
        "size={},nr_inodes={},mode=0700,uid={},gid={}",
        setup.limits.scratch_bytes,
        // The folder itself is one of them.
        setup.limits.scratch_files + 1,
        identity.uid,
        identity.gid
    );
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(
        Some("scratch"),
        &setup.scratch,
        Some("tmpfs"),
        flags,
        Some(options.as_str()),
    )?;
    Ok(())
}

fn own_proc() -> io::Result<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC | MsFlags::MS_RDONLY;
    mount(Some("proc"), "/proc", Some("proc"), flags, None::<&str>)?;
    Ok(())
}

fn c_path(path: &Path) -> io::Result<CString> {
    sys::c_string(path.as_os_str().as_bytes())
}
