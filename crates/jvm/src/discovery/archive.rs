//! Jars and class folders as places to find classes.
//!
//! Multi-release jars give the classes that a JVM of the asked release would see. Signatures are noticed, not checked.

use super::error::Error;
use classfile::jar::{Jar, Manifest};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Deeper folders are taken for a loop of links.
const DEEPEST: usize = 64;

/// What is known of a jar or class folder besides its classes.
#[derive(Clone, Debug)]
pub struct Archive {
    /// The jar or folder.
    pub path: PathBuf,
    manifest: Manifest,
    signed: bool,
}

/// The classes of a jar or folder.
#[derive(Debug)]
pub enum Content {
    /// The bytes of a jar.
    Jar(Vec<u8>),
    /// The files of a folder by class name.
    Folder(BTreeMap<String, PathBuf>),
}

impl Archive {
    /// Opens a jar or folder.
    pub fn open(path: &Path) -> Result<(Archive, Content), Error> {
        let mut archive = Archive {
            path: path.to_owned(),
            manifest: Manifest::default(),
            signed: false,
        };
        if path.is_dir() {
            return Ok((archive, Content::Folder(class_files(path)?)));
        }
        let bytes = fs::read(path).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })?;
        let jar = Jar::parse(&bytes).map_err(|error| archive.broken(error.to_string()))?;
        let manifest = jar.manifest();
        let manifest = manifest.map_err(|error| archive.broken(error.to_string()))?;
        archive.manifest = manifest.unwrap_or_default();
        archive.signed = jar.signatures().next().is_some();
        Ok((archive, Content::Jar(bytes)))
    }

    fn broken(&self, cause: String) -> Error {
        Error::Jar {
            path: self.path.clone(),
            cause,
        }
    }

    /// Whether no class of another jar may join a package of this one, because it is signed or sealed.
    pub fn closes(&self, package: &str) -> bool {
        let is_true = |value: &str| value.trim().eq_ignore_ascii_case("true");
        let mut sections = self.manifest.sections.iter();
        let own = sections.find(|(name, _)| name.strip_suffix('/') == Some(package));
        let own = own.and_then(|(_, section)| section.get("Sealed"));
        self.signed || own.or(self.manifest.get("Sealed")).is_some_and(is_true)
    }

    /// The entries of the class path that the manifest names and that are there.
    pub fn class_path(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let entries = self.manifest.get("Class-Path").unwrap_or_default();
        let paths = entries.split_ascii_whitespace().map(|entry| {
            let entry = entry.strip_prefix("file:").unwrap_or(entry);
            folder.join(entry.replace("%20", " "))
        });
        // Names of jars that are not there are normal: manifests list what may be.
        paths.filter(|path| path.exists()).collect()
    }

    /// Reads all classes that a JVM of a feature release sees, by the names that their places ask for; descriptions of
    /// modules and packages are left out. A class that cannot be read has the cause in its place.
    pub fn read_all(&self, content: &Content, release: u16) -> Result<Vec<Read>, Error> {
        let mut classes = Vec::new();
        match content {
            Content::Jar(bytes) => {
                let jar = Jar::parse(bytes).map_err(|error| self.broken(error.to_string()))?;
                let selected = jar.classes(release);
                for class in selected.map_err(|error| self.broken(error.to_string()))? {
                    let bytes = jar.read(class.entry).map(|bytes| bytes.into_owned());
                    let name = class.name.trim_end_matches(".class").to_owned();
                    classes.push((name, bytes.map_err(|error| error.to_string())));
                }
            }
            Content::Folder(files) => {
                for (name, file) in files {
                    let bytes = fs::read(file).map_err(|error| error.to_string());
                    classes.push((name.clone(), bytes));
                }
            }
        }
        classes.retain(|(name, _)| {
            let simple = name.rsplit('/').next();
            simple != Some("module-info") && simple != Some("package-info")
        });
        Ok(classes)
    }

    /// Prepares to look classes up one by one.
    pub fn lookup<'a>(&self, content: &'a Content, release: u16) -> Lookup<'a> {
        match content {
            Content::Jar(bytes) => match Jar::parse(bytes) {
                Ok(jar) => Lookup::Jar {
                    jar,
                    newest: match self.manifest.is_multi_release() {
                        true => release,
                        false => 0,
                    },
                },
                Err(_) => Lookup::Nothing,
            },
            Content::Folder(files) => Lookup::Folder(files),
        }
    }
}

/// A class by name with its bytes, or why they cannot be read.
pub type Read = (String, Result<Vec<u8>, String>);

/// A jar or folder in which classes are looked up one by one. A class that cannot be read is as good as none.
#[derive(Debug)]
pub enum Lookup<'a> {
    /// A jar.
    Jar {
        /// The directory.
        jar: Jar<'a>,
        /// The newest Java release whose versions of classes count; 0 when there are none.
        newest: u16,
    },
    /// A folder.
    Folder(&'a BTreeMap<String, PathBuf>),
    /// What turned out to be no jar.
    Nothing,
}

impl Lookup<'_> {
    /// The names of all classes, in internal form; those of newer releases only are left out.
    pub fn names(&self) -> Vec<String> {
        match self {
            Lookup::Jar { jar, .. } => {
                let names = jar.entries().filter_map(|entry| {
                    let name = entry.name.strip_suffix(".class")?;
                    let class = !name.starts_with("META-INF/");
                    class.then(|| name.to_owned())
                });
                names.collect()
            }
            Lookup::Folder(files) => files.keys().cloned().collect(),
            Lookup::Nothing => Vec::new(),
        }
    }

    /// The bytes of a class given in internal form.
    pub fn class(&self, name: &str) -> Option<Vec<u8>> {
        match self {
            Lookup::Jar { jar, newest } => {
                let versions = (9..=*newest).rev();
                let mut versions = versions.map(|n| format!("META-INF/versions/{n}/{name}.class"));
                let entry = versions.find_map(|name| jar.find(&name));
                let entry = entry.or_else(|| jar.find(&format!("{name}.class")))?;
                Some(jar.read(entry).ok()?.into_owned())
            }
            Lookup::Folder(files) => fs::read(files.get(name)?).ok(),
            Lookup::Nothing => None,
        }
    }
}

/// All class files below a folder, by the class names that their places ask for.
fn class_files(path: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
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
                classes.insert(format!("{prefix}{class}"), file);
            }
        }
    }
    Ok(classes)
}
