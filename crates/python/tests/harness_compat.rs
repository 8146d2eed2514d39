//! Tests that TSTL 1.2.39 recorded on two harnesses with every construct that it can run have the same outcome here, step by step:
//! what was raised, whether the step and the properties held, and how the pools look. `testdata/harness/compat/record.py` makes
//! the records. What TSTL cannot run has cases of its own.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use python::Places;
use python::harness::HarnessTarget;
use python::protocol::{Load, Measure, StepLimits};
use python::runtime::Runtime;
use python::session::{Ran, Session, WorkerError};
use python::worker::Launch;
use sandbox::LauncherCommand;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::to_raw_value;

sandbox::launcher_here!();

type Pools = BTreeMap<String, Vec<String>>;

/// Name, what was raised, whether the step held, whether the properties held, pools that changed.
type Recorded = (String, Option<String>, bool, bool, Pools);

#[derive(Debug, Deserialize)]
struct Reply {
    end: String,
    steps: Vec<Vec<i64>>,
    #[serde(default)]
    failure: serde_json::Value,
    #[serde(default)]
    outcomes: Vec<Option<String>>,
    #[serde(default)]
    states: Vec<Pools>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/harness/compat")
}

fn session(file: &Path, text: &str) -> (Session, tempfile::TempDir) {
    session_with(file, text, |_| {})
}

/// A session that is told something else.
fn session_with(
    file: &Path,
    text: &str,
    change: impl Fn(&mut Load),
) -> (Session, tempfile::TempDir) {
    let interpreter = Places::of_this_process(None).find();
    let interpreter = interpreter.expect("the tests need Python: run scripts/install");
    let launch = Launch::new(interpreter, LauncherCommand::this_program().unwrap());
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let target = HarnessTarget::new(file, text).unwrap();
    let mut load = target.load(Measure::Nothing, StepLimits::default());
    change(&mut load);
    (Session::new(&runtime, &launch, load), scratch)
}

fn run(session: &mut Session, test: serde_json::Value) -> Reply {
    let ran = session.run(&[to_raw_value(&test).unwrap()]).unwrap();
    let Ran::Replied(reply) = &ran[0] else {
        panic!("{ran:?}");
    };
    serde_json::from_str(reply.get()).unwrap()
}

#[test]
fn recorded_tests_have_the_same_outcome_step_by_step() {
    let fails = |test: &Vec<Recorded>| !test.last().unwrap().3;
    assert!(same_outcomes("everything").iter().any(fails));
    let raises = |test: &Vec<Recorded>| test.iter().any(|step| step.1.is_some());
    assert!(same_outcomes("prefixes").iter().any(raises));
}

/// Replays the records of a harness; gives them.
fn same_outcomes(name: &str) -> Vec<Vec<Recorded>> {
    let file = folder().join(name).with_extension("tstl");
    let text = std::fs::read_to_string(&file).unwrap();
    let (mut session, _scratch) = session(&file, &text);
    let records = std::fs::read_to_string(file.with_extension("json")).unwrap();
    let tests: Vec<Vec<Recorded>> = serde_json::from_str(&records).unwrap();
    for (number, test) in tests.iter().enumerate() {
        let names: Vec<&str> = test.iter().map(|step| step.0.as_str()).collect();
        let steps: Vec<Option<Vec<i64>>> = session.ask("find", &names).unwrap().unwrap();
        let steps: Vec<Vec<i64>> = steps.into_iter().map(Option::unwrap).collect();
        let reply = run(
            &mut session,
            json!({"prefix": steps, "trace": true, "steps": true}),
        );
        assert_eq!(reply.steps, steps, "test {number}");
        for (at, step) in test.iter().enumerate() {
            let last = at + 1 == test.len();
            let held = !(last && reply.end == "failed");
            // There, what a comparison with the reference raises is not what the action raised.
            let outcome = reply.outcomes[at]
                .as_ref()
                .filter(|_| held || step.1.is_some());
            let seen = (outcome, held, &reply.states[at]);
            assert_eq!(
                seen,
                (step.1.as_ref(), step.3, &step.4),
                "test {number}, `{}`",
                step.0
            );
        }
    }
    tests
}

#[test]
fn sections_hooks_and_types_that_tstl_gets_wrong_work() {
    let text = "\
@SEEN = []
@def test_before_each(self): SEEN.append('before')
@def test_before_reduce(self): SEEN.append('reduce')
@def test_after_normalize(self): SEEN.append('normalized')
pool: <n> 2
hints:
len(SEEN)
finallys:
SEEN.append('end')
features:
one
actions:
<n> := len(SEEN)
<n> := SEEN[-1]
";
    let (mut session, _scratch) = session(&folder().join("own.tstl"), text);
    for hook in [
        "test_before_reduce",
        "test_after_normalize",
        "test_after_reduce",
    ] {
        session.ask::<()>("hook", &hook).unwrap().unwrap();
    }
    let test = json!({"prefix": [[0, 0], [1, 1]], "trace": true, "steps": true});
    let reply = run(&mut session, test);
    assert_eq!(reply.states[0]["n"], ["3", "None"], "one before the step");
    let test = json!({"prefix": [[0, 0], [1, 1]], "trace": true, "steps": true});
    assert_eq!(run(&mut session, test).states[0]["n"], ["6", "None"]);
}

