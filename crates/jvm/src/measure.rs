//! What an existing JUnit suite covers, ours or not: branches, lines and methods as JaCoCo counts them, per test.
//!
//! The classes under test get the probes that decide their goals and nothing else, so that the tests see the subject as it is:
//! no budgets, no pinned clock. A test that takes its JVM with it costs its own coverage, not that of others.

use std::path::Path;

use classfile::rewrite::Probes;
use engine::Goal;

use crate::coverage::Coverage;
use crate::instrument::{Extras, Instrumented, with_probes};
use crate::junit::{JunitError, JunitProcess, JunitSuite, JunitTest, Outcome, TestNumber};
use crate::mutation::SuiteSubject;
use crate::worker::Launch;

/// What a suite covers.
#[derive(Debug)]
pub struct Measured {
    /// The tests in the order of their run. A test whose parts showed themselves is followed by them.
    pub tests: Vec<MeasuredTest>,
    /// Goals covered after the last test of a process.
    pub rest: Vec<Goal>,
    /// The goals and where they are.
    pub coverage: Coverage,
    /// Classes that could not be read, with the reason.
    pub unreadable: Vec<(String, String)>,
}

/// What one test covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredTest {
    /// Which test.
    pub test: JunitTest,
    /// How it ended.
    pub outcome: Outcome,
    /// What it threw, if it did.
    pub message: String,
    /// The goals it covers, ascending; what ran before it for its class counts.
    pub goals: Vec<Goal>,
}

/// Runs a suite and tells what each of its tests covers.
pub fn measure(
    subject: &SuiteSubject<'_>,
    launch: &Launch,
    parent: &Path,
) -> Result<Measured, JunitError> {
    let Instrumented {
        classes,
        numbered,
        coverage,
        unreadable,
        ..
    } = with_probes(
        subject.originals,
        Probes::default(),
        true,
        &Extras::default(),
    );
    let under_test = |name: &str| {
        let mut originals = subject.originals.iter();
        originals.any(|class| class.under_test && class.name == name)
    };
    let suite = JunitSuite {
        classpath: subject.classpath.to_vec(),
        classes: classes
            .into_iter()
            .filter(|class| under_test(&class.name))
            .collect(),
        places: numbered.places,
        test_classes: subject.test_classes.to_vec(),
    };
    let mut measured = Measured {
        tests: Vec::new(),
        rest: Vec::new(),
        coverage,
        unreadable,
    };
    let mut next = 0;
    loop {
        let mut process = JunitProcess::start(&suite, launch, parent)?;
        let count = process.tests().len();
        let left: Vec<TestNumber> = (next..count).map(|test| TestNumber(test as u32)).collect();
        let run = process.run(&left, u32::MAX, false);
        for result in run.results {
            let goals = measured.coverage.goals(&result.hits);
            next = next.max(process.whole(result.test).0 as usize + 1);
            measured.tests.push(MeasuredTest {
                test: process.tests()[result.test.0 as usize].clone(),
                outcome: result.outcome,
                message: result.message,
                goals,
            });
        }
        measured.rest.extend(measured.coverage.goals(&run.rest));
        if run.alive || next >= count {
            measured.rest.sort();
            measured.rest.dedup();
            return Ok(measured);
        }
    }
}
