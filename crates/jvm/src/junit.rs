//! Runs JUnit suites, ours or not, over prepared classes in a sandboxed JVM.
//!
//! Any JUnit that the suite's class path brings is used: the Platform with its engines, or JUnit 4 alone. Tests run one by one,
//! so that every hit belongs to a test; what runs once per class runs once per test. The Java side is `JunitMain`. Requests
//! and replies are framed like those of workers:
//!
//! | kind | request | reply |
//! |---|---|---|
//! | 1 | places, assertions, class path, classes, test classes | per test a 1, its number, class, name, and the number of the test that it is a part of, plus 1; then 0 and what went wrong |
//! | 2 | ticks per test, whether to stop at a failure, tests | per test a 3 and its number; a 2, its number, outcome, message, ticks, hits; then 0 and the hits after the last |
//! | 3 | classes | what went wrong, or nothing |
//!
//! Between the results of a run new tests may be told: calls of parameterised tests show themselves when they run.

use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use sandbox::Request;
use sandbox::runner::is_hung;

use crate::prepared::{RUNTIME, WorkerClass};
use crate::protocol::Broken;
use crate::protocol::bytes::{Reader, put_number, put_text};
use crate::worker::{self, Launch};

const SETUP: u8 = 1;
const RUN: u8 = 2;
const REDEFINE: u8 = 3;

const END: u8 = 0;
const TEST: u8 = 1;
const RESULT: u8 = 2;
const BEGIN: u8 = 3;

/// How much processor time a process may take to start and find its tests.
const START: Duration = Duration::from_secs(120);

/// How often a process that does not answer is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long a process that is told to end may take to say how it ended.
const FAREWELL: Duration = Duration::from_secs(5);

/// A suite over a subject.
#[derive(Debug, Clone)]
pub struct JunitSuite {
    /// Jars and folders of the subject, the tests, and their JUnit.
    pub classpath: Vec<PathBuf>,
    /// Classes that are defined in place of those of the class path.
    pub classes: Vec<WorkerClass>,
    /// How many places the classes can hit.
    pub places: u32,
    /// The classes to look for tests in, in internal form.
    pub test_classes: Vec<String>,
}

/// The number of a test in its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestNumber(pub u32);

/// A test of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JunitTest {
    /// Its class, as Java names it.
    pub class: String,
    /// Its name within the class.
    pub name: String,
    /// The test that it showed itself in, as a part: one call of a parameterised test.
    pub part_of: Option<TestNumber>,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As it should.
    Passed,
    /// It threw, or what runs before or after it did.
    Failed,
    /// It was not run, because it is disabled or its assumptions do not hold.
    Skipped,
    /// It did not end in time.
    Hung,
    /// The virtual machine ended with it.
    Died,
}

/// What a test showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JunitResult {
    /// Which test.
    pub test: TestNumber,
    /// How it ended.
    pub outcome: Outcome,
    /// What it threw, if it did.
    pub message: String,
    /// The ticks it took.
    pub ticks: u32,
    /// The places it hit, in order of the first hit; what happened since the test before it counts.
    pub hits: Vec<u32>,
}

/// Why a suite cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum JunitError {
    /// The sandbox refuses.
    #[error(transparent)]
    Sandbox(#[from] sandbox::Error),
    /// A file of ours cannot be written.
    #[error("the test process cannot be prepared: {0}")]
    Files(#[from] io::Error),
    /// The tests cannot be found.
    #[error(
        "no tests can be run: {0}\nhint: name the jars of JUnit, its engine and its launcher on the class path of the tests"
    )]
    Tests(String),
    /// The process ends before it runs a test.
    #[error("the test process ended before it ran a test: {0}")]
    Silent(String),
    /// A class was refused by the virtual machine.
    #[error("the class cannot be redefined: {0}")]
    Redefinition(String),
}

/// A process that runs the tests of a suite.
pub struct JunitProcess {
    process: sandbox::Worker,
    patience: Duration,
    tests: Vec<JunitTest>,
    // Holds the runtime and the scratch folder.
    _folder: tempfile::TempDir,
}

/// What a run of several tests gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JunitRun {
    /// What each test showed, as far as they were run. A test that took the process with it is the last.
    pub results: Vec<JunitResult>,
    /// Places hit after the last test.
    pub rest: Vec<u32>,
    /// Whether the process is still there.
    pub alive: bool,
}

