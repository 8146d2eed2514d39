//! The system calls that no safe wrapper covers, each behind a small safe function. All `unsafe` of the crate is in this
//! folder and in the preloaded library.
//!
//! Nothing in this file decides anything: no policy, no retries, no messages.
#![allow(unsafe_code)]

mod spawn;

use std::ffi::{CStr, CString, c_int, c_long};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

pub use spawn::{Limit, Pointers, Spawn, Spawner};

/// Turns the `-1` convention of the C library into a result.
fn check(value: c_long) -> io::Result<c_long> {
    if value == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok(value)
    }
}

/// Forks with the given namespace flags: `Some(pid)` in the parent, `None` in the child. The caller must have one
/// thread only, as the launcher has.
pub fn fork_into(flags: c_int) -> io::Result<Option<i32>> {
    let flags = c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without CLONE_VM this is fork: the child runs on its own copy of everything, and no other thread exists
    // whose locks the copy could hold.
    let pid = check(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    Ok((pid != 0).then_some(pid as i32))
}

/// A set of processors.
#[derive(Clone, Copy)]
pub struct Processors(libc::cpu_set_t);

impl Processors {
    /// Those that this process may run on. `None` if there are more than fit, or only one.
    pub fn allowed() -> Option<Processors> {
        // SAFETY: all-zero is a valid set; the calls stay within its size.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            let result = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
            (result == 0 && libc::CPU_COUNT(&set) > 1).then_some(Processors(set))
        }
    }

    /// Lets this process run on all of them.
    pub fn apply(&self) -> io::Result<()> {
        // SAFETY: the set has the size that is passed.
        let result =
            unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const self.0) };
        check(c_long::from(result))?;
        Ok(())
    }

    /// Binds a process (0: this one) to the one of these that has the given number, counted around.
    pub fn bind_one(&self, pid: i32, number: usize) -> io::Result<()> {
        // SAFETY: all-zero is a valid set; the calls stay within its size.
        let result = unsafe {
            let number = number % libc::CPU_COUNT(&self.0).max(1) as usize;
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            let members =
                (0..libc::CPU_SETSIZE as usize).filter(|&cpu| libc::CPU_ISSET(cpu, &self.0));
            members
                .skip(number)
                .take(1)
                .for_each(|cpu| libc::CPU_SET(cpu, &mut set));
            libc::sched_setaffinity(pid, size_of::<libc::cpu_set_t>(), &raw const set)
        };
        check(c_long::from(result))?;
        Ok(())
    }
}

/// The most that a limit of this process can be raised to.
pub fn highest_limit(resource: c_int) -> u64 {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: writes into a live local. If it fails, which it does not for known resources, there is no bound.
    unsafe { libc::prlimit(0, resource as _, std::ptr::null(), &raw mut limit) };
    limit.rlim_max
}

/// A child that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// Its process id.
    pub pid: i32,
    /// The status word of `wait`.
    pub status: c_int,
    /// User and system time of it and of the children it waited for.
    pub cpu: Duration,
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.unsigned_abs())
        + Duration::from_micros(time.tv_usec.unsigned_abs())
}

/// Waits for child `pid` (-1: any) with the given options; `None` when `WNOHANG` found none ended.
pub fn wait(pid: i32, options: c_int) -> io::Result<Option<Ended>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are live locals of the right types; all-zero is a valid rusage.
        let (ended, usage) = unsafe {
            let ended = libc::wait4(
                pid,
                &raw mut status,
                options | libc::__WALL,
                usage.as_mut_ptr(),
            );
            (ended, usage.assume_init_ref())
        };
        match check(c_long::from(ended)) {
            Ok(0) => return Ok(None),
            Ok(pid) => {
                let cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
                return Ok(Some(Ended {
                    pid: pid as i32,
                    status,
                    cpu,
                }));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The signal that tells of ended children, blocked so that `ChildSignal::wait` receives it.
pub struct ChildSignal(libc::sigset_t);

impl ChildSignal {
    /// Gives every signal its default meaning (a parent may have ignored some) and blocks SIGCHLD.
    pub fn block() -> io::Result<ChildSignal> {
        let mut set = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: only default dispositions are installed, so no handler code is named; `sigemptyset` initialises the
        // set before it is read.
        let set = unsafe {
            for signal in 1..=libc::SIGRTMAX() {
                libc::signal(signal, libc::SIG_DFL);
            }
            libc::sigemptyset(set.as_mut_ptr());
            libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
            set.assume_init()
        };
        // SAFETY: `set` is a valid set.
        check(c_long::from(unsafe {
            libc::sigprocmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut())
        }))?;
        Ok(ChildSignal(set))
    }

    /// Waits until some child changed state or the time is over.
    pub fn wait(&self, time: Duration) {
        let time = libc::timespec {
            tv_sec: time.as_secs() as _,
            tv_nsec: time.subsec_nanos() as _,
        };
        // SAFETY: valid set and time; a null pointer for information we do not want is allowed.
        unsafe { libc::sigtimedwait(&raw const self.0, std::ptr::null_mut(), &raw const time) };
    }
}

/// Sets and clears attributes of the mount at `path`, and of all below it if `recursive`.
pub fn mount_attributes(path: &CStr, set: u64, clear: u64, recursive: bool) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: set,
        attr_clr: clear,
        propagation: 0,
        userns_fd: 0,
    };
    let flags = if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is a C string and the structure has the size that is passed.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    })?;
    Ok(())
}

