//! What is covered, and by what.

use crate::folder::{Folder, counter};
use crate::support::{code, stderr, stdout};

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

#[test]
fn modules_and_folders_that_source_names_are_measured_besides_those_imported() {
    let branch = "def f(x):\n    if x > 2:\n        return 1\n    return 0\n";
    let user = "import sys\nsys.path.append('places')\nimport named, inner\ndef f(x): return named.f(x) + inner.f(x)\n";
    for (source, covered) in [
        ("", 0),
        ("source: named\n", 2),
        ("sources:\nplaces\nnamed\n", 4),
    ] {
        let harness = format!("@import user\n{source}actions:\nuser.f(<[1..5]>)\n");
        let folder = Folder::with(&harness);
        std::fs::create_dir(folder.path("places")).unwrap();
        for (name, text) in [
            (
                "user.py",
                user.replace("places", &folder.path("places").display().to_string()),
            ),
            ("named.py", branch.to_owned()),
            ("places/inner.py", branch.to_owned()),
        ] {
            std::fs::write(folder.path(name), text).unwrap();
        }
        let words = ["generate", "own.tstl", "--executions", "5", "--json"];
        let output = folder.run(&[&words[..], &["--guide", "random"]].concat());
        let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        let mut criteria = record["criteria"].as_array().unwrap().iter();
        let branches = criteria.find(|one| one["criterion"] == "branch");
        let seen = branches.map_or(0, |one| one["covered"].as_u64().unwrap());
        assert_eq!(seen, covered, "{source}{}", stderr(&output));
    }
}

#[test]
fn modules_without_probes_are_traced_and_those_that_cannot_be_are_named_with_the_reason() {
    let harness = "@import nested\nsource: _json\npool: <n> 1\n<n> := <[0..3]>\nnested.of(<n>)\nnested.load()\n";
    let folder = Folder::with(harness);
    let chain: String = (0..400)
        .map(|number| format!("    elif x == {number}:\n        return {number}\n"))
        .collect();
    let load = "def load():\n    import _json\n    return _json.scanstring\n";
    let text = format!("{load}def of(x):\n    if x < 0:\n        return 0\n{chain}");
    std::fs::write(folder.path("nested.py"), text).unwrap();
    let words = ["generate", "own.tstl", "--executions", "8", "--out", "out"];
    let output = folder.run(&words);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let told = "`_json` is not in the coverage: it is a compiled extension";
    assert!(stdout(&output).contains(told), "{}", stdout(&output));
    let record = std::fs::read_to_string(folder.path("out/record.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["unmeasured"][0]["name"], "_json", "{record}");
    assert_eq!(record["unmeasured"][1], serde_json::Value::Null, "{record}");
    let mut criteria = record["criteria"].as_array().unwrap().iter();
    let branches = criteria.find(|one| one["criterion"] == "branch").unwrap();
    // `x < 0`, `x == 0` and so on: one side each of the first, both sides of those that come next, one of the last.
    assert_eq!(branches["total"], 2 * 401, "{record}");
    assert_eq!(branches["covered"], 8, "{record}");
}

#[test]
fn what_only_dropped_tests_cover_is_not_reported_as_covered() {
    let subject = "\
import os


def good(x):
    if x > 2:
        return 1
    return 0


def moody():
    if os.environ['PYTHONHASHSEED'] == '4242':
        raise ValueError
    return 1
";
    let folder = Folder::with("@import subject\nsubject.good(<[1..5]>)\nsubject.moody()\n");
    std::fs::write(folder.path("subject.py"), subject).unwrap();
    let words = ["generate", "own.tstl", "--executions", "40", "--json"];
    let more = ["--steps", "1", "--guide", "random"];
    let output = folder.run(&[&words[..], &more].concat());
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(record["dropped"].as_array().unwrap().len(), 1, "{record}");
    assert_eq!(record["criteria"][0]["covered"], 2, "{record}");
    assert_eq!(record["criteria"][0]["total"], 4, "{record}");
}
