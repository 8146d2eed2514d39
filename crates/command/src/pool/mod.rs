//! Pools of existing inputs: a folder is read and every input in it is classified.
//!
//! A plain file is a standard input, given with what the specification fixes beside it. `NAME.args` has one input per line,
//! in shell words with an optional `< file`; `NAME.json` holds an input as it is written in cases. Nothing is run, and no
//! shell is asked.

mod words;

pub use words::{Line, WordError, split_line};

use crate::classify::Classifier;
use crate::input::{Fields, Input};
use crate::spec::Spec;
use engine::frames::Frame;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};
use thiserror::Error;

/// An existing input with its frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolInput {
    /// Where it came from: the file's name in the folder, and `:LINE` where the file has several.
    pub name: String,
    /// The input.
    pub input: Input,
    /// Its frame; what fits no choice counts as absent.
    pub frame: Frame,
}

/// Why a pool could not be read.
#[derive(Debug, Error)]
pub enum PoolError {
    /// A file or folder could not be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line of an `.args` file cannot be split into words.
    #[error("{}:{line}:{}: {error}", path.display(), error.column)]
    Words {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: WordError,
    },
    /// The file that a line of an `.args` file reads could not be read.
    #[error("{}:{line}: cannot read `{file}`: {error}", path.display())]
    Redirected {
        /// The file with the line.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The file it reads.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// A `.json` file holds no input.
    #[error("{}:{line}:{column}: not an input: {cause}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        cause: String,
    },
    /// The folder has no inputs.
    #[error("there are no inputs in `{}`", folder.display())]
    Empty {
        /// The folder.
        folder: PathBuf,
    },
}

/// Reads and classifies all inputs of a folder, in the order of file names and lines.
///
/// Folders inside it, names that start with a dot, and files that a line of an `.args` file reads are no inputs.
pub fn load(spec: &Spec, folder: &Path) -> Result<Vec<PoolInput>, PoolError> {
    let classifier = Classifier::new(spec);
    let classified = |(name, input): (String, Input)| {
        let frame = classifier.classify(&input).frame;
        PoolInput { name, input, frame }
    };
    Ok(read(spec, folder)?.into_iter().map(classified).collect())
}

/// Reads all inputs of a folder with their names.
pub(crate) fn read(spec: &Spec, folder: &Path) -> Result<Vec<(String, Input)>, PoolError> {
    let mut reader = Reader {
        folder,
        fixed: spec.render(&Fields(vec![None; spec.categories.len()]), ""),
        contents: BTreeMap::new(),
        redirected: BTreeSet::new(),
    };
    let names = names(folder)?;
    let mut found = Vec::new();
    for name in &names {
        match Path::new(name).extension().and_then(|e| e.to_str()) {
            Some("args") => found.push((name, reader.lines(name)?)),
            Some("json") => found.push((name, vec![(name.clone(), reader.json(name)?)])),
            _ => found.push((name, vec![(name.clone(), reader.plain(name)?)])),
        }
    }
    let inputs = found
        .into_iter()
        .filter(|(name, _)| !reader.redirected.contains(name.as_str()));
    let inputs: Vec<(String, Input)> = inputs.flat_map(|(_, inputs)| inputs).collect();
    match inputs.is_empty() {
        true => Err(PoolError::Empty {
            folder: folder.to_owned(),
        }),
        false => Ok(inputs),
    }
}

/// The names of the files of a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, PoolError> {
    let unreadable = |error| PoolError::Unreadable {
        path: folder.to_owned(),
        error,
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

struct Reader<'a> {
    folder: &'a Path,
    /// What the specification gives when all categories are absent.
    fixed: Input,
    contents: BTreeMap<String, Vec<u8>>,
    /// The files that lines of `.args` files read.
    redirected: BTreeSet<String>,
}

impl Reader<'_> {
    fn bytes(&self, name: &str) -> Result<Vec<u8>, PoolError> {
        let path = self.folder.join(name);
        fs::read(&path).map_err(|error| PoolError::Unreadable { path, error })
    }

    fn plain(&self, name: &str) -> Result<Input, PoolError> {
        Ok(Input {
            stdin: self.bytes(name)?,
            ..self.fixed.clone()
        })
    }

    fn json(&self, name: &str) -> Result<Input, PoolError> {
        serde_json::from_slice(&self.bytes(name)?).map_err(|error| {
            let whole = error.to_string();
            let place = format!(" at line {} column {}", error.line(), error.column());
            PoolError::Json {
                path: self.folder.join(name),
                line: error.line(),
                column: error.column(),
                cause: whole.strip_suffix(&place).unwrap_or(&whole).to_owned(),
            }
        })
    }

    fn lines(&mut self, name: &str) -> Result<Vec<(String, Input)>, PoolError> {
        let bytes = self.bytes(name)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut inputs = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let split = split_line(text).map_err(|error| PoolError::Words {
                path: self.folder.join(name),
                line: index + 1,
                error,
            })?;
            if let Some(split) = split {
                let input = self.line(split, name, index + 1)?;
                inputs.push((format!("{name}:{}", index + 1), input));
            }
        }
        Ok(inputs)
    }

    fn line(&mut self, split: Line, name: &str, line: usize) -> Result<Input, PoolError> {
        let stdin = match split.stdin {
            None => Vec::new(),
            Some(file) => {
                if !self.contents.contains_key(&file) {
                    let read = fs::read(self.folder.join(&file));
                    let bytes = read.map_err(|error| PoolError::Redirected {
                        path: self.folder.join(name),
                        line,
                        file: file.clone(),
                        error,
                    })?;
                    self.contents.insert(file.clone(), bytes);
                }
                let plain = file.strip_prefix("./").unwrap_or(&file);
                self.redirected.insert(plain.to_owned());
                self.contents[&file].clone()
            }
        };
        Ok(Input {
            args: split.args,
            stdin,
            ..self.fixed.clone()
        })
    }
}
