//! Options for harnesses.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

use super::parse_duration;

/// Options that only harnesses (`.tstl`) have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Options for harnesses")]
pub struct Harness {
    /// How many actions a test has [default: 100]
    #[arg(long, value_name = "N")]
    pub steps: Option<u32>,
    /// How long one action may take [default: 1s of processor time, 5s of wall time]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub step_time: Option<Duration>,
    /// Sizes of action classes of an earlier run (its `sizes.json`), so that `loc` need not sample
    #[arg(long, value_name = "FILE")]
    pub sizes: Option<PathBuf>,
    /// What `loc` takes for the size of an action; with `--since`, only what changed in functions counts [default: lines]
    #[arg(long, value_name = "WHAT")]
    #[serde(default)]
    pub size: Option<SizeOf>,
    /// Do not measure coverage while tests run; what the suite covers is measured afterwards, by replaying tests
    #[arg(long)]
    pub no_coverage: bool,
    /// Load the modules under test anew before every test, for subjects whose state outlives a test
    #[arg(long)]
    #[serde(default)]
    pub reload: bool,
}

/// The size of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SizeOf {
    /// The source lines of all functions that it enters
    Lines,
    /// The sides of branches in these functions
    Branches,
    /// The cyclomatic complexity of these functions
    Complexity,
    /// The lines of functions whose names stand in it, without running anything
    Static,
}
