//! A JVM subject: the classes to be tested, and the class path that they need.
//!
//! Classes are read into memory here; what they mean is not looked at.

use super::archive::Archive;
use super::error::Error;
use super::project::Project;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The classes to be tested, with what they need.
#[derive(Debug)]
pub struct Subject {
    /// The jars and folders that hold the classes, in the order of the class path.
    pub roots: Vec<Archive>,
    /// All classes by the name that their place asks for.
    pub classes: BTreeMap<String, SubjectClass>,
    /// Entries that could not be read, by the same name, with the cause.
    pub broken: Vec<(String, String)>,
    /// What the classes need, in order, without the roots.
    pub classpath: Vec<Archive>,
    /// Things that the user should know: an entry that is not there, a build tool that did not answer.
    pub notes: Vec<String>,
}

/// A class of a subject.
#[derive(Clone, Debug)]
pub struct SubjectClass {
    /// The class file.
    pub bytes: Vec<u8>,
    /// The index of the root that it comes from.
    pub root: usize,
}

impl Subject {
    /// Opens jars, class folders and project folders, with further entries of the class path, for a feature release of Java.
    pub fn open(paths: &[PathBuf], classpath: &[PathBuf], release: u16) -> Result<Subject, Error> {
        let mut notes = Vec::new();
        let mut roots = Vec::new();
        let mut needed = classpath.to_vec();
        for path in paths {
            if !path.exists() {
                return Err(Error::Missing { path: path.clone() });
            }
            match Project::find(path)? {
                Some(project) => {
                    roots.extend(project.classes);
                    needed.extend(project.classpath);
                    notes.extend(project.notes);
                }
                None => roots.push(path.clone()),
            }
        }
        let opened = roots.iter().map(|root| Archive::open(root, release));
        let roots = opened.collect::<Result<Vec<_>, _>>()?;
        let mut subject = Subject {
            classpath: Vec::new(),
            classes: BTreeMap::new(),
            broken: Vec::new(),
            roots,
            notes,
        };
        subject.read_classes();
        if let (true, Some(path)) = (
            subject.classes.is_empty() && subject.broken.is_empty(),
            paths.first(),
        ) {
            return Err(Error::NoClasses {
                path: path.clone(),
                hint: no_classes_hint(path),
            });
        }
        subject.open_classpath(needed, release);
        Ok(subject)
    }

    fn read_classes(&mut self) {
        for (index, root) in self.roots.iter().enumerate() {
            for name in root.names() {
                if self.classes.contains_key(name) {
                    continue;
                }
                match root.class(name) {
                    Ok(bytes) => {
                        let bytes = bytes.unwrap_or_default();
                        let class = SubjectClass { bytes, root: index };
                        self.classes.insert(name.to_owned(), class);
                    }
                    Err(error) => self.broken.push((name.to_owned(), error.to_string())),
                }
            }
        }
    }

    /// Opens the entries and those that their manifests name, each once. A bad entry is noted and left out, as JVMs do.
    fn open_classpath(&mut self, mut needed: Vec<PathBuf>, release: u16) {
        let mut seen: BTreeSet<PathBuf> = self.roots.iter().map(|root| real(root.path())).collect();
        needed.extend(self.roots.iter().flat_map(named_by));
        needed.reverse();
        while let Some(path) = needed.pop() {
            if !seen.insert(real(&path)) {
                continue;
            }
            match Archive::open(&path, release) {
                Ok(archive) => {
                    needed.extend(named_by(&archive).into_iter().rev());
                    self.classpath.push(archive);
                }
                Err(error) => {
                    let error = error.to_string();
                    let first = error.lines().next().unwrap_or_default();
                    self.notes
                        .push(format!("left out of the class path: {first}"));
                }
            }
        }
    }

    /// The bytes of a class of the class path.
    pub fn dependency(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        for archive in &self.classpath {
            // A broken class of a dependency is as good as none.
            if let Ok(Some(bytes)) = archive.class(name) {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Whether no test can be put into the package of a class.
    pub fn is_closed(&self, class: &str) -> bool {
        let package = super::summary::package_of(class);
        let root = self
            .classes
            .get(class)
            .and_then(|class| self.roots.get(class.root));
        package == "java"
            || package.starts_with("java/")
            || root.is_some_and(|root| root.closes(package))
    }

    /// The class path of the subject and all that it needs.
    pub fn full_classpath(&self) -> Vec<PathBuf> {
        let all = self.roots.iter().chain(&self.classpath);
        all.map(|archive| archive.path().to_owned()).collect()
    }
}

/// The entries of the class path that a jar's manifest names and that are there.
fn named_by(archive: &Archive) -> Vec<PathBuf> {
    let folder = archive.path().parent().unwrap_or(Path::new(""));
    let entries = archive.manifest().class_path.iter();
    let paths = entries.map(|entry| {
        let entry = entry.strip_prefix("file:").unwrap_or(entry);
        folder.join(entry.replace("%20", " "))
    });
    // Names of jars that are not there are normal: manifests list what may be.
    paths.filter(|path| path.exists()).collect()
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn no_classes_hint(path: &Path) -> String {
    match path.is_dir() {
        true => "compile first, and name the folder that holds the top packages".to_owned(),
        false => String::new(),
    }
}