const CAPABILITY_VERSION_3: u32 = 0x2008_0522;

/// The number of the capability to read, write and execute whatever the permissions say.
pub const CAP_DAC_OVERRIDE: u32 = 1;

/// The number of the capability to read and search everything.
pub const CAP_DAC_READ_SEARCH: u32 = 2;

#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: c_int,
}

/// Keeps the given capabilities (below 32) and makes programs inherit them; drops all others.
pub fn keep_capabilities(capabilities: &[u32]) -> io::Result<()> {
    let mask = capabilities.iter().fold(0_u32, |mask, c| mask | 1 << c);
    let header = CapabilityHeader {
        version: CAPABILITY_VERSION_3,
        pid: 0,
    };
    // Effective, permitted, inheritable; low word first.
    let data: [u32; 6] = [mask, mask, mask, 0, 0, 0];
    // SAFETY: header and data have the layout of version 3.
    check(unsafe { libc::syscall(libc::SYS_capset, &raw const header, data.as_ptr()) })?;
    for &capability in capabilities {
        prctl(
            libc::PR_CAP_AMBIENT,
            libc::PR_CAP_AMBIENT_RAISE as u64,
            u64::from(capability),
        )?;
    }
    Ok(())
}

/// Calls `prctl` with an option that takes numbers only.
pub fn prctl(option: c_int, second: u64, third: u64) -> io::Result<()> {
    // SAFETY: the callers in this crate use options whose arguments are numbers.
    check(c_long::from(unsafe {
        libc::prctl(option, second, third, 0, 0)
    }))?;
    Ok(())
}

/// Sets the calling thread's user and group ids through the bare system calls, and drops the supplementary groups.
pub fn become_user(uid: u32, gid: u32) -> io::Result<()> {
    // SAFETY: system calls with numbers; an empty group list may be null.
    unsafe {
        check(libc::syscall(
            libc::SYS_setgroups,
            0,
            std::ptr::null::<u32>(),
        ))?;
        check(libc::syscall(libc::SYS_setresgid, gid, gid, gid))?;
        check(libc::syscall(libc::SYS_setresuid, uid, uid, uid))?;
    }
    Ok(())
}

/// Closes every descriptor from `first` on.
pub fn close_from(first: RawFd) -> io::Result<()> {
    // SAFETY: called at the start of the launcher, before it owns any of them.
    check(unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) })?;
    Ok(())
}

/// Opens a descriptor that becomes readable when process `pid` ends.
pub fn pidfd(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: a system call with numbers.
    let fd = check(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })?;
    Ok(own(fd as RawFd))
}

/// Takes ownership of a descriptor that the kernel has just made for us, or that the process was started with.
pub fn own(fd: RawFd) -> OwnedFd {
    // SAFETY: the callers pass descriptors that they got from a system call or at program start, each once.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// A C string from bytes without a zero byte.
pub fn c_string(bytes: &[u8]) -> io::Result<CString> {
    CString::new(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// Gives up the controlling terminal, if there is one.
pub fn leave_terminal() {
    // SAFETY: system calls with numbers and a C string. If this process led the session, the terminal's processes get
    // SIGHUP, which must not end it.
    unsafe {
        let terminal = libc::open(
            c"/dev/tty".as_ptr(),
            libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC,
        );
        if terminal != -1 {
            libc::signal(libc::SIGHUP, libc::SIG_IGN);
            libc::ioctl(terminal, libc::TIOCNOTTY);
            libc::close(terminal);
        }
    }
}

/// Makes `to` refer to what `from` refers to.
pub fn duplicate_to(from: RawFd, to: RawFd) -> io::Result<()> {
    // SAFETY: the launcher uses this for its standard streams, which nothing owns.
    check(c_long::from(unsafe { libc::dup2(from, to) }))?;
    Ok(())
}

/// Empties standard output and error and begins all three streams anew.
pub fn rewind_streams() -> io::Result<()> {
    for stream in 0..3 {
        // SAFETY: system calls with numbers.
        unsafe {
            if stream > 0 {
                check(c_long::from(libc::ftruncate(stream, 0)))?;
            }
            check(libc::lseek(stream, 0, libc::SEEK_SET))?;
        }
    }
    Ok(())
}
