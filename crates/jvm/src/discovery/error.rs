//! What can be wrong with a subject or with how it was named. Hints stand in a line of their own.
//!
//! A single broken class is not an error: it gets a reason.

use super::image::ImageError;
use std::io;
use std::path::PathBuf;

/// Why discovery could not begin or has nothing to give.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such file or folder.
    #[error("there is no file or folder `{}`", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// A file or folder could not be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// A file is not a jar.
    #[error("cannot read `{}` as a jar: {cause}\nhint: a subject is a jar, a folder of classes, or a Maven or Gradle project", path.display())]
    Jar {
        /// The path.
        path: PathBuf,
        /// What is wrong, with the place.
        cause: String,
    },
    /// There are no class files.
    #[error("there are no class files in `{}`{}", path.display(), hint_line(.hint))]
    NoClasses {
        /// The jar or folder.
        path: PathBuf,
        /// What may help; may be empty.
        hint: String,
    },
    /// A pattern fits nothing.
    #[error("no {what} matches `{pattern}`{}", hint_line(.hint))]
    NoMatch {
        /// What it was matched with: class, package or method.
        what: &'static str,
        /// The pattern.
        pattern: String,
        /// Similar names; may be empty.
        hint: String,
    },
    /// The entry is not one that can be called.
    #[error(
        "`{entry}` cannot be the entry: {cause}\nhint: an entry is a class with a `main` method, or a static method as `org.example.Foo.run`"
    )]
    Entry {
        /// The entry.
        entry: String,
        /// Why.
        cause: String,
    },
    /// Several patterns fit something, but nothing fits all of them.
    #[error("no member of the subject passes all filters")]
    NothingSelected,
    /// Git did not say what changed.
    #[error("cannot find what changed since `{revision}` in `{}`: {cause}\nhint: `--since` takes a revision of the git repository that holds the subject", folder.display())]
    Git {
        /// The revision.
        revision: String,
        /// Where git was asked.
        folder: PathBuf,
        /// What it said.
        cause: String,
    },
    /// Nothing of the subject changed.
    #[error(
        "no method of the subject changed since `{revision}`\nhint: compile the subject with line numbers (`-g`), after the change"
    )]
    NothingChanged {
        /// The revision.
        revision: String,
    },
    /// The JDK's classes could not be read.
    #[error("cannot read the classes of the JDK in `{}`: {source}\nhint: name another JDK with JAVA_HOME", path.display())]
    Image {
        /// The image.
        path: PathBuf,
        /// What is wrong.
        source: ImageError,
    },
    /// A folder is no JDK.
    #[error("`{}` is not a JDK: it has neither `lib/modules` nor `rt.jar`", home.display())]
    NotAJdk {
        /// The folder.
        home: PathBuf,
    },
}

fn hint_line(hint: &str) -> String {
    match hint.is_empty() {
        true => String::new(),
        false => format!("\nhint: {hint}"),
    }
}
