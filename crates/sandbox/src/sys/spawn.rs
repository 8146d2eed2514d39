//! Starts programs the way `posix_spawn` does, with what that function cannot do: limits and the parent-death signal.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::io;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::os::fd::RawFd;

use super::{check, wait};

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
