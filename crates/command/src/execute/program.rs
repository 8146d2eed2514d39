//! A program that is ready to be run: found or compiled, with its time limit and environment.

use crate::Input;
use crate::spec::{Spec, Subject};
use sandbox::{Collect, End, Finished, Launcher, Request, Tool, find_program};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Where programs are looked up, also by the subject itself.
pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/games";

/// A program with all that stays the same from test to test.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file to execute.
    pub path: PathBuf,
    /// The time limit of one run.
    pub timeout: Duration,
    /// The working folder inside the scratch folder; empty for the scratch folder itself.
    pub folder: String,
}

/// Why there is no program to run.
#[derive(Debug, Error)]
pub enum PrepareError {
    /// It is not there, or not executable.
    #[error("there is no program `{program}`")]
    NotFound {
        /// As the specification names it.
        program: String,
    },
    /// The compiler refused it.
    #[error("`{file}` does not compile\n{output}")]
    Compile {
        /// The C file.
        file: PathBuf,
        /// What the compiler said.
        output: String,
    },
    /// The compiler could not be run.
    #[error("cannot run the C compiler `cc`: {0}")]
    NoCompiler(sandbox::Error),
    /// A path cannot be made absolute.
    #[error("cannot find `{path}`: {cause}")]
    Path {
        /// The path.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
}

impl Program {
    /// Finds or compiles the program of a specification. `instead` replaces it; what is compiled goes to `build`.
    pub fn prepare(
        spec: &Spec,
        instead: Option<&Path>,
        build: &Path,
    ) -> Result<Program, PrepareError> {
        let path = match (instead, &spec.run.subject) {
            (Some(path), _) if path.is_file() => absolute(path)?,
            (Some(path), _) => find(&path.to_string_lossy(), Path::new("."))?,
            (None, Subject::Program(name)) => find(name, spec.folder())?,
            (
                None,
                Subject::Source {
                    source,
                    compile: flags,
                    ..
                },
            ) => compile(&spec.resolve(source), flags, &build.join(&spec.name))?,
        };
        Ok(Program::new(path, spec))
    }

    /// A program at this path that is run as the specification says.
    pub fn new(path: PathBuf, spec: &Spec) -> Program {
        Program {
            path,
            timeout: spec.run.timeout,
            folder: spec.run.folder.clone(),
        }
    }

    /// The reference program of a specification, if it has one; a C file is compiled into `build`.
    pub fn reference(spec: &Spec, build: &Path) -> Result<Option<Program>, PrepareError> {
        let Some(reference) = &spec.oracle.reference else {
            return Ok(None);
        };
        let name = &reference.program;
        let path = if name.ends_with(".c") {
            let out = build.join(format!("{}-reference", spec.name));
            compile(&spec.resolve(name), &["-O1".to_owned()], &out)?
        } else {
            find(name, spec.folder())?
        };
        Ok(Some(Program::new(path, spec)))
    }

    /// Runs it once.
    pub fn run(&self, launcher: &mut Launcher, input: &Input) -> Result<Finished, sandbox::Error> {
        launcher.run(&self.request(launcher, input, Collect::Nothing))
    }

    /// Runs it once more and reads back the files it leaves, a core file among them.
    pub fn run_for_files(
        &self,
        launcher: &mut Launcher,
        input: &Input,
    ) -> Result<Finished, sandbox::Error> {
        launcher.run(&self.request(launcher, input, Collect::Files))
    }

    fn request(&self, launcher: &Launcher, input: &Input, collect: Collect) -> Request {
        let scratch = launcher.policy().scratch.clone();
        let mut request = Request::new(self.path.clone());
        request.args = input.args.iter().map(OsString::from).collect();
        request.env = environment(input)
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        request
            .env
            .push(("HOME".into(), scratch.clone().into_os_string()));
        request.stdin = input.stdin.clone();
        request.files = input
            .files
            .iter()
            .map(|(name, bytes)| (name.into(), bytes.clone()))
            .collect();
        request.folder = (!self.folder.is_empty()).then(|| scratch.join(&self.folder));
        request.timeout = self.timeout;
        request.collect = collect;
        request
    }
}

/// The complete environment of a run except `HOME`: what the input says over the defaults.
pub fn environment(input: &Input) -> Vec<(String, String)> {
    let defaults = [("LC_ALL", "C"), ("PATH", PATH), ("TZ", "UTC")];
    let defaults = defaults
        .into_iter()
        .filter(|(name, _)| !input.env.contains_key(*name));
    let mut all: Vec<(String, String)> = defaults
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    all.extend(
        input
            .env
            .iter()
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    all
}

fn find(name: &str, folder: &Path) -> Result<PathBuf, PrepareError> {
    let not_found = || PrepareError::NotFound {
        program: name.to_owned(),
    };
    if !name.contains('/') {
        return find_program(Path::new(name), OsStr::new(PATH)).map_err(|_| not_found());
    }
    let path = absolute(&folder.join(name)).map_err(|_| not_found())?;
    find_program(&path, OsStr::new(PATH)).map_err(|_| not_found())
}

fn absolute(path: &Path) -> Result<PathBuf, PrepareError> {
    path.canonicalize().map_err(|cause| PrepareError::Path {
        path: path.to_owned(),
        cause,
    })
}

/// Compiles a C file with `cc`; gives the absolute path of the program.
pub fn compile(source: &Path, flags: &[String], out: &Path) -> Result<PathBuf, PrepareError> {
    let source = absolute(source)?;
    let mut args: Vec<OsString> = flags.iter().map(OsString::from).collect();
    args.extend(["-o".into(), out.into(), source.clone().into(), "-lm".into()]);
    let finished = Tool::new("cc".into(), args)
        .run()
        .map_err(PrepareError::NoCompiler)?;
    if finished.end != End::Exited(0) {
        let output = String::from_utf8_lossy(&finished.stderr)
            .trim_end()
            .to_owned();
        return Err(PrepareError::Compile {
            file: source,
            output,
        });
    }
    absolute(out)
}
