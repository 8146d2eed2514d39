//! The command line: every subcommand, flag and help text in one place. Parsing touches nothing outside memory; the man page
//! and the shell completions are made from the same definitions.

mod harness;
mod jvm;
mod python;
mod study;
mod suites;

pub use harness::{Harness, Logging, Reload, Share, SizeOf};
pub use jvm::{JUnit, Jvm};
pub use python::{Interpreter, Python};
pub use study::{Faults, Study, split};
pub use suites::{Criterion, Measure, Mutate, Suite};

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

const EXIT_CODES: &str = "\
Exit codes:
  0    done, and no failure was found
  1    done, and failures were found
  2    wrong command line
  3    bad input: specification, case, run folder, settings
  4    something is missing on this machine (see `testhound doctor`)
  5    the subject could not be started at all
  70   a bug in testhound itself
  130  interrupted; what was found is in the run folder";

/// Write tests for programs: describe the inputs, get a small, checked suite and the bugs it found
#[derive(Debug, Parser)]
#[command(name = "testhound", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Generate tests for a subject, run them, keep a suite and the failures
    #[command(after_help = "\
Examples:
  testhound generate examples/calendar/calendar.toml --time 10s
  testhound generate cal.toml --guide art-sum --executions 5000 --seed 7 --out runs/cal
  testhound generate cal.toml --resume --out runs/cal
  testhound generate cal.toml --pool inputs/ --without-replacement
  testhound generate app.jar --time 60s --class 'org.example.*'
  testhound generate build/classes/java/main --until coverage=90% --junit 4
  testhound generate build/classes/java/main --since main --sources src/main/java
  testhound generate app.jar --entry org.example.Main --fresh-jvm
  testhound generate app.jar --check checkRep --check '@Invariant'
  testhound generate package.module --time 60s
  testhound generate src/shop.py --python .venv
  testhound generate avl.tstl --time 60s --guide loc,swarm
  testhound generate avl.tstl --guide loc --sizes avl-sizes.json --coverage
  testhound generate avl.tstl --executions 500 --log all")]
    Generate(Box<Generate>),
    /// Run one written case again and tell whether it still fails
    #[command(after_help = "\
Examples:
  testhound replay testhound-out/calendar/failures/001-signal
  testhound replay failures/001-signal --program ./fixed-calendar
  testhound replay avl.tstl testhound-out/avl/failures/test_insert.test --log all")]
    Replay(Box<Replay>),
    /// Make a failing case smaller: the simplest frame, the shortest input that still fails the same way
    #[command(after_help = "Example:\n  testhound reduce failures/001-signal --out smaller/")]
    Reduce(Reduce),
    /// Print the frame of a given input: which choice it has in each category
    #[command(after_help = "\
Examples:
  testhound inspect cal.toml -- -m 2 2024
  testhound inspect sort.toml -- -n < numbers.txt
  testhound inspect cal.toml --frames --limit 20")]
    Inspect(Inspect),
    /// Compare guides on one subject: coverage, effect sizes, significance, plots
    #[command(after_help = "Examples:
  testhound compare app.jar --guides 'random;grt' --runs 10 --time 60s
  testhound compare app.jar --guides 'random;grt;grt-detective' --executions 20000 -- --class '*Parser' --mutants 0
  testhound compare avl.tstl --guides 'random;loc;loc,swarm' --runs 10 --time 30s -- --steps 50
  testhound compare avl.tstl --choose
  testhound compare avl.tstl --guides 'random;loc;loc --sizes old.json' --same-coverage --coverage-cost
  testhound compare src/shop.py --guides random,auto --executions 2000
  testhound compare cal.toml --guides random,art-pairs --executions 2000")]
    Compare(Compare),
    /// Compare guides on faulty versions: F-measure and P-measure of programs, faults that suites of classes and modules detect
    #[command(after_help = "\
Examples:
  testhound study examples/calendar/calendar.toml --mutants 40 --runs 2000
  testhound study cal.toml --versions faulty/ --guides random,art-sum,art-mif --runs 2000
  testhound study --fixed new.jar --faulty old.jar --class 'org.example.Parser' --time 10s,60s
  testhound study --fixed fixed/classes --faulty one/classes --faulty two/classes --guides random,grt --runs 30
  testhound study --fixed new.jar --faulty old.jar --executions 5000 -- --classpath lib/dep.jar --mutants 200
  testhound study --fixed fixed/shop.py --faulty faulty/shop.py --runs 5 --time 5s")]
    Study(Box<Study>),
    /// Tell what an existing JUnit or pytest suite covers: branches, lines and methods, test by test
    #[command(after_help = "\
