//! A process that runs a JUnit suite on one mutant after the other, and the next process when it is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use classfile::ClassFile;
use classfile::rewrite::{Chosen, HitKind, Numbers, Probes, Rewriter};
use mutants::java::ClassMutant;

use super::score::{Fate, Running, SuiteSubject};
use crate::instrument::OriginalClass;
use crate::junit::{
    JunitError, JunitProcess, JunitResult, JunitSuite, JunitTest, Outcome, TestNumber,
};
use crate::prepared::WorkerClass;
use crate::worker::Launch;

/// The ticks that a test may take on a mutant: so many times what it takes without, and some more.
const TICKS: u32 = 10;
const MORE_TICKS: u32 = 100_000;

/// A suite with its classes rewritten: a hit per line, and budgets.
pub(super) struct PreparedSuite {
    suite: JunitSuite,
    /// The class and line of every place.
    lines: Vec<(String, u32)>,
}

impl PreparedSuite {
    pub(super) fn new(subject: &SuiteSubject<'_>) -> PreparedSuite {
        let mut rewriter = rewriter();
        let (mut classes, mut lines, mut next) = (Vec::new(), Vec::new(), Numbers::default());
        for original in subject.originals.iter().filter(|class| class.under_test) {
            // A class that cannot be read is left to the class path.
            let Ok(mut class) = ClassFile::parse(original.bytes) else {
                continue;
            };
            let rewritten = rewriter.rewrite(&mut class, &Chosen::default(), next);
            next = rewritten.next;
            lines.extend(rewritten.hits.iter().map(|hit| match hit.kind {
                HitKind::Line(line) => (original.name.to_owned(), u32::from(line)),
                _ => (original.name.to_owned(), 0),
            }));
            classes.push(WorkerClass {
                name: original.name.to_owned(),
                bytes: class.write(),
            });
        }
        PreparedSuite {
            suite: JunitSuite {
                classpath: subject.classpath.to_vec(),
                classes,
                places: next.hits,
                test_classes: subject.test_classes.to_vec(),
            },
            lines,
        }
    }
}

/// Classes without line numbers are told by their methods' entries, which have line 0 here.
fn rewriter() -> Rewriter {
    Rewriter::new(Probes {
        methods: true,
        lines: true,
        budgets: true,
        ..Probes::default()
    })
}

/// What the tests reach on the original.
pub(super) struct Reached {
    /// The tests with how they ended.
    pub(super) tests: Vec<(JunitTest, Outcome)>,
    ticks: Vec<u32>,
    /// Passing tests by class and line; line 0 stands for the methods of the class.
    by_line: BTreeMap<(String, u32), BTreeSet<usize>>,
}

/// A process that runs the suite, and the next when it is gone.
pub(super) struct Runner<'a> {
    prepared: &'a PreparedSuite,
    launch: Launch,
    parent: &'a Path,
    process: Option<JunitProcess>,
    /// The class that is not the original in the process.
    changed: Option<String>,
}

