//! What a harness logs, and replay of written tests.

use crate::folder::Folder;
use crate::support::{code, stderr, stdout};

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
