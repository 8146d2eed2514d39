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

#[test]
fn lines_of_entered_functions_count_once_and_loading_a_module_counts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("subject.py"), SUBJECT).unwrap();
    std::fs::write(folder.path().join("loaded.py"), LOADED).unwrap();
    let text = "@import subject\nsubject.plain() + subject.plain()\nsubject.late()\nsubject.shut()\nsubject.empty()\n";
    let target = HarnessTarget::new(&folder.path().join("sizes.tstl"), text).unwrap();
    let interpreter = Places::of_this_process(None).find();
    let interpreter = interpreter.expect("the tests need Python: run scripts/install");
    let launch = Launch::new(interpreter, LauncherCommand::this_program().unwrap());
    let scratch = tempfile::tempdir().unwrap();
    let runtime = Arc::new(Runtime::write(scratch.path()).unwrap());
    let load = target.load(Measure::Nothing, StepLimits::default());
    let mut session = Session::new(&runtime, &launch, load);
    let test = json!({"prefix": [], "length": 4, "seed": 1, "sample": "1111"});
    let ran = session.run(&[to_raw_value(&test).unwrap()]).unwrap();
    let Ran::Replied(reply) = &ran[0] else {
        panic!("{ran:?}");
    };
    let reply: TestReply = serde_json::from_str(reply.get()).unwrap();
    assert_eq!(reply.sizes, [(0, 3), (1, 4 + 2 + 2), (2, 7), (3, 3)]);
}
