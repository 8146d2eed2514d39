//! Failures of ours or of the request: never of the program under test.

use std::io;
use std::path::PathBuf;

use crate::policy::NetAddress;
use crate::probe::Missing;

/// Why a launcher, a worker or a tool could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The launcher process could not be started or did not answer.
    #[error("cannot start the launcher `{program}`")]
    Launcher {
        /// The launcher's program.
        program: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// The launcher could not set itself up.
    #[error("the launcher cannot set up its sandbox: {0}")]
    Setup(String),
    /// Mode full, but the kernel or user lacks something.
    #[error("the sandbox lacks {}\nhint: --sandbox=best-effort goes on without", list(.0))]
    Missing(Vec<Missing>),
    /// The scratch folder cannot be made or used.
    #[error("cannot use `{path}` as scratch folder")]
    Scratch {
        /// The folder.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// A folder that shall be writable cannot be used.
    #[error("cannot allow writing to `{path}`")]
    WriteFolder {
        /// The folder.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// An allowed host does not resolve.
    #[error("cannot resolve `{}`", address.host)]
    Resolve {
        /// What was allowed.
        address: NetAddress,
        /// What failed.
        source: io::Error,
    },
    /// The program could not be executed at all.
    #[error("cannot start `{program}`")]
    Start {
        /// The program.
        program: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// The request cannot be passed on: a zero byte inside, a file name that leaves the scratch folder.
    #[error("bad request: {0}")]
    Request(String),
    /// A file of the request could not be laid into the scratch folder.
    #[error("cannot lay out the input files: {0}")]
    Files(String),
    /// Talking to the launcher or a tool failed.
    #[error("cannot exchange data with a child process")]
    Exchange(#[from] io::Error),
}

fn list(missing: &[Missing]) -> String {
    missing
        .iter()
        .map(Missing::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}
