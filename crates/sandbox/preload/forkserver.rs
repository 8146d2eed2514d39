//! A library that makes an unmodified, dynamically linked program its own fork server. x86-64 Linux with glibc only.
//!
//! The launcher preloads it. It takes the place of `__libc_start_main`, so it gets control when the libraries are
//! loaded and initialised but nothing of the program has run. There it waits for requests and forks for each; the
//! child goes on into the real `__libc_start_main` with the arguments and streams of the request. The child is made
//! with `CLONE_PARENT`, so its parent is the launcher, exactly as if the launcher had started it.
//!
//! Built by `build.rs` with `no_std` and without linking anything: all system calls are made directly, so that the C
//! library's state (errno, buffers, locks) is untouched when the program starts. Where anything is unexpected it does
//! not answer the launcher, which then starts the program in the plain way.
//!
//! Descriptor 3 is the socket to the launcher, descriptor 4 this library. The launcher puts three variables at the end
//! of the environment, the last of which is `TESTHOUND_FORK_SERVER=1`; the program does not see them.
//!
//! Differences a program could notice against a plain start: `/proc/self/cmdline` shows no arguments, addresses and the
//! stack-protector value are the same in all runs of one server, constructors of shared libraries ran before the
//! request came, and the server is one more process that `ps` shows and `kill` of everybody reaches.
#![no_std]
#![allow(unsafe_code)]

