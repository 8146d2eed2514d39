//! The scratch folder: laying files before a run, reading them afterwards, emptying it.
//!
//! No subject runs while this code does, but a subject may have left anything: folders thousands deep, folders without
//! permissions, links, pipes. So nothing here follows links or opens what is no regular file, and emptying moves
//! folders up before it enters them, which keeps every path short.

use std::ffi::{CStr, CString};
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use nix::dir::Dir;
use nix::fcntl::{OFlag, RenameFlags, renameat2};
use nix::sys::stat::{FchmodatFlags, Mode, fchmod, fchmodat, fstat};
use nix::unistd::{UnlinkatFlags, unlinkat};

const MODE: u32 = 0o700;

/// The deepest folder that is read back.
const COLLECT_DEPTH: usize = 32;

/// The scratch folder.
pub struct Scratch {
    path: PathBuf,
    folder: Dir,
    collect_bytes: u64,
}

impl Scratch {
    /// Opens the folder, which must be the current one, and empties it.
    pub fn open(path: &Path, collect_bytes: u64) -> io::Result<Scratch> {
        let folder = Dir::open(path, OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())?;
        let mut scratch = Scratch {
            path: path.to_owned(),
            folder,
            collect_bytes,
        };
        scratch.clean()?;
        Ok(scratch)
    }

    /// Writes files by relative name. The folder is empty before, so no link can lead elsewhere.
    pub fn lay(&self, files: &[(&Path, &[u8])]) -> io::Result<()> {
        for (name, content) in files {
            self.lay_one(name, content)
                .map_err(|error| io::Error::other(format!("`{}`: {error}", name.display())))?;
        }
        Ok(())
    }

    fn lay_one(&self, name: &Path, content: &[u8]) -> io::Result<()> {
        if !name
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
        {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the name leaves the scratch folder",
            ));
        }
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            DirBuilder::new()
                .recursive(true)
                .mode(MODE)
                .create(parent)?;
        }
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(MODE)
            .open(path)?
            .write_all(content)
    }

    /// Reads the regular files back, in order of their names, until the bound; says whether some were left out.
    pub fn collect(&self) -> (Vec<(PathBuf, Vec<u8>)>, bool) {
        let mut collected = Collected {
            files: Vec::new(),
            left: self.collect_bytes,
            truncated: false,
        };
        collected.folder(&self.path, Path::new(""), 0);
        (collected.files, collected.truncated)
    }

    /// Empties the folder and unlocks it, if that is needed.
    pub fn clean(&mut self) -> io::Result<()> {
        // The subject owns the folder and may have locked it.
        if fstat(self.folder.as_fd())?.st_mode & 0o7777 != MODE {
            fchmod(self.folder.as_fd(), Mode::from_bits_truncate(MODE))?;
        }
        let mut moved = 0;
        loop {
            let names = names(&mut self.folder)?;
            if names.is_empty() {
                return Ok(());
            }
            for name in &names {
                if !unlink(&self.folder, name)? {
                    self.flatten(name, &mut moved)?;
                }
            }
        }
    }

    /// Removes one folder; the folders inside it move up into the scratch folder and are removed later.
    fn flatten(&self, name: &CStr, moved: &mut u64) -> io::Result<()> {
        let mut inner = open_unlocked(&self.folder, name)?;
        for child in names(&mut inner)? {
            if unlink(&inner, &child)? {
                continue;
            }
            // Moving a folder changes its parent entry, so it must be writable itself.
            drop(open_unlocked(&inner, &child)?);
            loop {
                *moved += 1;
                let free =
                    CString::new(format!(".moved-{moved}")).expect("digits and letters only");
                match renameat2(
                    &inner,
                    &*child,
                    &self.folder,
                    &*free,
                    RenameFlags::RENAME_NOREPLACE,
                ) {
                    Err(nix::Error::EEXIST) => {}
                    result => break result?,
                }
            }
        }
        Ok(unlinkat(&self.folder, name, UnlinkatFlags::RemoveDir)?)
    }
}

fn names(folder: &mut Dir) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in folder.iter() {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Removes what is no folder; `false` if it is one.
fn unlink(folder: &Dir, name: &CStr) -> io::Result<bool> {
    match unlinkat(folder, name, UnlinkatFlags::NoRemoveDir) {
        Ok(()) => Ok(true),
        Err(nix::Error::EISDIR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Gives us all rights on a folder of ours and opens it.
fn open_unlocked(parent: &Dir, name: &CStr) -> io::Result<Dir> {
    fchmodat(
        parent,
        name,
        Mode::from_bits_truncate(MODE),
        FchmodatFlags::FollowSymlink,
    )?;
    let flags = OFlag::O_DIRECTORY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
    Ok(Dir::openat(parent, name, flags, Mode::empty())?)
}

struct Collected {
    files: Vec<(PathBuf, Vec<u8>)>,
    left: u64,
    truncated: bool,
}

impl Collected {
    fn folder(&mut self, path: &Path, name: &Path, depth: usize) {
        let Ok(entries) = fs::read_dir(path) else {
            self.truncated = true;
            return;
        };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), name.join(entry.file_name()));
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < COLLECT_DEPTH => {
                    // A failure shows when the folder is read.
                    let _ = fs::set_permissions(&path, Permissions::from_mode(MODE));
                    self.folder(&path, &name, depth + 1);
                }
                Ok(kind) if kind.is_file() => self.file(&path, name),
                // Links, pipes and sockets have no content of their own.
                Ok(kind) if !kind.is_dir() => {}
                _ => self.truncated = true,
            }
        }
    }

    fn file(&mut self, path: &Path, name: PathBuf) {
        let _ = fs::set_permissions(path, Permissions::from_mode(MODE));
        let mut content = Vec::new();
        let length = fs::symlink_metadata(path).map_or(u64::MAX, |data| data.len());
        let read = File::open(path).and_then(|file| file.take(self.left).read_to_end(&mut content));
        if read.is_err() || length > self.left {
            self.truncated = true;
            return;
        }
        self.left -= length;
        self.files.push((name, content));
    }
}
