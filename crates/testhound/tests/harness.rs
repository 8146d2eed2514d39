//! `generate` on harnesses, end to end: the real binary, a real interpreter, the real pytest.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{code, stderr, stdout};

/// A folder with a harness and its subject.
struct Folder(tempfile::TempDir);

impl Folder {
    fn avl() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/python/avl");
        for name in ["avl.tstl", "avltree.py"] {
            std::fs::copy(example.join(name), folder.path().join(name)).unwrap();
        }
        Folder(folder)
    }

    fn with(text: &str) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("own.tstl"), text).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
        command.args(words).current_dir(self.0.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
            command.env_remove(name);
        }
        command.output().unwrap()
    }

    fn pytest(&self, folder: &str) -> String {
        let mut command = Command::new("python3");
        command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", folder]);
        command.current_dir(self.0.path());
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        stdout(&command.output().unwrap())
    }
}

#[test]
fn the_planted_bug_is_found_reduced_and_written_as_a_test_that_fails() {
    let folder = Folder::avl();
    let words = [
        "generate",
        "avl.tstl",
        "--executions",
        "192",
        "--out",
        "out",
        "--jobs",
        "1",
    ];
    let output = folder.run(&words);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(
        stdout(&output).contains("1 distinct failure"),
        "{}",
        stdout(&output)
    );
    let failures =
        std::fs::read_to_string(folder.path("out/failures/test_avl_failures.py")).unwrap();
    // Three keys and one tree are the least that shows it.
    assert_eq!(failures.matches("avl0.insert(").count(), 3, "{failures}");
    assert_eq!(failures.matches(" = ").count(), 4, "{failures}");
    assert!(failures.contains("assert avl0.is_balanced()"), "{failures}");
    assert!(
        folder.pytest("out/failures").contains("1 failed"),
        "{failures}"
    );
    let suite = folder.pytest("out/suite");
    assert!(
        suite.contains(" passed") && !suite.contains("failed"),
        "{suite}"
    );
    assert!(folder.path("out/sizes.json").is_file() && folder.path("out/report.html").is_file());
    let sarif = std::fs::read_to_string(folder.path("out/failures.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "property");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "avl.tstl");
    assert!(place["region"]["startLine"].is_number(), "{place}");
}

#[test]
fn the_same_seed_finds_the_same_whatever_the_number_of_workers_and_the_guide() {
    for guide in ["random", "loc,swarm", "ga", "auto"] {
        let suites = ["1", "2"].map(|jobs| {
            let folder = Folder::avl();
            let words = [
                "generate",
                "avl.tstl",
                "--guide",
                guide,
                "--executions",
                "128",
                "--out",
                "out",
                "--jobs",
                jobs,
                "--no-reduce",
            ];
            assert_eq!(code(&folder.run(&words)), 1, "{guide}");
            std::fs::read_to_string(folder.path("out/suite/test_avl.py")).unwrap()
        });
        assert!(
            suites[0] == suites[1],
            "{guide}:\n{}\n{}",
            suites[0],
            suites[1]
        );
    }
}

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
fn a_harness_that_is_wrong_is_refused_with_its_place() {
    for (text, place) in [
        ("f(<x>)\n", "own.tstl:1:3: the pool `x` is not declared"),
        ("1 +\n", "own.tstl:1:1:`1 +` is not Python"),
    ] {
        let output = Folder::with(text).run(&["generate", "own.tstl", "--executions", "1"]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stderr(&output).contains(place), "{}", stderr(&output));
        assert!(stderr(&output).contains("hint: "), "{}", stderr(&output));
    }
}

#[test]
fn a_stopped_run_goes_on_and_known_sizes_are_not_sampled_again() {
    let folder = Folder::avl();
    let first = [
        "generate",
        "avl.tstl",
        "--guide",
        "loc",
        "--executions",
        "64",
        "--out",
        "out",
        "--jobs",
        "1",
    ];
    assert_eq!(code(&folder.run(&first)), 1);
    let output = folder.run(&[
        "generate",
        "avl.tstl",
        "--resume",
        "--out",
        "out",
        "--executions",
        "128",
        "--json",
    ]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(record["executions"], 128);
    let again = [
        "generate",
        "avl.tstl",
        "--guide",
        "loc",
        "--executions",
        "64",
        "--out",
        "two",
        "--sizes",
        "out/sizes.json",
    ];
    assert_eq!(code(&folder.run(&again)), 1);
    assert!(
        !folder.path("two/sizes.json").exists(),
        "nothing was sampled"
    );
}

/// A subject with a small and a large function, and a count that outlives tests.
const COUNTER: &str = "\
calls = 0


def small():
    return 1


def large(number):
    global calls
    calls += 1
    if number > 2 and calls > 0:
        return 2
    return 3
";

fn counter(harness: &str) -> Folder {
    let folder = Folder::with(harness);
    std::fs::write(folder.path("counter.py"), COUNTER).unwrap();
    folder
}

/// The mean sizes of the classes after a run with these options.
fn sizes(folder: &Folder, options: &[&str]) -> Vec<f64> {
    let words = [
        "generate",
        "own.tstl",
        "--guide",
        "loc",
        "--executions",
        "20",
    ];
    let end = ["--out", "out", "--force", "--jobs", "1"];
    let output = folder.run(&[&words[..], &end, options].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path("out/sizes.json")).unwrap();
    let sizes: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mean = |class: &str| {
        let size = &sizes[class];
        size["sum"].as_f64().unwrap() / size["samples"].as_f64().unwrap()
    };
    vec![mean("counter.small()"), mean("counter.large(<[1..5]>)")]
}

#[test]
fn sizes_are_lines_branches_complexity_or_what_changed() {
    let folder = counter("@import counter\ncounter.small()\ncounter.large(<[1..5]>)\n");
    assert_eq!(sizes(&folder, &[]), [2.0, 6.0]);
    assert_eq!(sizes(&folder, &["--size", "branches"]), [0.0, 4.0]);
    assert_eq!(sizes(&folder, &["--size", "complexity"]), [1.0, 3.0]);
    let git = |words: &[&str]| {
        let user = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let mut command = Command::new("git");
        let output = command.args(user).args(words).current_dir(folder.0.path());
        assert!(output.output().unwrap().status.success(), "{words:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "counter.py", "own.tstl"]);
    git(&["commit", "-q", "-m", "first"]);
    let changed = COUNTER.replace("return 2", "return 4");
    std::fs::write(folder.path("counter.py"), changed).unwrap();
    assert_eq!(sizes(&folder, &["--since", "HEAD"]), [0.0, 1.0]);
}

#[test]
fn sizes_that_are_guessed_or_shipped_are_not_sampled() {
    let folder = counter("@import counter\ncounter.small()\ncounter.large(<[1..5]>)\n");
    sizes(&folder, &[]);
    let shipped = folder.path("own.sizes.json");
    for options in [&["--size", "static"][..], &[]] {
        let words = [
            "generate",
            "own.tstl",
            "--guide",
            "loc",
            "--executions",
            "20",
        ];
        let output = folder.run(&[&words[..], &["--out", "two", "--force"], options].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(!folder.path("two/sizes.json").exists(), "{options:?}");
        std::fs::copy(folder.path("out/sizes.json"), &shipped).unwrap();
    }
}

/// Runs 20 tests of ten steps with one worker; gives the exit code, the record, and what was said.
fn leaking(folder: &Folder, options: &[&str]) -> (i32, serde_json::Value, String) {
    let words = ["generate", "own.tstl", "--executions", "20", "--steps"];
    let more = [
        "10", "--guide", "random", "--jobs", "1", "--json", "--force",
    ];
    let output = folder.run(&[&words[..], &more, &["--out", "out"], options].concat());
    let record = serde_json::from_str(&stdout(&output)).unwrap_or_default();
    (code(&output), record, stderr(&output))
}

#[test]
fn state_that_outlives_tests_is_noticed_and_lost_from_then_on() {
    let harness = "@import counter\nproperty: counter.calls < 30\ncounter.large(<[1..5]>)\n";
    let folder = counter(harness);
    let (exit, record, said) = leaking(&folder, &[]);
    assert_eq!(exit, 0, "{said}");
    let leak = &record["leak"];
    assert_eq!(leak["test"], 3, "the 30th call is in the third test");
    assert_eq!(leak["changed"], serde_json::json!(["counter.calls"]));
    assert_eq!(leak["modules"], serde_json::json!(["counter"]));
    let ends = ["failed (AssertionError at own.tstl:2)", "passed"];
    assert_eq!([&leak["after-others"], &leak["fresh"]], ends);
    assert!(
        leak["steps"]
            .as_str()
            .unwrap()
            .starts_with("counter.large(")
    );
    assert!(
        said.contains("state outlives tests in `counter.calls`"),
        "{said}"
    );
    let again = leaking(&folder, &[]).1;
    for part in ["leak", "ends", "criteria", "suite-tests"] {
        assert_eq!(record[part], again[part], "a run repeats exactly");
    }
    let resumed = [
        "generate",
        "own.tstl",
        "--resume",
        "--out",
        "out",
        "--executions",
        "30",
    ];
    let output = folder.run(&[&resumed[..], &["--json", "--jobs", "1"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let resumed: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(resumed["leak"], record["leak"], "it is known from before");
    assert_eq!(leaking(&folder, &["--reload"]).0, 0);
    assert_eq!(leaking(&folder, &["--reload=never"]).0, 1);
}

#[test]
fn state_that_changes_what_passing_tests_do_is_noticed_and_chance_is_not() {
    let leak = "@import counter\n{ZeroDivisionError} 1 // (counter.large(<[1..5]>) if counter.calls < 25 else 0)\n";
    let (_, record, said) = leaking(&counter(leak), &[]);
    assert_eq!(record["leak"]["test"], 4, "{said}");
    let shown = record["leak"]["fresh"].as_str().unwrap();
    assert_eq!(shown, "passed with other steps or exceptions");
    let files = "@import counter\n@import os\n@def note(): open('noted', 'a').write('x')\n@def notes(): return os.path.getsize('noted')\nproperty: notes() < 32\nnote()\n";
    let (exit, record, said) = leaking(&counter(files), &[]);
    assert_eq!(
        (exit, &record["leak"]["reloaded"]),
        (1, &false.into()),
        "{said}"
    );
    assert!(
        said.contains("loading modules anew does not help"),
        "{said}"
    );
    let chance = "@import counter, os\n{ZeroDivisionError} 1 // (os.urandom(1)[0] % 2)\n";
    let (_, record, said) = leaking(&counter(chance), &[]);
    assert!(record["leak"].is_null(), "{said}");
}

#[test]
fn a_suite_is_written_without_coverage_and_measured_afterwards() {
    let folder = counter("@import counter\ncounter.small()\ncounter.large(<[1..5]>)\n");
    let words = [
        "generate",
        "own.tstl",
        "--guide",
        "loc",
        "--executions",
        "20",
    ];
    let more = ["--no-coverage", "--out", "out", "--json"];
    let output = folder.run(&[&words[..], &more].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(record["criteria"][0]["covered"], 2, "{record}");
    let suite = folder.pytest("out/suite");
    assert!(suite.contains("passed"), "{suite}");
    let lcov = std::fs::read_to_string(folder.path("out/coverage.lcov")).unwrap();
    assert!(lcov.contains("/counter.py\n"), "{lcov}");
    assert!(
        lcov.contains("\nBRF:2\nBRH:2\n") && lcov.contains("\nFNF:3\nFNH:3\n"),
        "{lcov}"
    );
    assert!(
        !lcov.contains("\nDA:9,0\n") && lcov.contains("\nDA:9,"),
        "{lcov}"
    );
}

#[test]
fn the_guide_that_helps_is_chosen_and_used_by_later_runs() {
    let folder = Folder::avl();
    let words = ["compare", "avl.tstl", "--choose", "--runs", "2"];
    let output = folder.run(&[&words[..], &["--executions", "10"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let settings = std::fs::read_to_string(folder.path("testhound.toml")).unwrap();
    let guide = settings.strip_prefix("[harness]\nguide = ").unwrap();
    let chosen = guide.trim_end().replace('"', "`");
    assert!(stderr(&output).contains(&format!("chosen: {chosen}")));
    let output = folder.run(&["generate", "avl.tstl", "--executions", "10", "--json"]);
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(format!("`{}`", record["guide"].as_str().unwrap()), chosen);
}

#[test]
fn what_only_loading_a_module_hits_is_covered_by_no_test_whatever_the_guide() {
    let subject = "import sys\n\nif sys.version_info > (3,):\n    new = True\n\n\ndef f(x):\n    if x > 2:\n        return 1\n    return 0\n";
    for guide in ["random", "ga"] {
        let folder = Folder::with("@import subject\nsubject.f(<[1..5]>)\n");
        std::fs::write(folder.path("subject.py"), subject).unwrap();
        let words = [
            "generate",
            "own.tstl",
            "--executions",
            "5",
            "--json",
            "--guide",
        ];
        let output = folder.run(&[&words[..], &[guide]].concat());
        let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(record["criteria"][0]["covered"], 2, "{guide}");
        assert_eq!(record["criteria"][0]["total"], 4, "{guide}");
    }
}

/// A harness that logs, whose list must not grow.
const LOGGED: &str = "\
pool: <n> 2
pool: <l> 1
log: <n>
log: 2 len(<l>)
log: POST 1 <l>
log: POST 1/0
property: len(<l>) < 2
<l> := []
<n> := <[1..1]>
<l>.append(<n>)
";

#[test]
fn what_a_harness_logs_is_shown_of_failing_tests_up_to_a_level() {
    let folder = Folder::with(LOGGED);
    let words = ["generate", "own.tstl", "--executions", "5", "--jobs", "1"];
    let output = folder.run(&[&words[..], &["--out", "out", "--json"]].concat());
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let log = record["failures"][0]["output"].as_str().unwrap();
    let last = "[LOG n0] 1\n[LOG n1] None\nl0.append(n0)\n";
    assert!(log.ends_with(last) && !log.contains("POST"), "{log}");
    let junit = std::fs::read_to_string(folder.path("out/junit.xml")).unwrap();
    assert!(junit.contains("[LOG n1] None"), "{junit}");
    let last = "l0.append(n0)\nl0.append(n0)\n";
    let end = "failure: property: AssertionError at own.tstl:7\n";
    for (level, shown) in [
        ("none", last.to_owned() + end),
        ("1", "[POST LOG l0] [1, 1]\n".to_owned() + end),
        (
            "all",
            "[LOG len(l0)] 1\nl0.append(n0)\n[POST LOG l0] [1, 1]\n".to_owned() + end,
        ),
    ] {
        let test = "out/failures/test_append.test";
        let output = folder.run(&["replay", "own.tstl", test, "--log", level]);
        assert_eq!(code(&output), 1, "{}", stderr(&output));
        assert!(
            stdout(&output).ends_with(&shown),
            "{level}: {}",
            stdout(&output)
        );
    }
}

#[test]
fn a_test_that_tstl_saved_is_replayed() {
    let folder = Folder::with(LOGGED);
    // As TSTL 1.2.39 writes it, with a space at the end of lines.
    let text = "self.p_l[0] = [] \nself.p_n[1] = 1 \nself.p_l[0].append(self.p_n[1]) \n";
    std::fs::write(folder.path("saved.test"), text).unwrap();
    let output = folder.run(&["replay", "own.tstl", "saved.test", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let shown: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(shown["steps"][2]["action"], "l0.append(n1)");
    assert_eq!(
        shown["steps"][2]["log-before"][1],
        serde_json::json!(["n1", "1"])
    );
    std::fs::write(folder.path("saved.test"), "\nself.p_l[7] = []\n").unwrap();
    let output = folder.run(&["replay", "own.tstl", "saved.test"]);
    assert_eq!(code(&output), 3, "{}", stdout(&output));
    let place = "saved.test:2: the harness has no action `self.p_l[7] = []`";
    assert!(stderr(&output).contains(place), "{}", stderr(&output));
}

/// Runs a few tests of a harness; gives what pytest says of the failing tests, and their file.
fn failing_file(folder: &Folder, options: &[&str]) -> (String, String) {
    let file = written_failures(folder, options);
    (folder.pytest("out/failures"), file)
}

/// Runs a few tests of a harness; gives the file of failing tests.
fn written_failures(folder: &Folder, options: &[&str]) -> String {
    let words = ["generate", "own.tstl", "--executions", "20", "--jobs", "1"];
    let more = ["--guide", "random", "--steps", "20", "--out", "out"];
    let output = folder.run(&[&words[..], &more, options].concat());
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    std::fs::read_to_string(folder.path("out/failures/test_own_failures.py")).unwrap()
}

#[test]
fn written_tests_fail_by_properties_with_expected_exceptions_and_by_types_of_pools() {
    let pool = "pool: <l> 1\n";
    let actions = "<l> := []\n<l>.append(<[1..3]>)\n";
    let own = "property: {IndexError} <l>[-1] != 2\n";
    let shared = "property: <l>[-1] != 2 and <l>[-2] != 3 # the \"#\" is no part\nexception: IndexError, KeyError\n";
    let nested = "property: all(<l>[-1] != 2 for _ in range(1))\nproperty: '#' != <l>\nexception: IndexError\n";
    let typed = "pool: <n> 2 : int\n<n> := <[1..3]>\n<n> := <n> / 2\nproperty: <l> is not None\n";
    let begun = "init: [][1]\n";
    let left = "@import sys\nsys.exit(2)\n";
    for (more, line) in [
        (
            own,
            "tstl:2\n    try:\n        assert l0[-1] != 2\n    except IndexError:\n",
        ),
        (shared, "    except (IndexError, KeyError):\n        pass\n"),
        (
            nested,
            "        assert all(l0[-1] != 2 for _ in range(1))\n",
        ),
        (typed, ") == int\n"),
        (begun, "    [][1]\n"),
        (left, "    sys.exit(2)\n"),
    ] {
        let folder = Folder::with(&format!("{pool}{more}{actions}"));
        let (pytest, file) = failing_file(&folder, &[]);
        assert!(
            pytest.contains("1 failed") || more == left,
            "{pytest}{file}"
        );
        assert!(!pytest.contains("passed"), "{pytest}{file}");
        assert!(file.contains(line), "{line}: {file}");
        assert!(!file.contains("This test"), "{file}");
    }
}

#[test]
fn a_written_test_that_does_not_fail_says_so() {
    let counting = "@asked = [0]\n@def few(): asked[0] += 1; return asked[0] < 5\ninit: asked[0] = 0\nproperty: few()\n<[1..3]> + 1\n";
    let folder = Folder::with(counting);
    let (pytest, file) = failing_file(&folder, &["--reload=never"]);
    assert!(pytest.contains("1 passed"), "{pytest}");
    assert!(
        file.contains("    # This test passes when it is run.\n"),
        "{file}"
    );
    let record = std::fs::read_to_string(folder.path("out/record.json")).unwrap();
    assert!(
        record.contains("the written test passes when it is run"),
        "{record}"
    );
}

/// A harness whose hooks count; the property is about what they counted.
const HOOKED: &str = "\
<@
SEEN = [0, 0, 0, 0]
def test_before_all(self):
    SEEN[0] = 1
def test_before_restart(self):
    SEEN[1:] = [1, 0, 0]
def test_after_restart(self):
    SEEN[2] = SEEN[1]
    raise KeyError
def test_before_each(self):
    SEEN[3] += 1
def testing(number):
    return number + 1
@>
pool: <n> 2
property: SEEN[:3] == [1, 1, 1] and SEEN[3] < 4
<n> := testing(<[1..3]>)
SEEN[3]
";

#[test]
fn hooks_are_called_in_written_tests_and_are_none() {
    let looking = HOOKED.replace(
        "<@\n",
        "<@\ndef test_after_each(self):\n    self.p_n[1] = SEEN[3] if self.p_n[0] else None\n",
    );
    let looking = looking.replace("SEEN[3] < 4", "<n> != 7");
    for (harness, line) in [
        (HOOKED, "    _test_before_each(None)\n"),
        (&looking, "    _test_after_each(self)\n"),
    ] {
        let folder = Folder::with(harness);
        let (pytest, file) = failing_file(&folder, &[]);
        assert!(file.contains(line), "{file}");
        assert!(file.contains("_testing("), "{file}");
        assert!(!file.contains("This test"), "{file}");
        assert!(
            pytest.contains("1 failed") && !pytest.contains("passed"),
            "{pytest}"
        );
    }
    let passing = HOOKED.replace("SEEN[3] < 4", "SEEN[3] > 0");
    let folder = counter(&format!(
        "@import counter\n{passing}counter.large(<[1..5]>)\n"
    ));
    let words = ["generate", "own.tstl", "--executions", "9", "--steps", "5"];
    let output = folder.run(&[&words[..], &["--out", "out"]].concat());
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let suite = folder.pytest("out/suite");
    assert!(
        suite.contains("passed") && !suite.contains("failed"),
        "{suite}"
    );
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