use core::arch::asm;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{addr_of_mut, null, null_mut};

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
type StartMain = unsafe extern "C" fn(
    Main,
    c_int,
    *mut *mut c_char,
    *const c_void,
    *const c_void,
    *const c_void,
    *const c_void,
) -> c_int;

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
    fn dl_iterate_phdr(
        callback: unsafe extern "C" fn(*const Object, usize, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
    fn dlsym(handle: *const c_void, name: *const c_char) -> *const c_void;
}

const RTLD_NEXT: *const c_void = usize::MAX as *const c_void;
const RTLD_DEFAULT: *const c_void = null();

const SOCKET: usize = 3;
const LIBRARY: usize = 4;
const ADDED_VARIABLES: usize = 3;
const MARK: &[u8] = b"TESTHOUND_FORK_SERVER=1\0";
const HELLO: &[u8] = b"hound-01";

const SYS_CLOSE: usize = 3;
const SYS_STAT: usize = 4;
const SYS_MPROTECT: usize = 10;
const SYS_SENDTO: usize = 44;
const SYS_RECVMSG: usize = 47;
const SYS_CLONE: usize = 56;
const SYS_FCHDIR: usize = 81;
const SYS_SETPGID: usize = 109;
const SYS_PRCTL: usize = 157;
const SYS_GETTID: usize = 186;
const SYS_SCHED_SETAFFINITY: usize = 203;
const SYS_SCHED_GETAFFINITY: usize = 204;
const SYS_EXIT_GROUP: usize = 231;
const SYS_SET_ROBUST_LIST: usize = 273;
const SYS_GET_ROBUST_LIST: usize = 274;
const SYS_PRLIMIT64: usize = 302;

const CLONE_PARENT: usize = 0x8000;
const CLONE_CHILD_CLEARTID: usize = 0x20_0000;
const CLONE_CHILD_SETTID: usize = 0x100_0000;
const SIGCHLD: usize = 17;
const PR_SET_DUMPABLE: usize = 4;
const PR_GET_TID_ADDRESS: usize = 40;
const RLIMIT_CPU: usize = 0;
const MSG_NOSIGNAL: usize = 0x4000;

const PAGE: usize = 4096;
const LOADED: u32 = 1;
const EXECUTABLE: u32 = 1;
const WRITABLE: u32 = 2;
const PROT_READ: usize = 1;
const PROT_WRITE: usize = 2;
const PROT_EXEC: usize = 4;
/// Larger pieces of code stay as they are: copying their page tables would cost more than the faults.
const MOST_CODE: usize = 4 << 20;

/// The longest request, and the most pointers of arguments, environment and auxiliary vector together. The launcher
/// has the same bound on requests.
const BUFFER: usize = 64 * 1024;
const POINTERS: usize = 16 * 1024;
const MAX_ARGUMENTS: usize = 4096;

/// A request and, right behind it, the vector made from it: usually one page, which each fork makes the server copy.
static mut MEMORY: [usize; BUFFER / 8 + POINTERS] = [0; BUFFER / 8 + POINTERS];

/// Makes a system call; negative values are error numbers.
unsafe fn call(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> isize {
    let result: isize;
    // SAFETY: the caller passes arguments that are right for the call; the kernel clobbers rcx and r11 only.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result, in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d,
            in("r8") e, in("r9") 0_usize, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}

/// What the program was started with.
struct Start {
    real: StartMain,
    main: Main,
    argc: c_int,
    argv: *mut *mut c_char,
    init: *const c_void,
    fini: *const c_void,
    rtld_fini: *const c_void,
    stack_end: *const c_void,
}

/// Stands in for the function of the C library that calls `main`.
///
/// # Safety
/// Called once by the program's entry code, with the arguments that the real function expects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __libc_start_main(
    main: Main,
    argc: c_int,
    argv: *mut *mut c_char,
    init: *const c_void,
    fini: *const c_void,
    rtld_fini: *const c_void,
    stack_end: *const c_void,
) -> c_int {
    // SAFETY: the names are C strings; the symbol, where it exists, is the function of that type.
    unsafe {
        let symbol = dlsym(RTLD_NEXT, c"__libc_start_main".as_ptr());
        if symbol.is_null() {
            exit(127);
        }
        let real = core::mem::transmute::<*const c_void, StartMain>(symbol);
        let mut start = Start {
            real,
            main,
            argc,
            argv,
            init,
            fini,
            rtld_fini,
            stack_end,
        };
        serve(&mut start);
        (start.real)(
            start.main,
            start.argc,
            start.argv,
            start.init,
            start.fini,
            start.rtld_fini,
            start.stack_end,
        )
    }
}

unsafe fn exit(code: usize) -> ! {
    loop {
        // SAFETY: ends the process.
        unsafe { call(SYS_EXIT_GROUP, code, 0, 0, 0, 0) };
    }
}

/// What a child must renew: the thread's own structures in the C library, and where it may run. The launcher binds the
/// server to one processor after it has started, because a chain of wake-ups is fastest there; programs are not bound.
struct Thread {
    processors: Option<[usize; 16]>,
    tid: usize,
    robust_list: usize,
    robust_length: usize,
}

/// Serves requests; returns in each child, or at once if this is no fork server or cannot be one.
unsafe fn serve(start: &mut Start) {
    // SAFETY: `argv` has the layout the kernel made: arguments, null, environment, null, auxiliary vector.
    unsafe {
        let env = start.argv.add(start.argc as usize + 1);
        let count = (0..).take_while(|&i| !(*env.add(i)).is_null()).count();
        if count < ADDED_VARIABLES || !equal(*env.add(count - 1), MARK) {
            return;
        }
        let kept = count - ADDED_VARIABLES;
        let auxiliary = env.add(count + 1).cast::<usize>();
        call(SYS_CLOSE, LIBRARY, 0, 0, 0, 0);
        let Some(thread) = single_thread() else {
            exit(127)
        };
        let pairs = (0..).take_while(|&i| *auxiliary.add(2 * i) != 0).count() + 1;
        if MAX_ARGUMENTS + kept + 2 * pairs + 2 > POINTERS {
            exit(127);
        }
        keep_code_mapped();
        // A program must not be able to look into or change its server, though both are the same user's.
        call(SYS_PRCTL, PR_SET_DUMPABLE, 0, 0, 0, 0);
        if call(
            SYS_SENDTO,
            SOCKET,
            HELLO.as_ptr() as usize,
            HELLO.len(),
            MSG_NOSIGNAL,
            0,
        ) != HELLO.len() as isize
        {
            exit(127);
        }
        loop {
            let received = receive();
            let (argc, vector) = lay_vector(&received, env, kept, auxiliary, pairs);
            let flags = CLONE_PARENT | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD;
            let pid = call(SYS_CLONE, flags, 0, 0, thread.tid, 0);
            if pid == 0 {
                become_program(&received, &thread);
                start.argc = argc as c_int;
                start.argv = vector;
                environ = start.argv.add(argc + 1);
                return;
            }
            if pid < 0 {
                // The launcher starts the program itself when its server ends.
                exit(127);
            }
            if let Some(folder) = received.folder {
                call(SYS_CLOSE, folder, 0, 0, 0, 0);
            }
        }
    }
}

#[repr(C)]
struct Object {
    base: usize,
    name: *const c_char,
    segments: *const Segment,
    segment_count: u16,
}

#[repr(C)]
struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    address: usize,
    physical: u64,
    file_size: u64,
    size: usize,
    alignment: u64,
}

