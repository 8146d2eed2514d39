//! Every version of Python from 3.8 on that is on this machine runs harnesses and modules alike. Those that are not there are named.

use crate::folder::Folder;
use crate::support::{code, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Minor versions of Python 3.
const VERSIONS: std::ops::RangeInclusive<u32> = 8..=14;

/// A module with a branch and an exception.
const MODULE: &str = "\
def classify(number: int) -> str:
    if number < 0:
        raise ValueError('negative')
    return 'small' if number < 10 else 'large'
";

/// An interpreter of this version that runs: on the path, or one of pyenv's.
fn interpreter(minor: u32) -> Option<PathBuf> {
    let name = format!("python3.{minor}");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<PathBuf> = std::env::split_paths(&path)
        .map(|folder| folder.join(&name))
        .collect();
    let home = std::env::var_os("HOME").unwrap_or_default();
    let versions = std::fs::read_dir(Path::new(&home).join(".pyenv/versions"));
    let versions = versions.into_iter().flatten().flatten();
    found.extend(versions.map(|version| version.path().join("bin").join(&name)));
    // Pyenv's shims exist for versions that are not selected, too, but do not run.
    let wanted = format!("3.{minor}");
    let runs = |program: &PathBuf| {
        let asked = "import sys; print('%d.%d' % sys.version_info[:2])";
        let output = Command::new(program).args(["-c", asked]).output();
        output.is_ok_and(|output| stdout(&output).trim() == wanted)
    };
    found.into_iter().find(runs)
}

/// Runs a file of tests, with pytest if the interpreter has it, else by plain calls; how many passed and failed.
fn run_tests(folder: &Folder, python: &Path, file: &str) -> (usize, usize) {
    let script = "\
import importlib.util, sys, types
try:
    import pytest
except ImportError:
    pytest = None
file, passed, failed = sys.argv[1], 0, 0
sys.path.insert(0, '.')
if pytest is not None:
    class Count:
        def pytest_runtest_logreport(self, report):
            global passed, failed
            passed += report.when == 'call' and report.passed
            failed += report.when == 'call' and report.failed
    pytest.main(['-q', '-p', 'no:cacheprovider', file], plugins=[Count()])
else:
    # The one thing of pytest that written tests need.
    class Raises:
        def __init__(self, kind, match=None):
            self.kind = kind
        def __enter__(self):
            return self
        def __exit__(self, kind, error, trace):
            assert kind is not None and issubclass(kind, self.kind), kind
            self.value = error
            return True
    sys.modules['pytest'] = types.ModuleType('pytest')
    sys.modules['pytest'].raises = Raises
    spec = importlib.util.spec_from_file_location('written', file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in [name for name in dir(module) if name.startswith('test_')]:
        try:
            getattr(module, name)()
            passed += 1
        except Exception:
            failed += 1
print('counted', passed, failed)
";
    let mut command = Command::new(python);
    command.args(["-B", "-c", script, file]);
    let output = command.current_dir(folder.0.path()).output().unwrap();
    let said = stdout(&output);
    let counted = said.lines().find_map(|line| line.strip_prefix("counted "));
    let counted = counted.unwrap_or_else(|| panic!("{said}{}", stderr(&output)));
    let mut numbers = counted.split(' ').map(|number| number.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[test]
fn every_version_on_this_machine_runs_a_harness_and_a_module() {
    let mut tried = 0;
    for minor in VERSIONS {
        let Some(python) = interpreter(minor) else {
            println!("Python 3.{minor} is not on this machine");
            continue;
        };
        tried += 1;
        runs_a_harness(&python);
        runs_a_module(&python);
    }
    assert!(tried > 0, "there is no Python");
}

fn runs_a_harness(python: &Path) {
    let folder = Folder::avl();
    let program = python.to_str().unwrap();
    let words = ["generate", "avl.tstl", "--executions", "24", "--jobs", "1"];
    let more = ["--out", "out", "--json", "--python", program];
    let output = folder.run(&[&words[..], &more].concat());
    assert_eq!(code(&output), 1, "{program}: {}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let covered = record["criteria"][0]["covered"].as_u64().unwrap();
    assert!(covered > 10, "{program}: {record}");
    let failing = run_tests(&folder, python, "out/failures/test_avl_failures.py");
    assert_eq!(failing, (0, 1), "{program}");
    let (passed, failed) = run_tests(&folder, python, "out/suite/test_avl.py");
    assert!(passed > 0 && failed == 0, "{program}: {passed}, {failed}");
}

fn runs_a_module(python: &Path) {
    let folder = Folder::with("");
    std::fs::write(folder.path("sorts.py"), MODULE).unwrap();
    let program = python.to_str().unwrap();
    let words = ["generate", "sorts.py", "--executions", "200", "--jobs", "1"];
    let more = ["--out", "out", "--json", "--python", program];
    let output = folder.run(&[&words[..], &more].concat());
    assert!(code(&output) < 2, "{program}: {}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let criterion = &record["criteria"][0];
    assert_eq!(
        criterion["covered"], criterion["total"],
        "{program}: {record}"
    );
    let suite = std::fs::read_dir(folder.path("out/suite")).unwrap();
    let mut suite = suite.map(|file| file.unwrap().path());
    let file = suite.find(|file| file.extension().is_some_and(|one| one == "py"));
    let file = file.unwrap_or_else(|| panic!("{program}: nothing was written"));
    let (passed, failed) = run_tests(&folder, python, file.to_str().unwrap());
    assert!(passed > 0 && failed == 0, "{program}: {passed}, {failed}");
}