Examples:
  testhound measure app.jar --tests build/test-classes --out coverage
  testhound measure build/classes --tests src/test/java --classpath lib/dep.jar --json
  testhound measure shop.cart --tests tests --python .venv --out coverage
  testhound measure src/shop.py --tests testhound-out/shop/suite")]
    Measure(Box<Measure>),
    /// Tell which mutants of a subject an existing JUnit or pytest suite kills
    #[command(after_help = "\
Examples:
  testhound mutate app.jar --tests build/test-classes --class 'org.example.*'
  testhound mutate app.jar --tests build/test-classes --operators pit --out mutants
  testhound mutate shop.cart --tests tests/test_cart.py --operators comparison,return")]
    Mutate(Box<Mutate>),
    /// Check a specification by sampling every generator
    #[command(after_help = "Example:\n  testhound lint examples/calendar/calendar.toml")]
    Lint(Lint),
    /// Turn a specification of the category-partition tools (TSL) into ours
    #[command(after_help = "Example:\n  testhound import find.tsl > find.toml")]
    Import(Import),
    /// Say what this machine has and what is missing
    Doctor(Doctor),
    /// Print shell completions, for example `testhound completions bash`
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff)
    Man,
}

/// Options that all subcommands share which run a subject.
#[derive(Debug, Clone, Default, Args)]
pub struct Execution {
    /// Workers that run tests at the same time; results do not depend on it [default: number of cores]
    #[arg(long, value_name = "N", env = "TESTHOUND_JOBS")]
    pub jobs: Option<usize>,
    /// How strict the sandbox is: `full` stops where the kernel lacks a mechanism [default: full]
    #[arg(long, value_name = "MODE", env = "TESTHOUND_SANDBOX")]
    pub sandbox: Option<SandboxMode>,
    /// Let the subject do more: `write:DIR`, `net:HOST:PORT`; may be given several times
    #[arg(long, value_name = "WHAT")]
    pub allow: Vec<String>,
    /// How the program is started: `auto` uses a fork server where it works [default: auto]
    #[arg(long, value_name = "WAY", env = "TESTHOUND_LAUNCH")]
    pub launch: Option<Launch>,
    /// Run this program instead of the one the specification names
    #[arg(long, value_name = "PROGRAM")]
    pub program: Option<PathBuf>,
}

/// How strict the sandbox is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// All mechanisms, or an error
    Full,
    /// What the kernel has; what is missing is said once
    BestEffort,
    /// None
    Off,
}

/// How programs are started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Launch {
    /// A fork server where it works, else plain
    Auto,
    /// A new process with exec for every test
    Plain,
}

/// `generate`
#[derive(Debug, Args)]
pub struct Generate {
    /// A specification (`.toml`, `.tsl`), a jar, a class folder, the folder of a Maven or Gradle project, a Python module
    /// (`package.module`) or a `.py` file
    pub subject: String,
    /// Parts that decide which test comes next, comma separated (see `testhound generate --guide help`)
    #[arg(long, value_name = "PARTS", env = "TESTHOUND_GUIDE")]
    pub guide: Option<String>,
    /// Take this part out of the guide; `--guide grt-detective` is the same as `--guide grt --without detective`
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Wall time, for example `60s`, `500ms`, `5m` [default: 60s unless another budget is given]
    #[arg(long, value_name = "TIME", env = "TESTHOUND_TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// Stop after this many executed tests; together with the seed this makes a run repeat exactly
    #[arg(long, value_name = "N", env = "TESTHOUND_EXECUTIONS")]
    pub executions: Option<u64>,
    /// Stop when this many tests are worth keeping (distinct failures and covered goals)
    #[arg(long, value_name = "N", env = "TESTHOUND_TESTS")]
    pub tests: Option<u64>,
    /// Stop early: `failure`, or a share of a criterion such as `coverage=90%` or `coverage=line:80%`; several with commas
    #[arg(long, value_name = "RULE", env = "TESTHOUND_UNTIL")]
    pub until: Option<String>,
    /// The seed of everything random [default: 1]
    #[arg(long, value_name = "N", env = "TESTHOUND_SEED")]
    pub seed: Option<u64>,
    /// Candidates per selection [default: 10]
    #[arg(long, value_name = "K", env = "TESTHOUND_CANDIDATES")]
    pub candidates: Option<usize>,
    /// The run folder [default: testhound-out/NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue the run in the run folder where it stopped
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,
    /// Replace an earlier run in the run folder
    #[arg(long)]
    pub force: bool,
    /// Select from this folder of existing inputs instead of generating
    #[arg(long, value_name = "DIR")]
    pub pool: Option<PathBuf>,
    /// Use each input of the pool once
    #[arg(long, requires = "pool")]
    pub without_replacement: bool,
    /// Do not reduce failing tests
    #[arg(long)]
    pub no_reduce: bool,
    /// Choose assertions by at most this many mutants; 0 for none [default: 1000 of class files, 300 of a Python module]
    #[arg(long, value_name = "N")]
    pub mutants: Option<usize>,
    /// Print the record of the run as JSON on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub execution: Execution,
    #[command(flatten)]
    pub jvm: Jvm,
    #[command(flatten)]
    pub python: Python,
    #[command(flatten)]
    pub harness: Harness,
    #[command(flatten)]
    pub logging: Logging,
}

