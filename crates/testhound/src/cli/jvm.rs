//! Options for jars, class folders and Java projects.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Options that only JVM subjects have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Options for jars and class folders")]
pub struct Jvm {
    /// More jars and class folders to be tested with the subject; may be given several times
    #[arg(long, value_name = "PATH")]
    pub with: Vec<PathBuf>,
    /// Jars and class folders that the subject needs, separated by `:`
    #[arg(long, value_name = "PATHS")]
    pub classpath: Option<String>,
    /// Test only classes that match, for example `org.example.*Parser`; may be given several times
    #[arg(long, value_name = "GLOB")]
    pub class: Vec<String>,
    /// Test only packages that match
    #[arg(long, value_name = "GLOB")]
    pub package: Vec<String>,
    /// Test only methods that match, for example `parse*` or `org.example.Parser.parse`
    #[arg(long, value_name = "GLOB")]
    pub method: Vec<String>,
    /// Call only this static method, for example `org.example.Main.main` or `org.example.Main`; its output is swallowed
    #[arg(long, value_name = "METHOD")]
    pub entry: Option<String>,
    /// Run every test in a JVM of its own; slow, for subjects whose state outlives a test
    #[arg(long)]
    #[serde(default)]
    pub fresh_jvm: bool,
    /// Methods by which objects check themselves, called after each test, by name or annotation: `checkRep`, `Foo.isSound`,
    /// `@Invariant`; may be given several times. Methods with an annotation `@CheckRep` are always called
    #[arg(long, value_name = "METHOD")]
    #[serde(default)]
    pub check: Vec<String>,
    /// Test only methods or functions that changed since this revision of the git repository around the sources, else around the subject;
    /// for harnesses, let only changed lines count as the size of actions
    #[arg(long, value_name = "GIT-REV")]
    pub since: Option<String>,
    /// Call deprecated members, too
    #[arg(long)]
    pub deprecated: bool,
    /// The JDK that runs and compiles [default: JAVA_HOME, else the one of `java` in PATH]
    #[arg(long, value_name = "DIR", env = "TESTHOUND_JAVA")]
    pub java: Option<PathBuf>,
    /// The version of JUnit that written tests use [default: 5]
    #[arg(long, value_name = "VERSION")]
    pub junit: Option<JUnit>,
    /// Where the sources are, for the report
    #[arg(long, value_name = "DIR")]
    pub sources: Option<PathBuf>,
}

/// A version of JUnit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum JUnit {
    /// JUnit 4
    #[value(name = "4")]
    Four,
    /// JUnit 5
    #[value(name = "5")]
    Five,
}
