//! Finds the Java installation that runs workers and suites: `--java`, then `JAVA_HOME`, then `PATH`, then `/usr/lib/jvm`.
//!
//! Starts nothing: the version is read off the installation's `release` file, which every one since Java 8 has.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Where Debian and most others put their installations.
const INSTALLED: &str = "/usr/lib/jvm";

/// A Java installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Java {
    /// Its folder.
    pub home: PathBuf,
    /// The number that people call its version: 8, 17, 25.
    pub version: u32,
    /// The full version.
    pub release: String,
}

/// Why no Java was found.
#[derive(Debug, thiserror::Error)]
pub enum JavaError {
    /// Nowhere.
    #[error(
        "no Java found in `JAVA_HOME`, `PATH` or `{INSTALLED}`\nhint: install a JDK, on Debian `apt-get install default-jdk-headless`, or name one with `--java DIR`"
    )]
    Absent,
    /// What the user named is none.
    #[error("`{0}` is not a Java installation\nhint: name the folder that holds `bin/java`")]
    NotJava(PathBuf),
    /// It does not say its version.
    #[error("cannot tell the version of the Java installation `{home}` from its file `release`")]
    Version {
        /// Its folder.
        home: PathBuf,
    },
    /// It is too old for the runtime inside workers.
    #[error("Java {version} in `{home}` is too old\nhint: Java 8 or newer is needed")]
    Old {
        /// Its folder.
        home: PathBuf,
        /// Its version.
        version: u32,
    },
    /// It can run programs but not compile them.
    #[error("the Java installation `{home}` has no `javac`\nhint: install a JDK, not a JRE")]
    NoCompiler {
        /// Its folder.
        home: PathBuf,
    },
}

/// Where to look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// What the user named: the folder, or its `bin/java`.
    pub given: Option<PathBuf>,
    /// `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// `PATH`.
    pub path: OsString,
    /// A folder of installations.
    pub installed: PathBuf,
}

impl Places {
    /// The places that this process knows.
    pub fn of_this_process(given: Option<PathBuf>) -> Places {
        Places {
            given,
            java_home: std::env::var_os("JAVA_HOME")
                .filter(|home| !home.is_empty())
                .map(PathBuf::from),
            path: std::env::var_os("PATH").unwrap_or_default(),
            installed: PathBuf::from(INSTALLED),
        }
    }

    /// The first usable installation.
    pub fn find(&self) -> Result<Java, JavaError> {
        if let Some(given) = &self.given {
            let home = home_of(given).ok_or_else(|| JavaError::NotJava(given.clone()))?;
            return Java::at(home);
        }
        let mut problem = JavaError::Absent;
        for home in self.candidates() {
            match Java::at(home) {
                Ok(java) => return Ok(java),
                Err(error) => problem = error,
            }
        }
        Err(problem)
    }

    /// Every usable installation, the preferred one first.
    pub fn all(&self) -> Vec<Java> {
        let mut found: Vec<Java> = Vec::new();
        for home in self.candidates() {
            if let Ok(java) = Java::at(home)
                && !found.contains(&java)
            {
                found.push(java);
            }
        }
        found
    }

    fn candidates(&self) -> Vec<PathBuf> {
        let given = self.given.iter().chain(&self.java_home).cloned();
        let on_path = std::env::split_paths(&self.path).map(|folder| folder.join("java"));
        let mut installed: Vec<PathBuf> = fs::read_dir(&self.installed)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        installed.sort();
        given
            .chain(on_path)
            .chain(installed)
            .filter_map(|place| home_of(&place))
            .collect()
    }
}

/// The folder of the installation to which a folder or a `java` program belongs, links followed.
fn home_of(place: &Path) -> Option<PathBuf> {
    let place = fs::canonicalize(place).ok()?;
    let home = if place.is_dir() {
        place
    } else {
        place.parent()?.parent()?.to_owned()
    };
    if home.join("bin/java").is_file() && home.join("release").is_file() {
        return Some(home);
    }
    // Java 8 keeps a second `bin/java` in its folder `jre`.
    let outer = home.parent()?;
    (home.ends_with("jre") && outer.join("release").is_file()).then(|| outer.to_owned())
}

impl Java {
    fn at(home: PathBuf) -> Result<Java, JavaError> {
        let text = fs::read_to_string(home.join("release")).unwrap_or_default();
        let release = text
            .lines()
            .find_map(|line| line.strip_prefix("JAVA_VERSION="))
            .map(|value| value.trim_matches('"').to_owned());
        let Some((release, version)) = release.and_then(|text| feature(&text).map(|n| (text, n)))
        else {
            return Err(JavaError::Version { home });
        };
        if version < 8 {
            return Err(JavaError::Old { home, version });
        }
        Ok(Java {
            home,
            version,
            release,
        })
    }

    /// The program `java`.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// The compiler.
    pub fn javac(&self) -> Result<PathBuf, JavaError> {
        let javac = self.home.join("bin/javac");
        if javac.is_file() {
            return Ok(javac);
        }
        Err(JavaError::NoCompiler {
            home: self.home.clone(),
        })
    }
}

/// `1.8.0_292` is 8, `17.0.15` is 17.
fn feature(release: &str) -> Option<u32> {
    let mut numbers = release.split(['.', '-', '+', '_']);
    match numbers.next()?.parse().ok()? {
        1 => numbers.next()?.parse().ok(),
        number => Some(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn install(folder: &Path, name: &str, release: &str) -> PathBuf {
        let home = folder.join(name);
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("bin/java"), "").unwrap();
        fs::write(
            home.join("release"),
            format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{release}\"\n"),
        )
        .unwrap();
        fs::canonicalize(home).unwrap()
    }

    #[test]
    fn versions_old_and_new_are_read() {
        assert_eq!(feature("1.8.0_292"), Some(8));
        assert_eq!(feature("17.0.15"), Some(17));
        assert_eq!(feature("25"), Some(25));
        assert_eq!(feature("26-ea"), Some(26));
        assert_eq!(feature("new"), None);
    }

    #[test]
    fn what_is_named_goes_before_java_home_and_that_before_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c, d] = [("a", "11.0.1"), ("b", "17"), ("c", "21.0.2"), ("d", "25")]
            .map(|(name, release)| install(folder.path(), name, release));
        let mut places = Places {
            given: Some(a.join("bin/java")),
            java_home: Some(b.clone()),
            path: c.join("bin").into(),
            installed: folder.path().to_owned(),
        };
        assert_eq!(places.find().unwrap().home, a);
        places.given = None;
        assert_eq!(places.find().unwrap().home, b);
        places.java_home = None;
        assert_eq!(places.find().unwrap().version, 21);
        assert_eq!(places.all().len(), 4);
        places.path = "/nowhere".into();
        assert_eq!(places.find().unwrap().home, a);
        places.installed = d;
        assert!(matches!(places.find(), Err(JavaError::Absent)));
    }

    #[test]
    fn errors_name_the_place_and_say_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let given = |place: &Path| Places {
            given: Some(place.to_owned()),
            ..Places::default()
        };
        let none = given(folder.path()).find().unwrap_err().to_string();
        assert!(
            none.contains(&folder.path().display().to_string()),
            "{none}"
        );
        assert!(none.contains("\nhint: "), "{none}");
        let old = install(folder.path(), "old", "1.6.0_45");
        let old = given(&old).find().unwrap_err().to_string();
        assert!(old.contains("Java 6"), "{old}");
        let new = given(&install(folder.path(), "new", "25")).find().unwrap();
        let no_compiler = new.javac().unwrap_err().to_string();
        assert!(no_compiler.contains("`javac`"), "{no_compiler}");
    }
}
