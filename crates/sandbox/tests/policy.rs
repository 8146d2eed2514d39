//! What a policy allows is possible, what the kernel lacks is named, and nothing more.
#![allow(clippy::unwrap_used)]

mod support;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use sandbox::{
    Allow, End, Error, LAUNCHER_ARGUMENT, Launcher, LauncherCommand, Mechanism, Mode, NetAddress,
    Policy, Tool, Worker,
};
use support::{Cage, User, request, shell, subject, text, users};

sandbox::launcher_here!();

#[test]
fn an_allowed_folder_can_be_written_and_its_neighbours_cannot() {
    for user in users() {
        let mut cage = Cage::with(user, &|policy, folder| {
            let allow = format!("write:{}", folder.join("empty").display());
            policy.allow(allow.parse::<Allow>().unwrap());
        });
        let folder = cage.folder.path().to_owned();
        let finished = cage.run(&shell(&format!(
            "cd {}; echo x > empty/new; echo y > new",
            folder.display()
        )));
        assert_eq!(finished.end, End::Exited(2), "{}", text(&finished.stderr));
        assert_eq!(std::fs::read(folder.join("empty/new")).unwrap(), b"x\n");
        assert!(!folder.join("new").exists());
    }
}

/// A server that sends everything back, for one connection.
fn echo_server(address: &str) -> (u16, thread::JoinHandle<()>) {
    let listener = TcpListener::bind(address).unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = move || {
        let (mut connection, _) = listener.accept().unwrap();
        let mut content = Vec::new();
        connection.read_to_end(&mut content).unwrap();
        connection.write_all(&content).unwrap();
        connection.shutdown(Shutdown::Both).unwrap();
    };
    (port, thread::spawn(serve))
}

#[test]
fn exactly_the_allowed_address_can_be_reached() {
    for user in users() {
        let (port, server) = echo_server("127.0.0.1:0");
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut cage = Cage::with(user, &|policy, _| {
            policy.allow(Allow::Net(NetAddress {
                host: "127.0.0.1".to_owned(),
                port,
            }));
        });
        let mut call = request(subject("client"), &["127.0.0.1", &port.to_string()], 10_000);
        call.stdin = b"hello".to_vec();
        let finished = cage.run(&call);
        assert_eq!(
            (finished.end, text(&finished.stdout)),
            (End::Exited(0), "hello"),
            "{}",
            text(&finished.stderr)
        );
        server.join().unwrap();
        call.args[1] = other.local_addr().unwrap().port().to_string().into();
        assert_eq!(cage.run(&call).end, End::Exited(1));
        other.set_nonblocking(true).unwrap();
        assert!(other.accept().is_err());
    }
}

#[test]
fn an_allowed_address_need_not_be_that_of_the_loopback_interface() {
    // Nothing is there to answer (the address is reserved for documentation), but the name of the error tells that the
    // connection reached the relay: it is accepted, then closed.
    let mut cage = Cage::with(User::Us, &|policy, _| {
        for host in ["192.0.2.1", "2001:db8::1"] {
            policy.allow(Allow::Net(NetAddress {
                host: host.to_owned(),
                port: 80,
            }));
        }
    });
    for host in ["192.0.2.1", "2001:db8::1"] {
        let mut call = request(subject("client"), &[host, "80"], 100);
        let end = cage.run(&call).end;
        assert!(end == End::Exited(0) || end == End::TimedOut, "{end:?}");
        call.args[1] = "81".into();
        assert_eq!(cage.run(&call).end, End::Exited(1));
    }
}

/// A command that starts the launcher where no user namespace can be made.
fn without_namespaces() -> LauncherCommand {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces; exec \"$0\" \"$@\"";
    let mut args: Vec<_> = ["-Ur", "/bin/sh", "-c", script].map(Into::into).into();
    args.push(User::Us.command().program.into());
    args.push(LAUNCHER_ARGUMENT.into());
    LauncherCommand {
        program: PathBuf::from("/usr/bin/unshare"),
        args,
    }
}

