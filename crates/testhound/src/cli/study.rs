//! `study`: faulty versions of command-line programs, and of Java classes and Python modules.

use super::{Execution, parse_duration};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// `study`
#[derive(Clone, Debug, Args)]
pub struct Study {
    /// The specifications of the programs to study
    #[arg(required_unless_present = "fixed")]
    pub specs: Vec<PathBuf>,
    /// A folder of faulty versions: C files are compiled, other files are programs
    #[arg(long, value_name = "DIR")]
    pub versions: Option<PathBuf>,
    /// Make this many mutants of the specification's C source instead
    #[arg(long, value_name = "N", conflicts_with = "versions")]
    pub mutants: Option<usize>,
    /// The guides to compare, separated by `;`, or by `,` where each is one name; the first is the baseline
    /// [default: random,art-sum,art-mif; with --fixed: random,auto]
    #[arg(long, value_name = "GUIDES", value_delimiter = ';')]
    pub guides: Vec<String>,
    /// Runs per guide [default: 2000; with --fixed: 10]
    #[arg(long, value_name = "N")]
    pub runs: Option<u32>,
    /// Tests per run; a version that has not failed by then counts with this number and is reported as censored
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub tests: u32,
    /// Inputs in the pool that runs draw from
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub inputs: usize,
    /// Draw the tests of runs from the generator instead of the pool; the pool still decides which versions are used
    #[arg(long, conflicts_with = "pool")]
    pub direct: bool,
    /// Select from this folder of existing inputs instead
    #[arg(long, value_name = "DIR")]
    pub pool: Option<PathBuf>,
    /// Keep versions that fail on more than this share of inputs, too
    #[arg(long, value_name = "RATE", default_value_t = 0.1)]
    pub max_failure_rate: f64,
    /// Candidates per selection
    #[arg(long, value_name = "K", default_value_t = 10)]
    pub candidates: usize,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1, env = "TESTHOUND_SEED")]
    pub seed: u64,
    /// The study folder; a study that was stopped goes on there by itself
    #[arg(long, value_name = "DIR", default_value = "testhound-study")]
    pub out: PathBuf,
    /// Print the record of the study as JSON on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub execution: Execution,
    #[command(flatten)]
    pub faults: Faults,
}

impl Study {
    /// Runs per guide on faulty versions of programs.
    pub fn runs(&self) -> u32 {
        self.runs.unwrap_or(2000)
    }

    /// The guides, or those that are compared where none are named. A single list with commas is a list of guides, too.
    pub fn guides_or(&self, default: &str) -> Vec<String> {
        match self.guides.as_slice() {
            [] => split(default),
            [one] => split(one),
            several => several.to_vec(),
        }
    }
}

/// The names in a list with commas.
pub fn split(list: &str) -> Vec<String> {
    list.split(',').map(|name| name.trim().to_owned()).collect()
}

/// The options of a study that generates suites on a fixed version and runs them on faulty ones.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options for faults of Java classes and Python modules")]
pub struct Faults {
    /// The fixed version that tests are generated for: a jar, a class folder, a `.py` file
    #[arg(long, value_name = "SUBJECT", requires = "faulty", conflicts_with_all = ["specs", "versions", "mutants", "tests", "inputs", "direct", "pool"])]
    pub fixed: Option<String>,
    /// A faulty version that the tests are run on; may be given several times, once per fault
    #[arg(long, value_name = "SUBJECT", requires = "fixed")]
    pub faulty: Vec<String>,
    /// Generate tests for these classes only, those that the fault is in; may be given several times
    #[arg(long, value_name = "GLOB", requires = "fixed")]
    pub class: Vec<String>,
    /// Wall time of each run, or several with commas [default: 60s unless executions are given]
    #[arg(long, value_name = "TIMES", value_delimiter = ',', requires = "fixed", value_parser = parse_duration)]
    pub time: Vec<Duration>,
    /// Executed tests of each run, or several numbers with commas
    #[arg(
        long,
        value_name = "NUMBERS",
        value_delimiter = ',',
        requires = "fixed",
        conflicts_with = "time"
    )]
    pub executions: Vec<u64>,
    /// Further options of `generate`, after `--`
    #[arg(last = true, value_name = "OPTIONS", requires = "fixed")]
    pub options: Vec<String>,
}
