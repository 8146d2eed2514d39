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
use jvm::suite::JunitPlaces;
use jvm::target::originals;
use jvm::worker::Launch;
use report::jvm::{ClassRecord, SourceText};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long one test may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The heap of a test process in MiB.
const HEAP: u32 = 1024;

/// A subject with a suite, ready to be run.
pub struct Existing {
    /// The subject.
    pub opened: Opened,
    /// How the test process is started.
    pub launch: Launch,
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
        let absolute = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let tests: Vec<PathBuf> = flags.tests.iter().map(absolute).collect();
        let compiled = Subject::open(&tests, &[], opened.java.version as u16)
            .map_err(|error| told(&error.to_string(), Failed::input))?;
        // Classes inside of others are run with those.
        let test_classes: Vec<String> = compiled
            .classes
            .keys()
            .filter(|name| !name.contains('$') && !opened.subject.classes.contains_key(*name))
            .cloned()
            .collect();
        let mut classpath = tests;
        classpath.extend(opened.subject.full_classpath());
        let given = flags.junit_classpath.iter().flat_map(std::env::split_paths);
        let given: Vec<PathBuf> = given.map(|path| absolute(&path)).collect();
        let junit = if given.is_empty() {
            JunitPlaces::of_this_process(Vec::new()).runners(&classpath)
        } else {
            given
        };
        classpath.extend(junit);
        let folder = path.parent().unwrap_or(Path::new("."));
        let execution = SettingsFile::find(folder)?.execution(&flags.execution);
        let mut launch = launch_of(&opened, &execution)?;
        (launch.patience, launch.heap) = (PATIENCE, HEAP);
        let scratch = tempfile::Builder::new()
            .prefix("testhound-")
            .tempdir()
            .map_err(|error| Failed::missing(format!("cannot make a folder: {error}")))?;
        Ok(Existing {
            opened,
            launch,
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