/// Functions that most programs use.
const USUAL: &[&CStr] = &[
    c"__libc_start_main",
    c"__cxa_atexit",
    c"exit",
    c"_exit",
    c"abort",
    c"raise",
    c"getenv",
    c"isatty",
    c"printf",
    c"fprintf",
    c"vfprintf",
    c"snprintf",
    c"puts",
    c"putchar",
    c"fputs",
    c"fputc",
    c"fwrite",
    c"fflush",
    c"getchar",
    c"getc",
    c"fgetc",
    c"fgets",
    c"getline",
    c"ungetc",
    c"fread",
    c"scanf",
    c"sscanf",
    c"fopen",
    c"fclose",
    c"malloc",
    c"free",
    c"calloc",
    c"realloc",
    c"sbrk",
    c"brk",
    c"mmap",
    c"munmap",
    c"read",
    c"write",
    c"open",
    c"close",
    c"fstat",
    c"lseek",
    c"perror",
    c"strerror",
    c"strlen",
    c"strcmp",
    c"strncmp",
    c"strchr",
    c"strchrnul",
    c"strrchr",
    c"strcpy",
    c"strtol",
    c"strtoul",
    c"strtod",
    c"memcpy",
    c"memmove",
    c"memset",
    c"memcmp",
    c"atoi",
    c"toupper",
    c"tolower",
    c"__ctype_b_loc",
    c"qsort",
    c"getopt",
    c"getopt_long",
    c"setlocale",
    c"__unregister_atfork",
];

/// Makes forks copy the page tables of code and constants, which saves every child many page faults.
///
/// The kernel copies the page tables of a mapping only if some page of it is private, so each gets one: a byte is
/// written back unchanged. Then the pages that programs usually need are touched; all pages would be too many, because
/// each costs a little at every fork and exit. Where that is refused, nothing is lost.
unsafe fn keep_code_mapped() {
    // SAFETY: the callback has the type that the function expects.
    unsafe {
        dl_iterate_phdr(keep_object_mapped, null_mut());
        for name in USUAL {
            let symbol = dlsym(RTLD_DEFAULT, name.as_ptr());
            if !symbol.is_null() {
                symbol.cast::<u8>().read_volatile();
            }
        }
    }
}