#[test]
fn full_mode_names_what_is_missing_and_the_way_on() {
    let folder = tempfile::tempdir().unwrap();
    let result = Launcher::start(
        Policy::new(folder.path().join("scratch")),
        without_namespaces(),
    );
    let error = result.err().unwrap().to_string();
    assert!(
        error.starts_with("the sandbox lacks `user-namespace` ("),
        "{error}"
    );
    assert!(
        error.contains("`/proc/sys/user/max_user_namespaces` is 0"),
        "{error}"
    );
    assert!(
        error.ends_with("\nhint: --sandbox=best-effort goes on without"),
        "{error}"
    );
}

#[test]
fn best_effort_lists_what_is_missing_and_still_ends_everything() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("canary"), "sings").unwrap();
    let mut policy = Policy::new(folder.path().join("scratch"));
    policy.mode = Mode::BestEffort;
    let mut launcher = Launcher::start(policy, without_namespaces()).unwrap();
    let missing: Vec<_> = launcher
        .missing()
        .iter()
        .map(|missing| missing.mechanism)
        .collect();
    assert!(missing.contains(&Mechanism::PidNamespace), "{missing:?}");
    assert!(
        !missing.contains(&Mechanism::Landlock) && !missing.contains(&Mechanism::Seccomp),
        "{missing:?}"
    );
    let finished = launcher
        .run(&request(subject("hostile"), &["daemonise"], 10_000))
        .unwrap();
    assert_eq!((finished.end, finished.leftover), (End::Exited(0), 1));
    let finished = launcher
        .run(&shell(
            "rm -f ../canary; echo x > ../new; echo y > here; ls",
        ))
        .unwrap();
    assert_eq!(text(&finished.stdout), "here\n");
    assert!(folder.path().join("canary").exists() && !folder.path().join("new").exists());
    assert_eq!(
        std::fs::read_dir(folder.path().join("scratch"))
            .unwrap()
            .count(),
        0
    );
}

#[test]
fn without_a_sandbox_the_network_is_there() {
    let (port, server) = echo_server("127.0.0.1:0");
    let mut cage = Cage::with(User::Us, &|policy, _| policy.mode = Mode::Off);
    let mut call = request(subject("client"), &["127.0.0.1", &port.to_string()], 10_000);
    call.stdin = b"hello".to_vec();
    assert_eq!(text(&cage.run(&call).stdout), "hello");
    server.join().unwrap();
}

#[test]
fn the_probe_knows_every_mechanism() {
    let folder = tempfile::tempdir().unwrap();
    let probed = sandbox::probe(&folder.path().join("probe"), &User::Us.command()).unwrap();
    assert_eq!(
        probed
            .iter()
            .map(|(mechanism, _)| *mechanism)
            .collect::<Vec<_>>(),
        Mechanism::ALL
    );
    assert!(
        probed.iter().all(|(_, reason)| reason.is_none()),
        "{probed:?}"
    );
    let probed = sandbox::probe(&folder.path().join("probe"), &without_namespaces()).unwrap();
    assert!(
        probed
            .iter()
            .any(|(mechanism, reason)| *mechanism == Mechanism::UserNamespace && reason.is_some())
    );
    assert!(!folder.path().join("probe").exists());
}

#[test]
fn a_worker_answers_through_its_pipes_until_its_input_ends() {
    for user in users() {
        let folder = tempfile::tempdir().unwrap();
        support::give_to_subject(folder.path());
        let script = "while read line; do echo \"<$line>\"; done; echo bye >&2; exit 3";
        let policy = Policy::new(folder.path().to_owned());
        let mut worker = Worker::start(policy, &user.command(), shell(script)).unwrap();
        for word in ["one", "two"] {
            writeln!(worker.stdin.as_mut().unwrap(), "{word}").unwrap();
            let mut answer = [0; 6];
            worker.stdout.read_exact(&mut answer).unwrap();
            assert_eq!(text(&answer), format!("<{word}>\n"));
        }
        let finished = worker.wait(Duration::from_secs(10)).unwrap();
        assert_eq!(
            (finished.end, text(&finished.stderr)),
            (End::Exited(3), "bye\n")
        );
    }
}

