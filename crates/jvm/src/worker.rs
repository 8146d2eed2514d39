//! One worker process: a JVM in the sandbox, spoken to over pipes, watched from outside.
//!
//! A worker marks in a small shared file which test it is running, and whether that one allocates too much. So a test that
//! hangs is known, and killed, however long the others take, and so is the test that took the worker down with it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use sandbox::{Finished, LauncherCommand, Mode, Policy, Request};

use crate::java::Java;
use crate::prepared::Prepared;
use crate::watch::is_hung;

/// How long a worker may take to start and answer for the first time.
const START: Duration = Duration::from_secs(60);

/// How often the mark of a busy worker is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long a worker that is told to end may take to say how it ended.
const FAREWELL: Duration = Duration::from_secs(5);

/// How worker processes are started.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The Java that runs them.
    pub java: Java,
    /// The program that becomes the sandbox's launcher.
    pub launcher: LauncherCommand,
    /// How strictly they are kept.
    pub mode: Mode,
    /// The size of the heap in MiB.
    pub heap: u32,
    /// How much processor time one test may take; somewhat longer in wall time if it waits.
    pub patience: Duration,
    /// Whether classes can be redefined; costs some start-up time.
    pub redefines: bool,
    /// Further options of the virtual machine.
    pub options: Vec<OsString>,
}

impl Launch {
    /// The usual settings.
    pub fn new(java: Java, launcher: LauncherCommand) -> Launch {
        Launch {
            java,
            launcher,
            mode: Mode::Full,
            heap: 256,
            patience: Duration::from_secs(2),
            redefines: false,
            options: Vec::new(),
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
    /// How many strings it knows.
    pub strings: usize,
    // Holds the marker and the scratch folder.
    _folder: tempfile::TempDir,
    // The files it reads must not go before it does.
    _prepared: Arc<Prepared>,
}

impl Worker {
    /// Starts a worker. It is not waited for: its first answer shows whether it came up.
    pub fn start(prepared: &Arc<Prepared>, launch: &Launch) -> Result<Worker, sandbox::Error> {
        let folder = tempfile::Builder::new()
            .prefix("worker-")
            .tempdir_in(prepared.folder())?;
        let (scratch, shared) = (folder.path().join("scratch"), folder.path().join("shared"));
        for one in [folder.path(), &scratch, &shared] {
            fs::create_dir_all(one)?;
            fs::set_permissions(one, fs::Permissions::from_mode(0o777))?;
        }
        let marker = shared.join("marker");
        fs::write(&marker, [0xff; 12])?;
        fs::set_permissions(&marker, fs::Permissions::from_mode(0o666))?;
        let mut request = Request::new(launch.java.java());
        request.args = arguments(prepared, launch, &marker);
        request.env = vec![
            ("LANG".into(), "C.UTF-8".into()),
            ("TZ".into(), "UTC".into()),
        ];
        // Its life has no bound of its own; tests have.
        request.timeout = Duration::from_secs(7 * 24 * 3600);
        let process = sandbox::Worker::start(
            policy(launch, scratch, Some(shared)),
            &launch.launcher,
            request,
        )?;
        Ok(Worker {
            process,
            marker: File::open(marker)?,
            patience: launch.patience,
            started: false,
            number: 0,
            strings: 0,
            _folder: folder,
            _prepared: Arc::clone(prepared),
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
        let mut before = None;
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
                (seen, since, before) = (now, Instant::now(), None);
                continue;
            }
            let running = self.running();
            let patience = if self.started || running.is_some() {
                self.patience
            } else {
                self.patience.max(START)
            };
            let time = self.processor_time();
            before = before.or(time);
            let used = time.zip(before).map(|(time, before)| time - before);
            let greedy = running.is_some() && running == self.greedy();
            if greedy || is_hung(patience, since.elapsed(), used) {
                return Err(running.map_or(Gone::Silent, Gone::Hung));
            }
        }
    }

    /// The processor time that it has used so far; `None` where that cannot be read.
    pub fn processor_time(&self) -> Option<Duration> {
        self.process.processor_time()
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

    /// The index of a test that allocates more than it may, in code that cannot be stopped.
    fn greedy(&self) -> Option<usize> {
        let mut mark = [0; 4];
        self.marker.read_exact_at(&mut mark, 8).ok()?;
        usize::try_from(i32::from_be_bytes(mark))
            .ok()?
            .checked_sub(1)
    }

    /// The index of the test that is running.
    fn running(&self) -> Option<usize> {
        let mark = self.mark();
        let (number, index) = mark.split_at(4);
        let number = u32::from_be_bytes(number.try_into().ok()?);
        let index = i32::from_be_bytes(index.try_into().ok()?);
        (number == self.number).then(|| usize::try_from(index).ok())?
    }

    /// Waits for the end of a worker that failed, and tells how it ended and what it said.
    pub fn farewell(self) -> Result<Finished, sandbox::Error> {
        self.process.wait(FAREWELL)
    }
}

/// What a virtual machine may do.
pub(crate) fn policy(launch: &Launch, scratch: PathBuf, shared: Option<PathBuf>) -> Policy {
    let mut policy = Policy::new(scratch);
    policy.mode = launch.mode;
    policy.write.extend(shared);
    policy.limits.cpu = None;
    // Code, classes, stacks and the compiler come on top of the heap.
    policy.limits.memory = Some((u64::from(launch.heap) + 768) << 20);
    policy.limits.processes = Some(512);
    policy.limits.open_files = 4096;
    policy
}

fn arguments(prepared: &Prepared, launch: &Launch, marker: &Path) -> Vec<OsString> {
    let mut arguments = options(launch, &prepared.runtime());
    arguments.push("testhound.rt.Main".into());
    arguments.extend([prepared.subject().into(), marker.as_os_str().to_owned()]);
    arguments
}

/// The options of a virtual machine, with the Java side as its class path.
pub(crate) fn options(launch: &Launch, runtime: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        // Least processor time and memory for programs that live for seconds.
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-XX:+IgnoreUnrecognizedVMOptions",
        // The same in every run.
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:hashCode=2",
        "-Duser.language=en",
        "-Duser.country=US",
        "-Duser.timezone=UTC",
        "-Dfile.encoding=UTF-8",
        // Nothing is left behind, and standard output is ours alone.
        "-XX:-UsePerfData",
        "-XX:+DisableAttachMechanism",
        "-XX:-CreateCoredumpOnCrash",
        "-XX:ErrorFile=/dev/null",
        "-XX:+DisplayVMOutputToStderr",
        "-Djava.io.tmpdir=.",
        "-Duser.home=.",
    ]
    .map(OsString::from)
    .into();
    arguments.push(format!("-Xmx{}m", launch.heap).into());
    // Tests leave little behind, so a small nursery is collected for next to nothing and stays in the caches.
    arguments.push("-Xmn16m".into());
    if launch.redefines {
        let mut agent = OsString::from("-javaagent:");
        agent.push(runtime);
        arguments.push(agent);
    }
    arguments.extend(launch.options.iter().cloned());
    arguments.extend(["-cp".into(), runtime.into()]);
    arguments
}
