//! One worker process: an interpreter in the sandbox, with its environment and limits.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sandbox::runner::{Places, Runner};
use sandbox::{Allow, LauncherCommand, Mode, Policy, Request};

use crate::interpreter::Interpreter;
use crate::runtime::Runtime;

/// How worker processes are started.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The interpreter that runs them.
    pub interpreter: Interpreter,
    /// The program that becomes the sandbox's launcher.
    pub launcher: LauncherCommand,
    /// How strictly they are kept.
    pub mode: Mode,
    /// What they may do beyond that.
    pub allow: Vec<Allow>,
    /// The most memory in MiB.
    pub memory: u32,
    /// How much processor time one test may take without a sign of progress; somewhat longer in wall time if it waits. The
    /// limits inside the worker are shorter.
    pub patience: Duration,
    /// The seed of Python's string hashes.
    pub hash_seed: u32,
    /// Further variables of the environment.
    pub env: Vec<(OsString, OsString)>,
}

impl Launch {
    /// The usual settings.
    pub fn new(interpreter: Interpreter, launcher: LauncherCommand) -> Launch {
        Launch {
            interpreter,
            launcher,
            mode: Mode::Full,
            allow: Vec::new(),
            memory: 2048,
            patience: Duration::from_secs(10),
            hash_seed: 0,
            env: Vec::new(),
        }
    }
}

/// A running worker.
pub struct Worker {
    /// Its process.
    pub runner: Runner,
    // The files it reads must not go before it does.
    _runtime: Arc<Runtime>,
}

impl Worker {
    /// Starts a worker. It is not waited for: its first answer shows whether it came up.
    pub fn start(runtime: &Arc<Runtime>, launch: &Launch) -> Result<Worker, sandbox::Error> {
        let plan = |places: &Places| {
            let mut request = Request::new(launch.interpreter.program.clone());
            let marker = places.marker.clone();
            request.args = vec!["-u".into(), runtime.package().into(), marker.into()];
            request.env = environment(launch, &places.scratch);
            let mut policy = policy(launch, places);
            policy.write.push(runtime.probed());
            (policy, request)
        };
        let runner = Runner::start(runtime.folder(), &launch.launcher, launch.patience, plan)?;
        Ok(Worker {
            runner,
            _runtime: Arc::clone(runtime),
        })
    }

    /// The number that the runner marked last as its doing, or -1; nothing if it marks nothing.
    pub fn doing(&self) -> Option<i32> {
        let bytes = fs::read(self.runner.places().shared.join("doing")).ok()?;
        Some(i32::from_ne_bytes(bytes.try_into().ok()?))
    }

    /// What the runner left for those who find the worker dead.
    pub fn left(&self) -> Option<String> {
        fs::read_to_string(self.runner.places().shared.join("left")).ok()
    }
}

fn policy(launch: &Launch, places: &Places) -> Policy {
    let mut policy = Policy::new(places.scratch.clone());
    policy.mode = launch.mode;
    policy.write.push(places.shared.clone());
    for allow in &launch.allow {
        policy.allow(allow.clone());
    }
    policy.limits.cpu = None;
    policy.limits.memory = Some(u64::from(launch.memory) << 20);
    policy.limits.processes = Some(64);
    policy.limits.open_files = 1024;
    policy
}

/// The environment of the user that matters to an interpreter, and what makes runs equal.
pub(crate) fn environment(launch: &Launch, scratch: &Path) -> Vec<(OsString, OsString)> {
    let kept = ["PATH", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH"];
    let kept = kept
        .iter()
        .filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
    let fixed = [
        ("LANG", "C.UTF-8".into()),
        ("TZ", "UTC".into()),
        ("HOME", scratch.into()),
        ("TMPDIR", scratch.into()),
        ("PYTHONHASHSEED", launch.hash_seed.to_string().into()),
        ("PYTHONDONTWRITEBYTECODE", "1".into()),
    ];
    let fixed = fixed.map(|(name, value): (&str, OsString)| (OsString::from(name), value));
    // The launch has the last word; of two equal names a program sees the first.
    let given = |name: &OsString| launch.env.iter().any(|(one, _)| one == name);
    kept.chain(fixed)
        .filter(|(name, _)| !given(name))
        .chain(launch.env.iter().cloned())
        .collect()
}
