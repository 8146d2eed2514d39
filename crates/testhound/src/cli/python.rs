//! Options for Python modules.

use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The interpreter, where nothing else of Python is asked for.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Options for Python")]
pub struct Interpreter {
    /// The interpreter, or the folder of a virtual environment [default: VIRTUAL_ENV, else `python3` in PATH]
    #[arg(long, value_name = "PROGRAM", env = "TESTHOUND_PYTHON")]
    pub python: Option<PathBuf>,
}

/// Options that only Python subjects have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Options for Python")]
pub struct Python {
    /// The interpreter, or the folder of a virtual environment [default: VIRTUAL_ENV, else `python3` in PATH]
    #[arg(long, value_name = "PROGRAM", env = "TESTHOUND_PYTHON")]
    pub python: Option<PathBuf>,
    /// Call functions and methods whose names begin with an underscore, too
    #[arg(long)]
    pub private: bool,
}
