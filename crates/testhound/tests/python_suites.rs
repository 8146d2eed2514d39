//! `measure` and `mutate` on an existing pytest suite, end to end: the real binary, a real interpreter, the real pytest.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{code, stderr, stdout};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/testdata/suite")
}

fn run(words: &[&str]) -> Output {
    run_in(&folder(), words)
}

fn run_in(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
    command.args(words).current_dir(folder);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
        command.env_remove(name);
    }
    command.output().unwrap()
}

/// A new project of files, by their names.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let project = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = project.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    project
}

/// What becomes of the mutants of a record.
fn fates(record: &serde_json::Value) -> Vec<&str> {
    let mutants = record["mutants"].as_array().unwrap().iter();
    mutants.map(|one| one["fate"].as_str().unwrap()).collect()
}

const NEXT: &str = "def following(number):\n    return number + 1\n";
const TEST_NEXT: &str = r#"
import pytest
from following import following

@pytest.mark.parametrize("name", ["plain", "a::b [c]/d", "ü"])
def test_following(name):
    assert following(1) == 2
"#;

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

#[test]
fn measure_counts_what_a_suite_covers_whatever_its_tests_do() {
    let out = tempfile::tempdir().unwrap();
    let path = out.path().display().to_string();
    let output = run(&["measure", "shop.cart", "--tests", "tests", "--out", &path]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("7 passed, 1 failed, 1 skipped, 1 died"),
        "{text}"
    );
    assert!(
        text.contains("tests.test_cart.test_wrong failed: assert 0 == 1"),
        "{text}"
    );
    assert!(text.contains("cover of 1 module"), "{text}");
    assert!(text.contains("branch           6   6  100.0 %"), "{text}");
    assert!(text.contains("line            16  17   94.1 %"), "{text}");
    let lcov = std::fs::read_to_string(out.path().join("coverage.lcov")).unwrap();
    assert!(
        lcov.contains("/shop/cart.py\n") && lcov.contains("\nDA:23,0\n"),
        "{lcov}"
    );
    assert!(lcov.contains("\nFNDA:0,shop.cart.clear:22\n"), "{lcov}");
    assert!(out.path().join("report.html").is_file());
}