#[test]
fn the_hook_before_all_tests_is_called_once_also_where_modules_are_loaded_anew() {
    let text = "\
<@
import sys
loads = sys.loads = getattr(sys, 'loads', 0) + 1
def test_before_all(self):
    global made
    made, self.kept = 7, 8
    sys.hooks = getattr(sys, 'hooks', 0) + 1
@>
pool: <n> 1
<n> := (loads, sys.hooks, made, self.kept)
";
    let anew = |load: &mut Load| load.arguments["reload"] = true.into();
    let (mut session, _scratch) = session_with(&folder().join("own.tstl"), text, anew);
    for loads in [2, 3] {
        let reply = run(
            &mut session,
            json!({"prefix": [[0, 0]], "trace": true, "steps": true}),
        );
        let expected = format!("({loads}, 1, 7, 8)");
        assert_eq!(reply.failure, serde_json::Value::Null);
        assert_eq!(reply.states[0]["n"], [expected]);
    }
}

#[test]
fn what_tstl_cannot_run_works() {
    let text = "\
<@
from functools import wraps

def twice(f):
    @wraps(f)
    def g(*a): return f(*a) * 2
    return g

@twice
def four(n):
    return 2 * n

def guarded_half(n):
    if n % 2: return False
    %COMMIT%
    return n // 2
@>
pools:
<n_1> 2 : int
assumptions:
len(str(<n_1>)) < 5
exceptions:
ZeroDivisionError
actions:
<n_1> := <[7]>
guarded_half(<n_1>)
<n_1> := four(<n_1>)
<n_1>//0
[<n_1>][0]>3
";
    let (mut session, _scratch) = session(&folder().join("own.tstl"), text);
    let test = json!({"prefix": [[0, 0, 0], [1, 0], [2, 1, 0], [1, 1], [3, 1], [4, 0]], "trace": true, "steps": true});
    let reply = run(&mut session, test);
    assert_eq!(reply.end, "passed");
    let steps = [
        vec![0, 0, 0],
        vec![2, 1, 0],
        vec![1, 1],
        vec![3, 1],
        vec![4, 0],
    ];
    assert_eq!(
        reply.steps, steps,
        "seven has no half, so that step is left out"
    );
    assert_eq!(reply.states[1]["n_1"], ["7", "28"]);
    assert_eq!(reply.outcomes[3].as_deref(), Some("ZeroDivisionError"));
}

