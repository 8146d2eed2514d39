//! A jar or class folder as a place to find classes: names first, bytes on demand.
//!
//! Multi-release jars give the classes that a JVM of the asked release would see. Signatures are noticed, not checked.

use super::error::Error;
use super::manifest::Manifest;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// Larger entries are not class files that a JVM takes.
const LARGEST: u64 = 64 << 20;
/// Deeper folders are taken for a loop of links.
const DEEPEST: usize = 64;

/// A jar or class folder.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    classes: BTreeMap<String, Entry>,
    zip: Option<RefCell<ZipArchive<BufReader<File>>>>,
    manifest: Manifest,
    signed: bool,
}

#[derive(Debug)]
enum Entry {
    Zipped(usize),
    File(PathBuf),
}

impl Archive {
    /// Opens a jar for a JVM of a feature release, or a folder.
    pub fn open(path: &Path, release: u16) -> Result<Archive, Error> {
        match path.is_dir() {
            true => Archive::open_folder(path),
            false => Archive::open_jar(path, release),
        }
    }

    fn open_folder(path: &Path) -> Result<Archive, Error> {
        let mut classes = BTreeMap::new();
        let mut open = vec![(path.to_owned(), String::new(), 0)];
        while let Some((folder, prefix, depth)) = open.pop() {
            let failed = |source| Error::Read {
                path: folder.clone(),
                source,
            };
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let file = entry.path();
                if file.is_dir() && depth < DEEPEST {
                    open.push((file, format!("{prefix}{name}/"), depth + 1));
                } else if let Some(class) = name.strip_suffix(".class") {
                    classes.insert(format!("{prefix}{class}"), Entry::File(file));
                }
            }
        }
        Ok(Archive {
            path: path.to_owned(),
            classes,
            zip: None,
            manifest: Manifest::default(),
            signed: false,
        })
    }

    fn open_jar(path: &Path, release: u16) -> Result<Archive, Error> {
        let file = File::open(path).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })?;
        let mut zip = ZipArchive::new(BufReader::new(file)).map_err(|error| Error::Jar {
            path: path.to_owned(),
            cause: error.to_string(),
        })?;
        let manifest = match zip.index_for_name("META-INF/MANIFEST.MF") {
            Some(index) => Manifest::parse(&entry(&mut zip, index).unwrap_or_default()),
            None => Manifest::default(),
        };
        let limit = if manifest.multi_release { release } else { 0 };
        let mut versions: BTreeMap<String, (u16, usize)> = BTreeMap::new();
        let mut signed = false;
        for index in 0..zip.len() {
            let Some(name) = zip.name_for_index(index) else {
                continue;
            };
            signed |= is_signature(name);
            let Some((class, version)) = class_entry(name) else {
                continue;
            };
            let shown = versions.get(class).map(|(version, _)| *version);
            if version <= limit && shown.is_none_or(|shown| version > shown) {
                versions.insert(class.to_owned(), (version, index));
            }
        }
        let classes = versions.into_iter();
        Ok(Archive {
            path: path.to_owned(),
            classes: classes
                .map(|(name, (_, index))| (name, Entry::Zipped(index)))
                .collect(),
            zip: Some(RefCell::new(zip)),
            manifest,
            signed,
        })
    }

    /// The jar or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What its manifest says.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Whether no class of another jar may join a package of this one.
    pub fn closes(&self, package: &str) -> bool {
        self.signed || self.manifest.seals(package)
    }

    /// The classes by the names that their places ask for, in order; descriptions of modules and packages left out.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.classes.keys().map(String::as_str);
        names.filter(|name| {
            let simple = name.rsplit('/').next();
            simple != Some("module-info") && simple != Some("package-info")
        })
    }

    /// The bytes of a class; a broken entry of a jar is an error.
    pub fn class(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let Some(found) = self.classes.get(name) else {
            return Ok(None);
        };
        match (found, &self.zip) {
            (Entry::Zipped(index), Some(zip)) => {
                let bytes = entry(&mut zip.borrow_mut(), *index);
                bytes.map(Some).map_err(|cause| Error::Jar {
                    path: self.path.clone(),
                    cause: format!("entry `{name}.class`: {cause}"),
                })
            }
            (Entry::File(path), _) => fs::read(path).map(Some).map_err(|source| Error::Read {
                path: path.clone(),
                source,
            }),
            (Entry::Zipped(_), None) => Ok(None),
        }
    }
}

fn entry(zip: &mut ZipArchive<BufReader<File>>, index: usize) -> Result<Vec<u8>, String> {
    let entry = zip.by_index(index).map_err(|error| error.to_string())?;
    if entry.size() > LARGEST {
        return Err(format!("it claims {} bytes", entry.size()));
    }
    // The claimed size may be wrong, so it only bounds what is reserved.
    let mut bytes = Vec::with_capacity(entry.size().min(1 << 20) as usize);
    let read = entry.take(LARGEST).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// The class that an entry holds and the release from which on it counts; 0 for all.
fn class_entry(name: &str) -> Option<(&str, u16)> {
    let class = name.strip_suffix(".class")?;
    match class.strip_prefix("META-INF/versions/") {
        Some(versioned) => {
            let (version, class) = versioned.split_once('/')?;
            let version = version.parse().ok().filter(|version| *version >= 9)?;
            Some((class, version))
        }
        None => (!class.starts_with("META-INF/")).then_some((class, 0)),
    }
}

fn is_signature(name: &str) -> bool {
    let Some(file) = name.strip_prefix("META-INF/") else {
        return false;
    };
    !file.contains('/') && file.to_ascii_uppercase().ends_with(".SF")
}
