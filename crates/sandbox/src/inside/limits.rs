//! The resource limits that programs get.

use std::time::Duration;

use super::forkserver::MAX_SERVERS;
use crate::policy::{Limits, Mode};
use crate::sys::{self, Limit};

/// The limits of programs, without that on CPU time.
pub fn of_programs(limits: &Limits, mode: Mode) -> Vec<Limit> {
    let mut list = vec![
        (libc::RLIMIT_FSIZE, limits.file_size),
        (libc::RLIMIT_NOFILE, limits.open_files),
        (libc::RLIMIT_CORE, limits.core),
    ];
    if let Some(bytes) = limits.address_space {
        list.push((libc::RLIMIT_AS, bytes));
    }
    // Without a user namespace the kernel would count all processes of the user. The inner process and the fork
    // servers are counted with the program's.
    if let Some(count) = limits.processes.filter(|_| mode != Mode::Off) {
        list.push((libc::RLIMIT_NPROC, count + 1 + MAX_SERVERS as u64));
    }
    list.into_iter()
        .map(|(resource, value)| bounded(resource as i32, value, value))
        .collect()
}

/// The limit on CPU time. A fork server uses more and more, so its children get it one by one.
pub fn of_cpu(time: Duration) -> Limit {
    // Rounded up, and at least one: zero seconds would kill before the first instruction. A second more until the
    // kernel kills, so that the signal tells why.
    let seconds = time.as_millis().div_ceil(1000).max(1) as u64;
    bounded(libc::RLIMIT_CPU as i32, seconds, seconds + 1)
}

/// Nobody may raise a limit above what they have.
fn bounded(resource: i32, soft: u64, hard: u64) -> Limit {
    let highest = sys::highest_limit(resource);
    Limit {
        resource,
        soft: soft.min(highest),
        hard: hard.min(highest),
    }
}
