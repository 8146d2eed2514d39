//! One worker process: an interpreter in the sandbox, spoken to over pipes, watched from outside.
//!
//! A worker marks in a small shared file which test it is running. So a test that hangs where no signal reaches Python code is
//! known and killed, however long the others take, and so is the test that took the worker down with it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use sandbox::{Allow, Finished, LauncherCommand, Mode, Policy, Request};

use crate::interpreter::Interpreter;
use crate::runtime::Runtime;

/// How long a worker may take to start, load its subject and answer for the first time.
const START: Duration = Duration::from_secs(120);

/// How often the mark of a busy worker is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long a worker that is told to end may take to say how it ended.
const FAREWELL: Duration = Duration::from_secs(5);

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
    /// How long one test may go without a sign of progress. The limits inside the worker are shorter.
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

/// Why a worker is gone.
#[derive(Debug)]
pub enum Gone {
    /// A test ran too long, and the worker was killed; its index in the batch.
    Hung(usize),
    /// The worker ended while it ran the test with this index.
    Died(usize),
    /// The worker ended before it ran a test.
    Silent,
}

/// A running worker.
pub struct Worker {
    process: sandbox::Worker,
    marker: File,
    patience: Duration,
    started: bool,
    /// The number of the request that is running.
    pub number: u32,
    // Holds the marker and the scratch folder.
    folder: tempfile::TempDir,
    // The files it reads must not go before it does.
    _runtime: Arc<Runtime>,
}

impl Worker {
    /// Starts a worker. It is not waited for: its first answer shows whether it came up.
    pub fn start(runtime: &Arc<Runtime>, launch: &Launch) -> Result<Worker, sandbox::Error> {
        let folder = tempfile::Builder::new()
            .prefix("worker-")
            .tempdir_in(runtime.folder())?;
        let (scratch, shared) = (folder.path().join("scratch"), folder.path().join("shared"));
        for one in [folder.path(), &scratch, &shared] {
            fs::create_dir_all(one)?;
            fs::set_permissions(one, fs::Permissions::from_mode(0o777))?;
        }
        let marker = shared.join("marker");
        fs::write(&marker, [0xff; 8])?;
        fs::set_permissions(&marker, fs::Permissions::from_mode(0o666))?;
        let mut request = Request::new(launch.interpreter.program.clone());
        request.args = vec!["-u".into(), runtime.package().into(), marker.clone().into()];
        request.env = environment(launch, &scratch);
        // Its life has no bound of its own; tests have.
        request.timeout = Duration::from_secs(7 * 24 * 3600);
        let policy = policy(launch, scratch, shared);
        let process = sandbox::Worker::start(policy, &launch.launcher, request)?;
        Ok(Worker {
            process,
            marker: File::open(marker)?,
            patience: launch.patience,
            started: false,
            number: 0,
            folder,
            _runtime: Arc::clone(runtime),
        })
    }

    /// Sends a request and waits for its reply.
    pub fn ask(&mut self, request: &[u8]) -> Result<Vec<u8>, Gone> {
        let sent = match &mut self.process.stdin {
            Some(stdin) => stdin.write_all(request),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        if sent.is_err() {
            return Err(self.gone());
        }
        let reply = self.receive()?;
        self.started = true;
        Ok(reply)
    }

    fn receive(&mut self) -> Result<Vec<u8>, Gone> {
        self.await_reply()?;
        let mut length = [0; 4];
        let read = self.process.stdout.read_exact(&mut length);
        let length = u32::from_be_bytes(length) as usize;
        // More would be no reply of ours: the subject wrote into the stream.
        if read.is_err() || length > 256 << 20 {
            return Err(self.gone());
        }
        let mut reply = vec![0; length];
        match self.process.stdout.read_exact(&mut reply) {
            Ok(()) => Ok(reply),
            Err(_) => Err(self.gone()),
        }
    }

    /// Waits until there is something to read; a test that takes too long ends the wait.
    fn await_reply(&mut self) -> Result<(), Gone> {
        let mut seen = self.mark();
        let mut since = Instant::now();
        let limit = if self.started {
            self.patience
        } else {
            self.patience.max(START)
        };
        loop {
            let wait = PollTimeout::try_from(LOOK).unwrap_or(PollTimeout::MAX);
            let mut polled = [PollFd::new(self.process.stdout.as_fd(), PollFlags::POLLIN)];
            match poll(&mut polled, wait) {
                Ok(0) | Err(nix::Error::EINTR) => {}
                Ok(_) => return Ok(()),
                Err(_) => return Err(self.gone()),
            }
            let now = self.mark();
            if now != seen {
                (seen, since) = (now, Instant::now());
            }
            if since.elapsed() >= limit {
                return Err(self.running().map_or(Gone::Silent, Gone::Hung));
            }
        }
    }

    fn gone(&self) -> Gone {
        self.running().map_or(Gone::Silent, Gone::Died)
    }

    fn mark(&self) -> [u8; 8] {
        let mut mark = [0xff; 8];
        // A file that cannot be read marks nothing.
        let _ = self.marker.read_exact_at(&mut mark, 0);
        mark
    }

    /// The index of the test that is running.
    fn running(&self) -> Option<usize> {
        let mark = self.mark();
        let (number, index) = mark.split_at(4);
        let number = u32::from_be_bytes(number.try_into().ok()?);
        let index = i32::from_be_bytes(index.try_into().ok()?);
        (number == self.number).then(|| usize::try_from(index).ok())?
    }

    /// What the runner left for those who find the worker dead.
    pub fn left(&self) -> Option<String> {
        fs::read_to_string(self.folder.path().join("shared/left")).ok()
    }

    /// Waits for the end of a worker that failed, and tells how it ended and what it said.
    pub fn farewell(self) -> Result<Finished, sandbox::Error> {
        self.process.wait(FAREWELL)
    }
}

fn policy(launch: &Launch, scratch: PathBuf, shared: PathBuf) -> Policy {
    let mut policy = Policy::new(scratch);
    policy.mode = launch.mode;
    policy.write.push(shared);
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
