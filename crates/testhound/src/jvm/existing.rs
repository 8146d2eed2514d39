//! An existing JUnit suite over a subject: the classes, the tests, and a JUnit that can run them.

use super::launch_of;
use super::open::{Opened, open};
use crate::cli::{self, Suite};
use crate::exit::{Failed, told};
use crate::settings::SettingsFile;
use jvm::discovery::{Inputs, Subject};
use jvm::instrument::OriginalClass;
use jvm::junit::JunitError;
use jvm::mutation::SuiteSubject;
use jvm::suite::{Compiler, JunitPlaces};
use jvm::target::originals;
use jvm::worker::Launch;
use report::jvm::{ClassRecord, SourceText};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long one test may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long compiling the tests may take.
const COMPILING: Duration = Duration::from_secs(300);

/// The heap of a test process in MiB.
const HEAP: u32 = 1024;

/// A subject with a suite, ready to be run.
pub struct Existing {
    /// The subject.
    pub opened: Opened,
    /// How the test process is started.
    pub launch: Launch,
    /// How many test processes may run at a time.
    pub jobs: usize,
    /// Files of the test process; removed in the end.
    pub scratch: tempfile::TempDir,
    classpath: Vec<PathBuf>,
    test_classes: Vec<String>,
}

impl Existing {
    /// Opens the subject and finds the classes of the tests.
    pub fn open(flags: &Suite) -> Result<Existing, Failed> {
        let path = Path::new(&flags.subject);
        let opened = open(path, &flags.jvm, Inputs::UnderTest)?;
        let scratch = tempfile::Builder::new()
            .prefix("testhound-")
            .tempdir()
            .map_err(|error| Failed::missing(format!("cannot make a folder: {error}")))?;
        let absolute = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let mut tests: Vec<PathBuf> = flags.tests.iter().map(absolute).collect();
        let mut classpath = tests.clone();
        classpath.extend(opened.subject.full_classpath());
        let given = flags.junit_classpath.iter().flat_map(std::env::split_paths);
        let given: Vec<PathBuf> = given.map(|path| absolute(&path)).collect();
        let junit = if given.is_empty() {
            JunitPlaces::of_this_process(Vec::new()).runners(&classpath)
        } else {
            given
        };
        classpath.extend(junit);
        if let Some(compiled) = compiled(&mut tests, &opened, &classpath, scratch.path())? {
            classpath.insert(0, compiled.clone());
            tests.push(compiled);
        }
        let test_classes = test_classes(&tests, &opened)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let execution = SettingsFile::find(folder)?.execution(&flags.execution);
        let mut launch = launch_of(&opened, &execution)?;
        (launch.patience, launch.heap) = (PATIENCE, HEAP);
        Ok(Existing {
            opened,
            launch,
            jobs: execution.jobs,
            scratch,
            classpath,
            test_classes,
        })
    }

    /// The classes as they were read.
    pub fn originals(&self) -> Vec<OriginalClass<'_>> {
        originals(&self.opened.subject, &self.opened.discovered)
    }

    /// The subject with its suite.
    pub fn suite<'a>(&'a self, originals: &'a [OriginalClass<'a>]) -> SuiteSubject<'a> {
        SuiteSubject {
            originals,
            classpath: &self.classpath,
            test_classes: &self.test_classes,
        }
    }
}

/// Takes the tests that are sources out of the list, compiles them and gives the folder of their classes; none if all are
/// compiled already.
fn compiled(
    tests: &mut Vec<PathBuf>,
    opened: &Opened,
    classpath: &[PathBuf],
    scratch: &Path,
) -> Result<Option<PathBuf>, Failed> {
    let mut sources = Vec::new();
    tests.retain(|path| {
        let mut found = Vec::new();
        let has_classes = find_sources(path, &mut found);
        let is_source = !has_classes && !found.is_empty();
        if is_source {
            sources.append(&mut found);
        }
        !is_source
    });
    if sources.is_empty() {
        return Ok(None);
    }
    sources.sort();
    let compiler = Compiler {
        java: opened.java.clone(),
        classpath: classpath.to_vec(),
        folder: scratch.join("tests"),
        timeout: COMPILING,
    };
    compiler.compile_sources(&sources).map_err(|error| {
        let text = format!("cannot compile the tests: {:#}", anyhow::Error::from(error));
        let failed = told(&text, Failed::input);
        Failed {
            hint: failed
                .hint
                .or_else(|| Some("`--classpath` names jars that they need".to_owned())),
            ..failed
        }
    })?;
    Ok(Some(compiler.classes()))
}

/// Collects the Java sources that a path means; tells whether there are class files, which make it no folder of sources.
fn find_sources(path: &Path, found: &mut Vec<PathBuf>) -> bool {
    let named = |ending: &str| {
        path.extension()
            .is_some_and(|extension| extension == ending)
    };
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut entries = entries.flatten().map(|entry| entry.path());
        return entries.any(|entry| find_sources(&entry, found));
    }
    if named("java") {
        found.push(path.to_owned());
    }
    named("class")
}

/// The classes that may have tests. Classes inside of others are run with those.
fn test_classes(tests: &[PathBuf], opened: &Opened) -> Result<Vec<String>, Failed> {
    let compiled = Subject::open(tests, &[], opened.java.version as u16)
        .map_err(|error| told(&error.to_string(), Failed::input))?;
    let own = &opened.subject.classes;
    let names = compiled.classes.keys();
    Ok(names
        .filter(|name| !name.contains('$') && !own.contains_key(*name))
        .cloned()
        .collect())
}

/// The subject's name, as reports show it.
pub fn name(flags: &Suite) -> String {
    let path = Path::new(&flags.subject);
    let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = name.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Name and version of this program.
pub fn program() -> String {
    format!("testhound {}", env!("CARGO_PKG_VERSION"))
}

/// The command line, as it was given.
pub fn command() -> String {
    let words = std::env::args()
        .skip(1)
        .map(|word| command::suite::quote(&word));
    let words: Vec<String> = std::iter::once("testhound".to_owned())
        .chain(words)
        .collect();
    words.join(" ")
}

/// A suite that cannot be run, for the user.
pub fn cannot_run(error: &JunitError) -> Failed {
    match error {
        JunitError::Sandbox(error) => crate::setup::sandbox_failed(error),
        error => told(&error.to_string(), Failed::subject),
    }
}

/// The sources of classes, where the user said where they are.
pub fn sources(options: &cli::Jvm, classes: &[ClassRecord]) -> Vec<SourceText> {
    let Some(folder) = &options.sources else {
        return Vec::new();
    };
    let paths: BTreeSet<String> = classes
        .iter()
        .filter_map(ClassRecord::source_path)
        .collect();
    let read = |path: String| {
        let text = std::fs::read_to_string(folder.join(&path)).ok()?;
        Some(SourceText { path, text })
    };
    paths.into_iter().filter_map(read).collect()
}