impl JunitProcess {
    /// Starts a process in a new folder inside `parent` and finds the tests.
    pub fn start(
        suite: &JunitSuite,
        launch: &Launch,
        parent: &Path,
    ) -> Result<JunitProcess, JunitError> {
        let folder = tempfile::Builder::new()
            .prefix("junit-")
            .tempdir_in(parent)?;
        let scratch = folder.path().join("scratch");
        let runtime = folder.path().join("runtime.jar");
        fs::create_dir_all(&scratch)?;
        // The sandbox runs the process as another user where we are root.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
        fs::set_permissions(&scratch, fs::Permissions::from_mode(0o777))?;
        fs::write(&runtime, RUNTIME)?;
        let mut request = Request::new(launch.java.java());
        request.args = worker::options(launch, &runtime);
        request.args.push("testhound.rt.JunitMain".into());
        request.env = vec![
            ("LANG".into(), "C.UTF-8".into()),
            ("TZ".into(), "UTC".into()),
        ];
        // Its life has no bound of its own; tests have.
        request.timeout = Duration::from_secs(7 * 24 * 3600);
        let policy = worker::policy(launch, scratch, None);
        let process = sandbox::Worker::start(policy, &launch.launcher, request)?;
        let mut started = JunitProcess {
            process,
            patience: launch.patience,
            tests: Vec::new(),
            _folder: folder,
        };
        match started.find(suite) {
            Ok(problem) if problem.is_empty() => Ok(started),
            Ok(problem) => Err(JunitError::Tests(problem)),
            Err(_) => Err(started.farewell()),
        }
    }

    /// The test itself, or the one that it is a part of.
    pub fn whole(&self, test: TestNumber) -> TestNumber {
        let known = self.tests.get(test.0 as usize);
        known.and_then(|known| known.part_of).unwrap_or(test)
    }

    /// The tests, by their numbers.
    pub fn tests(&self) -> &[JunitTest] {
        &self.tests
    }

    /// Sends the suite; gives what went wrong.
    fn find(&mut self, suite: &JunitSuite) -> Result<String, Lost> {
        let mut request = vec![SETUP];
        put_number(&mut request, suite.places.into());
        request.push(1);
        put_number(&mut request, suite.classpath.len() as u64);
        for path in &suite.classpath {
            put_text(&mut request, &path.to_string_lossy());
        }
        put_classes(&mut request, &suite.classes);
        put_number(&mut request, suite.test_classes.len() as u64);
        for class in &suite.test_classes {
            put_text(&mut request, &class.replace('/', "."));
        }
        self.send(&request)?;
        loop {
            let reply = self.receive(START)?;
            let mut reader = Reader::new(&reply);
            match reader.byte()? {
                TEST => self.learn(&mut reader)?,
                END => return Ok(reader.text()?),
                _ => return Err(reader.broken().into()),
            }
        }
    }

    fn learn(&mut self, reader: &mut Reader<'_>) -> Result<(), Broken> {
        // They come in the order of their numbers.
        reader.number()?;
        let (class, name) = (reader.text()?, reader.text()?);
        let part_of = reader.number()?.checked_sub(1).map(TestNumber);
        self.tests.push(JunitTest {
            class,
            name,
            part_of,
        });
        Ok(())
    }

    /// Runs tests in order, each with a budget of ticks; stops at the first failure if asked to. A process that is gone
    /// afterwards runs no more.
    pub fn run(&mut self, tests: &[TestNumber], ticks: u32, until_failure: bool) -> JunitRun {
        let mut run = JunitRun {
            results: Vec::with_capacity(tests.len()),
            rest: Vec::new(),
            alive: true,
        };
        let mut running = None;
        if let Err(lost) = self.collect(tests, ticks, until_failure, &mut run, &mut running) {
            run.alive = false;
            let outcome = match lost {
                Lost::Hung => Outcome::Hung,
                Lost::Died => Outcome::Died,
            };
            // A process that dies before it begins takes the first test with it, so that its caller gets on.
            if let Some(test) = running.or(tests.first().copied()) {
                run.results.push(JunitResult {
                    test,
                    outcome,
                    message: String::new(),
                    ticks,
                    hits: Vec::new(),
                });
            }
        }
        run
    }

    fn collect(
        &mut self,
        tests: &[TestNumber],
        ticks: u32,
        until_failure: bool,
        run: &mut JunitRun,
        running: &mut Option<TestNumber>,
    ) -> Result<(), Lost> {
        let mut request = vec![RUN];
        request.extend(ticks.min(i32::MAX as u32).to_be_bytes());
        request.push(u8::from(until_failure));
        put_number(&mut request, tests.len() as u64);
        for test in tests {
            put_number(&mut request, test.0.into());
        }
        self.send(&request)?;
        loop {
            let reply = self.receive(self.patience)?;
            let mut reader = Reader::new(&reply);
            match reader.byte()? {
                TEST => self.learn(&mut reader)?,
                BEGIN => *running = Some(TestNumber(reader.number()?)),
                RESULT => run.results.push(result(&mut reader)?),
                END => {
                    run.rest = hits(&mut reader)?;
                    return Ok(());
                }
                _ => return Err(reader.broken().into()),
            }
        }
    }

