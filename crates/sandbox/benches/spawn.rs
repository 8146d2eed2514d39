//! Executions per second with the full sandbox, against a bare `posix_spawn` loop in C without one, in the same run.
//!
//! Each round measures the C loop, plain spawning and the fork server one after another on the same small C program;
//! the ratios are the medians over the rounds, so that a slow moment of the machine touches one round only.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sandbox::{End, Launcher, LauncherCommand, Policy, Request, Tool};

const ROUNDS: usize = 11;
const TURNS: u32 = 300;

fn main() {
    sandbox::launcher_main();
    let folder = tempfile::tempdir().unwrap();
    let (tiny, bare) = (
        compile(folder.path(), "tiny"),
        compile(folder.path(), "loop"),
    );
    let mut plain = launcher(folder.path(), "plain");
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let c = bare_loop(&bare, &tiny);
        let plain = sandboxed(&mut plain, &tiny);
        println!("C loop {c:>6.0}/s  plain {plain:>6.0}/s");
        rounds.push([c, plain]);
    }
    println!(
        "plain / C loop: {:.3} (bar: at least 0.9)",
        median(rounds.iter().map(|r| r[1] / r[0]))
    );
}

fn compile(folder: &Path, name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benches")
        .join(name)
        .with_extension("c");
    let program = folder.join(name);
    let args = vec![
        "-O2".into(),
        "-o".into(),
        program.clone().into(),
        source.into(),
    ];
    let finished = Tool::new(PathBuf::from("cc"), args).run().unwrap();
    assert_eq!(
        finished.end,
        End::Exited(0),
        "{}",
        String::from_utf8_lossy(&finished.stderr)
    );
    program
}

fn launcher(folder: &Path, name: &str) -> Launcher {
    Launcher::start(
        Policy::new(folder.join(name)),
        LauncherCommand::this_program().unwrap(),
    )
    .unwrap()
}

fn per_second(time: Duration) -> f64 {
    f64::from(TURNS) / time.as_secs_f64()
}

fn bare_loop(bare: &Path, tiny: &Path) -> f64 {
    let finished = Tool::new(bare.to_owned(), vec![TURNS.to_string().into(), tiny.into()])
        .run()
        .unwrap();
    assert_eq!(finished.end, End::Exited(0));
    let text = String::from_utf8(finished.stdout).unwrap();
    per_second(Duration::from_nanos(text.trim().parse().unwrap()))
}

fn sandboxed(launcher: &mut Launcher, tiny: &Path) -> f64 {
    let mut request = Request::new(tiny.to_owned());
    request.args = vec!["name".into()];
    request.stdin = b"one\ntwo\nthree\n".to_vec();
    let begin = Instant::now();
    for _ in 0..TURNS {
        let finished = launcher.run(&request).unwrap();
        assert_eq!(
            (finished.end, finished.stdout.as_slice()),
            (End::Exited(0), &b"name: 3 lines\n"[..])
        );
    }
    per_second(begin.elapsed())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
