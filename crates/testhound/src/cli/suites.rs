//! Options of the subcommands that look at existing JUnit and pytest suites.

use super::{Execution, Interpreter, Jvm};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// An existing suite over a JVM subject or a Python module.
#[derive(Debug, Args)]
pub struct Suite {
    /// A jar, a class folder, the folder of a Maven or Gradle project, a Python module (`package.module`), package or `.py` file
    pub subject: String,
    /// Jars and class folders with the compiled tests, or their sources; files and folders of pytest; may be given several times
    #[arg(long, value_name = "PATH", required = true)]
    pub tests: Vec<PathBuf>,
    /// Jars of JUnit with its engine and launcher, separated by `:` [default: those of the class path, else of this machine]
    #[arg(long, value_name = "PATHS")]
    pub junit_classpath: Option<String>,
    /// Write the reports into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the record as JSON on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub execution: Execution,
    #[command(flatten)]
    pub jvm: Jvm,
    #[command(flatten)]
    pub interpreter: Interpreter,
}

/// `measure`
#[derive(Debug, Args)]
pub struct Measure {
    #[command(flatten)]
    pub suite: Suite,
    /// What to count, comma separated [default: branch,line,method]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub criteria: Vec<Criterion>,
}

/// What coverage counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Criterion {
    /// Sides of conditionals and switches
    Branch,
    /// Lines
    Line,
    /// Methods
    Method,
}

impl Criterion {
    /// The word of options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Branch => "branch",
            Criterion::Line => "line",
            Criterion::Method => "method",
        }
    }
}

/// `mutate`
#[derive(Debug, Args)]
pub struct Mutate {
    #[command(flatten)]
    pub suite: Suite,
    /// Only these operators, comma separated, or `pit` for those of PIT's default group of Java [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub operators: Vec<String>,
}
