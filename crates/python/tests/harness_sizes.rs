//! Sizes of actions: the source lines of the functions that they enter.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use python::Places;
use python::harness::{HarnessTarget, TestReply};
use python::protocol::{Measure, StepLimits};
use python::runtime::Runtime;
use python::session::{Ran, Session};
use python::worker::Launch;
use sandbox::LauncherCommand;
use serde_json::json;
use serde_json::value::to_raw_value;

sandbox::launcher_here!();

/// Functions of three and four lines, of which the second loads a module on its way; then one of seven lines that ends with what its
/// code does not know of, and one of which the code knows nothing.
const SUBJECT: &str = "\
def plain():
    # A comment counts.
    return 1


def late():
    import loaded

    return loaded.two()


def shut():
    \"\"\"Text.\"\"\"
    return max(
        1,
        2,
    )
    # The end.


@staticmethod
def empty():
    \"\"\"Text.\"\"\"
";

const LOADED: &str = "\
class Large:
    one = 1
    two = 2
    three = 3


def one():
    return 1


one()


def two():
    return one() + 1
";

/// What `inspect` counts, compared with what is counted here, for every function of these files.
const AGREEMENT: &str = "\
@import awkward
<@
import argparse
import inspect
import linecache
import sys
import textwrap

def functions(code):
    for one in code.co_consts:
        if inspect.iscode(one):
            yield one
            yield from functions(one)

def agree(file):
    sizes = next(module for name, module in sys.modules.items() if name.endswith('.sizes'))
    lines = linecache.getlines(file)
    for code in functions(compile(''.join(lines), file, 'exec')):
        first = sizes.first_line(code, lines)
        assert (sizes.block(code, lines, first), first) == inspect.getsourcelines(code), code
@>
agree(awkward.__file__)
agree(argparse.__file__)
agree(textwrap.__file__)
agree(inspect.__file__)
";

/// Ends of functions that their code does not know of, and functions that begin where no `def` is.
const AWKWARD: &str = "\
def comprehended(given):
    total = sum(
        one
        for one in given
    )
    return [one for one in given if one < total]

    # Still in it.

# No more.
def dropped():
    if 0:
        print(
            1
        )


@staticmethod
def text():
    return '''
at the margin
'''


def deep():
    def inner(
        one=(lambda: 1),
    ):
        pass
  # In between.
one = deep


@property
def decorated(): pass


class Held:
    def method(self): return {
        1: 2
}

    size = property(lambda self: (
        1
    ))
";

/// A call by a text.
const EVALUATED: &str = "\
def large():
    one = 1
    two = 2
    return one + two


def through():
    return eval('large()')
";

/// Two methods of one name.
const NAMESAKES: &str = "\
class One:
    def __init__(self):
        pass


class Two:
    def __init__(self):
        self.one = 1
        self.two = 2
        self.three = 3
";

/// What the first test of a harness in a folder with these files gives.
fn first_test(files: &[(&str, &str)], harness: &str, test: &serde_json::Value) -> TestReply {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let target = HarnessTarget::new(&folder.path().join("sizes.tstl"), harness).unwrap();
    let interpreter = Places::of_this_process(None).find();
    let interpreter = interpreter.expect("the tests need Python: run scripts/install");
    let launch = Launch::new(interpreter, LauncherCommand::this_program().unwrap());
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let load = target.load(Measure::Nothing, StepLimits::default());
    let mut session = Session::new(&runtime, &launch, load);
    let ran = session.run(&[to_raw_value(test).unwrap()]).unwrap();
    let Ran::Replied(reply) = &ran[0] else {
        panic!("{ran:?}");
    };
    serde_json::from_str(reply.get()).unwrap()
}

#[test]
fn lines_of_entered_functions_count_once_and_loading_a_module_counts_nothing() {
    let text = "@import subject\nsubject.plain() + subject.plain()\nsubject.late()\nsubject.shut()\nsubject.empty()\n";
    let test = json!({"prefix": [], "length": 4, "seed": 1, "sample": "1111"});
    let files = [("subject.py", SUBJECT), ("loaded.py", LOADED)];
    let reply = first_test(&files, text, &test);
    assert_eq!(reply.sizes, [(0, 3), (1, 4 + 2 + 2), (2, 7), (3, 3)]);
}

#[test]
fn lines_that_a_text_makes_run_count() {
    let text = "@import evaluated\nevaluated.large()\nevaluated.through()\n";
    let test = json!({"prefix": [[0], [1]], "length": 2, "seed": 1, "sample": "11"});
    let reply = first_test(&[("evaluated.py", EVALUATED)], text, &test);
    assert_eq!(reply.sizes, [(0, 4), (1, 2 + 4)]);
}

/// The end of a test with one step that takes 1.5 s of processor time; 1 s is the limit.
fn end_of_slow_step(sample: Option<&str>) -> String {
    let text = "@from time import process_time\n<@\ndef burn():\n    end = process_time() + 1.5\n    while process_time() < end: pass\n@>\nburn()\n";
    let test = json!({"prefix": [[0]], "length": 1, "seed": 1, "sample": sample});
    first_test(&[], text, &test).end
}

#[test]
fn steps_whose_sizes_are_measured_may_take_longer() {
    assert_eq!(end_of_slow_step(None), "timeout");
    assert_eq!(end_of_slow_step(Some("1")), "passed");
}

#[test]
fn functions_of_one_name_have_sizes_of_their_own_and_the_first_counts_in_an_action() {
    let text = "@import both\nboth.One()\nboth.Two()\nboth.Two() and both.One()\nboth.One() and both.Two()\n";
    let test = json!({"prefix": [[0], [1], [2], [3]], "length": 4, "seed": 1, "sample": "1111"});
    let reply = first_test(&[("both.py", NAMESAKES)], text, &test);
    assert_eq!(reply.sizes, [(0, 2), (1, 4), (2, 4), (3, 2)]);
}

#[test]
fn lines_are_those_that_inspect_gives() {
    let steps = json!([[0], [1], [2], [3]]);
    let test = json!({"prefix": steps, "length": 4, "seed": 1, "steps": true});
    let reply = first_test(&[("awkward.py", AWKWARD)], AGREEMENT, &test);
    assert!(reply.failure.is_none(), "{:?}", reply.failure);
    assert_eq!(reply.steps.map(|steps| steps.len()), Some(4));
}
