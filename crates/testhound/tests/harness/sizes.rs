//! What the sizes of actions are, and when they are sampled.

use crate::folder::{COUNTER, Folder, counter};
use crate::support::{code, stderr};
use std::process::Command;

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

#[test]
fn a_resumed_run_goes_on_sampling_until_its_share_is_used() {
    let folder = counter("@import counter\ncounter.small()\ncounter.large(<[1..5]>)\n");
    let samples = |options: &[&str]| {
        let words = ["generate", "own.tstl", "--guide", "loc", "--out", "out"];
        let output = folder.run(&[&words[..], &["--jobs", "1"], options].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let text = std::fs::read_to_string(folder.path("out/sizes.json")).unwrap();
        let sizes: serde_json::Value = serde_json::from_str(&text).unwrap();
        sizes["counter.small()"]["samples"].as_u64().unwrap()
    };
    let first = samples(&["--executions", "10"]);
    let more = samples(&["--executions", "200", "--resume"]);
    assert!(more > first, "{first} {more}");
    let all = samples(&["--executions", "210", "--resume"]);
    assert_eq!(all, more, "a tenth of the executions is used");
}
