//! The Python side, embedded, and laid out as a package that workers import.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::protocol::Unmeasured;

/// The files of the package, by name.
const FILES: &[(&str, &str)] = &[
    ("__init__.py", include_str!("../runtime/__init__.py")),
    ("__main__.py", include_str!("../runtime/__main__.py")),
    ("harness.py", include_str!("../runtime/harness.py")),
    (
        "harness_actions.py",
        include_str!("../runtime/harness_actions.py"),
    ),
    (
        "harness_attempts.py",
        include_str!("../runtime/harness_attempts.py"),
    ),
    (
        "harness_draw.py",
        include_str!("../runtime/harness_draw.py"),
    ),
    (
        "harness_code.py",
        include_str!("../runtime/harness_code.py"),
    ),
    (
        "harness_places.py",
        include_str!("../runtime/harness_places.py"),
    ),
    ("harness_log.py", include_str!("../runtime/harness_log.py")),
    (
        "harness_render.py",
        include_str!("../runtime/harness_render.py"),
    ),
    ("host.py", include_str!("../runtime/host.py")),
    ("analysis.py", include_str!("../runtime/analysis.py")),
    ("annotations.py", include_str!("../runtime/annotations.py")),
    ("modern.py", include_str!("../runtime/modern.py")),
    ("calls.py", include_str!("../runtime/calls.py")),
    ("acts.py", include_str!("../runtime/acts.py")),
    ("check.py", include_str!("../runtime/check.py")),
    ("elsewhere.py", include_str!("../runtime/elsewhere.py")),
    ("constants.py", include_str!("../runtime/constants.py")),
    ("contracts.py", include_str!("../runtime/contracts.py")),
    ("describe.py", include_str!("../runtime/describe.py")),
    ("discover.py", include_str!("../runtime/discover.py")),
    ("docstrings.py", include_str!("../runtime/docstrings.py")),
    ("guess.py", include_str!("../runtime/guess.py")),
    ("leaks.py", include_str!("../runtime/leaks.py")),
    ("makers.py", include_str!("../runtime/makers.py")),
    ("mutants.py", include_str!("../runtime/mutants.py")),
    ("mutation.py", include_str!("../runtime/mutation.py")),
    ("observer.py", include_str!("../runtime/observer.py")),
    ("operations.py", include_str!("../runtime/operations.py")),
    (
        "pytest_suite.py",
        include_str!("../runtime/pytest_suite.py"),
    ),
    ("recorder.py", include_str!("../runtime/recorder.py")),
    ("regexes.py", include_str!("../runtime/regexes.py")),
    ("uses.py", include_str!("../runtime/uses.py")),
    ("monitored.py", include_str!("../runtime/monitored.py")),
    ("places.py", include_str!("../runtime/places.py")),
    ("placing.py", include_str!("../runtime/placing.py")),
    ("nowhere.py", include_str!("../runtime/nowhere.py")),
    ("probed.py", include_str!("../runtime/probed.py")),
    ("probes.py", include_str!("../runtime/probes.py")),
    ("shapes.py", include_str!("../runtime/shapes.py")),
    ("skipping.py", include_str!("../runtime/skipping.py")),
    ("source.py", include_str!("../runtime/source.py")),
    ("tracing.py", include_str!("../runtime/tracing.py")),
    ("sizes.py", include_str!("../runtime/sizes.py")),
    ("watch.py", include_str!("../runtime/watch.py")),
];

/// The Python side in a folder of its own, for all workers of a run.
#[derive(Debug)]
pub struct Runtime {
    folder: tempfile::TempDir,
    /// Modules under test that workers could not measure.
    pub(crate) unmeasured: Arc<Mutex<Unmeasured>>,
}

impl Runtime {
    /// Lays the files out below `parent`.
    pub fn write(parent: &Path) -> io::Result<Runtime> {
        let folder = tempfile::Builder::new()
            .prefix("python-")
            .tempdir_in(parent)?;
        let package = folder.path().join("testhound_runtime");
        std::fs::create_dir(&package)?;
        for (name, text) in FILES {
            std::fs::write(package.join(name), text)?;
        }
        let runtime = Runtime {
            folder,
            unmeasured: Arc::default(),
        };
        std::fs::create_dir(runtime.probed())?;
        Ok(runtime)
    }

    /// The modules under test that workers of any session were to measure and could not, with the reasons.
    pub fn unmeasured(&self) -> Unmeasured {
        let unmeasured = self.unmeasured.lock();
        unmeasured.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where workers keep the code of modules with probes for one another.
    pub fn probed(&self) -> PathBuf {
        self.folder.path().join("probed")
    }

    /// The folder that holds the package; workers have folders of their own in it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The program that a worker runs.
    pub fn package(&self) -> PathBuf {
        self.folder.path().join("testhound_runtime")
    }
}
