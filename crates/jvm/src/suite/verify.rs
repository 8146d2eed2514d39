//! Verifies a suite: compiled with the user's JDK, run in two fresh JVMs under different conditions, until what is left
//! holds in both. What does not compile, is not stable or does not end is dropped with its reason.
//!
//! Of a test that does not hold, the assertion on whose line it fails goes first, one per round; only then the test.

use super::compile::{CompileError, Compiler, Complaint};
use super::file::{SuiteFile, write_files};
use super::overload::Types;
use super::reason::Reason;
use super::run::{Conditions, Ended, Thrown, run};
use super::{Dropped, Style, Suite, SuiteInput};
use sandbox::{LauncherCommand, Policy};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The rounds of compiling after which all methods of a file that still does not compile are dropped.
const COMPILE_ROUNDS: usize = 8;

/// The rounds after which a test that still fails is dropped with all its assertions.
const ASSERTION_ROUNDS: usize = 6;

/// What verifying needs.
#[derive(Clone, Debug)]
pub struct Verifier {
    /// Compiles.
    pub compiler: Compiler,
    /// What the test JVMs may do.
    pub policy: Policy,
    /// Starts them.
    pub launcher: LauncherCommand,
    /// How long one test may take.
    pub test_timeout: Duration,
}

/// Why a suite could not be verified at all.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// Compiling failed as a whole.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// No JVM could be started in the sandbox.
    #[error("cannot run the tests")]
    Sandbox(#[from] sandbox::Error),
    /// The JVM ran no test.
    #[error("the JVM ran no test: {0}")]
    Runner(String),
}

/// Drops from a suite what does not hold, and says so in it.
pub fn verify(input: &SuiteInput, suite: Suite, verifier: &Verifier) -> Result<Suite, VerifyError> {
    let types = Types::of(input.model);
    let mut checked = Checked {
        input,
        types: &types,
        suite,
        verifier,
    };
    for round in 0.. {
        checked.compile()?;
        if checked.suite.methods.is_empty() || !checked.run(round)? {
            break;
        }
    }
    Ok(checked.suite)
}

/// A suite in the making.
struct Checked<'a> {
    input: &'a SuiteInput<'a>,
    types: &'a Types<'a>,
    suite: Suite,
    verifier: &'a Verifier,
}

impl Checked<'_> {
    fn render(&mut self) {
        self.suite.files = write_files(self.input, self.types, &self.suite.methods);
    }

    /// Drops methods, and renders what is left.
    fn drop_methods(&mut self, reasons: BTreeMap<usize, Reason>) {
        let methods = std::mem::take(&mut self.suite.methods);
        for (index, method) in methods.into_iter().enumerate() {
            match reasons.get(&index) {
                Some(reason) => self.suite.dropped.push(Dropped {
                    test: method.test,
                    method: Some(method.name),
                    assertion: None,
                    reason: reason.clone(),
                }),
                None => self.suite.methods.push(method),
            }
        }
        self.render();
    }

    /// Compiles until nothing is complained about.
    fn compile(&mut self) -> Result<(), VerifyError> {
        for round in 0.. {
            let complaints = self.verifier.compiler.compile(&self.suite.files)?;
            if complaints.is_empty() {
                break;
            }
            let mut blamed: BTreeMap<usize, String> = BTreeMap::new();
            for complaint in complaints {
                let methods = match round < COMPILE_ROUNDS {
                    true => blame(&self.suite.files[complaint.file], &complaint),
                    false => all_methods(&self.suite.files[complaint.file]),
                };
                for method in methods {
                    blamed.entry(method).or_insert(complaint.message.clone());
                }
            }
            let mut reasons = BTreeMap::new();
            for (index, message) in blamed {
                let method = &mut self.suite.methods[index];
                match method.style {
                    Style::Plain if round < COMPILE_ROUNDS => method.style = Style::Cast,
                    _ => {
                        reasons.insert(index, Reason::DoesNotCompile(message));
                    }
                }
            }
            self.drop_methods(reasons);
        }
        Ok(())
    }

    /// Runs all tests twice; whether something had to be changed.
    fn run(&mut self, round: usize) -> Result<bool, VerifyError> {
        let tests: Vec<(String, String)> = self
            .suite
            .methods
            .iter()
            .map(|method| {
                let class = method.class.internal().replace('/', ".");
                (class, method.name.clone())
            })
            .collect();
        let first = run(self.verifier, &tests, Conditions::Usual)?;
        let second = run(self.verifier, &tests, Conditions::Unusual)?;
        let mut reasons = BTreeMap::new();
        let mut changed = false;
        for index in 0..tests.len() {
            let failing = self.input.tests[self.suite.methods[index].test]
                .failure
                .is_some();
            let ends = [&first[index], &second[index]];
            let reason = match failing {
                true => judge_failing(ends),
                false => judge_passing(ends),
            };
            match reason {
                Judged::Holds => {}
                Judged::Again => changed = true,
                Judged::Drop(reason) => {
                    reasons.insert(index, reason);
                }
                Judged::Failed(thrown) => {
                    let assertion = self.failed_assertion(index, &thrown);
                    match assertion.filter(|_| round < ASSERTION_ROUNDS) {
                        Some(assertion) => self.drop_assertion(index, assertion, &thrown),
                        None => {
                            reasons.insert(index, unstable(&thrown));
                        }
                    }
                    changed = true;
                }
            }
        }
        changed |= !reasons.is_empty();
        if changed {
            self.drop_methods(reasons);
        }
        Ok(changed)
    }

    /// The assertion on whose line a method failed.
    fn failed_assertion(&self, method: usize, thrown: &Thrown) -> Option<usize> {
        let places = self.suite.files.iter().flat_map(|file| &file.methods);
        let place = places.into_iter().find(|place| place.method == method)?;
        let found = place
            .assertions
            .iter()
            .find(|(line, _)| *line == thrown.line);
        found.map(|(_, assertion)| *assertion)
    }

    fn drop_assertion(&mut self, method: usize, assertion: usize, thrown: &Thrown) {
        let method = &mut self.suite.methods[method];
        let assertion = method.assertions.remove(assertion);
        self.suite.dropped.push(Dropped {
            test: method.test,
            method: Some(method.name.clone()),
            assertion: Some(assertion),
            reason: unstable(thrown),
        });
    }
}

