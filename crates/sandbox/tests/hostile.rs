//! Subjects that misbehave harm nothing and are reported as what they did. Each test runs as every user of `users`.
#![allow(clippy::unwrap_used)]

mod support;

use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use sandbox::{Collect, End, Finished, Launch, Policy, Tool};
use support::{Cage, request, subject, text, users};

sandbox::launcher_here!();

/// Runs one mode of the hostile subject for each user and way of starting, and asserts that nothing was harmed.
fn hostile(
    args: &[&str],
    milliseconds: u64,
    change: &dyn Fn(&mut Policy),
    check: &dyn Fn(&Finished),
) {
    for user in users() {
        for launch in [Launch::Plain, Launch::ForkServer] {
            let mut cage = Cage::with(user, &|policy, _| {
                policy.launch = launch;
                change(policy);
            });
            let launcher = cage.launcher.id();
            let mut request = request(subject("hostile"), args, milliseconds);
            request.args.push(cage.folder.path().into());
            request.collect = Collect::Files;
            let finished = cage.run(&request);
            assert_eq!(finished.launch, launch);
            check(&finished);
            cage.assert_unharmed(launcher);
        }
    }
}

fn silent(finished: &Finished) {
    assert_eq!(
        (text(&finished.stdout), finished.end),
        ("", End::Exited(0)),
        "{}",
        text(&finished.stderr)
    );
}

#[test]
fn a_fork_bomb_is_bounded_and_ends_with_its_time() {
    hostile(
        &["fork-bomb"],
        1000,
        &|policy| policy.limits.processes = Some(20),
        &|finished| {
            assert_eq!(finished.end, End::TimedOut);
            assert!(
                (10..=24).contains(&finished.leftover),
                "{}",
                finished.leftover
            );
        },
    );
}

#[test]
fn endless_output_ends_at_the_limit_on_file_sizes() {
    let limits = |policy: &mut Policy| {
        policy.limits.file_size = 1 << 20;
        policy.limits.output = 1000;
    };
    hostile(&["endless-output"], 10_000, &limits, &|finished| {
        assert_eq!(finished.end, End::Signalled(libc::SIGXFSZ));
        assert_eq!(
            (finished.stdout.len(), finished.stdout_truncated),
            (1000, true)
        );
    });
}

#[test]
fn nothing_outside_can_be_deleted_changed_or_created() {
    hostile(&["destroy"], 10_000, &|_| {}, &silent);
}

#[test]
fn no_server_outside_hears_anything() {
    for user in users() {
        let mut cage = Cage::new(user);
        let launcher = cage.launcher.id();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = tcp.local_addr().unwrap().port();
        let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        support::give_to_subject(folder.path());
        let unix = UnixListener::bind(folder.path().join("socket")).unwrap();
        let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(folder.path().join("socket"), everybody).unwrap();
        let args = [
            "sockets",
            &port.to_string(),
            folder.path().to_str().unwrap(),
        ];
        silent(&cage.run(&request(subject("hostile"), &args, 10_000)));
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        assert!(tcp.accept().is_err() && udp.recv(&mut [0]).is_err() && unix.accept().is_err());
        cage.assert_unharmed(launcher);
    }
}

#[test]
fn ignoring_all_signals_does_not_help_against_the_time_limit() {
    hostile(&["ignore-signals"], 200, &|_| {}, &|finished| {
        assert_eq!(finished.end, End::TimedOut)
    });
}

#[test]
fn a_stopped_program_ends_with_its_time() {
    hostile(&["stop"], 200, &|_| {}, &|finished| {
        assert_eq!(finished.end, End::TimedOut)
    });
}

#[test]
fn a_daemon_that_left_its_session_is_killed_and_counted() {
    hostile(&["daemonise"], 10_000, &|_| {}, &|finished| {
        assert_eq!((finished.end, finished.leftover), (End::Exited(0), 1));
        assert_eq!(text(&finished.stdout), "started\n");
    });
}

#[test]
fn the_scratch_folder_holds_no_more_than_its_bytes() {
    hostile(
        &["fill-scratch"],
        10_000,
        &|policy| policy.limits.scratch_bytes = 20 << 20,
        &|finished| {
            assert_eq!(
                (finished.end, text(&finished.stdout)),
                (End::Exited(0), "20971520 ENOSPC\n")
            );
            assert!(finished.files_truncated);
        },
    );
}

