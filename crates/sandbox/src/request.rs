//! One program run: what is asked and what was seen.
//!
//! A run that ends badly is still a `Finished`; only failures of ours are errors.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::policy::Launch;

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The program file; a path with a slash (see [`find_program`](crate::find_program)). Also the zeroth argument.
    pub program: PathBuf,
    /// The arguments after the zeroth.
    pub args: Vec<OsString>,
    /// The complete environment; nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// What the program reads from standard input.
    pub stdin: Vec<u8>,
    /// Files laid into the scratch folder before the run, by relative name; folders in the name are made.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The working folder; the scratch folder if absent.
    pub folder: Option<PathBuf>,
    /// Wall time after which everything is killed.
    pub timeout: Duration,
    /// Whether the files found in the scratch folder afterwards are wanted.
    pub collect: Collect,
}

impl Request {
    /// Runs `program` without arguments, environment, input or files, for at most ten seconds.
    pub fn new(program: PathBuf) -> Request {
        Request {
            program,
            args: Vec::new(),
            env: Vec::new(),
            stdin: Vec::new(),
            files: BTreeMap::new(),
            folder: None,
            timeout: Duration::from_secs(10),
            collect: Collect::Nothing,
        }
    }
}

/// What is read from the scratch folder after the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Collect {
    /// Nothing.
    #[default]
    Nothing,
    /// Every regular file, up to `Limits::output` bytes in all.
    Files,
}

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It exited with this code.
    Exited(i32),
    /// This signal killed it.
    Signalled(i32),
    /// It was killed because its time was over.
    TimedOut,
    /// The launcher died while the program ran, so how it ended is not known; the launcher was started anew.
    Lost,
}

/// What a run showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How the program ended.
    pub end: End,
    /// What it wrote to standard output, up to `Limits::output` bytes.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, up to `Limits::output` bytes.
    pub stderr: Vec<u8>,
    /// Whether there was more standard output, or the program was stopped at `Limits::file_size`.
    pub stdout_truncated: bool,
    /// The same for standard error.
    pub stderr_truncated: bool,
    /// CPU time of the program and of the children it waited for.
    pub cpu: Duration,
    /// Wall time from start to end.
    pub wall: Duration,
    /// How the program was started: `Plain` or `ForkServer`.
    pub launch: Launch,
    /// Whether it was killed (which shows as SIGKILL) because it took more than `Limits::memory`.
    pub memory_exceeded: bool,
    /// Processes that outlived the program and were killed.
    pub leftover: u32,
    /// Files found in the scratch folder afterwards, if asked for.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Whether some files were left out because they were too many or too long.
    pub files_truncated: bool,
}