#[test]
fn python_that_does_not_compile_is_refused_at_its_line() {
    for (text, place) in [
        (
            "@import os\n\nf(<[1..2]>, $)\n",
            "3:13: `f(<[1..2]>, $)` is not Python",
        ),
        ("@def f(:\n@    pass\nf()\n", "1:8: this is not Python"),
        (
            "{NoSuchError} f()\n",
            "1:1: the exceptions `NoSuchError` are not there",
        ),
    ] {
        let (mut session, _scratch) = session(&folder().join("own.tstl"), text);
        match session.ask::<serde_json::Value>("facts", &()) {
            Err(WorkerError::Refused(why)) => assert!(why.contains(place), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}

/// What loading a harness and drawing fifty steps took: how many pieces of code were run, the bytes of their instructions, and
/// microseconds of the worker's processor time since it was started.
fn loading(text: &str) -> [u64; 3] {
    let counting = "\
<@
import builtins, time, types
pieces, real = [], builtins.exec
def size(code):
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return len(code.co_code) + sum(map(size, inner))
def counted(code, *rest):
    pieces.append(size(code))
    return real(code, *rest)
builtins.exec = counted
def told():
    return [len(pieces), sum(pieces), round(1e6 * time.process_time())]
@>
pool: <told> 1
<told> := told()
";
    let text = format!("{counting}{text}");
    let (mut session, _scratch) = session(&folder().join("own.tstl"), &text);
    let drawn = json!({"prefix": [], "length": 50, "seed": 3, "steps": true});
    assert_eq!(run(&mut session, drawn).steps.len(), 50);
    let told = json!({"prefix": [[0, 0]], "trace": true, "steps": true});
    let told = &run(&mut session, told).states[0]["told"][0];
    serde_json::from_str(told).unwrap()
}

#[test]
fn tens_of_thousands_of_combinations_load_like_a_few_and_in_less_than_a_second() {
    let few = "pool: <a> 2\n<a> := <[1..2]>\nmax(<a>, <a>, <a>, <[1..3]>)\n";
    let many = "pool: <a> 50\n<a> := <[1..100000]>\nmax(<a>, <a>, <a>, <[1..1000]>)\n";
    let ([pieces, size, _], [of_many, size_of_many, micros]) = (loading(few), loading(many));
    assert!(pieces > 3, "{pieces}");
    assert_eq!((of_many, size_of_many), (pieces, size));
    assert!(micros < 1_000_000, "{micros}");
}

#[test]
fn every_filling_of_a_class_can_be_drawn_however_many_there_are() {
    let holes = ["<[1..1024]>"; 6].join(", ");
    let text = format!("max({holes})\n");
    let (mut session, _scratch) = session(&folder().join("own.tstl"), &text);
    for weights in [None, Some("1")] {
        let drawn =
            json!({"prefix": [], "length": 300, "seed": 3, "weights": weights, "steps": true});
        let steps = run(&mut session, drawn).steps;
        for hole in 1..7 {
            let fillings: BTreeSet<i64> = steps.iter().map(|step| step[hole]).collect();
            assert!(fillings.len() > 200, "{hole}: {}", fillings.len());
            assert!(fillings.iter().any(|one| one % 2 == 1), "{hole}");
        }
    }
}

/// How often each class is drawn in a test of 3,000 steps.
fn shares(session: &mut Session, weights: Option<&str>) -> Vec<f64> {
    let test = json!({"prefix": [], "length": 3000, "seed": 5, "weights": weights, "trace": true, "steps": true});
    let reply = run(session, test);
    assert_eq!(reply.steps.len(), 3000);
    let count = |class: i64| reply.steps.iter().filter(|step| step[0] == class).count();
    (0..3).map(|class| count(class) as f64 / 3000.0).collect()
}

#[test]
fn enabled_actions_are_equally_likely_and_weights_are_shared_among_enabled_classes() {
    let text = "+<[1..2]>\n1 == 2 -> +<[1..3]>\n[<[1..4]>]\n";
    let (mut session, _scratch) = session(&folder().join("own.tstl"), text);
    let near = |shares: Vec<f64>, wanted: [f64; 3]| {
        let far = shares
            .iter()
            .zip(wanted)
            .any(|(share, wanted)| (share - wanted).abs() > 0.03);
        assert!(!far, "{shares:?}");
    };
    near(shares(&mut session, None), [1.0 / 3.0, 0.0, 2.0 / 3.0]);
    near(shares(&mut session, Some("0.2 0.5 0.3")), [0.4, 0.0, 0.6]);
}

#[test]
fn the_one_enabled_action_of_a_class_is_found_among_up_to_200_fillings() {
    for weights in [None, Some("1")] {
        let (mut session, _scratch) = session(
            &folder().join("own.tstl"),
            "<[1..190]> == 77 -> 1 + <[1..1]>\n",
        );
        let test = json!({"prefix": [], "length": 60, "seed": 3, "weights": weights, "trace": true, "steps": true});
        let steps = run(&mut session, test).steps;
        assert_eq!(steps, vec![vec![0, 76, 0]; 60]);
    }
}

/// Runs a test with and without its steps being watched; both must show the same.
fn both_ways(session: &mut Session, seed: usize, weights: Option<&str>) -> Reply {
    let mut test =
        json!({"prefix": [], "length": 30, "seed": seed, "weights": weights, "steps": true});
    let short = run(session, test.clone());
    test["trace"] = json!(true);
    let watched = run(session, test);
    assert_eq!(short.end, watched.end, "seed {seed}");
    assert_eq!(short.steps, watched.steps, "seed {seed}");
    assert_eq!(short.failure, watched.failure, "seed {seed}");
    short
}

#[test]
fn a_test_takes_the_same_steps_whether_or_not_they_are_watched() {
    let file = folder().join("everything.tstl");
    // Hooks watch, too.
    let text = std::fs::read_to_string(&file)
        .unwrap()
        .replace("_each", "_none");
    let (mut session, _scratch) = session(&file, &text);
    let facts: BTreeMap<String, Vec<u64>> = session.ask("facts", &()).unwrap().unwrap();
    let weights = vec!["0.1"; facts["totals"].len()].join(" ");
    for seed in 0..8 {
        both_ways(&mut session, seed, Some(&weights));
        let reply = both_ways(&mut session, seed, None);
        assert_eq!(reply.steps.len(), 30, "nothing ends these tests early");
    }
}

#[test]
fn whatever_an_action_raises_or_binds_is_seen_as_it_is() {
    for (text, kind) in [
        ("next(iter(()))\n", "StopIteration"),
        (
            "{ValueError} int('x' * <[1..2]>); made = 1; assert made == 2\nmade + 1\n",
            "NameError",
        ),
        ("len(locals()) == 1 or 1 / 0\n", ""),
    ] {
        let (mut session, _scratch) = session(&folder().join("own.tstl"), text);
        let reply = both_ways(&mut session, 1, None);
        assert_eq!(reply.failure["kind"].as_str().unwrap_or(""), kind, "{text}");
    }
}
