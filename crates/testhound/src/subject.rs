//! What kind of subject a word on the command line names.

use crate::exit::Failed;
use engine::TestKind;
use std::path::{Path, PathBuf};

/// A subject, recognised by its name.
#[derive(Debug, PartialEq, Eq)]
pub enum Subject {
    /// An input specification of a command-line program, ours or TSL.
    Specification(PathBuf),
    /// A jar or a folder of class files.
    Jvm(PathBuf),
    /// A `.tstl` harness, a Python file or a dotted module name.
    Python(String),
}

impl Subject {
    /// Recognises a subject.
    pub fn recognise(word: &str) -> Result<Subject, Failed> {
        let path = Path::new(word);
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("toml" | "tsl") => existing(path).map(Subject::Specification),
            Some("jar") => existing(path).map(Subject::Jvm),
            Some("tstl" | "py") => existing(path).map(|_| Subject::Python(word.to_owned())),
            _ if path.is_dir() => Ok(Subject::Jvm(path.to_owned())),
            _ if is_module_name(word) && !path.exists() => Ok(Subject::Python(word.to_owned())),
            _ => Err(Failed::input(format!("`{word}` is not a subject that can be recognised"))
                .hint("a subject is a specification (`.toml`, `.tsl`), a jar or class folder, a `.tstl` file, a `.py` file or a dotted module name")),
        }
    }

    /// The kind of its tests, which decides what guides it can have.
    pub fn kind(&self) -> TestKind {
        match self {
            Subject::Specification(_) => TestKind::Frames,
            Subject::Python(word) if word.ends_with(".tstl") => TestKind::Actions,
            Subject::Jvm(_) | Subject::Python(_) => TestKind::Calls,
        }
    }

    /// The specification, or an error that says what this version cannot do yet.
    pub fn specification(self) -> Result<PathBuf, Failed> {
        let (kind, name) = match self {
            Subject::Specification(path) => return Ok(path),
            Subject::Jvm(path) => ("JVM", path.display().to_string()),
            Subject::Python(name) => ("Python", name),
        };
        Err(Failed::missing(format!(
            "`{name}` is a {kind} subject, and this version tests jars, class folders and command-line programs only"
        ))
        .hint("describe the program's inputs in a specification: docs/specifications.md"))
    }
}

fn existing(path: &Path) -> Result<PathBuf, Failed> {
    if path.exists() {
        return Ok(path.to_owned());
    }
    Err(Failed::input(format!(
        "there is no file `{}`",
        path.display()
    )))
}

fn is_module_name(word: &str) -> bool {
    let identifier = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    !word.is_empty() && word.split('.').all(identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_recognised_by_their_names() {
        assert_eq!(
            Subject::recognise("json.decoder").unwrap(),
            Subject::Python("json.decoder".to_owned())
        );
        assert_eq!(
            Subject::recognise("src").unwrap(),
            Subject::Jvm(PathBuf::from("src"))
        );
        let manifest = Subject::recognise("Cargo.toml").unwrap();
        assert_eq!(
            manifest,
            Subject::Specification(PathBuf::from("Cargo.toml"))
        );
    }

    #[test]
    fn harnesses_have_other_tests_than_modules() {
        let kind = |word: &str| Subject::Python(word.to_owned()).kind();
        assert_eq!(kind("avl.tstl"), TestKind::Actions);
        assert_eq!(kind("json.decoder"), TestKind::Calls);
    }

    #[test]
    fn a_missing_file_is_named() {
        assert!(
            Subject::recognise("no-such.toml")
                .unwrap_err()
                .message
                .contains("no-such.toml")
        );
        assert!(Subject::recognise("!!!").unwrap_err().hint.is_some());
    }
}
