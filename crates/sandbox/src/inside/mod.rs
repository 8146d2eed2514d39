//! The launcher process: a small program that isolates itself once and then starts one program per request.
//!
//! Two processes: the outer one stays outside the namespaces, writes the user maps, and ends everything when the
//! client goes away; the inner one is process 1 of the PID namespace and serves requests. If either dies, the kernel
//! kills all that runs inside.

mod children;
mod elf;
mod forkserver;
mod identity;
mod limits;
mod memory;
mod mounts;
mod namespaces;
mod network;
mod outer;
mod processor;
mod rules;
mod scratch;
mod serve;
mod setup;
mod syscalls;

use std::ffi::OsStr;

/// The argument that makes a program a launcher.
pub const LAUNCHER_ARGUMENT: &str = "__launcher";

/// Runs the launcher if the first argument of this program is `__launcher`, and does not return then. A binary that
/// starts launchers from its own file calls this first in `main`, before any thread exists.
pub fn launcher_main() {
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(LAUNCHER_ARGUMENT)) {
        std::process::exit(outer::run());
    }
}

/// `launcher_main` with the signature of an entry of `.init_array`; use [`launcher_here!`](crate::launcher_here).
pub extern "C" fn launcher_before_main() {
    launcher_main();
}
