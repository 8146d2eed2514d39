//! The mutation score of a JUnit suite, ours or not: the tests that reach a mutant's line run on it until one fails.
//!
//! A mutant that hangs runs out of ticks or of time, and one that takes the JVM with it counts as killed.
//!
//! Differences from running every mutant in a JVM of its own: static state that one mutant spoils may be seen by the next.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use mutants::java::{ClassMutant, Options};

use super::runner::{PreparedSuite, Reached, Runner};
use crate::instrument::OriginalClass;
use crate::junit::{JunitError, JunitTest, Outcome};
use crate::worker::Launch;

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// No test reaches its line.
    NotReached,
    /// A test noticed it.
    Killed {
        /// Which, as an index into [`Scored::tests`].
        by: usize,
        /// How the test ended.
        outcome: Outcome,
    },
    /// Tests reached it and passed.
    Survived {
        /// How many.
        tests: usize,
    },
    /// It cannot be run: the virtual machine refuses it, or the class would outgrow the format.
    Refused(String),
}

/// A mutation score.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The tests with how they ended on the original.
    pub tests: Vec<(JunitTest, Outcome)>,
    /// The mutants with what became of them, by class and place.
    pub mutants: Vec<(ClassMutant, Fate)>,
}

impl Scored {
    /// Killed mutants, and all that could be run.
    pub fn counts(&self) -> (usize, usize) {
        let fates = self.mutants.iter().map(|(_, fate)| fate);
        let (mut killed, mut all) = (0, 0);
        for fate in fates {
            killed += usize::from(matches!(fate, Fate::Killed { .. }));
            all += usize::from(!matches!(fate, Fate::Refused(_)));
        }
        (killed, all)
    }
}

/// A subject with a JUnit suite.
#[derive(Clone, Debug)]
pub struct SuiteSubject<'a> {
    /// The classes; those under test have mutants.
    pub originals: &'a [OriginalClass<'a>],
    /// Jars and folders of the subject, the tests, and their JUnit.
    pub classpath: &'a [PathBuf],
    /// The classes to look for tests in, in internal form.
    pub test_classes: &'a [String],
}

/// How mutants are run.
#[derive(Clone, Copy, Debug)]
pub struct Running<'a> {
    /// How test processes are started.
    pub launch: &'a Launch,
    /// A folder for their files.
    pub parent: &'a Path,
    /// How many of them run at a time.
    pub jobs: usize,
}

/// Runs a suite on every mutant of a subject that it reaches. `done` is told how many of how many mutants are decided.
pub fn score(
    subject: &SuiteSubject<'_>,
    options: &Options,
    running: Running<'_>,
    done: &mut dyn FnMut(usize, usize),
) -> Result<Scored, JunitError> {
    let prepared = PreparedSuite::new(subject);
    let mut runner = Runner::start(&prepared, running)?;
    let reached = runner.reach()?;
    let mut all = Vec::new();
    for original in subject.originals {
        let listed = original.mutants(options).into_iter();
        all.extend(listed.map(|mutant| (mutant, original)));
    }
    let mut others = Vec::new();
    for _ in 1..running.jobs.min(all.len()) {
        others.push(Runner::start(&prepared, running)?);
    }
    others.push(runner);
    let fates = decide(others, &all, &reached, done)?;
    let mutants = all.into_iter().map(|(mutant, _)| mutant);
    Ok(Scored {
        tests: reached.tests,
        mutants: mutants.zip(fates).collect(),
    })
}

/// Decides all mutants, each runner the next one that is left.
fn decide(
    runners: Vec<Runner<'_>>,
    all: &[(ClassMutant, &OriginalClass<'_>)],
    reached: &Reached,
    done: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Fate>, JunitError> {
    let next = AtomicUsize::new(0);
    let (sender, decided) = channel();
    let mut fates = vec![Fate::NotReached; all.len()];
    thread::scope(|scope| {
        for mut runner in runners {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                while let Some((index, (mutant, original))) = take(next, all) {
                    let fate = runner.decide(mutant, original, reached);
                    // Nobody listens any more where another one failed.
                    if sender.send((index, fate)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (count, (index, fate)) in (1..).zip(&decided) {
            match fate {
                Ok(fate) => fates[index] = fate,
                Err(error) => {
                    next.store(all.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
            done(count, all.len());
        }
        Ok(fates)
    })
}

fn take<'a, T>(next: &AtomicUsize, all: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, all.get(index)?))
}
