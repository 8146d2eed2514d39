//! Programs that behave, in the full sandbox.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::PathBuf;

use sandbox::{Collect, End, Finished, Launcher, Request};
use support::{Cage, User, shell, text};

sandbox::launcher_here!();

fn launcher() -> (tempfile::TempDir, Launcher) {
    let Cage { folder, launcher } = Cage::new(User::Us);
    (folder, launcher)
}

fn run(script: &str) -> Finished {
    launcher().1.run(&shell(script)).unwrap()
}

#[test]
fn output_and_exit_code_come_back() {
    let finished = run("echo out; echo err >&2; exit 3");
    assert_eq!(finished.end, End::Exited(3));
    assert_eq!(
        (finished.stdout.as_slice(), finished.stderr.as_slice()),
        (&b"out\n"[..], &b"err\n"[..])
    );
}

#[test]
fn argument_environment_input_and_folder_reach_the_program() {
    let (_folder, mut launcher) = launcher();
    let mut request = shell("echo \"$0 $1\"; env | sort; cat; pwd");
    request.args.extend(["zero".into(), "one".into()]);
    request.env = vec![("NAME".into(), "a=b".into())];
    request.stdin = b"input\n".to_vec();
    request.folder = Some(PathBuf::from("/usr"));
    let finished = launcher.run(&request).unwrap();
    assert_eq!(
        String::from_utf8(finished.stdout).unwrap(),
        "zero one\nNAME=a=b\nPWD=/usr\ninput\n/usr\n"
    );
}

#[test]
fn a_program_with_sanitizers_runs_to_its_end_and_checks_for_leaks() {
    let (_folder, mut launcher) = launcher();
    let program = support::compile("leak", &["-fsanitize=address", "-g"]);
    let finished = launcher
        .run(&support::request(program.clone(), &[], 60_000))
        .unwrap();
    assert_eq!((finished.end, text(&finished.stderr)), (End::Exited(0), ""));
    let finished = launcher
        .run(&support::request(program, &["leak"], 60_000))
        .unwrap();
    assert!(text(&finished.stderr).contains("LeakSanitizer: detected memory leaks"));
}

#[test]
fn a_program_that_does_not_exist_is_an_error_and_the_launcher_goes_on() {
    let (_folder, mut launcher) = launcher();
    let error = launcher
        .run(&Request::new(PathBuf::from("/no/such")))
        .unwrap_err();
    assert_eq!(error.to_string(), "cannot start `/no/such`");
    assert_eq!(launcher.run(&shell("exit 0")).unwrap().end, End::Exited(0));
}

#[test]
fn a_killed_launcher_is_started_anew_and_the_run_is_reported_as_lost() {
    let (_folder, mut launcher) = launcher();
    let outer = nix::unistd::Pid::from_raw(launcher.id() as i32);
    let first = launcher.id();
    nix::sys::signal::kill(outer, nix::sys::signal::Signal::SIGKILL).unwrap();
    let finished = launcher.run(&shell("exec sleep 100")).unwrap();
    assert_eq!(finished.end, End::Lost);
    assert_ne!(launcher.id(), first);
    assert_eq!(launcher.run(&shell("exit 4")).unwrap().end, End::Exited(4));
}

#[test]
fn files_are_laid_and_collected_and_gone_in_the_next_run() {
    let (_folder, mut launcher) = launcher();
    let mut request = shell("cat a/b; echo new > c; mkdir d; mkdir d/e; chmod 0 d; ls -a");
    request.files = [(PathBuf::from("a/b"), b"text".to_vec())].into();
    request.collect = Collect::Files;
    let finished = launcher.run(&request).unwrap();
    assert_eq!(finished.end, End::Exited(0));
    let names: Vec<_> = finished
        .files
        .keys()
        .map(|name| name.to_str().unwrap())
        .collect();
    assert_eq!(names, ["a/b", "c"]);
    assert_eq!(launcher.run(&shell("ls -A")).unwrap().stdout, b"");
}
