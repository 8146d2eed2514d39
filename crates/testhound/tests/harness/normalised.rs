//! Failing tests after normalisation.

use crate::folder::{Folder, written_failures};
use crate::support::{code, stderr};

/// The one failing test of the example that a run with this seed writes, as TSTL would save it.
fn failing_test(seed: &str, options: &[&str]) -> String {
    let folder = Folder::avl();
    let words = ["generate", "avl.tstl", "--executions", "60", "--jobs", "1"];
    let more = ["--guide", "random", "--out", "out", "--seed", seed];
    let output = folder.run(&[&words[..], &more, options].concat());
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let files = std::fs::read_dir(folder.path("out/failures")).unwrap();
    let mut files = files.map(|file| file.unwrap().path());
    let test = files.find(|file| file.extension().is_some_and(|one| one == "test"));
    std::fs::read_to_string(test.unwrap()).unwrap()
}

#[test]
fn different_failing_tests_of_one_fault_become_the_same_test() {
    let found = ["1", "2"].map(|seed| failing_test(seed, &["--no-reduce"]));
    assert_ne!(found[0], found[1]);
    let expected = "\
self.p_int[0] = 1
self.p_avl[0] = avltree.AVLTree()
self.p_avl[0].insert(self.p_int[0])
self.p_int[0] = 3
self.p_avl[0].insert(self.p_int[0])
self.p_int[0] = 2
self.p_avl[0].insert(self.p_int[0])
";
    for seed in ["1", "2"] {
        assert_eq!(failing_test(seed, &[]), expected);
    }
}

#[test]
fn reducing_a_test_calls_nothing_of_the_subject_that_the_run_did_not_call() {
    let harness = "\
<@
import os
class Shy:
    def __repr__(self): os._exit(3)
    def fail(self): raise ValueError('found')
@>
pool: <s> 2
<s> := Shy()
~<s>.fail()
1 + <[1..9]>
";
    let file = written_failures(&Folder::with(harness), &[]);
    let test = "    s0 = Shy()\n    # ValueError at own.tstl:5: found\n    s0.fail()\n";
    assert!(file.ends_with(test), "{file}");
}
