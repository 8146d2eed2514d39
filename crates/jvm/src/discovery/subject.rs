//! A JVM subject: the classes to be tested, and the class path that they need.
//!
//! Classes are read into memory here; what they mean is not looked at.

use super::archive::{Archive, Content, Lookup};
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
    classpath: Vec<(Archive, Content)>,
    release: u16,
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
        let mut subject = Subject {
            roots: Vec::new(),
            classes: BTreeMap::new(),
            broken: Vec::new(),
            classpath: Vec::new(),
            release,
            notes,
        };
        for root in &roots {
            subject.read_root(root)?;
        }
        let is_empty = subject.classes.is_empty() && subject.broken.is_empty();
        if let (true, Some(path)) = (is_empty, paths.first()) {
            return Err(Error::NoClasses {
                path: path.clone(),
                hint: no_classes_hint(path),
            });
        }
        subject.open_classpath(needed);
        Ok(subject)
    }

    /// Reads the classes of a root that no earlier one has.
    fn read_root(&mut self, path: &Path) -> Result<(), Error> {
        let (root, content) = Archive::open(path)?;
        for (name, bytes) in root.read_all(&content, self.release)? {
            match bytes {
                _ if self.classes.contains_key(&name) => {}
                Ok(bytes) => {
                    let root = self.roots.len();
                    self.classes.insert(name, SubjectClass { bytes, root });
                }
                Err(cause) => self.broken.push((name, cause)),
            }
        }
        self.roots.push(root);
        Ok(())
    }

    /// Opens the entries and those that their manifests name, each once. A bad entry is noted and left out, as JVMs do.
    fn open_classpath(&mut self, mut needed: Vec<PathBuf>) {
        let mut seen: BTreeSet<PathBuf> = self.roots.iter().map(|root| real(&root.path)).collect();
        needed.extend(self.roots.iter().flat_map(Archive::class_path));
        needed.reverse();
        while let Some(path) = needed.pop() {
            if !seen.insert(real(&path)) {
                continue;
            }
            match Archive::open(&path) {
                Ok((archive, content)) => {
                    needed.extend(archive.class_path().into_iter().rev());
                    self.classpath.push((archive, content));
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

    /// The entries of the class path, ready to look classes up in, in order.
    pub fn lookups(&self) -> Vec<Lookup<'_>> {
        let entries = self.classpath.iter();
        entries
            .map(|(archive, content)| archive.lookup(content, self.release))
            .collect()
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
        let needed = self.classpath.iter().map(|(archive, _)| archive);
        let all = self.roots.iter().chain(needed);
        all.map(|archive| archive.path.clone()).collect()
    }
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
