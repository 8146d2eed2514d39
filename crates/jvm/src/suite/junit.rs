//! JUnit: what its versions call things, and where its jars are on this machine.
//!
//! Jars are looked for in what the user names, in Debian's folder, and in the caches of Maven and Gradle. Only what
//! compiling and calling tests needs is asked for, no engine and no launcher.

use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// A version of JUnit to write for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Junit {
    /// JUnit 5, called Jupiter.
    #[default]
    Five,
    /// JUnit 4, from 4.13 on.
    Four,
}

/// A jar that a version needs: its file name without version, and its place in a Maven repository.
struct Needed {
    names: &'static [&'static str],
    group: &'static str,
    artifacts: &'static [&'static str],
}

const FIVE: [Needed; 4] = [
    Needed {
        names: &["junit-jupiter-api"],
        group: "org/junit/jupiter",
        artifacts: &["junit-jupiter-api"],
    },
    Needed {
        names: &["junit-platform-commons"],
        group: "org/junit/platform",
        artifacts: &["junit-platform-commons"],
    },
    Needed {
        names: &["opentest4j"],
        group: "org/opentest4j",
        artifacts: &["opentest4j"],
    },
    Needed {
        names: &["apiguardian-api"],
        group: "org/apiguardian",
        artifacts: &["apiguardian-api"],
    },
];

const FOUR: [Needed; 2] = [
    Needed {
        names: &["junit4", "junit"],
        group: "junit",
        artifacts: &["junit"],
    },
    Needed {
        names: &["hamcrest-core", "hamcrest"],
        group: "org/hamcrest",
        artifacts: &["hamcrest-core", "hamcrest"],
    },
];

/// What running anybody's tests needs besides.
const RUNNERS: [Needed; 4] = [
    Needed {
        names: &["junit-jupiter-engine"],
        group: "org/junit/jupiter",
        artifacts: &["junit-jupiter-engine"],
    },
    Needed {
        names: &["junit-jupiter-params"],
        group: "org/junit/jupiter",
        artifacts: &["junit-jupiter-params"],
    },
    Needed {
        names: &["junit-platform-engine"],
        group: "org/junit/platform",
        artifacts: &["junit-platform-engine"],
    },
    Needed {
        names: &["junit-platform-launcher"],
        group: "org/junit/platform",
        artifacts: &["junit-platform-launcher"],
    },
];

impl Junit {
    /// The annotation of test methods, in internal form.
    pub fn test_annotation(self) -> &'static str {
        match self {
            Junit::Five => "org/junit/jupiter/api/Test",
            Junit::Four => "org/junit/Test",
        }
    }

    /// The class whose static methods assert, in internal form.
    pub fn assertion_class(self) -> &'static str {
        match self {
            Junit::Five => "org/junit/jupiter/api/Assertions",
            Junit::Four => "org/junit/Assert",
        }
    }

    /// Its number.
    pub fn number(self) -> u32 {
        match self {
            Junit::Five => 5,
            Junit::Four => 4,
        }
    }

    fn needed(self) -> &'static [Needed] {
        match self {
            Junit::Five => &FIVE,
            Junit::Four => &FOUR,
        }
    }
}

/// Why JUnit cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum JunitError {
    /// A jar was found nowhere.
    #[error(
        "`{jar}`, which JUnit {number} needs, was not found\nhint: on Debian `apt-get install junit{number}`, or name the jars of JUnit with `--junit-classpath JAR:JAR`"
    )]
    Absent {
        /// Its name.
        jar: &'static str,
        /// The version.
        number: u32,
    },
    /// A file that the user named is not there.
    #[error("`{0}` of the classpath for JUnit does not exist")]
    Given(PathBuf),
}

/// Where to look for JUnit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JunitPlaces {
    /// What the user named; nothing else is looked at then.
    pub given: Vec<PathBuf>,
    /// Folders of jars, such as Debian's.
    pub folders: Vec<PathBuf>,
    /// Maven's repository.
    pub maven: Option<PathBuf>,
    /// Gradle's cache of files.
    pub gradle: Option<PathBuf>,
}

impl JunitPlaces {
    /// The places that this process knows.
    pub fn of_this_process(given: Vec<PathBuf>) -> JunitPlaces {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let below = |path: &str| home.as_ref().map(|home| home.join(path));
        JunitPlaces {
            given,
            folders: vec![PathBuf::from("/usr/share/java")],
            maven: below(".m2/repository"),
            gradle: below(".gradle/caches/modules-2/files-2.1"),
        }
    }

