//! Executions per second with the full sandbox, against a bare `posix_spawn` loop in C without one, in the same run.
//!
//! Each round measures the C loop, plain spawning and the fork server one after another on the same small C program;
//! the ratios are the medians over the rounds, so that a slow moment of the machine touches one round only.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sandbox::{End, Launch, Launcher, LauncherCommand, Policy, Request, Tool};

const ROUNDS: usize = 25;
const TURNS: u32 = 150;

fn main() {
    sandbox::launcher_main();
    let folder = tempfile::tempdir().unwrap();
    let tiny = compile(folder.path(), "tiny");
    let bare = compile(folder.path(), "loop");
    let mut plain = launcher(folder.path(), Launch::Plain);
    let mut forking = launcher(folder.path(), Launch::ForkServer);
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let bare = bare_loop(&bare, &tiny);
        let plain = sandboxed(&mut plain, &tiny);
        let forking = sandboxed(&mut forking, &tiny);
        println!("C loop {bare:>6.0}/s   plain {plain:>6.0}/s   fork server {forking:>6.0}/s");
        rounds.push([bare, plain, forking]);
    }
    let ratio = |over: usize, under: usize| median(rounds.iter().map(|r| r[over] / r[under]));
    println!("plain / C loop: {:.2} (bar: at least 0.9)", ratio(1, 0));
    println!("fork server / plain: {:.2} (bar: at least 2)", ratio(2, 1));
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

fn launcher(folder: &Path, launch: Launch) -> Launcher {
    let mut policy = Policy::new(folder.join(format!("{launch:?}")));
    policy.launch = launch;
    Launcher::start(policy, LauncherCommand::this_program().unwrap()).unwrap()
}

fn per_second(time: Duration) -> f64 {
    f64::from(TURNS) / time.as_secs_f64()
}

fn bare_loop(bare: &Path, tiny: &Path) -> f64 {
    let args = vec![TURNS.to_string().into(), tiny.into()];
    let finished = Tool::new(bare.to_owned(), args).run().unwrap();
    assert_eq!(finished.end, End::Exited(0));
    let nanoseconds = String::from_utf8(finished.stdout).unwrap();
    per_second(Duration::from_nanos(nanoseconds.trim().parse().unwrap()))
}

fn sandboxed(launcher: &mut Launcher, tiny: &Path) -> f64 {
    let mut request = Request::new(tiny.to_owned());
    request.args = vec!["name".into()];
    request.stdin = b"one\ntwo\nthree\n".to_vec();
    let begin = Instant::now();
    for _ in 0..TURNS {
        let finished = launcher.run(&request).unwrap();
        assert_eq!(finished.end, End::Exited(0));
        assert_eq!(finished.stdout, b"name: 3 lines\n");
        assert_eq!(finished.launch, launcher.policy().launch);
    }
    per_second(begin.elapsed())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
