//! One worker process: a virtual machine in the sandbox, with its options and limits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sandbox::runner::{Places, Runner};
use sandbox::{LauncherCommand, Mode, Policy, Request};

use crate::java::Java;
use crate::prepared::Prepared;

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

/// A running worker.
pub struct Worker {
    /// Its process.
    pub runner: Runner,
    /// How many strings it knows.
    pub strings: usize,
    // The files it reads must not go before it does.
    _prepared: Arc<Prepared>,
}

impl Worker {
    /// Starts a worker. It is not waited for: its first answer shows whether it came up.
    pub fn start(prepared: &Arc<Prepared>, launch: &Launch) -> Result<Worker, sandbox::Error> {
        let plan = |places: &Places| {
            let mut request = Request::new(launch.java.java());
            request.args = arguments(prepared, launch, &places.marker);
            request.env = vec![
                ("LANG".into(), "C.UTF-8".into()),
                ("TZ".into(), "UTC".into()),
            ];
            let shared = Some(places.shared.clone());
            (policy(launch, places.scratch.clone(), shared), request)
        };
        let runner = Runner::start(prepared.folder(), &launch.launcher, launch.patience, plan)?;
        Ok(Worker {
            runner,
            strings: 0,
            _prepared: Arc::clone(prepared),
        })
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