#[test]
fn measure_tells_which_test_of_a_package_covers_what() {
    let output = run(&[
        "measure",
        "shop",
        "--tests",
        "tests/test_cart.py",
        "--criteria",
        "method",
        "--json",
    ]);
    let record = json(&output);
    let goals = record["goals"].as_array().unwrap();
    assert!(goals.iter().all(|goal| goal["criterion"] == "method"));
    let tests = record["tests"].as_array().unwrap();
    let none = tests
        .iter()
        .find(|test| test["name"] == "test_none")
        .unwrap();
    assert_eq!(none["class"], "tests.test_cart.TestAdd");
    let covered: Vec<(&str, u64)> = none["goals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| &goals[number.as_u64().unwrap() as usize])
        .map(|goal| {
            (
                goal["class"].as_str().unwrap(),
                goal["line"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(covered, [("shop/cart", 6), ("shop/cart", 9)]);
    let classes = record["classes"].as_array().unwrap();
    let names: Vec<&str> = classes
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["shop/__init__", "shop/cart", "shop/money"]);
}

#[test]
fn mutate_tells_which_mutants_a_suite_kills_and_by_what() {
    let words = [
        "mutate",
        "shop/cart.py",
        "--tests",
        "tests/test_cart.py",
        "--operators",
        "comparison,return",
    ];
    let output = run(&[&words[..], &["--json", "--jobs", "1"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record = json(&output);
    assert_eq!(record["tests"], 5);
    assert_eq!(
        record["unusable-tests"][0],
        "tests/test_cart.py::test_wrong"
    );
    let fates: Vec<String> = record["mutants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {} {}", one["method"], one["line"], one["fate"]).replace('"', ""))
        .collect();
    let expected = [
        "Cart.add 10 killed",
        "Cart.add 10 killed",
        "Cart.total 18 survived",
        "Cart.total 18 killed",
        "Cart.total 20 killed",
    ];
    assert_eq!(fates, expected);
    let by = record["mutants"][4]["killed-by"].as_str().unwrap();
    assert_eq!(by, "tests/test_cart.py::test_total[1-5]");
}

#[test]
fn mutants_that_never_end_are_noticed_and_what_nothing_reaches_is_told() {
    let words = [
        "mutate",
        "shop.money",
        "--tests",
        "tests/test_money.py",
        "--operators",
        "arithmetic,return",
    ];
    let output = run(&[&words[..], &["--json"]].concat());
    let record = json(&output);
    let mutants = record["mutants"].as_array().unwrap();
    let of = |function: &str, operator: &str| {
        let mut mutants = mutants.iter();
        mutants
            .find(|one| one["method"] == function && one["operator"] == operator)
            .unwrap()
    };
    assert_eq!(of("rounded", "return")["fate"], "not-reached");
    let endless = of("digits", "arithmetic");
    assert_eq!(
        (&endless["fate"], &endless["detail"]),
        (&"killed".into(), &"hung".into())
    );
}

#[test]
fn suites_that_cannot_be_run_are_refused_with_a_hint() {
    for (words, told) in [
        (
            ["measure", "shop.cart", "--tests", "nowhere"],
            "cannot read `nowhere`",
        ),
        (
            ["measure", "shop.cart", "--tests", "shop"],
            "there are no tests",
        ),
        (
            ["measure", "json.tool", "--tests", "tests/test_money.py"],
            "the tests do not import `json.tool`",
        ),
        (
            ["mutate", "shop.cart", "--tests", "tests/broken.py"],
            "cannot be collected",
        ),
    ] {
        let output = run(&words);
        assert_eq!(code(&output), 3, "{}", stdout(&output));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    let words = [
        "mutate",
        "shop.cart",
        "--tests",
        "tests",
        "--operators",
        "pit",
    ];
    assert!(stderr(&run(&words)).contains("hint: for Python there are arithmetic"));
}

#[test]
fn mutants_are_noticed_where_pytest_names_tests_from_a_folder_further_up() {
    let project = project(&[
        ("pytest.ini", "[pytest]\n"),
        ("sub/following.py", NEXT),
        ("sub/tests/test_following.py", TEST_NEXT),
        ("sub/tests/test_other.py", "def test_other():\n    pass\n"),
    ]);
    let words = ["mutate", "following", "--tests", "tests", "--json"];
    let output = run_in(&project.path().join("sub"), &words);
    let record = json(&output);
    assert_eq!(record["tests"], 4, "{record}");
    assert_eq!(fates(&record), ["killed"; 3], "{record}");
    let by = &record["mutants"][0]["killed-by"];
    assert_eq!(by, "sub/tests/test_following.py::test_following[plain]");
}

#[test]
fn mutants_that_break_the_settings_of_tests_are_noticed() {
    let project = project(&[
        ("limit.py", "LIMIT = 1\nassert LIMIT\n"),
        ("tests/conftest.py", "import limit\n"),
        ("tests/test_limit.py", "def test_nothing():\n    pass\n"),
    ]);
    let words = ["mutate", "limit", "--tests", "tests", "--json"];
    let words = [&words[..], &["--operators", "condition,negation"]].concat();
    let record = json(&run_in(project.path(), &words));
    assert!(!fates(&record).is_empty(), "{record}");
    assert!(
        fates(&record).iter().all(|fate| *fate == "killed"),
        "{record}"
    );
}

#[test]
fn mutants_whose_tests_are_not_there_any_more_are_no_survivors() {
    let test = "import pytest\nfrom limit import LIMIT\n\n@pytest.mark.parametrize('limit', [LIMIT])\n\
                def test_limit(limit):\n    pass\n";
    let project = project(&[("limit.py", "LIMIT = 3\n"), ("tests/test_limit.py", test)]);
    let words = ["mutate", "limit", "--tests", "tests", "--json"];
    let output = run_in(project.path(), &words);
    let record = json(&output);
    assert_eq!(fates(&record), ["refused"], "{record}");
    let told = "pytest no longer finds `tests/test_limit.py::test_limit[3]`";
    assert_eq!(record["mutants"][0]["detail"], told);
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}

#[test]
fn options_of_a_project_that_would_leave_tests_out_do_nothing() {
    for options in ["--ff", "--lf --lfnf=none --sw", "-x"] {
        let settings = format!("[pytest]\naddopts = {options} --strict-config\ncache_dir = x\n");
        let project = project(&[
            ("pytest.ini", settings.as_str()),
            ("following.py", NEXT),
            ("tests/test_a.py", "def test_wrong():\n    assert False\n"),
            ("tests/test_following.py", TEST_NEXT),
        ]);
        let words = ["measure", "following", "--tests", "tests"];
        let output = run_in(project.path(), &words);
        let text = stdout(&output);
        assert!(
            text.contains("3 passed, 1 failed"),
            "{options}: {text}{}",
            stderr(&output)
        );
        assert!(!project.path().join("x").exists());
    }
}

#[test]
fn tests_run_where_they_are_measured_though_a_plugin_would_spread_them() {
    // Has the options of pytest-xdist, and loses the tests as that would.
    let plugin = r#"
def pytest_addoption(parser):
    parser.getgroup("spread")._addoption("-n", "--numprocesses", dest="numprocesses")

def pytest_collection_modifyitems(config, items):
    if config.option.numprocesses != "0":
        del items[:]
"#;
    let project = project(&[
        (
            "pytest.ini",
            "[pytest]\naddopts = -p no:xdist -p spread -n auto\n",
        ),
        ("spread.py", plugin),
        ("following.py", NEXT),
        ("tests/test_following.py", TEST_NEXT),
    ]);
    let words = ["mutate", "following", "--tests", "tests", "--json"];
    let output = run_in(project.path(), &words);
    assert_eq!(fates(&json(&output)), ["killed"; 3]);
}

#[test]
fn modules_behind_links_are_measured_and_changed() {
    let project = project(&[
        ("elsewhere/code.py", NEXT),
        ("tests/test_following.py", TEST_NEXT),
    ]);
    let link = project.path().join("following.py");
    std::os::unix::fs::symlink("elsewhere/code.py", link).unwrap();
    let measure = ["measure", "following", "--tests", "tests"];
    let text = stdout(&run_in(project.path(), &measure));
    assert!(text.contains("line             2   2  100.0 %"), "{text}");
    let mutate = ["mutate", "following", "--tests", "tests", "--json"];
    let record = json(&run_in(project.path(), &mutate));
    assert_eq!(fates(&record), ["killed"; 3], "{record}");
}

#[test]
fn runs_that_pytest_does_not_end_or_that_show_nothing_are_refused() {
    let unknown = "[pytest]\naddopts = --no-such-option\n";
    let interrupts = "import following\n\ndef test_stop():\n    raise KeyboardInterrupt\n";
    let rewritten = "pytest_plugins = ['following']\n";
    for (name, text, told) in [
        ("pytest.ini", unknown, "arguments: --no-such-option"),
        ("tests/conftest.py", "import nowhere\n", "named 'nowhere'"),
        (
            "tests/test_zero.py",
            interrupts,
            "KeyboardInterrupt in `tests/test_zero.py::test_stop`",
        ),
        (
            "conftest.py",
            rewritten,
            "following.py` cannot be measured: something else loads it",
        ),
    ] {
        let project = project(&[
            ("following.py", NEXT),
            ("tests/test_following.py", TEST_NEXT),
            (name, text),
        ]);
        for command in ["measure", "mutate"] {
            let output = run_in(project.path(), &[command, "following", "--tests", "tests"]);
            let error = stderr(&output);
            assert_eq!(code(&output), 3, "{name}: {}{error}", stdout(&output));
            assert!(error.contains(told) && error.contains("hint: "), "{error}");
        }
    }
}