    /// Replaces the code of a class. A refusal leaves the class as it was.
    pub fn redefine(&mut self, class: &WorkerClass) -> Result<(), JunitError> {
        let mut request = vec![REDEFINE];
        put_classes(&mut request, std::slice::from_ref(class));
        let problem = self.send(&request).and_then(|()| {
            let reply = self.receive(START)?;
            Ok(Reader::new(&reply).text()?)
        });
        match problem {
            Ok(problem) if problem.is_empty() => Ok(()),
            Ok(problem) => Err(JunitError::Redefinition(problem)),
            Err(_) => Err(JunitError::Silent("it is gone".to_owned())),
        }
    }

    fn send(&mut self, request: &[u8]) -> Result<(), Lost> {
        let Some(stdin) = &mut self.process.stdin else {
            return Err(Lost::Died);
        };
        let length = (request.len() as u32).to_be_bytes();
        let sent = stdin
            .write_all(&length)
            .and_then(|()| stdin.write_all(request));
        sent.map_err(|_| Lost::Died)
    }

    /// Waits until there is something to read. Tests may have many threads, so that processor time is spent faster than the clock
    /// on the wall goes; but that clock alone says little on a busy machine.
    fn await_reply(&mut self, patience: Duration) -> Result<(), Lost> {
        let begun = Instant::now();
        let mut before = None;
        loop {
            let wait = PollTimeout::try_from(LOOK).unwrap_or(PollTimeout::MAX);
            let mut polled = [PollFd::new(self.process.stdout.as_fd(), PollFlags::POLLIN)];
            match poll(&mut polled, wait) {
                Ok(0) | Err(nix::Error::EINTR) => {}
                Ok(_) => return Ok(()),
                Err(_) => return Err(Lost::Died),
            }
            let time = self.process.processor_time();
            before = before.or(time);
            let used = time.zip(before).map(|(now, then)| now.saturating_sub(then));
            let wall = begun.elapsed();
            if wall >= patience && is_hung(patience, wall, used) {
                return Err(Lost::Hung);
            }
        }
    }

    fn receive(&mut self, patience: Duration) -> Result<Vec<u8>, Lost> {
        self.await_reply(patience)?;
        let mut length = [0; 4];
        let read = self.process.stdout.read_exact(&mut length);
        let length = u32::from_be_bytes(length) as usize;
        // More would be no reply of ours: the subject wrote into the stream.
        if read.is_err() || length > 256 << 20 {
            return Err(Lost::Died);
        }
        let mut reply = vec![0; length];
        match self.process.stdout.read_exact(&mut reply) {
            Ok(()) => Ok(reply),
            Err(_) => Err(Lost::Died),
        }
    }

    /// Waits for the end of a process that failed, and tells what it said.
    fn farewell(self) -> JunitError {
        match self.process.wait(FAREWELL) {
            Ok(finished) => {
                let stderr = String::from_utf8_lossy(&finished.stderr).trim().to_owned();
                JunitError::Silent(format!("{:?}: {stderr}", finished.end))
            }
            Err(error) => error.into(),
        }
    }
}

/// Why no reply came.
#[derive(Debug)]
enum Lost {
    Hung,
    Died,
}

/// A reply that cannot be read is as good as none.
impl From<Broken> for Lost {
    fn from(_: Broken) -> Lost {
        Lost::Died
    }
}

fn put_classes(request: &mut Vec<u8>, classes: &[WorkerClass]) {
    put_number(request, classes.len() as u64);
    for class in classes {
        put_text(request, &class.name.replace('/', "."));
        put_number(request, class.bytes.len() as u64);
        request.extend_from_slice(&class.bytes);
    }
}

fn result(reader: &mut Reader<'_>) -> Result<JunitResult, Broken> {
    Ok(JunitResult {
        test: TestNumber(reader.number()?),
        outcome: match reader.byte()? {
            0 => Outcome::Passed,
            1 => Outcome::Failed,
            2 => Outcome::Skipped,
            _ => return Err(reader.broken()),
        },
        message: reader.text()?,
        ticks: reader.number()?,
        hits: hits(reader)?,
    })
}

fn hits(reader: &mut Reader<'_>) -> Result<Vec<u32>, Broken> {
    let count = reader.count(1)?;
    (0..count).map(|_| reader.number()).collect()
}
