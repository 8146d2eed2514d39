//! As whom subjects run, and the user and group maps of the user namespace.
//!
//! An ordinary user stays who they are: the namespace maps that one user and group to themselves. Root becomes
//! `nobody` (65534), because the kernel does not count the processes of the real root against `RLIMIT_NPROC`. So that
//! programs which only root may execute still run, they keep the capability to ignore the permissions of files. In a
//! user namespace it counts only for files whose owners are mapped, so all ids are mapped to themselves. Landlock and
//! the read-only mounts bound what can be written with it; where both are not there, only reading is kept.

use std::fs;
use std::io;

use nix::unistd::{getegid, geteuid};

use crate::policy::Mode;

const NOBODY: u32 = 65534;

/// As whom subjects run.
#[derive(Debug)]
pub struct Identity {
    /// Their user id, inside and outside.
    pub uid: u32,
    /// Their group id.
    pub gid: u32,
    /// Whether the launcher changes to these ids and keeps the capability to ignore permissions.
    pub changes: bool,
    uid_map: String,
    gid_map: String,
}

impl Identity {
    /// Chooses who to be from who we are.
    pub fn choose(mode: Mode) -> Identity {
        let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
        let one = |id: u32| format!("{id} {id} 1\n");
        let uids = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
        let gids = fs::read_to_string("/proc/self/gid_map").unwrap_or_default();
        if uid != 0 || mode == Mode::Off || !maps(&uids, NOBODY) || !maps(&gids, NOBODY) {
            return Identity {
                uid,
                gid,
                changes: false,
                uid_map: one(uid),
                gid_map: one(gid),
            };
        }
        let (uid_map, gid_map) = (same(&uids), same(&gids));
        Identity {
            uid: NOBODY,
            gid: NOBODY,
            changes: true,
            uid_map,
            gid_map,
        }
    }

    /// Whether subjects run as the real root, whose processes no limit counts.
    pub fn is_real_root(&self) -> bool {
        let uids = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
        self.uid == 0 && extents(&uids).any(|(inside, outside, _)| inside == 0 && outside == 0)
    }

    /// Writes the maps of process `pid`, from outside its user namespace.
    pub fn write_maps(&self, pid: i32) -> io::Result<()> {
        if !self.changes {
            fs::write(format!("/proc/{pid}/setgroups"), "deny")?;
        }
        fs::write(format!("/proc/{pid}/uid_map"), &self.uid_map)?;
        fs::write(format!("/proc/{pid}/gid_map"), &self.gid_map)
    }
}

/// The lines of a map: first id inside, first id outside, count.
fn extents(map: &str) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
    map.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace().map(str::parse);
        match (numbers.next()?, numbers.next()?, numbers.next()?) {
            (Ok(inside), Ok(outside), Ok(count)) => Some((inside, outside, count)),
            _ => None,
        }
    })
}

fn maps(map: &str, id: u32) -> bool {
    extents(map)
        .any(|(inside, _, count)| id.checked_sub(inside).is_some_and(|offset| offset < count))
}

/// A map of all ids that exist here to themselves.
fn same(map: &str) -> String {
    extents(map)
        .map(|(inside, _, count)| format!("{inside} {inside} {count}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read_and_repeated() {
        let map = "         0       1000          1\n         1     100000      65536\n";
        assert!(maps(map, 0) && maps(map, NOBODY) && !maps(map, 65537));
        assert!(!maps("0 1000 1\n", NOBODY));
        assert_eq!(same(map), "0 0 1\n1 1 65536\n");
    }
}