    /// The jars that tests of a version need.
    pub fn find(&self, junit: Junit) -> Result<Vec<PathBuf>, JunitError> {
        if let Some(absent) = self.given.iter().find(|path| !path.exists()) {
            return Err(JunitError::Given(absent.clone()));
        }
        if !self.given.is_empty() {
            return Ok(self.given.clone());
        }
        let found = junit.needed().iter().map(|needed| {
            self.jar(needed).ok_or(JunitError::Absent {
                jar: needed.names[0],
                number: junit.number(),
            })
        });
        found.collect()
    }

    /// The jars that running tests of any version needs, as far as they are found. Nothing if the class path of the tests
    /// brings a launcher: jars of two versions do not go together.
    pub fn runners(&self, classpath: &[PathBuf]) -> Vec<PathBuf> {
        let launches = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("junit-platform-launcher")
                || name.starts_with("junit-platform-console")
        };
        if classpath.iter().any(launches) {
            return Vec::new();
        }
        let all = FIVE.iter().chain(&RUNNERS).chain(&FOUR);
        all.filter_map(|needed| self.jar(needed)).collect()
    }

    fn jar(&self, needed: &Needed) -> Option<PathBuf> {
        let names = needed.names.iter().map(|name| format!("{name}.jar"));
        let mut plain = names.flat_map(|name| {
            let folders = self.folders.iter();
            folders.map(move |folder| folder.join(&name))
        });
        plain
            .find(|path| path.is_file())
            .or_else(|| {
                let artifacts = needed.artifacts.iter();
                artifacts
                    .filter_map(|artifact| {
                        let folder = self.maven.as_ref()?.join(needed.group).join(artifact);
                        newest(&folder, artifact)
                    })
                    .next()
            })
            .or_else(|| {
                let group = needed.group.replace('/', ".");
                let artifacts = needed.artifacts.iter();
                artifacts
                    .filter_map(|artifact| {
                        let folder = self.gradle.as_ref()?.join(&group).join(artifact);
                        newest(&folder, artifact)
                    })
                    .next()
            })
    }
}

/// The jar of the newest version in a folder of versions; Gradle keeps each file in a folder of its own.
fn newest(folder: &Path, artifact: &str) -> Option<PathBuf> {
    let mut versions: Vec<String> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    versions.sort_by_key(|version| {
        let numbers = version
            .split(['.', '-'])
            .map(|part| part.parse().unwrap_or(0));
        numbers.collect::<Vec<u32>>()
    });
    versions.iter().rev().find_map(|version| {
        let name = format!("{artifact}-{version}.jar");
        let folder = folder.join(version);
        let direct = folder.join(&name);
        if direct.is_file() {
            return Some(direct);
        }
        let mut inner: Vec<PathBuf> = fs::read_dir(&folder)
            .ok()?
            .flatten()
            .map(|entry| entry.path().join(&name))
            .collect();
        inner.sort();
        inner.into_iter().find(|path| path.is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn the_newest_version_of_a_repository_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let maven = folder.path().join("m2");
        for version in ["4.9", "4.13.2", "4.13"] {
            touch(&maven.join(format!("junit/junit/{version}/junit-{version}.jar")));
        }
        let hamcrest = folder
            .path()
            .join("gradle/org.hamcrest/hamcrest-core/1.3/0a1b/hamcrest-core-1.3.jar");
        touch(&hamcrest);
        let places = JunitPlaces {
            maven: Some(maven.clone()),
            gradle: Some(folder.path().join("gradle")),
            ..JunitPlaces::default()
        };
        assert_eq!(
            places.find(Junit::Four).unwrap(),
            [maven.join("junit/junit/4.13.2/junit-4.13.2.jar"), hamcrest]
        );
    }

    #[test]
    fn what_is_missing_is_named_with_a_hint() {
        let error = JunitPlaces::default().find(Junit::Five).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("`junit-jupiter-api`"), "{text}");
        assert!(text.contains("hint: "), "{text}");
        let given = JunitPlaces {
            given: vec![PathBuf::from("/no/such.jar")],
            ..JunitPlaces::default()
        };
        assert_eq!(
            given.find(Junit::Four),
            Err(JunitError::Given(PathBuf::from("/no/such.jar")))
        );
    }
}
