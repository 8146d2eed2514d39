//! Executions per second with the full sandbox, against a bare `posix_spawn` loop in C without one, in the same run.
//!
//! Each round measures the C loop, plain spawning and the fork server one after another on the same small C program; the
//! ratios are the medians over the rounds, so that a slow moment of the machine touches one round only. Wall time is
//! what counts. Processor time of all processes together, setting up the launcher included, is printed beside it,
//! because on a busy machine wall time also measures who else wants to run.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use sandbox::{End, Launch, Launcher, LauncherCommand, Policy, Request, Tool};

const ROUNDS: usize = 21;
const TURNS: u32 = 200;

/// Time per execution.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    processor: f64,
}

fn main() {
    sandbox::launcher_main();
    let folder = tempfile::tempdir().unwrap();
    let tiny = compile(folder.path(), "tiny");
    let bare = compile(folder.path(), "loop");
    let mut rounds = Vec::new();
    println!("executions per second");
    for _ in 0..ROUNDS {
        let round = [
            bare_loop(&bare, &tiny),
            sandboxed(folder.path(), Launch::Plain, &tiny),
            sandboxed(folder.path(), Launch::ForkServer, &tiny),
        ];
        let [bare, plain, forking] = round.map(|cost| 1.0 / cost.wall);
        println!("C loop {bare:>6.0}   plain {plain:>6.0}   fork server {forking:>6.0}");
        rounds.push(round);
    }
    ratio("plain / C loop", "0.9", &rounds, [0, 1]);
    ratio("fork server / plain", "2", &rounds, [1, 2]);
}

fn ratio(name: &str, bar: &str, rounds: &[[Cost; 3]], [slow, fast]: [usize; 2]) {
    let wall = median(
        rounds
            .iter()
            .map(|round| round[slow].wall / round[fast].wall),
    );
    let processor = median(
        rounds
            .iter()
            .map(|round| round[slow].processor / round[fast].processor),
    );
    println!("{name}: {wall:.2} (bar: at least {bar}); by processor time {processor:.2}");
}

fn compile(folder: &Path, name: &str) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
    let source = sources.join(name).with_extension("c");
    let program = folder.join(name);
    let args = vec![
        "-O2".into(),
        "-o".into(),
        program.clone().into(),
        source.into(),
    ];
    let finished = Tool::new(PathBuf::from("cc"), args).run().unwrap();
    let message = String::from_utf8_lossy(&finished.stderr);
    assert_eq!(finished.end, End::Exited(0), "{message}");
    program
}

/// Processor time of this process and of all that it has waited for.
fn processor_time() -> f64 {
    let seconds = |usage: Usage| {
        let times = [usage.user_time(), usage.system_time()];
        times
            .iter()
            .map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
            .sum::<f64>()
    };
    let both = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN];
    both.into_iter()
        .map(|who| seconds(getrusage(who).unwrap()))
        .sum()
}

fn cost(begin: f64, wall: Duration) -> Cost {
    let turns = f64::from(TURNS);
    Cost {
        wall: wall.as_secs_f64() / turns,
        processor: (processor_time() - begin) / turns,
    }
}

fn bare_loop(bare: &Path, tiny: &Path) -> Cost {
    let begin = processor_time();
    let args = vec![TURNS.to_string().into(), tiny.into()];
    let finished = Tool::new(bare.to_owned(), args).run().unwrap();
    assert_eq!(finished.end, End::Exited(0));
    let nanoseconds = String::from_utf8(finished.stdout).unwrap();
    cost(
        begin,
        Duration::from_nanos(nanoseconds.trim().parse().unwrap()),
    )
}

fn sandboxed(folder: &Path, launch: Launch, tiny: &Path) -> Cost {
    let begin = processor_time();
    let mut policy = Policy::new(folder.join("scratch"));
    policy.launch = launch;
    let mut launcher = Launcher::start(policy, LauncherCommand::this_program().unwrap()).unwrap();
    let mut request = Request::new(tiny.to_owned());
    request.args = vec!["name".into()];
    request.stdin = b"one\ntwo\nthree\n".to_vec();
    let start = Instant::now();
    for _ in 0..TURNS {
        let finished = launcher.run(&request).unwrap();
        assert_eq!(finished.end, End::Exited(0));
        assert_eq!(finished.stdout, b"name: 3 lines\n");
        assert_eq!(finished.launch, launch);
    }
    let wall = start.elapsed();
    drop(launcher);
    cost(begin, wall)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
