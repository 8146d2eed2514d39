//! A fork server shows exactly what a plain start shows, and what cannot be started so is started in the plain way.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use sandbox::{Collect, End, Finished, Launch, Request};
use support::{Cage, User, compile, request, shell, subject, text, users};

sandbox::launcher_here!();

fn cage(user: User, launch: Launch) -> Cage {
    Cage::with(user, &|policy, _| {
        policy.launch = launch;
        policy.limits.cpu = Some(Duration::from_secs(1));
    })
}

/// What must be the same: all but times and the way of starting. Paths of the cage are made equal.
fn comparable(finished: Finished, folder: &Path) -> Finished {
    let stdout = text(&finished.stdout)
        .replace(folder.to_str().unwrap(), "CAGE")
        .into_bytes();
    Finished {
        cpu: Duration::ZERO,
        wall: Duration::ZERO,
        launch: Launch::Auto,
        stdout,
        ..finished
    }
}

#[test]
fn both_ways_show_the_same() {
    let ends = [
        "", "exit0", "exit3", "_exit", "segv", "abort", "term", "hang", "spin", "fork", "orphan",
        "exec", "file", "stderr", "chdir", "",
    ];
    for user in users() {
        let (mut plain, mut forking) = (cage(user, Launch::Plain), cage(user, Launch::ForkServer));
        for (i, end) in ends.into_iter().enumerate() {
            let long = "x".repeat(5000);
            let mut request = request(
                subject("mirror"),
                &[end, "a b", "", &long[..i * 300]],
                60_000,
            );
            request.env = vec![
                ("NAME".into(), "value".into()),
                ("PATH".into(), "/usr/bin:/bin".into()),
            ];
            request.stdin = format!("line {i}\n").into_bytes();
            request.collect = Collect::Files;
            request.folder = (i % 3 == 1).then(|| PathBuf::from("/usr"));
            if end == "hang" {
                request.timeout = Duration::from_millis(300);
            }
            let (one, other) = (plain.run(&request), forking.run(&request));
            assert_eq!(
                (one.launch, other.launch),
                (Launch::Plain, Launch::ForkServer),
                "{end}"
            );
            let one = comparable(one, plain.folder.path());
            let other = comparable(other, forking.folder.path());
            assert_eq!(text(&one.stdout), text(&other.stdout), "{end}");
            assert_eq!(one, other, "{end}");
        }
    }
}

#[test]
fn the_compared_program_really_ends_in_all_these_ways() {
    let mut cage = cage(User::Us, Launch::ForkServer);
    let mut end = |how: &str, milliseconds| {
        cage.run(&request(subject("mirror"), &[how], milliseconds))
            .end
    };
    assert_eq!(end("exit3", 60_000), End::Exited(3));
    assert_eq!(end("segv", 60_000), End::Signalled(libc::SIGSEGV));
    assert_eq!(end("term", 60_000), End::Signalled(libc::SIGTERM));
    assert_eq!(end("spin", 60_000), End::Signalled(libc::SIGXCPU));
    assert_eq!(end("hang", 100), End::TimedOut);
}

fn launch_of(request: &Request) -> (Launch, Finished) {
    let mut cage = cage(User::Us, Launch::ForkServer);
    let first = cage.run(request);
    let second = cage.run(request);
    let folder = cage.folder.path();
    let way = second.launch;
    assert_eq!(
        comparable(first, folder),
        comparable(second.clone(), folder)
    );
    (way, second)
}

#[test]
fn scripts_and_static_programs_are_started_in_the_plain_way() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/bin/sh\necho script $1\n").unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (way, finished) = launch_of(&request(script, &["one"], 10_000));
    assert_eq!(
        (way, text(&finished.stdout)),
        (Launch::Plain, "script one\n")
    );
    let fixed = compile("client", &["-static"]);
    let (way, finished) = launch_of(&request(fixed, &[], 10_000));
    assert_eq!((way, finished.end), (Launch::Plain, End::Exited(2)));
}

#[test]
fn programs_whose_libraries_write_or_start_threads_are_started_in_the_plain_way() {
    for (flags, output) in [
        (&["-shared", "-fPIC"][..], "loaded\n"),
        (&["-shared", "-fPIC", "-DTHREAD"], ""),
    ] {
        let library = compile("loud", flags);
        let program = compile("client", &["-Wl,--no-as-needed", library.to_str().unwrap()]);
        let (way, finished) = launch_of(&request(program, &[], 10_000));
        assert_eq!(
            (way, text(&finished.stdout), finished.end),
            (Launch::Plain, output, End::Exited(2))
        );
    }
}

#[test]
fn a_variable_for_the_loader_means_the_plain_way() {
    let mut request = request(subject("mirror"), &["exit0"], 10_000);
    request.env = vec![("LD_BIND_NOW".into(), "1".into())];
    assert_eq!(launch_of(&request).0, Launch::Plain);
}

#[test]
fn auto_uses_a_fork_server_from_the_second_run_on() {
    let mut cage = cage(User::Us, Launch::Auto);
    let mut way = |value: &str| {
        let mut request = request(PathBuf::from("/bin/true"), &[], 10_000);
        request.env = vec![("NAME".into(), value.into())];
        cage.run(&request).launch
    };
    let ways = [way("a"), way("a"), way("b"), way("a"), way("b")];
    let (plain, fork) = (Launch::Plain, Launch::ForkServer);
    assert_eq!(ways, [plain, fork, plain, fork, fork]);
}

#[test]
fn a_program_file_that_changed_is_loaded_anew() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let mut cage = cage(User::Us, Launch::ForkServer);
    for (source, end) in [
        ("/bin/true", End::Exited(0)),
        ("/bin/false", End::Exited(1)),
    ] {
        let _ = std::fs::remove_file(&program);
        std::fs::copy(source, &program).unwrap();
        let finished = cage.run(&request(program.clone(), &[], 10_000));
        assert_eq!((finished.end, finished.launch), (end, Launch::ForkServer));
    }
}

#[test]
fn more_programs_than_servers_all_run() {
    let mut cage = cage(User::Us, Launch::ForkServer);
    for _ in 0..3 {
        for (program, code) in [
            ("true", 0),
            ("false", 1),
            ("echo", 0),
            ("cat", 0),
            ("pwd", 0),
            ("ls", 0),
            ("id", 0),
        ] {
            let finished = cage.run(&request(Path::new("/bin").join(program), &[], 10_000));
            assert_eq!(
                (finished.end, finished.leftover),
                (End::Exited(code), 0),
                "{program}"
            );
        }
    }
}

#[test]
fn a_program_that_kills_its_fork_server_is_run_correctly_every_time() {
    for user in users() {
        let mut cage = cage(user, Launch::ForkServer);
        let launcher = cage.launcher.id();
        for _ in 0..6 {
            let finished = cage.run(&request(subject("hostile"), &["kill-others"], 10_000));
            assert_eq!((finished.end, finished.leftover), (End::Exited(0), 0));
            assert!(text(&finished.stdout).ends_with("alive\n"));
        }
        assert_eq!(cage.launcher.id(), launcher);
    }
}

#[test]
fn flags_and_modes_that_a_program_sets_on_its_streams_do_not_reach_the_next() {
    for user in users() {
        let mut cage = Cage::new(user);
        let script = "echo one; chmod 0 /proc/self/fd/1; exec 3>>/proc/self/fd/1";
        cage.run(&shell(script));
        let finished = cage.run(&shell("echo two > /dev/stdout"));
        assert_eq!(
            text(&finished.stdout),
            "two\n",
            "{}",
            text(&finished.stderr)
        );
    }
}
