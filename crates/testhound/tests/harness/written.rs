//! Failing tests as they are written.

use crate::folder::{Folder, counter, failing_file};
use crate::support::{code, stderr, stdout};

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
fn tests_of_differential_harnesses_show_both_sides() {
    let harness = "\
<@
def double(n): return 2 * n if n < 7 else 15
def twice(n): return n + n
def third(n):
    if n > 4: raise ValueError('no')
def same(n): pass
@>
pool: <n> 1
reference: double\\( ==> twice(
reference: third\\( ==> same(
compare: double
compare: third
<n> := <[1..9]>
double(<n>)
{ValueError} third(<n>)
";
    let folder = Folder::with(harness);
    let (pytest, file) = failing_file(&folder, &[]);
    assert!(pytest.contains("2 failed"), "{pytest}{file}");
    let report = std::fs::read_to_string(folder.path("out/report.html")).unwrap();
    let record = std::fs::read_to_string(folder.path("out/record.json")).unwrap();
    let sides = [
        "15 here, 14 in the reference",
        "ValueError('no') here, None in the reference",
    ];
    for side in sides {
        assert!(pytest.contains(side), "{pytest}");
        assert!(file.contains(side), "{file}");
        assert!(record.contains(side), "{record}");
        let escaped = side.replace('\'', "&#x27;");
        assert!(
            report.contains(side) || report.contains(&escaped),
            "{report}"
        );
    }
    assert!(!file.contains("This test"), "{file}");
}

#[test]
fn slots_that_might_be_called_alike_are_variables_of_their_own() {
    let harness = "\
@import counter
@def m5(): return 5
pool: <n> 12
pool: <n1> 2
pool: <m> 1
<n> := 1
<n1> := 2
<m> := m5()
property: not (<n> and <n1> and <m>)
";
    let (pytest, file) = failing_file(&counter(harness), &["--no-reduce"]);
    assert!(pytest.contains("1 failed"), "{pytest}{file}");
    for line in ["    n_", "    n1", "    m_0 = m5()"] {
        assert!(file.contains(line), "{line}: {file}");
    }
    assert!(!file.contains("This test"), "{file}");
}

#[test]
fn tests_are_written_on_modules_that_are_loaded_anew_where_runs_do_so() {
    let folder = Folder::with("@import tally\ntally.count()\ntally.calls\n");
    let subject =
        "calls = 0\n\n\ndef count():\n    global calls\n    calls += 1\n    return calls\n";
    std::fs::write(folder.path("tally.py"), subject).unwrap();
    let words = ["generate", "own.tstl", "--executions", "8", "--steps", "6"];
    let more = ["--jobs", "1", "--reload", "--out", "out"];
    let output = folder.run(&[&words[..], &more].concat());
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let suite = std::fs::read_to_string(folder.path("out/suite/test_own.py")).unwrap();
    assert!(suite.contains("    assert tally.count() == 1\n"), "{suite}");
}
