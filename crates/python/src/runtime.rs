//! The Python side, embedded, and laid out as a package that workers import.

use std::io;
use std::path::{Path, PathBuf};

/// The files of the package, by name.
const FILES: &[(&str, &str)] = &[
    ("__init__.py", include_str!("../runtime/__init__.py")),
    ("__main__.py", include_str!("../runtime/__main__.py")),
    ("host.py", include_str!("../runtime/host.py")),
    ("probes.py", include_str!("../runtime/probes.py")),
    ("watch.py", include_str!("../runtime/watch.py")),
];

/// The Python side in a folder of its own, for all workers of a run.
#[derive(Debug)]
pub struct Runtime {
    folder: tempfile::TempDir,
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
        Ok(Runtime { folder })
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