#[test]
fn the_scratch_folder_holds_no_more_than_its_files() {
    hostile(
        &["many-files"],
        10_000,
        &|policy| policy.limits.scratch_files = 100,
        &|finished| {
            assert_eq!(
                (finished.end, text(&finished.stdout)),
                (End::Exited(0), "100 ENOSPC\n")
            );
            assert_eq!(
                (finished.files.len(), finished.files_truncated),
                (100, false)
            );
        },
    );
}

#[test]
fn folders_deeper_than_any_path_are_removed() {
    hostile(&["deep-folders"], 10_000, &|_| {}, &|finished| {
        assert_eq!(
            (finished.end, text(&finished.stdout)),
            (End::Exited(0), "4096 ENOSPC\n")
        );
    });
}

#[test]
fn a_locked_scratch_folder_is_unlocked() {
    hostile(&["lock-scratch"], 10_000, &|_| {}, &silent);
}

#[test]
fn memory_ends_at_the_limit_on_address_space() {
    hostile(
        &["eat-memory"],
        20_000,
        &|policy| policy.limits.address_space = Some(200 << 20),
        &|finished| {
            assert_eq!(finished.end, End::Exited(0));
            let taken: u64 = text(&finished.stdout).trim().parse().unwrap();
            assert!((100..200).contains(&taken), "{taken}");
        },
    );
}

#[test]
fn memory_of_all_processes_together_is_bounded() {
    hostile(
        &["eat-memory-in-many"],
        60_000,
        &|policy| policy.limits.memory = Some(100 << 20),
        &|finished| {
            assert_eq!(
                (finished.end, finished.memory_exceeded),
                (End::Signalled(libc::SIGKILL), true)
            );
            assert_eq!(finished.leftover, 15);
        },
    );
}

#[test]
fn killing_the_parent_and_everybody_hits_nobody() {
    hostile(&["kill-others"], 10_000, &|_| {}, &|finished| {
        // With a fork server there is somebody to kill: that server.
        let stdout = text(&finished.stdout).trim_start_matches("kill all\n");
        assert_eq!((finished.end, stdout), (End::Exited(0), "alive\n"));
    });
}

#[test]
fn closing_all_descriptors_changes_nothing_for_us() {
    hostile(&["close-all"], 10_000, &|_| {}, &|finished| {
        assert_eq!(finished.end, End::Exited(5))
    });
}

/// Runs itself once more in a terminal, because tests usually run without one.
#[test]
fn there_is_no_terminal() {
    const MARK: &str = "SANDBOX_TEST_IN_TERMINAL";
    if std::env::var_os(MARK).is_some() {
        assert!(
            std::fs::File::open("/dev/tty").is_ok(),
            "there is no terminal to hide"
        );
        hostile(&["terminal"], 10_000, &|_| {}, &silent);
        assert!(
            std::fs::File::open("/dev/tty").is_ok(),
            "the terminal is gone for us too"
        );
        return;
    }
    let this = std::env::current_exe().unwrap();
    let again = format!("{} --exact there_is_no_terminal", this.display());
    let args = ["--quiet", "--return", "--command", &again, "/dev/null"]
        .map(Into::into)
        .into();
    let mut tool = Tool::new(PathBuf::from("script"), args);
    tool.env = vec![(MARK.into(), "1".into())];
    let finished = tool.run().unwrap();
    assert_eq!(
        finished.end,
        End::Exited(0),
        "{}",
        String::from_utf8_lossy(&finished.stdout)
    );
    assert!(String::from_utf8_lossy(&finished.stdout).contains("1 passed"));
}

#[test]
fn only_harmless_devices_can_be_used() {
    hostile(&["devices"], 10_000, &|_| {}, &silent);
}

#[test]
fn calls_that_lead_out_of_the_sandbox_are_refused() {
    hostile(&["escape"], 10_000, &|_| {}, &silent);
}

#[test]
fn an_abort_is_a_signal_and_leaves_no_core_file() {
    hostile(&["abort"], 10_000, &|_| {}, &|finished| {
        assert_eq!(
            (finished.end, finished.files.len()),
            (End::Signalled(libc::SIGABRT), 0)
        );
    });
}
