//! The system calls that no safe wrapper covers, each behind a small safe function. All `unsafe` of the crate is here.
//!
//! Nothing in this file decides anything: no policy, no retries, no messages.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_void};
use std::io;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

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

/// Pointers to C strings, ended by a null pointer, as `execve` wants them.
pub struct Pointers<'a> {
    pointers: Vec<*const c_char>,
    text: PhantomData<&'a [u8]>,
}

impl Pointers<'_> {
    /// Points at the first `count` strings of those that follow each other in `text`, each ended by a zero byte.
    pub fn new(text: &[u8], count: usize) -> Pointers<'_> {
        let mut pointers = Vec::with_capacity(count + 1);
        let ended = text
            .split_inclusive(|&byte| byte == 0)
            .filter(|string| string.ends_with(&[0]));
        pointers.extend(
            ended
                .take(count)
                .map(|string| string.as_ptr().cast::<c_char>()),
        );
        pointers.push(std::ptr::null());
        Pointers {
            pointers,
            text: PhantomData,
        }
    }
}

/// A resource limit of `setrlimit`.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Which resource.
    pub resource: c_int,
    /// Where a signal or error tells the program.
    pub soft: u64,
    /// How far the program can raise it itself; for CPU time, where the kernel kills.
    pub hard: u64,
}

/// What to start, prepared so that the child has nothing left to compute.
pub struct Spawn<'a> {
    /// The program file.
    pub program: &'a CStr,
    /// Its arguments, the zeroth included.
    pub args: &'a Pointers<'a>,
    /// Its complete environment.
    pub env: &'a Pointers<'a>,
    /// Descriptors to hand over besides 0, 1 and 2, which are the launcher's, with the numbers they get; what is handed over must not have such a number.
    pub extra: &'a [(RawFd, RawFd)],
    /// The working folder, unless it stays that of the launcher.
    pub folder: Option<&'a CStr>,
    /// Resource limits to set in the child.
    pub limits: &'a [Limit],
    /// Where it may run, unless where the launcher may.
    pub processors: Option<Processors>,
    /// Whether the child must die with its parent (needed where no PID namespace does that).
    pub die_with_parent: bool,
}

struct Stack(*mut c_void);

const STACK: usize = 64 * 1024;

/// Starts programs the way `posix_spawn` does: the child borrows the parent's memory until it executes.
pub struct Spawner {
    stack: Stack,
}

struct ChildArgument<'a> {
    spawn: &'a Spawn<'a>,
    errno: c_int,
}

impl Spawner {
    /// Reserves the stack on which children run until they execute.
    pub fn new() -> io::Result<Spawner> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK;
        // SAFETY: a fresh anonymous mapping touches no existing memory.
        let stack = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                STACK,
                libc::PROT_READ | libc::PROT_WRITE,
                flags,
                -1,
                0,
            )
        };
        if stack == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Spawner {
            stack: Stack(stack),
        })
    }

    /// Starts the program; returns its process id, or the error of the first step that failed in the child.
    pub fn spawn(&mut self, spawn: &Spawn) -> io::Result<i32> {
        let mut argument = ChildArgument { spawn, errno: 0 };
        // SAFETY: CLONE_VFORK suspends us until the child has executed or exited, so the borrowed stack, `argument`
        // and everything it points to outlive the child's use. The stack is ours alone (`&mut self`), 64 KiB, and
        // the child only makes system calls.
        let pid = unsafe {
            let top = self.stack.0.cast::<u8>().add(STACK).cast::<c_void>();
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            libc::clone(child, top, flags, (&raw mut argument).cast::<c_void>())
        };
        let pid = check(c_long::from(pid))? as i32;
        // The child wrote through the pointer behind the compiler's back.
        // SAFETY: `argument` is a live local.
        let errno = unsafe { std::ptr::read_volatile(&raw const argument.errno) };
        if errno != 0 {
            wait(pid, 0)?;
            return Err(io::Error::from_raw_os_error(errno));
        }
        Ok(pid)
    }
}

impl Drop for Spawner {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no child runs on it outside `spawn`.
        unsafe { libc::munmap(self.stack.0, STACK) };
    }
}

/// Runs in the child, in the parent's memory: system calls only, no allocation, no locks, no panics.
extern "C" fn child(argument: *mut c_void) -> c_int {
    // SAFETY: `spawn` passes a pointer to its live local, and waits.
    let argument = unsafe { &mut *argument.cast::<ChildArgument>() };
    argument.errno = prepare_and_execute(argument.spawn);
    // SAFETY: ends this process only, without running exit handlers of the shared memory.
    unsafe { libc::_exit(127) }
}

/// Returns the error number of the step that failed; does not return otherwise.
fn prepare_and_execute(spawn: &Spawn) -> c_int {
    // SAFETY: plain system calls; all pointers come from live references in `spawn`; `sigset_t` is plain data for which
    // `sigemptyset` writes a valid value.
    unsafe {
        let mut none = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        let _failed = libc::setpgid(0, 0) == -1
            || spawn.processors.is_some_and(|set| {
                libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set.0) == -1
            })
            || (spawn.die_with_parent
                && libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) == -1)
            || spawn.limits.iter().any(|limit| {
                let value = libc::rlimit {
                    rlim_cur: limit.soft,
                    rlim_max: limit.hard,
                };
                libc::prlimit(
                    0,
                    limit.resource as _,
                    &raw const value,
                    std::ptr::null_mut(),
                ) == -1
            })
            || spawn
                .folder
                .is_some_and(|folder| libc::chdir(folder.as_ptr()) == -1)
            || spawn
                .extra
                .iter()
                .any(|&(from, to)| libc::dup2(from, to) == -1)
            || libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut()) == -1
            || libc::execve(
                spawn.program.as_ptr(),
                spawn.args.pointers.as_ptr(),
                spawn.env.pointers.as_ptr(),
            ) == -1;
        *libc::__errno_location()
    }
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
