//! Starts, limits, isolates, watches and kills processes. The only place of the project that starts one. Linux only.
//!
//! A [`Launcher`] is a small separate process that isolates itself once (user, network, IPC, UTS, mount and PID
//! namespaces, Landlock, a filter of system calls, a read-only file system with a bounded scratch folder in memory) and
//! then starts one program per [`Request`], so that isolation costs nothing per run. What a program does, even dying or
//! running forever, is a [`Finished`]; an [`Error`] is a failure of ours or of the request.
//!
//! What a program is kept from: writing anywhere but in the scratch folder and the allowed folders, changing modes,
//! owners or times of files, all network but the allowed addresses, other users' devices and sockets, seeing or
//! signalling processes outside, outliving its run, using more than its [`Limits`].
//!
//! This crate deliberately does not hide files from reading, does not give programs a `/tmp` or `/dev/shm` that they can
//! write (set `TMPDIR` to the scratch folder), and does not judge what a run showed.

mod error;
mod inside;
mod launcher;
mod message;
mod policy;
mod probe;
mod process;
mod processor_time;
mod program;
mod relay;
mod request;
pub mod runner;
mod streams;
mod sys;
mod tool;
mod wire;
mod worker;

pub use error::Error;
pub use inside::{LAUNCHER_ARGUMENT, launcher_before_main, launcher_main};
pub use launcher::Launcher;
pub use policy::{Allow, AllowError, Launch, Limits, Mode, NetAddress, Policy};
pub use probe::{Mechanism, Missing, probe};
pub use process::LauncherCommand;
pub use program::find_program;
pub use request::{Collect, End, Finished, Request};
pub use tool::Tool;
pub use worker::Worker;

/// Makes the test or benchmark in whose file it stands able to be a launcher: [`LauncherCommand::this_program`] then
/// works there although such programs have no `main` of their own. Programs with a `main` call [`launcher_main`].
#[macro_export]
macro_rules! launcher_here {
    () => {
        #[used]
        #[allow(unsafe_code)]
        // SAFETY: the section holds functions that the C library calls before `main` with arguments that may be
        // ignored; this one only returns or runs the launcher.
        #[unsafe(link_section = ".init_array")]
        static LAUNCHER_HERE: extern "C" fn() = $crate::launcher_before_main;
    };
}