#[test]
fn a_worker_that_does_not_start_shows_the_end_and_tells_why() {
    let folder = tempfile::tempdir().unwrap();
    let policy = Policy::new(folder.path().join("scratch"));
    let request = sandbox::Request::new(PathBuf::from("/no/such"));
    let mut worker = Worker::start(policy, &User::Us.command(), request).unwrap();
    assert_eq!(worker.stdout.read(&mut [0]).unwrap(), 0);
    assert!(matches!(
        worker.wait(Duration::from_secs(10)),
        Err(Error::Start { .. })
    ));
}

#[test]
fn a_dropped_worker_dies_with_all_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let policy = Policy::new(folder.path().join("scratch"));
    let script = "setsid sh -c 'echo ready; exec sleep 1000' & echo ready; exec sleep 1000";
    let mut worker = Worker::start(policy, &User::Us.command(), shell(script)).unwrap();
    worker.stdout.read_exact(&mut [0; 12]).unwrap();
    let mut stdout = worker.stdout.try_clone().unwrap();
    drop(worker);
    // The pipe ends only when the last process that could write to it is gone.
    assert_eq!(stdout.read(&mut [0]).unwrap(), 0);
}

#[test]
fn a_tool_runs_with_our_environment_and_is_killed_as_a_group() {
    let mut tool = Tool::new(
        PathBuf::from("sh"),
        vec!["-c".into(), "cat; echo $ADDED; test -n \"$PATH\"".into()],
    );
    tool.env.push(("ADDED".into(), "here".into()));
    tool.stdin = b"in\n".to_vec();
    let finished = tool.run().unwrap();
    assert_eq!(
        (finished.end, text(&finished.stdout)),
        (End::Exited(0), "in\nhere\n")
    );
    let (mut reader, writer) = std::io::pipe().unwrap();
    let child = format!(
        "sleep 1000 > /proc/{}/fd/{} & wait",
        std::process::id(),
        writer.as_raw_fd()
    );
    let mut tool = Tool::new(PathBuf::from("sh"), vec!["-c".into(), child.into()]);
    tool.timeout = Duration::from_millis(200);
    assert_eq!(tool.run().unwrap().end, End::TimedOut);
    drop(writer);
    assert_eq!(reader.read(&mut [0]).unwrap(), 0);
}

#[test]
fn a_program_that_only_root_can_read_still_runs() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    std::fs::copy("/bin/true", &program).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).unwrap();
    let mut cage = Cage::new(User::Us);
    assert_eq!(cage.run(&request(program, &[], 10_000)).end, End::Exited(0));
}

/// Runs itself once more as the client that is killed.
#[test]
fn when_the_client_is_killed_everything_inside_ends() {
    const FOLDER: &str = "SANDBOX_TEST_CLIENT_FOLDER";
    if let Some(folder) = std::env::var_os(FOLDER) {
        let mut cage = Cage::with(User::Us, &|policy, _| {
            policy.allow(Allow::Write(PathBuf::from(&folder)))
        });
        let mut request =
            shell("setsid sh -c 'exec 3> fifo; echo ready >&3; exec sleep 1000' & exec sleep 1000");
        request.folder = Some(PathBuf::from(folder));
        request.timeout = Duration::from_secs(1000);
        cage.run(&request);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    support::give_to_subject(folder.path());
    let fifo = folder.path().join("fifo");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::from_bits_truncate(0o666)).unwrap();
    support::give_to_subject(&fifo);
    let mut client = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "when_the_client_is_killed_everything_inside_ends",
        ])
        .env(FOLDER, folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut from_inside = std::fs::File::open(&fifo).unwrap();
    from_inside.read_exact(&mut [0; 6]).unwrap();
    client.kill().unwrap();
    client.wait().unwrap();
    // The pipe ends when the daemon inside, its only writer, is gone.
    assert_eq!(from_inside.read(&mut [0]).unwrap(), 0);
}

#[test]
fn many_launchers_work_side_by_side() {
    let run = |number: usize| {
        move || {
            let mut cage = Cage::new(User::Us);
            for turn in 0..20 {
                let finished = cage.run(&shell(&format!("echo {number} {turn} > file; cat file")));
                assert_eq!(text(&finished.stdout), format!("{number} {turn}\n"));
            }
        }
    };
    let threads: Vec<_> = (0..4).map(|number| thread::spawn(run(number))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
