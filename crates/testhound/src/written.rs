//! The one place that writes the files of cases, suites and reports.

use crate::exit::Failed;
use command::suite::{Case, CaseFile};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a case into its folder inside `parent`.
pub fn write_case(parent: &Path, case: &Case) -> Result<(), Failed> {
    let folder = parent.join(&case.name);
    for file in case.files() {
        write_file(&folder, &file)?;
    }
    Ok(())
}

/// Writes a file below a folder, making folders as needed.
pub fn write_file(folder: &Path, file: &CaseFile) -> Result<(), Failed> {
    let path = folder.join(&file.path);
    let write = || -> io::Result<()> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, &file.bytes)?;
        if file.executable {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(())
    };
    write().map_err(|error| cannot_write(&path, &error))
}

/// Writes files below a folder.
pub fn write_files<'a>(
    folder: &Path,
    files: impl Iterator<Item = (&'a str, &'a [u8])>,
) -> Result<(), Failed> {
    for (path, bytes) in files {
        write_file(
            folder,
            &CaseFile {
                path: path.into(),
                bytes: bytes.to_vec(),
                executable: false,
            },
        )?;
    }
    Ok(())
}

/// Writes text to a file, all of it or nothing, so that a run that is killed leaves no half of it.
pub fn write_text(path: &Path, text: &str) -> Result<(), Failed> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let write = || -> io::Result<()> {
        std::fs::write(&part, text)?;
        std::fs::rename(&part, path)
    };
    write().map_err(|error| cannot_write(path, &error))
}

/// Empties a folder, making it if it is not there.
pub fn fresh_folder(path: &Path) -> Result<(), Failed> {
    let make = || -> io::Result<()> {
        match std::fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        std::fs::create_dir_all(path)
    };
    make().map_err(|error| cannot_write(path, &error))
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<(), Failed> {
    std::fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &io::Error) -> Failed {
    Failed::input(format!("cannot write `{}`: {error}", path.display()))
}
