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
    let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
    command.args(words).current_dir(folder());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
        command.env_remove(name);
    }
    command.output().unwrap()
}

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