impl<'a> Runner<'a> {
    pub(super) fn start(
        prepared: &'a PreparedSuite,
        running: Running<'a>,
    ) -> Result<Runner<'a>, JunitError> {
        let launch = Launch {
            redefines: true,
            ..running.launch.clone()
        };
        let mut runner = Runner {
            prepared,
            launch,
            parent: running.parent,
            process: None,
            changed: None,
        };
        runner.process()?;
        Ok(runner)
    }

    fn process(&mut self) -> Result<&mut JunitProcess, JunitError> {
        if self.process.is_none() {
            let suite = &self.prepared.suite;
            self.process = Some(JunitProcess::start(suite, &self.launch, self.parent)?);
            self.changed = None;
        }
        Ok(self.process.as_mut().expect("it was just made"))
    }

    /// Runs all tests on the original.
    pub(super) fn reach(&mut self) -> Result<Reached, JunitError> {
        let found = self.process()?.tests().to_vec();
        let count = found.len();
        let mut reached = Reached {
            tests: found
                .into_iter()
                .map(|test| (test, Outcome::Skipped))
                .collect(),
            ticks: vec![0; count],
            by_line: BTreeMap::new(),
        };
        let prepared = self.prepared;
        let mut next = 0;
        while next < count {
            let left: Vec<TestNumber> = (next..count).map(|test| TestNumber(test as u32)).collect();
            let process = self.process()?;
            let run = process.run(&left, u32::MAX, false);
            for result in &run.results {
                let whole = process.whole(result.test).0 as usize;
                reached.note(prepared, whole, result);
                next = next.max(whole + 1);
            }
            if run.alive {
                break;
            }
            self.process = None;
        }
        Ok(reached)
    }

    /// Runs the tests that reach a mutant until one fails.
    pub(super) fn decide(
        &mut self,
        mutant: &ClassMutant,
        original: &OriginalClass<'_>,
        reached: &Reached,
    ) -> Result<Fate, JunitError> {
        let place = (mutant.class.clone(), mutant.line.unwrap_or(0));
        let Some(tests) = reached.by_line.get(&place) else {
            return Ok(Fate::NotReached);
        };
        let mutated = match mutated(mutant, original) {
            Ok(class) => class,
            Err(reason) => return Ok(Fate::Refused(reason)),
        };
        if let Err(refused) = self.put(&mutated)? {
            return Ok(Fate::Refused(refused));
        }
        // Quick tests first: one of them is often enough.
        let mut order: Vec<usize> = tests.iter().copied().collect();
        order.sort_by_key(|test| (reached.ticks[*test], *test));
        let numbers: Vec<TestNumber> = order.iter().map(|test| TestNumber(*test as u32)).collect();
        let most = order.iter().map(|test| reached.ticks[*test]).max();
        let ticks = most
            .unwrap_or(0)
            .saturating_mul(TICKS)
            .saturating_add(MORE_TICKS);
        let process = self.process()?;
        let run = process.run(&numbers, ticks, true);
        let bad = |outcome| !matches!(outcome, Outcome::Passed | Outcome::Skipped);
        let killer = run.results.iter().find(|result| bad(result.outcome));
        let fate = match killer {
            Some(result) => Fate::Killed {
                by: process.whole(result.test).0 as usize,
                outcome: result.outcome,
            },
            None => Fate::Survived { tests: order.len() },
        };
        if !run.alive {
            self.process = None;
        }
        Ok(fate)
    }

    /// Puts a class into the process, and the original of another one back.
    fn put(&mut self, class: &WorkerClass) -> Result<Result<(), String>, JunitError> {
        self.process()?;
        let other = self.changed.take().filter(|changed| *changed != class.name);
        if let Some(other) = other {
            let original = self
                .prepared
                .suite
                .classes
                .iter()
                .find(|one| one.name == other);
            if let Some(original) = original {
                self.process()?.redefine(original)?;
            }
        }
        match self.process()?.redefine(class) {
            Ok(()) => {
                self.changed = Some(class.name.clone());
                Ok(Ok(()))
            }
            Err(JunitError::Redefinition(refused)) => Ok(Err(refused)),
            Err(error) => Err(error),
        }
    }
}

impl Reached {
    fn note(&mut self, prepared: &PreparedSuite, test: usize, result: &JunitResult) {
        let outcome = result.outcome;
        let known = &mut self.tests[test].1;
        // A test of several parts passes if all do.
        if *known == Outcome::Passed || *known == Outcome::Skipped {
            *known = outcome;
        }
        self.ticks[test] = self.ticks[test].saturating_add(result.ticks);
        if outcome == Outcome::Passed {
            for hit in &result.hits {
                if let Some(place) = prepared.lines.get(*hit as usize) {
                    self.by_line.entry(place.clone()).or_default().insert(test);
                }
            }
        }
    }
}

/// The mutated class, rewritten like its original.
fn mutated(mutant: &ClassMutant, original: &OriginalClass<'_>) -> Result<WorkerClass, String> {
    let bytes = mutant
        .apply(original.bytes)
        .map_err(|error| error.to_string())?;
    let mut class = ClassFile::parse(&bytes).map_err(|error| error.to_string())?;
    // Hits of mutants are not looked at.
    let none = Probes {
        budgets: true,
        ..Probes::default()
    };
    Rewriter::new(none).rewrite(&mut class, &Chosen::default(), Numbers::default());
    Ok(WorkerClass {
        name: mutant.class.clone(),
        bytes: class.write(),
    })
}
