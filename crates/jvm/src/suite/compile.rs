//! Compiles the files of a suite with the user's own compiler, and tells which line every complaint is about.

use super::file::SuiteFile;
use crate::java::{Java, JavaError};
use sandbox::{End, Tool};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The program that calls the tests, compiled with them.
const RUNNER: &str = include_str!("Runner.java");

/// Where the runner stands among the sources.
const RUNNER_PATH: &str = "testhound/run/Runner.java";

/// What the compiler is always told; the class path follows.
const OPTIONS: [&str; 13] = [
    "-J-XX:TieredStopAtLevel=1",
    "-J-XX:+UseSerialGC",
    "-J-Duser.language=en",
    "-J-Duser.country=US",
    "-encoding",
    "UTF-8",
    "-g",
    "-nowarn",
    "-proc:none",
    "-Xlint:none",
    "-Xmaxerrs",
    "100000",
    "-cp",
];

/// The compiler and what it needs.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The installation whose compiler is used.
    pub java: Java,
    /// The subject and what it depends on, then JUnit.
    pub classpath: Vec<PathBuf>,
    /// A folder of ours for sources and classes.
    pub folder: PathBuf,
    /// How long it may take.
    pub timeout: Duration,
}

/// Why nothing could be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// There is no compiler.
    #[error(transparent)]
    Java(#[from] JavaError),
    /// It could not be started.
    #[error("cannot run the Java compiler")]
    Tool(#[from] sandbox::Error),
    /// Our folder cannot be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// It did not end in time.
    #[error("the Java compiler did not end within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// It failed without saying which line it is about.
    #[error("the Java compiler failed: {0}")]
    Failed(String),
}

/// A complaint of the compiler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    /// The index of the file.
    pub file: usize,
    /// The line, counted from 1.
    pub line: u32,
    /// What it says.
    pub message: String,
}

impl Compiler {
    /// Where the classes are.
    pub fn classes(&self) -> PathBuf {
        self.folder.join("classes")
    }

    /// Compiles all files afresh, or those of some classes into what is there. No complaints: the classes are there.
    pub fn compile(
        &self,
        files: &[SuiteFile],
        some: Option<&BTreeSet<String>>,
    ) -> Result<Vec<Complaint>, CompileError> {
        let sources = self.folder.join("sources");
        if some.is_none() {
            fresh(&self.classes())?;
        }
        fresh(&sources)?;
        let mut list = String::new();
        let texts = files
            .iter()
            .filter(|file| some.is_none_or(|some| some.contains(&file.class)))
            .map(|file| (file.path.as_str(), file.text.as_str()));
        for (path, text) in texts.chain([(RUNNER_PATH, RUNNER)]) {
            let path = sources.join(path);
            write(&path, text)?;
            list.push_str(&quoted(&path));
            list.push('\n');
        }
        self.run(files, &sources, &list)
    }

    /// Compiles source files of the user's into the folder of classes; what the compiler complains of is an error.
    pub fn compile_sources(&self, sources: &[PathBuf]) -> Result<(), CompileError> {
        fresh(&self.classes())?;
        let list: Vec<String> = sources.iter().map(|path| quoted(path)).collect();
        match self.javac(&list.join("\n"))? {
            None => Ok(()),
            Some(output) => Err(CompileError::Failed(output.chars().take(2000).collect())),
        }
    }

    fn run(
        &self,
        files: &[SuiteFile],
        sources: &Path,
        list: &str,
    ) -> Result<Vec<Complaint>, CompileError> {
        let Some(output) = self.javac(list)? else {
            return Ok(Vec::new());
        };
        let complaints = complaints(&output, files, sources);
        if complaints.is_empty() {
            let text: String = output.chars().take(2000).collect();
            return Err(CompileError::Failed(text));
        }
        Ok(complaints)
    }

    /// Runs the compiler on a list of quoted paths; gives what it says where it fails.
    fn javac(&self, list: &str) -> Result<Option<String>, CompileError> {
        let arguments = self.folder.join("arguments");
        write(&arguments, list)?;
        let classpath = std::env::join_paths(&self.classpath)
            .map_err(|error| CompileError::Failed(error.to_string()))?;
        let mut args: Vec<OsString> = OPTIONS.iter().map(OsString::from).collect();
        args.push(classpath);
        args.push("-d".into());
        args.push(self.classes().into());
        let mut file = OsString::from("@");
        file.push(arguments);
        args.push(file);
        let mut tool = Tool::new(self.java.javac()?, args);
        tool.timeout = self.timeout;
        let finished = tool.run()?;
        match finished.end {
            End::Exited(0) => Ok(None),
            End::TimedOut => Err(CompileError::TimedOut(self.timeout)),
            _ => Ok(Some(String::from_utf8_lossy(&finished.stderr).into_owned())),
        }
    }
}

/// The complaints in the compiler's output, one line each, with the details that it puts below.
fn complaints(output: &str, files: &[SuiteFile], sources: &Path) -> Vec<Complaint> {
    let paths = files.iter().enumerate();
    let paths: BTreeMap<String, usize> = paths
        .map(|(index, file)| (sources.join(&file.path).display().to_string(), index))
        .collect();
    let mut found: Vec<Complaint> = Vec::new();
    for line in output.lines() {
        if let Some(complaint) = complaint(line, &paths) {
            found.push(complaint);
        } else if let Some(last) = found.last_mut()
            && let Some(symbol) = line.trim_start().strip_prefix("symbol:")
        {
            last.message = format!("{} {}", last.message, symbol.trim());
        }
    }
    found
}

fn complaint(line: &str, paths: &BTreeMap<String, usize>) -> Option<Complaint> {
    let (place, message) = line.split_once(": error: ")?;
    let (path, number) = place.rsplit_once(':')?;
    Some(Complaint {
        file: *paths.get(path)?,
        line: number.parse().ok()?,
        message: message.to_owned(),
    })
}

/// A path in the compiler's file of arguments.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn fresh(folder: &Path) -> Result<(), CompileError> {
    let make = || match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(folder),
    };
    make().map_err(|source| CompileError::Write {
        path: folder.to_owned(),
        source,
    })
}

fn write(path: &Path, text: &str) -> Result<(), CompileError> {
    let write = || {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)
    };
    write().map_err(|source| CompileError::Write {
        path: path.to_owned(),
        source,
    })
}
