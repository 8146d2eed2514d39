//! Actions that do not end, and actions that take the interpreter with them.

use crate::folder::{Folder, written_failures};
use crate::support::{code, stderr, stdout};

#[test]
fn actions_that_never_end_or_kill_the_interpreter_are_blamed_and_the_run_goes_on() {
    let folder = Folder::with(
        "@import os\npool: <n> 2\n<n> := <[0..30]>\n<n> == 7 -> exec('while True: pass')\n<n> == 9 -> os._exit(3)\n<n>+1\n",
    );
    let words = [
        "generate",
        "own.tstl",
        "--guide",
        "random",
        "--executions",
        "64",
        "--out",
        "out",
        "--jobs",
        "1",
        "--step-time",
        "100ms",
        "--steps",
        "20",
    ];
    let output = folder.run(&words);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let shown = stdout(&output);
    assert!(shown.contains("2 distinct failures"), "{shown}");
    let failures =
        std::fs::read_to_string(folder.path("out/failures/test_own_failures.py")).unwrap();
    assert!(failures.contains("    n0 = 7\n"), "{failures}");
    assert!(failures.contains("    n0 = 9\n"), "{failures}");
}

#[test]
fn time_outs_of_different_functions_are_different_failures() {
    let harness = "\
<@
def add(number):
    return sum(range(number))
def spin():
    while True: add(9)
def turn():
    while True: add(9)
@>
pool: <n> 2
<n> := <[0..9]>
<n> == 7 -> spin()
<n> == 8 -> turn()
<n> == 9 -> exec('while True: pass')
";
    let folder = Folder::with(harness);
    let options = ["--step-time", "300ms", "--no-reduce"];
    let file = written_failures(&folder, &options);
    for place in ["spin", "turn", "13"] {
        let comment = format!("# timeout at own.tstl:{place}: a step took more than");
        assert_eq!(file.matches(&comment).count(), 1, "{file}");
    }
    assert_eq!(file.matches("\ndef test_").count(), 3, "{file}");
}

#[test]
fn time_outs_in_pythons_own_functions_are_told_apart_by_who_called_them() {
    let subject = "\
import threading


def first():
    threading.Event().wait()


def second():
    threading.Event().wait()
";
    let folder = Folder::with("@import lasting\nlasting.first()\nlasting.second()\n");
    std::fs::write(folder.path("lasting.py"), subject).unwrap();
    let file = written_failures(&folder, &["--step-time", "300ms", "--no-reduce"]);
    for function in ["first", "second"] {
        let comment = format!("# timeout at lasting.py:{function}: a step took more than");
        assert_eq!(file.matches(&comment).count(), 1, "{file}");
    }
    assert_eq!(file.matches("\ndef test_").count(), 2, "{file}");
}

#[test]
fn actions_that_kill_the_interpreter_in_different_ways_are_different_failures() {
    let harness = "\
@import os, signal, ctypes
pool: <n> 2
<n> := <[0..9]>
<n> == 7 -> os._exit(3)
<n> == 8 -> os.kill(os.getpid(), signal.SIGSEGV)
<n> == 9 -> ctypes.string_at(0)
<n> == 6 -> os._exit(3)
<n> + 1
";
    let file = written_failures(&Folder::with(harness), &["--no-reduce"]);
    for signature in [
        "exit 3 at own.tstl:4",
        "SIGSEGV at own.tstl:5",
        "SIGSEGV at own.tstl:6 in string_at",
        "exit 3 at own.tstl:7",
    ] {
        let comment = format!("# {signature}: the interpreter died\n");
        assert_eq!(file.matches(&comment).count(), 1, "{comment}{file}");
    }
    assert_eq!(file.matches("\ndef test_").count(), 4, "{file}");
}

#[test]
fn recursion_without_end_is_a_failure_and_the_run_goes_on() {
    let harness = "\
<@
import sys
def deep(n):
    return deep(n + 1)
def deeper(n):
    return max([n], key=deeper)
@>
pool: <n> 2
<n> := <[0..9]>
<n> == 7 -> deep(0)
<n> == 8 -> (sys.setrecursionlimit(10**6), deeper(0))
";
    let folder = Folder::with(harness);
    let file = written_failures(&folder, &["--json"]);
    assert_eq!(file.matches("\ndef test_").count(), 2, "{file}");
    let comment = "# RecursionError at own.tstl:4: maximum recursion depth exceeded";
    let [place, steps] = ["    n0 = 7\n    ", "\n    deep(0)\n"];
    assert!(file.contains(&format!("{place}{comment}")), "{file}");
    assert!(file.contains(steps), "{file}");
    let record = std::fs::read_to_string(folder.path("out/record.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["executions"], 20, "{record}");
}

#[test]
fn a_long_test_that_kills_the_interpreter_becomes_minimal() {
    let harness = "\
@import os
pool: <l> 3
<l> := []
<l>.append(<[1..20]>)
<l>.reverse()
len(set(<l>)) > 9 -> os._exit(3)
";
    let folder = Folder::with(harness);
    let words = ["generate", "own.tstl", "--executions", "20", "--jobs", "1"];
    let output = folder.run(&[&words[..], &["--guide", "random", "--out", "out"]].concat());
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let file = std::fs::read_to_string(folder.path("out/failures/test_own_failures.py")).unwrap();
    assert_eq!(file.matches("\ndef test_").count(), 1, "{file}");
    assert!(!file.contains("This test"), "{file}");
    assert_eq!(file.matches("    l0 = []\n").count(), 1, "{file}");
    assert_eq!(file.matches("    l0.append(").count(), 10, "{file}");
    assert!(!file.contains("reverse"), "{file}");
}

#[test]
fn a_time_out_is_replayed_with_the_limit_of_its_run() {
    let folder = Folder::with(
        "@from time import process_time\n<@\ndef burn():\n    end = process_time() + 0.5\n    while process_time() < end: pass\n@>\nburn()\n",
    );
    std::fs::write(folder.path("slow.test"), "burn()\n").unwrap();
    let replay = |options: &[&str]| {
        let output = folder.run(&[&["replay", "own.tstl", "slow.test"][..], options].concat());
        code(&output)
    };
    assert_eq!(replay(&[]), 0);
    assert_eq!(replay(&["--step-time", "100ms"]), 1);
}
