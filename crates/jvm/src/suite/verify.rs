//! Verifies a suite: compiled with the user's JDK, run in three fresh JVMs under different conditions, until what is left
//! holds in all. What does not compile, is not stable or does not end is dropped with its reason.
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
    /// How much processor time one test may take; somewhat longer in wall time if it waits.
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
    // Only what changed is run again, until nothing does; the last word has a run of everything.
    let mut scope = Scope::All;
    for round in 0.. {
        checked.compile(&scope)?;
        let changed = checked.run(&scope, round)?;
        scope = match (changed, scope) {
            (Changed::Nothing, Scope::All) => break,
            (Changed::Nothing | Changed::Removed, _) => Scope::All,
            (Changed::Methods(names), _) => Scope::Some(names),
        };
    }
    Ok(checked.suite)
}

/// A method by its class, as `Class.forName` takes it, and its name.
type MethodName = (String, String);

/// What is compiled and run.
enum Scope {
    All,
    Some(BTreeSet<MethodName>),
}

impl Scope {
    fn contains(&self, method: &MethodName) -> bool {
        match self {
            Scope::All => true,
            Scope::Some(names) => names.contains(method),
        }
    }

    fn classes(&self) -> Option<BTreeSet<String>> {
        match self {
            Scope::All => None,
            Scope::Some(names) => Some(names.iter().map(|(class, _)| class.clone()).collect()),
        }
    }
}

/// What a run made change.
enum Changed {
    Nothing,
    /// Methods were dropped, and that is all.
    Removed,
    /// These methods must be run again.
    Methods(BTreeSet<MethodName>),
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
    fn compile(&mut self, scope: &Scope) -> Result<(), VerifyError> {
        let classes = scope.classes();
        for round in 0.. {
            let compiler = &self.verifier.compiler;
            let complaints = compiler.compile(&self.suite.files, classes.as_ref())?;
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

    fn name(&self, method: usize) -> MethodName {
        let method = &self.suite.methods[method];
        let class = method.class.internal().replace('/', ".");
        (class, method.name.clone())
    }

    /// Runs tests under all conditions, and changes what does not hold.
    fn run(&mut self, scope: &Scope, round: usize) -> Result<Changed, VerifyError> {
        let names = (0..self.suite.methods.len()).map(|index| (index, self.name(index)));
        let (indices, tests): (Vec<usize>, Vec<MethodName>) =
            names.filter(|(_, name)| scope.contains(name)).unzip();
        if tests.is_empty() {
            return Ok(Changed::Nothing);
        }
        let mut runs = Vec::new();
        for conditions in [Conditions::Usual, Conditions::Unusual, Conditions::Mixed] {
            runs.extend(run(self.verifier, &tests, conditions)?);
        }
        let mut reasons = BTreeMap::new();
        let mut again = BTreeSet::new();
        for (place, &index) in indices.iter().enumerate() {
            let failing = self.input.tests[self.suite.methods[index].test]
                .failure
                .is_some();
            let ends: Vec<&Ended> = runs.iter().map(|run| &run[place]).collect();
            let judged = match failing {
                true => judge_failing(&ends),
                false => judge_passing(&ends),
            };
            match judged {
                Judged::Holds => continue,
                Judged::Again => {}
                Judged::Drop(reason) => {
                    reasons.insert(index, reason);
                    continue;
                }
                Judged::Failed(thrown) => {
                    if round >= ASSERTION_ROUNDS || !self.drop_assertions(index, &thrown) {
                        reasons.insert(index, unstable(thrown[0]));
                        continue;
                    }
                }
            }
            again.insert(tests[place].clone());
        }
        let removed = !reasons.is_empty();
        self.drop_methods(reasons);
        Ok(match (again.is_empty(), removed) {
            (false, _) => Changed::Methods(again),
            (true, true) => Changed::Removed,
            (true, false) => Changed::Nothing,
        })
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

    /// Drops the assertions that failed; `false` if it was not an assertion that failed.
    fn drop_assertions(&mut self, index: usize, thrown: &[&Thrown]) -> bool {
        let failed = thrown.iter().map(|one| self.failed_assertion(index, one));
        let Some(failed) = failed.collect::<Option<Vec<usize>>>() else {
            return false;
        };
        let failed: BTreeMap<usize, &Thrown> =
            failed.into_iter().zip(thrown.iter().copied()).collect();
        let method = &mut self.suite.methods[index];
        // From the last to the first, so that indices stay.
        for (assertion, thrown) in failed.into_iter().rev() {
            self.suite.dropped.push(Dropped {
                test: method.test,
                method: Some(method.name.clone()),
                assertion: Some(method.assertions.remove(assertion)),
                reason: unstable(thrown),
            });
        }
        true
    }
}

/// What the runs of a test say about it.
enum Judged<'a> {
    Holds,
    /// The JVM ended before it; it must be run again.
    Again,
    Drop(Reason),
    Failed(Vec<&'a Thrown>),
}

fn judge_passing<'a>(ends: &[&'a Ended]) -> Judged<'a> {
    let mut failed = Vec::new();
    for ended in ends {
        match ended {
            Ended::Failed(thrown) => failed.push(thrown),
            Ended::Hung => return Judged::Drop(Reason::TimeOut),
            Ended::Lost(how) => return Judged::Drop(Reason::EndedJvm(how.clone())),
            Ended::Passed | Ended::NotRun => {}
        }
    }
    match (failed.is_empty(), ends.contains(&&Ended::NotRun)) {
        (false, _) => Judged::Failed(failed),
        (true, true) => Judged::Again,
        (true, false) => Judged::Holds,
    }
}

fn judge_failing<'a>(ends: &[&'a Ended]) -> Judged<'a> {
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
    let first = seen.first();
    let other = first.and_then(|first| seen.iter().find(|one| !same_failure(first, one)));
    match (first, other) {
        (Some(first), Some(other)) => Judged::Drop(Reason::FailedDifferently {
            first: told(first),
            second: told(other),
        }),
        _ if seen.len() == ends.len() => Judged::Holds,
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
