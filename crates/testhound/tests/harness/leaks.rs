//! State that outlives tests.

use crate::folder::{Folder, counter};
use crate::support::{code, stderr, stdout};

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