unsafe extern "C" fn keep_object_mapped(object: *const Object, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: the loader describes mapped segments; only pages of such a segment are touched, with its own rights and
    // the right to write added for a moment.
    unsafe {
        for i in 0..usize::from((*object).segment_count) {
            let segment = &*(*object).segments.add(i);
            let begin = ((*object).base + segment.address) & !(PAGE - 1);
            let end = ((*object).base + segment.address + segment.size).next_multiple_of(PAGE);
            if segment.kind != LOADED || segment.flags & WRITABLE != 0 || end - begin > MOST_CODE {
                continue;
            }
            let rights = PROT_READ
                | if segment.flags & EXECUTABLE != 0 {
                    PROT_EXEC
                } else {
                    0
                };
            if call(SYS_MPROTECT, begin, end - begin, rights | PROT_WRITE, 0, 0) != 0 {
                continue;
            }
            let first = begin as *mut u8;
            first.write_volatile(first.read_volatile());
            call(SYS_MPROTECT, begin, end - begin, rights, 0, 0);
        }
    }
    0
}

unsafe fn equal(text: *const c_char, expected: &[u8]) -> bool {
    // SAFETY: `text` is a C string, and the comparison stops at the first difference, at the latest at its end.
    expected
        .iter()
        .enumerate()
        .all(|(i, &byte)| unsafe { *text.add(i) as u8 == byte })
}

/// Finds where the C library keeps the thread's number, if it is glibc and this is the only thread.
unsafe fn single_thread() -> Option<Thread> {
    // SAFETY: the calls write into live locals of sufficient size.
    unsafe {
        if dlsym(RTLD_DEFAULT, c"gnu_get_libc_version".as_ptr()).is_null() {
            return None;
        }
        // The folder of threads has one link per thread and two more; the count of links is the third word of `stat`.
        let mut stat = [0_u64; 32];
        let path = c"/proc/self/task".as_ptr() as usize;
        if call(SYS_STAT, path, stat.as_mut_ptr() as usize, 0, 0, 0) != 0 || stat[2] != 3 {
            return None;
        }
        let mut set = [0; 16];
        let known = call(
            SYS_SCHED_GETAFFINITY,
            0,
            size_of_val(&set),
            set.as_mut_ptr() as usize,
            0,
            0,
        ) > 0;
        let processors = known.then_some(set);
        let mut thread = Thread {
            processors,
            tid: 0,
            robust_list: 0,
            robust_length: 0,
        };
        if call(
            SYS_PRCTL,
            PR_GET_TID_ADDRESS,
            (&raw mut thread.tid) as usize,
            0,
            0,
            0,
        ) != 0
            || thread.tid == 0
        {
            return None;
        }
        let (list, length) = (
            (&raw mut thread.robust_list) as usize,
            (&raw mut thread.robust_length) as usize,
        );
        if call(SYS_GET_ROBUST_LIST, 0, list, length, 0, 0) != 0 {
            return None;
        }
        let tid = call(SYS_GETTID, 0, 0, 0, 0, 0);
        (*(thread.tid as *const i32) as isize == tid).then_some(thread)
    }
}

/// A request: the soft and hard limit on CPU time (all ones: none), the count of arguments, the arguments; and perhaps
/// a folder.
struct Received {
    cpu: [u64; 2],
    argc: usize,
    text: *mut u8,
    length: usize,
    folder: Option<usize>,
}

#[repr(C)]
struct Slice {
    base: *mut u8,
    length: usize,
}

#[repr(C)]
struct Control {
    length: usize,
    level: i32,
    kind: i32,
    descriptor: i32,
}

#[repr(C)]
struct Message {
    name: *mut c_void,
    name_length: u32,
    slices: *mut Slice,
    slice_count: usize,
    control: *mut Control,
    control_length: usize,
    flags: i32,
}

const HEAD: usize = 24;

