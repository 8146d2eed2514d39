//! Harnesses that are wrong, and what is only warned of.

use crate::folder::{Folder, written_failures};
use crate::support::{code, stderr, stdout};

#[test]
fn a_harness_that_is_wrong_is_refused_with_its_place() {
    for (text, place) in [
        ("f(<x>)\n", "own.tstl:1:3: the pool `x` is not declared"),
        ("1 +\n", "own.tstl:1:4: `1 +` is not Python"),
    ] {
        let output = Folder::with(text).run(&["generate", "own.tstl", "--executions", "1"]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stderr(&output).contains(place), "{}", stderr(&output));
        assert!(stderr(&output).contains("hint: "), "{}", stderr(&output));
    }
}

/// Harnesses with one mistake each, which stands where `$` is.
const MISTAKES: &[&str] = &[
    "f($)\n",
    "pool: <n> 3\n<n> := $\n",
    "pool: <number> 3\n<number> := 1\n*3 {ValueError} <number> > 1 -> f(<number>, <[1..20]>, $)\n",
    "pool: <n> 3\n<n> := 1\n<n> == 1 and $ -> f(<n>)\n",
    "pool: <n> 3\n<n> := 1\nf(<n>) => <n,1> > pre<(<n,1>)> and $\n",
    "pool: <n> 3\n<n> := 1\nf(<n>) => <n,1> > pre<(<n,1> $)>\n",
    "pool: <n> 3\n<n> := 1\nproperty: {ValueError} <n> > 1 and $\n",
    "pool: <n> 3\n<n> := 1\nassume: <n> > $\n",
    "<[1..2]> + 1\ninit: x = $\n",
    "pool: <n> 3\n<n> := 1\nf(<n>, \\\n  <n>, $)\n",
    "@x = $\nf()\n",
    "<[1..2]> + 1\nproperties:\n  True\n  'ä' < $\n",
];

#[test]
fn mistakes_in_python_have_the_column_in_the_harness() {
    for text in MISTAKES {
        let before = text.split('$').next().unwrap();
        let line = before.lines().count();
        let column = before.lines().last().unwrap().chars().count() + 1;
        let place = format!("own.tstl:{line}:{column}: ");
        let output = Folder::with(text).run(&["generate", "own.tstl", "--executions", "1"]);
        assert_eq!(code(&output), 3, "{text}{}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(&place), "{text}{place}\n{said}");
        assert!(said.contains(" is not Python: "), "{said}");
        assert!(said.contains("hint: "), "{said}");
    }
}

#[test]
fn names_of_exceptions_and_patterns_that_are_wrong_have_a_column() {
    for (text, place) in [
        ("*3 {Unknown} f()\n", "own.tstl:1:4: the exceptions"),
        (
            "f()\nproperty: {Unknown} 1\n",
            "own.tstl:2:11: the exceptions",
        ),
        (
            "f()\nreference: ( ==> x\n",
            "own.tstl:2:12: `(` is not a pattern",
        ),
    ] {
        let output = Folder::with(text).run(&["generate", "own.tstl", "--executions", "1"]);
        assert_eq!(code(&output), 3, "{text}{}", stderr(&output));
        assert!(stderr(&output).contains(place), "{}", stderr(&output));
    }
}

#[test]
fn exceptions_that_are_marked_are_no_failures_but_warned_of() {
    let harness = "{!ZeroDivisionError,KeyError} 1 // <[0..1]>\n{!KeyError} {}[<[1..2]>]\ndict().get(<[1..2]>)\n";
    let words = ["generate", "own.tstl", "--executions", "4", "--steps", "40"];
    for guide in ["random", "ga"] {
        let output = Folder::with(harness).run(&[&words[..], &["--guide", guide]].concat());
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        let said = stderr(&output);
        for warning in [
            "warning: own.tstl:1: `{!ZeroDivisionError,KeyError} 1 // <[0..1]>` raised ZeroDivisionError in 4 tests\n",
            "warning: own.tstl:2: `{!KeyError} {}[<[1..2]>]` raised KeyError in 4 tests\n",
        ] {
            assert!(said.contains(warning), "{guide}: {said}");
        }
    }
}

#[test]
fn faults_that_show_in_pythons_own_functions_or_in_files_of_one_name_are_different_failures() {
    let harness = "\
@import first
@import second
pool: <n> 1
<n> := <[0..9]>
first.read('[')
first.copied('[')
second.read(<n>)
";
    let folder = Folder::with(harness);
    let first = "import json\n\n\ndef read(text):\n    return json.loads(text)\n\n\ndef copied(text):\n    return json.loads(text + '')\n";
    let second = "import json\n\n\ndef read(number):\n    return json.loads('[' * (number + 1))\n";
    for (name, text) in [("first", first), ("second", second)] {
        std::fs::create_dir(folder.path(name)).unwrap();
        std::fs::write(folder.path(name).join("__init__.py"), text).unwrap();
    }
    let file = written_failures(&folder, &["--no-reduce"]);
    for place in [
        "first/__init__.py:5",
        "first/__init__.py:9",
        "second/__init__.py:5",
    ] {
        let comment = format!("# json.decoder.JSONDecodeError at {place}: Expecting value");
        assert_eq!(file.matches(&comment).count(), 1, "{file}");
    }
    assert_eq!(file.matches("\ndef test_").count(), 3, "{file}");
}
