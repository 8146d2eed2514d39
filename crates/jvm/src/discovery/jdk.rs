//! The classes of a JDK, read without starting it: `lib/modules` of Java 9 and newer, `rt.jar` of Java 8.
//!
//! Asking a JVM for them would cost its start (over 100 ms) at every run, or a cache that can be stale.

use super::archive::{Archive, Content, Lookup};
use super::error::Error;
use super::image::Image;
use classfile::{ClassFile, attributes};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The classes of a JDK.
#[derive(Debug)]
pub struct Jdk {
    home: PathBuf,
    classes: Classes,
    major: u16,
}

#[derive(Debug)]
enum Classes {
    Image(PathBuf, Image),
    Jar(Archive, Content),
}

impl Jdk {
    /// Opens the JDK or JRE in a folder.
    pub fn open(home: &Path) -> Result<Jdk, Error> {
        let image = home.join("lib/modules");
        let jars = ["jre/lib/rt.jar", "lib/rt.jar"].map(|jar| home.join(jar));
        let classes = if image.is_file() {
            let opened = Image::open(&image);
            let opened = opened.map_err(|source| Error::Image {
                path: image.clone(),
                source,
            })?;
            Classes::Image(image, opened)
        } else if let Some(jar) = jars.iter().find(|jar| jar.is_file()) {
            let (archive, content) = Archive::open(jar)?;
            Classes::Jar(archive, content)
        } else {
            return Err(Error::NotAJdk {
                home: home.to_owned(),
            });
        };
        let mut jdk = Jdk {
            home: home.to_owned(),
            classes,
            major: 0,
        };
        // The JDK's own classes have the newest version that it knows.
        let object = jdk.class("java/lang/Object")?;
        let version = object.and_then(|bytes| Some(*bytes.get(6..)?.first_chunk()?));
        let version = version.ok_or(Error::NotAJdk {
            home: home.to_owned(),
        })?;
        jdk.major = u16::from_be_bytes(version);
        Ok(jdk)
    }

    /// The folder that it is in.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The newest version of class files that it runs: 61 for Java 17.
    pub fn major(&self) -> u16 {
        self.major
    }

    /// Its feature release: 8, 17, 25.
    pub fn release(&self) -> u16 {
        self.major.saturating_sub(44)
    }

    /// Ready to look many classes up, where the JDK is a jar.
    pub fn lookup(&self) -> Option<Lookup<'_>> {
        match &self.classes {
            Classes::Image(..) => None,
            Classes::Jar(archive, content) => Some(archive.lookup(content, 8)),
        }
    }

    /// The bytes of a class given in internal form.
    pub fn class(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match &self.classes {
            Classes::Image(path, image) => image.class(name).map_err(|source| Error::Image {
                path: path.clone(),
                source,
            }),
            Classes::Jar(archive, content) => Ok(archive.lookup(content, 8).class(name)),
        }
    }

    /// The names of all classes in some packages, all with slashes.
    pub fn names_in(&self, packages: &[&str]) -> Result<Vec<String>, Error> {
        match &self.classes {
            Classes::Image(path, image) => {
                image.names_in(packages).map_err(|source| Error::Image {
                    path: path.clone(),
                    source,
                })
            }
            Classes::Jar(archive, content) => {
                let mut names = archive.lookup(content, 8).names();
                names.retain(|name| packages.contains(&super::summary::package_of(name)));
                Ok(names)
            }
        }
    }

    /// Whether classes of a package, given with slashes, can be named by everybody.
    pub fn exports(&self, package: &str) -> Result<bool, Error> {
        let Classes::Image(path, image) = &self.classes else {
            return Ok(true);
        };
        let failed = |source| Error::Image {
            path: path.clone(),
            source,
        };
        let Some(module) = image.module_of(package).map_err(failed)? else {
            return Ok(false);
        };
        let description = image.resource(&format!("/{module}/module-info.class"));
        let description = description.map_err(failed)?.unwrap_or_default();
        Ok(exported(&description).is_some_and(|packages| packages.contains(package)))
    }
}

/// The packages that a module exports to everybody; none when the description is broken.
fn exported(description: &[u8]) -> Option<BTreeSet<String>> {
    let class = ClassFile::parse(description).ok()?;
    let module = attributes::module(class.attribute("Module")?, &class.pool).ok()?;
    let exports = module.exports.iter().filter(|export| export.to.is_empty());
    Some(exports.map(|export| export.package.to_owned()).collect())
}
