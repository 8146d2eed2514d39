//! Finds the interpreter that runs workers and tests: `--python`, then `VIRTUAL_ENV`, then `python3` and `python` in `PATH`.
//!
//! The program is kept as it was named, links and all: that is how an interpreter knows its virtual environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sandbox::{End, Tool, find_program};
use serde::Deserialize;

/// The oldest version that the Python side runs on.
const OLDEST: (u32, u32) = (3, 8);

/// Asked once per interpreter.
const QUESTION: &str = "import json, sys; print(json.dumps({'version': list(sys.version_info[:3]), \
    'implementation': sys.implementation.name, 'prefix': sys.prefix}))";

/// A Python interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interpreter {
    /// The program.
    pub program: PathBuf,
    /// Major, minor and micro version.
    pub version: (u32, u32, u32),
    /// `cpython`, `pypy`, …
    pub implementation: String,
    /// Where it is installed: the folder of the virtual environment where there is one.
    pub prefix: PathBuf,
}

/// Why no interpreter was found.
#[derive(Debug, thiserror::Error)]
pub enum InterpreterError {
    /// Nowhere.
    #[error(
        "no Python found in `VIRTUAL_ENV` or `PATH`\nhint: install one, on Debian `apt-get install python3`, or name one with `--python PROGRAM`"
    )]
    Absent,
    /// What the user named is none.
    #[error(
        "`{0}` is not a Python interpreter\nhint: name the program, such as `.venv/bin/python`, or the folder of a virtual environment"
    )]
    NotPython(PathBuf),
    /// It is too old for the Python side.
    #[error("Python {}.{} at `{program}` is too old\nhint: Python 3.8 or newer is needed", version.0, version.1)]
    Old {
        /// The program.
        program: PathBuf,
        /// Its version.
        version: (u32, u32, u32),
    },
}

/// Where to look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// What the user named: a program, its name in `PATH`, or the folder of a virtual environment.
    pub given: Option<PathBuf>,
    /// `VIRTUAL_ENV`.
    pub virtual_env: Option<PathBuf>,
    /// `PATH`.
    pub path: OsString,
}

/// What an interpreter answers.
#[derive(Deserialize)]
struct Answer {
    version: (u32, u32, u32),
    implementation: String,
    prefix: PathBuf,
}

impl Places {
    /// The places that this process knows.
    pub fn of_this_process(given: Option<PathBuf>) -> Places {
        Places {
            given,
            virtual_env: std::env::var_os("VIRTUAL_ENV")
                .filter(|folder| !folder.is_empty())
                .map(PathBuf::from),
            path: std::env::var_os("PATH").unwrap_or_default(),
        }
    }

    /// The first usable interpreter.
    pub fn find(&self) -> Result<Interpreter, InterpreterError> {
        if let Some(given) = &self.given {
            let absent = || InterpreterError::NotPython(given.clone());
            return ask(&self.program(given).ok_or_else(absent)?);
        }
        let environment = self.virtual_env.iter().map(PathBuf::as_path);
        let named = environment.chain([Path::new("python3"), Path::new("python")]);
        let mut problem = InterpreterError::Absent;
        for program in named.filter_map(|name| self.program(name)) {
            match ask(&program) {
                Ok(interpreter) => return Ok(interpreter),
                Err(error) => problem = error,
            }
        }
        Err(problem)
    }

    /// The program that a name, a path or the folder of a virtual environment means.
    fn program(&self, named: &Path) -> Option<PathBuf> {
        let inside = named.join("bin/python");
        let named = if named.is_dir() { &inside } else { named };
        let found = find_program(named, &self.path).ok()?;
        // Workers run in folders of their own.
        std::path::absolute(found).ok()
    }
}

fn ask(program: &Path) -> Result<Interpreter, InterpreterError> {
    let mut tool = Tool::new(program.to_owned(), vec!["-c".into(), QUESTION.into()]);
    tool.timeout = Duration::from_secs(30);
    let answer = tool.run().ok().filter(|run| run.end == End::Exited(0));
    let answer: Option<Answer> = answer.and_then(|run| serde_json::from_slice(&run.stdout).ok());
    let Some(answer) = answer else {
        return Err(InterpreterError::NotPython(program.to_owned()));
    };
    let program = program.to_owned();
    if (answer.version.0, answer.version.1) < OLDEST {
        return Err(InterpreterError::Old {
            program,
            version: answer.version,
        });
    }
    Ok(Interpreter {
        program,
        version: answer.version,
        implementation: answer.implementation,
        prefix: answer.prefix,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A program that answers as an interpreter of this version would.
    fn install(folder: &Path, name: &str, version: &str) -> PathBuf {
        let bin = folder.join(name).join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        let answer = format!(
            "{{\"version\": {version}, \"implementation\": \"cpython\", \"prefix\": \"/{name}\"}}"
        );
        let program = bin.join("python");
        std::fs::write(&program, format!("#!/bin/sh\necho '{answer}'\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    #[test]
    fn what_is_named_goes_before_the_virtual_environment_and_that_before_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| install(folder.path(), name, "[3, 9, 1]"));
        let mut places = Places {
            given: Some(a.clone()),
            virtual_env: Some(folder.path().join("b")),
            path: c.parent().unwrap().into(),
        };
        assert_eq!(places.find().unwrap().program, a);
        places.given = Some(folder.path().join("a"));
        assert_eq!(places.find().unwrap().prefix, Path::new("/a"));
        places.given = None;
        assert_eq!(places.find().unwrap().program, b);
        places.virtual_env = None;
        assert_eq!(places.find().unwrap().program, c);
        places.path = "/nowhere".into();
        assert!(matches!(places.find(), Err(InterpreterError::Absent)));
    }

    #[test]
    fn errors_name_the_program_and_say_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let given = |place: PathBuf| Places {
            given: Some(place),
            ..Places::default()
        };
        let old = install(folder.path(), "old", "[2, 7, 18]");
        let old = given(old).find().unwrap_err().to_string();
        assert!(
            old.contains("Python 2.7 at `") && old.contains("\nhint: "),
            "{old}"
        );
        let none = given("/bin/true".into()).find().unwrap_err().to_string();
        assert!(none.starts_with("`/bin/true` is not"), "{none}");
    }
}