/// What two runs of a test say about it.
enum Judged {
    Holds,
    /// The JVM ended before it; it must be run again.
    Again,
    Drop(Reason),
    Failed(Thrown),
}

fn judge_passing(ends: [&Ended; 2]) -> Judged {
    for ended in ends {
        match ended {
            Ended::Failed(thrown) => return Judged::Failed(thrown.clone()),
            Ended::Hung => return Judged::Drop(Reason::TimeOut),
            Ended::Lost(how) => return Judged::Drop(Reason::EndedJvm(how.clone())),
            Ended::Passed | Ended::NotRun => {}
        }
    }
    match ends.contains(&&Ended::NotRun) {
        true => Judged::Again,
        false => Judged::Holds,
    }
}

fn judge_failing(ends: [&Ended; 2]) -> Judged {
    let mut seen: Vec<&Thrown> = Vec::new();
    for ended in ends {
        match ended {
            Ended::Failed(thrown) => seen.push(thrown),
            Ended::Passed => return Judged::Drop(Reason::DidNotFail),
            Ended::Hung => return Judged::Drop(Reason::TimeOut),
            Ended::Lost(how) => return Judged::Drop(Reason::EndedJvm(how.clone())),
            Ended::NotRun => {}
        }
    }
    match seen[..] {
        [first, second] if same_failure(first, second) => Judged::Holds,
        [first, second] => Judged::Drop(Reason::FailedDifferently {
            first: told(first),
            second: told(second),
        }),
        _ => Judged::Again,
    }
}

fn same_failure(one: &Thrown, two: &Thrown) -> bool {
    // Where exactly the stack ran out is chance.
    let overflow = one.class == "java.lang.StackOverflowError";
    one.class == two.class && one.line == two.line && (overflow || one.top == two.top)
}

fn told(thrown: &Thrown) -> String {
    format!("{} in {}", thrown.class, thrown.top)
}

fn unstable(thrown: &Thrown) -> Reason {
    let class = thrown.class.rsplit('.').next().unwrap_or_default();
    Reason::Unstable(format!("{class}: {}", thrown.message))
}

fn all_methods(file: &SuiteFile) -> Vec<usize> {
    file.methods.iter().map(|place| place.method).collect()
}

/// The methods that a complaint is about: that on whose lines it is; those that use the class that an import names.
fn blame(file: &SuiteFile, complaint: &Complaint) -> Vec<usize> {
    let inside = file
        .methods
        .iter()
        .find(|place| (place.lines.0..=place.lines.1).contains(&complaint.line));
    if let Some(place) = inside {
        return vec![place.method];
    }
    let line = file.text.lines().nth(complaint.line as usize - 1);
    let imported = line
        .and_then(|line| line.strip_prefix("import "))
        .map(|name| name.trim_end_matches(';').replace('.', "/"));
    let uses = |classes: &BTreeSet<String>, name: &str| {
        let nested = format!("{name}$");
        classes
            .iter()
            .any(|class| class == name || class.starts_with(&nested))
    };
    let users: Vec<usize> = file
        .methods
        .iter()
        .filter(|place| {
            imported
                .as_ref()
                .is_some_and(|name| uses(&place.classes, name))
        })
        .map(|place| place.method)
        .collect();
    if users.is_empty() {
        all_methods(file)
    } else {
        users
    }
}
