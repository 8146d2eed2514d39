//! Finds a program by name, as a shell would.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use crate::error::Error;

/// Looks `name` up in the folders of `path` (the value of a `PATH` variable). A name with a slash is returned as it
/// is, if it can be executed.
pub fn find_program(name: &Path, path: &OsStr) -> Result<PathBuf, Error> {
    let executable = |file: &PathBuf| file.is_file() && access(file, AccessFlags::X_OK).is_ok();
    let found = if name.components().count() > 1 || name.is_absolute() {
        Some(name.to_owned()).filter(executable)
    } else {
        std::env::split_paths(path)
            .map(|folder| folder.join(name))
            .find(executable)
    };
    let absent = || io::Error::new(io::ErrorKind::NotFound, "no such program");
    found.ok_or_else(|| Error::Start {
        program: name.to_owned(),
        source: absent(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_in_order_of_the_folders() {
        let found = find_program(Path::new("sh"), OsStr::new("/nowhere:/usr/bin:/bin")).unwrap();
        assert_eq!(found, Path::new("/usr/bin/sh"));
        assert!(find_program(Path::new("no-such-program"), OsStr::new("/usr/bin")).is_err());
        assert!(find_program(Path::new("/bin"), OsStr::new("")).is_err());
    }
}