/// `replay`
#[derive(Debug, Args)]
pub struct Replay {
    /// The folder of a written case, or a harness (`.tstl`)
    pub case: PathBuf,
    /// With a harness: a written test of it, one action per line; those that TSTL saved are read, too
    pub test: Option<PathBuf>,
    /// With a harness: how long one action may take [default: 1s of processor time, 5s of wall time]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub step_time: Option<Duration>,
    /// Print the observation as JSON on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub execution: Execution,
    #[command(flatten)]
    pub interpreter: Interpreter,
    #[command(flatten)]
    pub logging: Logging,
}

/// `reduce`
#[derive(Debug, Args)]
pub struct Reduce {
    /// The folder of a failing case
    pub case: PathBuf,
    /// Where the smaller case is written [default: CASE-reduced]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Stop after this many executions [default: 2000]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2000,
        hide_default_value = true
    )]
    pub executions: usize,
    #[command(flatten)]
    pub execution: Execution,
}

/// `inspect`
#[derive(Debug, Args)]
pub struct Inspect {
    /// The specification
    pub spec: PathBuf,
    /// List the frames of the specification instead, and count them
    #[arg(long, conflicts_with = "input")]
    pub frames: bool,
    /// List at most this many frames [default: 100]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        hide_default_value = true
    )]
    pub limit: u64,
    /// Classify every input of a folder instead, and show how often each choice occurs
    #[arg(long, value_name = "DIR", conflicts_with_all = ["frames", "input"])]
    pub pool: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// The arguments of the input, after `--`; its standard input is ours
    #[arg(last = true)]
    pub input: Vec<String>,
}

/// `compare`
#[derive(Clone, Debug, Args)]
pub struct Compare {
    /// What `generate` takes
    pub subject: String,
    /// The guides, separated by `;`, or by `,` where each is one name; the first is the baseline. Options of `generate` after a guide are
    /// for it alone
    #[arg(
        long,
        value_name = "GUIDES",
        value_delimiter = ';',
        default_value = "random;auto"
    )]
    pub guides: Vec<String>,
    /// Compare `random`, `loc`, `ga` and `swarm` on a harness, and write what helps to `testhound.toml` for later runs
    #[arg(long, conflicts_with = "guides")]
    pub choose: bool,
    /// Runs per guide, with seeds counted up from the first
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub runs: u64,
    /// Wall time of each run [default: 60s unless executions are given]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// Executed tests of each run
    #[arg(long, value_name = "N", conflicts_with = "time")]
    pub executions: Option<u64>,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1, env = "TESTHOUND_SEED")]
    pub seed: u64,
    /// The folder of the comparison; one that was stopped goes on there by itself
    #[arg(long, value_name = "DIR", default_value = "testhound-compare")]
    pub out: PathBuf,
    /// Print the record of the comparison as JSON on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub studies: Studies,
    /// Further options of `generate`, after `--`
    #[arg(last = true, value_name = "OPTIONS")]
    pub options: Vec<String>,
}

/// What `compare` measures besides coverage.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Options for harnesses")]
pub struct Studies {
    /// Also run the first guide until it covers what each other covers on average, for at most TIMES the budget [default: 10]
    #[arg(long, value_name = "TIMES", num_args = 0..=1, require_equals = true, default_missing_value = "10")]
    pub same_coverage: Option<u32>,
    /// Also run every guide that does without coverage without it, and compare the actions per second
    #[arg(long)]
    pub coverage_cost: bool,
}

/// `lint`
#[derive(Debug, Args)]
pub struct Lint {
    /// The specifications
    #[arg(required = true)]
    pub specs: Vec<PathBuf>,
    /// Samples per choice
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub samples: usize,
    /// The seed of the samples
    #[arg(long, value_name = "N", default_value_t = 1, env = "TESTHOUND_SEED")]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `import`
#[derive(Debug, Args)]
pub struct Import {
    /// The TSL file
    pub file: PathBuf,
    /// Write here instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `doctor`
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Reads `60s`, `500ms`, `5m`, `1h` or a bare number of seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..digits]
        .parse()
        .map_err(|_| format!("`{text}` does not start with a number"))?;
    let seconds = match &text[digits..] {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        unit => return Err(format!("unknown unit `{unit}`; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert!(parse_duration("10x").unwrap_err().contains("`x`"));
        assert!(parse_duration("fast").is_err());
        assert!(parse_duration("1e40s").is_err());
    }
}
