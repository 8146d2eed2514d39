//! Options for harnesses.

use clap::Args;
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
    /// Do not measure coverage while tests run; there is no regression suite then
    #[arg(long)]
    pub no_coverage: bool,
}
