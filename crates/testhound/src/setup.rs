//! What every subcommand needs that runs a program: the specification, the program, its oracles, and sandboxed workers.

use crate::cli::{Launch, SandboxMode};
use crate::exit::{Exit, Failed, told};
use crate::settings::ExecutionSettings;
use command::execute::{PrepareError, Program, Workers};
use command::oracle::{Expectation, Judge, Judged};
use command::spec::Spec;
use command::{Input, classify};
use engine::Failure;
use engine::frames::{ChoiceKind, Frame};
use report::run::SandboxRecord;
use sandbox::{Allow, Launcher, LauncherCommand, Mode, Policy};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A subject that is ready to be run.
pub struct Setup {
    /// The specification.
    pub spec: Arc<Spec>,
    /// Its absolute path.
    pub spec_path: PathBuf,
    /// The program with its oracles.
    pub judge: Arc<Judge>,
    /// The workers that run it.
    pub workers: Workers,
    /// What the sandbox is like, for reports.
    pub sandbox: SandboxRecord,
    /// The workers' scratch folders; removed when the setup goes.
    _scratch: tempfile::TempDir,
}

/// Reads a specification, and the inputs it learns from; all that is wrong with it becomes one error.
pub fn load_spec(path: &Path) -> Result<Spec, Failed> {
    let spec = Spec::load(path);
    let mut spec = spec.map_err(|errors| Failed::input(errors.to_string().trim_end()))?;
    command::learn::learn(&mut spec).map_err(|error| Failed::input(error.to_string()))?;
    Ok(spec)
}

impl Setup {
    /// Loads the specification, finds or compiles the program (into `build`) and starts the workers.
    pub fn new(
        spec_path: &Path,
        settings: &ExecutionSettings,
        build: &Path,
        stop: Arc<AtomicBool>,
    ) -> Result<Setup, Failed> {
        let spec = Arc::new(load_spec(spec_path)?);
        let program =
            Program::prepare(&spec, settings.program.as_deref(), build).map_err(cannot_prepare)?;
        let judge = Judge::new(&spec, program, build).map_err(cannot_prepare)?;
        let scratch = tempfile::Builder::new().prefix("testhound-").tempdir();
        let scratch = scratch
            .map_err(|error| Failed::missing(format!("cannot make a scratch folder: {error}")))?;
        let allowed: Vec<String> = spec
            .run
            .allow
            .iter()
            .map(ToString::to_string)
            .chain(settings.allow.iter().cloned())
            .collect();
        let policy = policy(settings, scratch.path(), &allowed)?;
        let workers = start_workers(&policy, settings.jobs, stop)?;
        let sandbox = SandboxRecord {
            state: mode_name(settings.sandbox).to_owned(),
            missing: workers
                .missing()
                .iter()
                .map(|missing| missing.mechanism.name().to_owned())
                .collect(),
            allowed,
        };
        for missing in workers.missing() {
            eprintln!("warning: the sandbox goes without {missing}");
        }
        let spec_path = spec_path
            .canonicalize()
            .unwrap_or_else(|_| spec_path.to_owned());
        Ok(Setup {
            spec,
            spec_path,
            judge: Arc::new(judge),
            workers,
            sandbox,
            _scratch: scratch,
        })
    }

    /// Runs the program on one input and judges it.
    pub fn judge(&self, input: &Input, expectation: Expectation) -> Result<Judged, Failed> {
        let judge = Arc::clone(&self.judge);
        let work = Arc::new(move |launcher: &mut Launcher, input: Input| {
            judge.run(launcher, &input, expectation)
        });
        let results = self.workers.map(vec![input.clone()], work, &mut |_, _| {});
        match results.into_iter().flatten().next() {
            Some(result) => result.map_err(|error| sandbox_failed(&error)),
            None => Err(Failed::interrupted()),
        }
    }

    /// Whether a shortened input still asks the same of the program, so that a failure of this oracle means the same. Crashes
    /// and differences from a reference are failures whatever the input; exit codes and patterns are right or wrong only
    /// for inputs that the specification describes.
    pub fn admits(&self, input: &Input, expectation: Expectation, failure: &Failure) -> bool {
        if matches!(
            failure.oracle.as_str(),
            "signal" | "time-out" | "sanitizer" | "reference"
        ) {
            return true;
        }
        let classified = classify(&self.spec, input);
        classified.unknown.is_empty() && self.expectation(&classified.frame) == expectation
    }

    /// Whether the program must refuse the inputs of a frame.
    pub fn expectation(&self, frame: &Frame) -> Expectation {
        if frame.0.len() == self.spec.space.categories.len()
            && self.spec.space.kind(frame) == ChoiceKind::Error
        {
            Expectation::Refuse
        } else {
            Expectation::Accept
        }
    }
}

/// The sandbox's own word for how strict it is.
pub fn sandbox_mode(mode: SandboxMode) -> Mode {
    match mode {
        SandboxMode::Full => Mode::Full,
        SandboxMode::BestEffort => Mode::BestEffort,
        SandboxMode::Off => Mode::Off,
    }
}

/// The sandbox policy of these settings.
pub fn policy(
    settings: &ExecutionSettings,
    scratch: &Path,
    allowed: &[String],
) -> Result<Policy, Failed> {
    let mut policy = Policy::new(scratch.to_owned());
    policy.mode = sandbox_mode(settings.sandbox);
    policy.limits.core = settings.core;
    policy.launch = match settings.launch {
        Launch::Auto => sandbox::Launch::default(),
        Launch::Plain => sandbox::Launch::Plain,
    };
    for text in allowed {
        let allow: Allow = text
            .parse()
            .map_err(|error: sandbox::AllowError| told(&error.to_string(), Failed::input))?;
        policy.allow(allow);
    }
    Ok(policy)
}

/// Starts workers; an error of the sandbox is one of the machine.
pub fn start_workers(
    policy: &Policy,
    jobs: usize,
    stop: Arc<AtomicBool>,
) -> Result<Workers, Failed> {
    let launcher = LauncherCommand::this_program().map_err(|error| {
        Failed::missing(format!(
            "cannot find the program file of testhound: {error}"
        ))
    })?;
    Workers::start(policy, &launcher, jobs, stop).map_err(|error| sandbox_failed(&error))
}

/// An error of the sandbox for the user.
pub fn sandbox_failed(error: &sandbox::Error) -> Failed {
    let mut failed = told(&error.to_string(), Failed::input);
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        failed.message.push_str(&format!("\n  caused by: {inner}"));
        cause = inner.source();
    }
    failed.exit = match error {
        sandbox::Error::Start { .. } => Exit::Subject,
        _ => Exit::Missing,
    };
    failed
}

/// A program that cannot be prepared, for the user.
pub fn cannot_prepare(error: PrepareError) -> Failed {
    let message = error.to_string();
    match error {
        PrepareError::NotFound { .. } => {
            Failed::subject(message).hint("install it, or name another one with `--program`")
        }
        PrepareError::NoCompiler(_) => {
            Failed::missing(message).hint("install a C compiler, for example Debian's `gcc`")
        }
        PrepareError::Compile { .. } | PrepareError::Path { .. } => Failed::input(message),
    }
}

/// The word for how strict the sandbox is.
pub fn mode_name(mode: SandboxMode) -> &'static str {
    match mode {
        SandboxMode::Full => "full",
        SandboxMode::BestEffort => "best-effort",
        SandboxMode::Off => "off",
    }
}
