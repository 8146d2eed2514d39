//! What a run finds, that it repeats, goes on and is guided.

use crate::folder::Folder;
use crate::support::{code, stderr, stdout};

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
    assert!(folder.path("out/report.html").is_file());
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
fn guides_that_share_the_budget_can_be_named() {
    let folder = Folder::with("@import os\npool: <n> 1\n<n> := <[0..3]>\nstr(<n>)\n");
    let generate = |guide: &str, arms: &str| {
        let words = ["generate", "own.tstl", "--executions", "8", "--out", guide];
        folder.run(&[&words[..], &["--guide", guide, "--arms", arms]].concat())
    };
    let output = generate("ensemble", "swarm; ga,loc");
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!(
        stdout(&output).contains("--arms 'swarm;ga,loc'"),
        "{}",
        stdout(&output)
    );
    let single = generate("loc", "swarm;ga");
    assert_eq!(code(&single), 2, "{}", stderr(&single));
    assert!(stderr(&single).contains("hint: add `--guide ensemble`"));
    assert!(!folder.path("loc").exists());
}