/// Waits for the next request. Ends the server when the launcher is gone.
unsafe fn receive() -> Received {
    // SAFETY: the structures are those of `recvmsg`, and point to live memory; only the request in hand uses `MEMORY`, and
    // a server has one thread.
    unsafe {
        let buffer = addr_of_mut!(MEMORY).cast::<u8>();
        let mut slice = Slice {
            base: buffer,
            length: BUFFER,
        };
        let mut control = Control {
            length: 0,
            level: 0,
            kind: 0,
            descriptor: 0,
        };
        let mut message = Message {
            name: null_mut(),
            name_length: 0,
            slices: &raw mut slice,
            slice_count: 1,
            control: &raw mut control,
            control_length: size_of::<Control>(),
            flags: 0,
        };
        let length = call(SYS_RECVMSG, SOCKET, (&raw mut message) as usize, 0, 0, 0);
        if length < HEAD as isize {
            exit(0);
        }
        Received {
            cpu: buffer.cast::<[u64; 2]>().read_unaligned(),
            argc: buffer.add(16).cast::<u64>().read_unaligned() as usize,
            text: buffer.add(HEAD),
            length: length as usize - HEAD,
            folder: (control.length != 0).then_some(control.descriptor as usize),
        }
    }
}

/// Lays arguments, environment and auxiliary vector out as the kernel does; returns the count of arguments and where.
unsafe fn lay_vector(
    received: &Received,
    env: *mut *mut c_char,
    kept: usize,
    auxiliary: *const usize,
    pairs: usize,
) -> (usize, *mut *mut c_char) {
    // SAFETY: the sizes were checked against `POINTERS` when the server started, the text ends with a zero byte and
    // holds `argc` strings, and `env` and `auxiliary` are the process's own.
    unsafe {
        let vector = addr_of_mut!(MEMORY)
            .cast::<usize>()
            .add((HEAD + received.length).div_ceil(8));
        let argc = received.argc.min(MAX_ARGUMENTS);
        let (mut argument, mut begin) = (0, 0);
        for i in 0..received.length {
            if *received.text.add(i) == 0 && argument < argc {
                *vector.add(argument) = received.text.add(begin) as usize;
                (argument, begin) = (argument + 1, i + 1);
            }
        }
        *vector.add(argument) = 0;
        let variables = vector.add(argument + 1);
        core::ptr::copy_nonoverlapping(env.cast::<usize>(), variables, kept);
        *variables.add(kept) = 0;
        core::ptr::copy_nonoverlapping(auxiliary, variables.add(kept + 1), 2 * pairs);
        (argument, vector.cast())
    }
}

/// In the child: does what the launcher does for a program that it starts itself.
unsafe fn become_program(received: &Received, thread: &Thread) {
    // SAFETY: system calls with numbers and pointers to live memory.
    unsafe {
        let mut failed = call(SYS_SETPGID, 0, 0, 0, 0, 0) < 0;
        failed |= call(SYS_PRCTL, PR_SET_DUMPABLE, 1, 0, 0, 0) < 0;
        if received.cpu != [u64::MAX; 2] {
            let limit = received.cpu;
            failed |= call(SYS_PRLIMIT64, 0, RLIMIT_CPU, limit.as_ptr() as usize, 0, 0) != 0;
        }
        if let Some(folder) = received.folder {
            failed |= call(SYS_FCHDIR, folder, 0, 0, 0, 0) != 0;
            call(SYS_CLOSE, folder, 0, 0, 0, 0);
        }
        // The kernel has put our number there. Told by us and not by the server, so that the program cannot prevent it.
        failed |= call(
            SYS_SENDTO,
            SOCKET,
            thread.tid,
            size_of::<i32>(),
            MSG_NOSIGNAL,
            0,
        ) != 4;
        call(SYS_CLOSE, SOCKET, 0, 0, 0, 0);
        if let Some(processors) = &thread.processors {
            let (size, set) = (size_of_val(processors), processors.as_ptr() as usize);
            failed |= call(SYS_SCHED_SETAFFINITY, 0, size, set, 0, 0) != 0;
        }
        failed |= call(
            SYS_SET_ROBUST_LIST,
            thread.robust_list,
            thread.robust_length,
            0,
            0,
            0,
        ) != 0;
        if failed {
            exit(127);
        }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: ends the process.
    unsafe { exit(127) }
}
