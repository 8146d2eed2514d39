//! One process that runs tests, spoken to over pipes, watched from outside.
//!
//! Requests are answered by frames: four bytes of length, most significant first, then so many bytes. A runner marks in a small
//! shared file which test it is running, and whether that one allocates too much. So a test that hangs is known, and killed,
//! however long the others take, and so is the test that took the runner down with it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::watch::is_hung;
use crate::error::Error;
use crate::policy::Policy;
use crate::process::LauncherCommand;
use crate::request::{Finished, Request};
use crate::worker::Worker;

/// How much processor time a runner may take to start and answer for the first time.
const START: Duration = Duration::from_secs(120);

/// How often the mark of a busy runner is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long a runner that is told to end may take to say how it ended.
const FAREWELL: Duration = Duration::from_secs(5);

/// The longest reply. More would be no reply: the subject wrote into the stream.
const LONGEST_REPLY: usize = 256 << 20;

/// Why a runner is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// A test ran too long, and the runner was killed; its index in the batch.
    Hung(usize),
    /// The runner ended while it ran the test with this index.
    Died(usize),
    /// The runner ended before it ran a test.
    Silent,
}

/// The files of a runner.
#[derive(Debug, Clone)]
pub struct Places {
    /// Its scratch folder.
    pub scratch: PathBuf,
    /// A folder that it and we can write.
    pub shared: PathBuf,
    /// Where it marks what it runs, in three big-endian numbers: that of the request, the index of the test in it or -1,
    /// and one more than the index of a test that allocates too much in code that cannot be stopped.
    pub marker: PathBuf,
}

impl Places {
    fn in_folder(folder: &Path) -> io::Result<Places> {
        let shared = folder.join("shared");
        let places = Places {
            scratch: folder.join("scratch"),
            marker: shared.join("marker"),
            shared,
        };
        for one in [folder, &places.scratch, &places.shared] {
            fs::create_dir_all(one)?;
            fs::set_permissions(one, fs::Permissions::from_mode(0o777))?;
        }
        fs::write(&places.marker, [0xff; 12])?;
        fs::set_permissions(&places.marker, fs::Permissions::from_mode(0o666))?;
        Ok(places)
    }
}

/// A running process that runs tests. Dropping it kills it.
pub struct Runner {
    process: Worker,
    marker: File,
    patience: Duration,
    started: bool,
    /// The number of the request that is running.
    pub number: u32,
    places: Places,
    // Removed when the runner goes.
    _folder: tempfile::TempDir,
}

impl Runner {
    /// Starts a runner with its files below `within`. It is not waited for: its first answer shows whether it came up.
    /// A test may use so much processor time as `patience` says, somewhat longer in wall time if it waits.
    pub fn start(
        within: &Path,
        launcher: &LauncherCommand,
        patience: Duration,
        plan: impl FnOnce(&Places) -> (Policy, Request),
    ) -> Result<Runner, Error> {
        let folder = tempfile::Builder::new()
            .prefix("worker-")
            .tempdir_in(within)?;
        let places = Places::in_folder(folder.path())?;
        let (policy, mut request) = plan(&places);
        // Its life has no bound of its own; tests have.
        request.timeout = Duration::from_secs(7 * 24 * 3600);
        Ok(Runner {
            process: Worker::start(policy, launcher, request)?,
            marker: File::open(&places.marker)?,
            patience,
            started: false,
            number: 0,
            places,
            _folder: folder,
        })
    }

    /// Its files.
    pub fn places(&self) -> &Places {
        &self.places
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
        if read.is_err() || length > LONGEST_REPLY {
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
            let used = time
                .zip(before)
                .map(|(time, before)| time.saturating_sub(before));
            let hopeless = running.is_some() && running == self.hopeless();
            if hopeless || is_hung(patience, since.elapsed(), used) {
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

    /// Four bytes of the mark; a file that cannot be read marks nothing.
    fn marked(&self, at: u64) -> [u8; 4] {
        let mut mark = [0xff; 4];
        let _ = self.marker.read_exact_at(&mut mark, at);
        mark
    }

    fn mark(&self) -> [[u8; 4]; 2] {
        [self.marked(0), self.marked(4)]
    }

    /// The index of a test that waits although it was interrupted, or allocates more than it may, in code that cannot be stopped.
    fn hopeless(&self) -> Option<usize> {
        let marked = i32::from_be_bytes(self.marked(8));
        usize::try_from(marked).ok()?.checked_sub(1)
    }

    /// The index of the test that is running.
    fn running(&self) -> Option<usize> {
        let [number, index] = self.mark();
        let ours = u32::from_be_bytes(number) == self.number;
        ours.then(|| usize::try_from(i32::from_be_bytes(index)).ok())?
    }

    /// Waits for the end of a runner that failed, and tells how it ended and what it said.
    pub fn farewell(self) -> Result<Finished, Error> {
        self.process.wait(FAREWELL)
    }
}
