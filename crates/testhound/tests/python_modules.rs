//! `generate` on Python modules, end to end: the real binary, a real interpreter, the real pytest.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{code, stderr, stdout, tree};

/// A folder with a module, that of `examples/shop` unless another is named.
struct Shop {
    folder: tempfile::TempDir,
}

impl Shop {
    fn new() -> Shop {
        Shop::with("examples/shop/shop.py")
    }

    fn with(module: &str) -> Shop {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let file = root.join(module);
        std::fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
        Shop { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
        command.args(words).current_dir(self.folder.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TESTHOUND_")) {
            command.env_remove(name);
        }
        command.output().unwrap()
    }

    /// Runs pytest on some folders from another one, where nothing tells it of the module.
    fn pytest_elsewhere(&self, folders: &[&str]) -> Output {
        let elsewhere = tempfile::tempdir().unwrap();
        let mut command = Command::new("python3");
        command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
        command.args(folders.iter().map(|folder| self.path(folder)));
        command.current_dir(elsewhere.path());
        command.env_remove("PYTHONPATH");
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.output().unwrap()
    }

    /// Runs pytest on a folder.
    fn pytest(&self, folder: &str, hash_seed: &str) -> Output {
        let mut command = Command::new("python3");
        command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", folder]);
        command.current_dir(self.folder.path());
        command.env("PYTHONPATH", self.folder.path());
        command.env("PYTHONHASHSEED", hash_seed);
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.output().unwrap()
    }
}

#[test]
fn a_module_gets_a_suite_that_passes_and_failing_tests_for_its_planted_faults() {
    let shop = Shop::new();
    let ran = shop.run(&[
        "generate",
        "shop.py",
        "--executions",
        "6000",
        "--out",
        "out",
    ]);
    assert_eq!(code(&ran), 1, "{}{}", stdout(&ran), stderr(&ran));
    let failures =
        std::fs::read_to_string(shop.path("out/failures/test_shop_failures.py")).unwrap();
    assert!(
        failures.contains("`AttributeError` in `Basket.total:"),
        "{failures}"
    );
    assert!(
        failures.contains("round-trip: `escape and unescape`"),
        "{failures}"
    );
    for seed in ["1", "2", "3"] {
        let passed = shop.pytest("out/suite", seed);
        assert!(passed.status.success(), "{}", stdout(&passed));
    }
    let failed = shop.pytest("out/failures", "1");
    assert!(stdout(&failed).contains("2 failed"), "{}", stdout(&failed));
    let suite = std::fs::read_to_string(shop.path("out/suite/test_shop.py")).unwrap();
    assert!(!suite.to_lowercase().contains("testhound"), "{suite}");
    assert!(suite.contains("def test_read_code_"), "{suite}");
    let record = std::fs::read_to_string(shop.path("out/record.json")).unwrap();
    assert!(record.contains("\"killed-without-assertions\""), "{record}");
    let sarif = std::fs::read_to_string(shop.path("out/failures.sarif")).unwrap();
    assert!(sarif.contains("\"uri\": \"shop.py\""), "{sarif}");
    for file in ["record.json", "report.html", "coverage.lcov"] {
        assert!(shop.path("out").join(file).is_file(), "{file}");
    }
}

#[test]
fn every_broken_contract_has_a_test_that_fails_under_pytest() {
    let faulty = Shop::with("crates/python/testdata/modules/faulty.py");
    let words = ["generate", "faulty.py", "--executions", "6000"];
    let ran = faulty.run(&[&words[..], &["--mutants", "0", "--out", "out"]].concat());
    assert_eq!(code(&ran), 1, "{}{}", stdout(&ran), stderr(&ran));
    let file = faulty.path("out/failures/test_faulty_failures.py");
    let failures = std::fs::read_to_string(file).unwrap();
    let written = failures.matches("\ndef test_").count();
    let oracles = [
        "assertion",
        "eq-none",
        "eq-reflexive",
        "eq-returns",
        "eq-symmetric",
        "eq-transitive",
        "idempotent",
        "ne-negates-eq",
        "order-antisymmetric",
        "order-eq-le",
        "order-excludes-eq",
        "order-lt-le",
        "order-transitive",
        "recursion",
        "repr-returns",
        "str-returns",
    ];
    for oracle in oracles {
        let comment = format!("# {oracle}: ");
        assert_eq!(failures.matches(&comment).count(), 1, "{oracle} {failures}");
    }
    assert_eq!(written, oracles.len(), "{failures}");
    let failed = faulty.pytest("out/failures", "1");
    let text = stdout(&failed);
    assert!(text.contains("16 failed in"), "{text}");
    let passed = faulty.pytest("out/suite", "1");
    assert!(passed.status.success(), "{}", stdout(&passed));
}

#[test]
fn every_way_there_and_back_that_loses_something_has_a_test_that_fails_under_pytest() {
    let trips = Shop::with("crates/python/testdata/modules/trips.py");
    let words = ["generate", "trips.py", "--executions", "3000"];
    let ran = trips.run(&[&words[..], &["--mutants", "0", "--out", "out"]].concat());
    assert_eq!(code(&ran), 1, "{}{}", stdout(&ran), stderr(&ran));
    let file = trips.path("out/failures/test_trips_failures.py");
    let failures = std::fs::read_to_string(file).unwrap();
    let assertions = [
        "assert spaces.decode(result) == \"",
        "assert point.from_dict(result) == point\n",
        "assert trips.loads(result) == ",
        "assert trips.format_code(trips.parse_code(result)) == result\n",
    ];
    for assertion in assertions {
        assert_eq!(failures.matches(assertion).count(), 1, "{failures}");
    }
    let failed = stdout(&trips.pytest("out/failures", "1"));
    assert!(failed.contains("4 failed in"), "{failed}");
    // It is the assertions that fail, nothing before them.
    assert_eq!(failed.matches("\n>       assert ").count(), 4, "{failed}");
    let passed = trips.pytest("out/suite", "1");
    assert!(passed.status.success(), "{}", stdout(&passed));
}

#[test]
fn suites_find_a_module_that_is_not_installed_from_any_folder() {
    let shop = Shop::new();
    let package = shop.path("goods/stock");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(package.join("__init__.py"), "").unwrap();
    let text = "def double(number: int) -> int:\n    return 2 * number\n\n\ndef half(number: int) -> int:\n    return nummer // 2\n";
    std::fs::write(package.join("counts.py"), text).unwrap();
    let generate = |module: &str, out: &str| {
        let words = ["generate", module, "--executions", "60", "--mutants", "0"];
        let ran = shop.run(&[&words[..], &["--out", out]].concat());
        assert!(code(&ran) < 2, "{}", stderr(&ran));
    };
    generate("goods/stock/counts.py", "out/counts");
    let ran = shop.pytest_elsewhere(&["out/counts/suite", "out/counts/failures"]);
    let text = stdout(&ran);
    assert!(
        text.contains("1 failed, ") && text.contains(" passed in"),
        "{text}"
    );
    // What is installed is found without help.
    generate("colorsys", "out/colors");
    assert!(shop.path("out/colors/suite/test_colorsys.py").is_file());
    assert!(!shop.path("out/colors/suite/conftest.py").exists());
    let passed = shop.pytest_elsewhere(&["out/colors/suite"]);
    assert!(passed.status.success(), "{}", stdout(&passed));
}

#[test]
fn modules_get_suites_whatever_their_names_are() {
    let text = "\
import datetime


def next_year(day: datetime.date) -> int:
    if day.year > 2000:
        return day.year + 1
    return 0
";
    for name in ["my-days.py", "queue.py", "days/datetime.py"] {
        let shop = Shop::new();
        std::fs::create_dir(shop.path("days")).unwrap();
        std::fs::write(shop.path("days/__init__.py"), "").unwrap();
        std::fs::write(shop.path(name), text).unwrap();
        let words = ["generate", name, "--executions", "200", "--out", "out"];
        let ran = shop.run(&words);
        assert_eq!(code(&ran), 0, "{}{}", stdout(&ran), stderr(&ran));
        let passed = shop.pytest("out/suite", "1");
        let text = stdout(&passed);
        assert!(text.contains("2 passed"), "{name}: {text}{}", stdout(&ran));
    }
}

#[test]
fn a_call_that_the_interpreter_does_not_survive_is_a_failure() {
    let fatal = Shop::with("crates/python/testdata/modules/fatal.py");
    let words = ["generate", "fatal.py", "--executions", "60"];
    let ran = fatal.run(&[&words[..], &["--mutants", "0", "--out", "out"]].concat());
    assert_eq!(code(&ran), 1, "{}{}", stdout(&ran), stderr(&ran));
    let file = fatal.path("out/failures/test_fatal_failures.py");
    let failures = std::fs::read_to_string(file).unwrap();
    let comment = "# crash: the interpreter dies in `fatal.leave`";
    assert_eq!(failures.matches(comment).count(), 1, "{failures}");
    let failed = fatal.pytest("out/failures", "1");
    let text = stdout(&failed);
    assert!(text.contains("1 failed in"), "{text}");
    assert!(text.contains("assert 3 == 0"), "{text}");
}

#[test]
fn a_failing_test_that_passes_as_it_is_written_says_so() {
    let shop = Shop::new();
    // The first number that a worker draws in a test.
    let text = "\
import random


def flip() -> int:
    if random.random() == 0.8444218515250481:
        return missing
    return 1
";
    std::fs::write(shop.path("chance.py"), text).unwrap();
    let words = [
        "generate",
        "chance.py",
        "--executions",
        "20",
        "--out",
        "out",
    ];
    let ran = shop.run(&words);
    assert_eq!(code(&ran), 1, "{}{}", stdout(&ran), stderr(&ran));
    let failures = shop.path("out/failures/test_chance_failures.py");
    let failures = std::fs::read_to_string(failures).unwrap();
    let comment = "    # This test passes when it is run.\n";
    assert_eq!(failures.matches(comment).count(), 1, "{failures}");
    let record = std::fs::read_to_string(shop.path("out/record.json")).unwrap();
    assert!(
        record.contains("the written test passes when it is run"),
        "{record}"
    );
}

#[test]
fn the_number_of_workers_changes_nothing_and_a_run_goes_on_where_it_stopped() {
    let shop = Shop::new();
    let generate = |more: &[&str]| {
        let words = [&["generate", "shop", "--seed", "5"], more].concat();
        let ran = shop.run(&words);
        assert!(code(&ran) < 2, "{}", stderr(&ran));
    };
    generate(&["--executions", "600", "--jobs", "1", "--out", "one"]);
    generate(&["--executions", "600", "--jobs", "2", "--out", "two"]);
    assert_eq!(tree(&shop.path("one/suite")), tree(&shop.path("two/suite")));
    generate(&["--executions", "1200", "--resume", "--out", "one"]);
    let record = std::fs::read_to_string(shop.path("one/record.json")).unwrap();
    assert!(record.contains("\"executions\": 1200"), "{record}");
}

#[test]
fn a_module_that_cannot_be_loaded_is_told_with_its_place_and_a_hint() {
    let shop = Shop::new();
    std::fs::write(shop.path("broken.py"), "import shop\n1 / 0\n").unwrap();
    let ran = shop.run(&["generate", "broken", "--out", "out"]);
    assert_eq!(code(&ran), 5);
    let text = stderr(&ran);
    assert!(text.contains("broken.py\", line 2"), "{text}");
    assert!(
        text.contains("ZeroDivisionError") && text.contains("hint: "),
        "{text}"
    );
    let absent = shop.run(&["generate", "no_such_module", "--out", "out"]);
    assert_eq!(code(&absent), 5);
    assert!(
        stderr(&absent).contains("hint: modules are looked for"),
        "{}",
        stderr(&absent)
    );
}

#[test]
fn a_file_that_needs_its_package_is_told_how_to_be_named() {
    let shop = Shop::new();
    std::fs::create_dir(shop.path("loose")).unwrap();
    std::fs::write(shop.path("loose/one.py"), "ONE = 1\n").unwrap();
    let two = "from .one import ONE\n\n\ndef two() -> int:\n    return ONE + 1\n";
    std::fs::write(shop.path("loose/two.py"), two).unwrap();
    let words = ["generate", "--executions", "10", "--out", "out"];
    let output = shop.run(&[&words[..], &["loose/two.py"]].concat());
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("name it `package.module`"), "{told}");
    let output = shop.run(&[&words[..], &["loose.two"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn a_module_inside_an_archive_is_refused_with_what_to_do() {
    let shop = Shop::new();
    let package = "import os\n__path__ = [os.path.join(os.path.dirname(__file__), 'shelf.zip')]\n";
    std::fs::create_dir(shop.path("shelf")).unwrap();
    std::fs::write(shop.path("shelf/__init__.py"), package).unwrap();
    let pack = "import zipfile; zipfile.ZipFile('shelf/shelf.zip', 'w').write('shop.py')";
    let mut python = Command::new("python3");
    python.args(["-c", pack]).current_dir(shop.folder.path());
    assert!(python.status().unwrap().success());
    let output = shop.run(&["generate", "shelf.shop", "--executions", "10"]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("cannot load `shelf.shop`"), "{told}");
    assert!(told.contains("unpack its archive"), "{told}");
}

#[test]
fn only_functions_that_changed_since_a_revision_are_tested() {
    let text = "\
def double(number: int) -> int:
    return number + number


def sign(number: int) -> str:
    if number < 0:
        return 'minus'
    return 'plus'
";
    let shop = Shop::new();
    std::fs::write(shop.path("calc.py"), text).unwrap();
    let git = |words: &[&str]| {
        let user = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let mut command = Command::new("git");
        command.args(user).args(words).current_dir(shop.path("."));
        assert!(command.output().unwrap().status.success(), "{words:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "calc.py"]);
    git(&["commit", "-q", "-m", "first"]);
    let words = ["generate", "calc.py", "--since", "HEAD"];
    let rest = ["--executions", "200", "--mutants", "50", "--json"];
    let words = [&words[..], &rest].concat();
    let nothing = shop.run(&words);
    assert_eq!(code(&nothing), 3, "{}", stdout(&nothing));
    assert!(stderr(&nothing).contains("no function of `calc.py` changed since `HEAD`"));
    std::fs::write(shop.path("calc.py"), text.replace("'minus'", "'less'")).unwrap();
    let output = shop.run(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let functions = &record["criteria"][2];
    assert_eq!(functions["criterion"], "function");
    assert_eq!(
        (&functions["covered"], &functions["total"]),
        (&1.into(), &1.into())
    );
    assert!(record["command"].as_str().unwrap().contains("--since HEAD"));
    let file = shop.path("testhound-out/calc/suite/test_calc.py");
    let suite = std::fs::read_to_string(file).unwrap();
    assert!(
        suite.contains("sign(") && !suite.contains("double("),
        "{suite}"
    );
    let again = ["generate", "calc.py", "--resume", "--executions", "220"];
    let again = shop.run(&[&again[..], &["--json"]].concat());
    let record: serde_json::Value = serde_json::from_str(&stdout(&again)).unwrap();
    assert_eq!(record["criteria"][2]["total"], 1);
}

#[test]
fn options_of_harnesses_are_refused() {
    let shop = Shop::new();
    for option in [
        &["--size", "lines"][..],
        &["--no-coverage"],
        &["--steps", "5"],
    ] {
        let output = shop.run(&[&["generate", "shop.py"][..], option].concat());
        assert_eq!(code(&output), 2, "{option:?}");
        assert!(stderr(&output).contains("is for harnesses"), "{option:?}");
        assert!(stderr(&output).contains("hint: "), "{option:?}");
    }
}
