//! The regression suite of a harness: passing tests that add coverage, cut to what adds it, written with what they give, and run
//! in two fresh processes with different hash seeds.

use super::afterwards::replay;
use super::cutter::Cutter;
use super::file::{TestFunction, name_apart, text};
use super::rounds::Noted;
use super::{Campaign, Rounds};
use engine::{Goal, Step};
use python::harness::{Bench, Ends};
use python::protocol::{Load, Measure};
use python::pytest::check;
use python::session::{Session, WorkerError};
use report::LeftOut;
use std::collections::BTreeSet;
use std::path::Path;

/// A suite that passes.
pub struct Suite {
    /// Its tests.
    pub tests: Vec<TestFunction>,
    /// What they cover, by criterion number.
    pub covered: BTreeSet<Goal>,
    /// What is not in it.
    pub dropped: Vec<LeftOut>,
    /// How many tests were run again with coverage, where it was not measured before.
    pub replayed: Option<u64>,
    /// How many times the processor time of tests without coverage those with it take.
    pub cost: Option<f64>,
}

/// Makes the suite of a run.
pub fn suite(
    campaign: &Campaign<'_>,
    rounds: &mut Rounds,
    bench: &mut Bench<'_>,
) -> Result<Suite, WorkerError> {
    let mut suite = Suite {
        tests: Vec::new(),
        covered: BTreeSet::new(),
        dropped: Vec::new(),
        replayed: None,
        cost: None,
    };
    let mut written = Vec::new();
    let archive = rounds.run.archive().tests();
    let passed = archive.iter().filter(|one| one.passed);
    let mut tests: Vec<Vec<Step>> = passed.map(|one| one.test.steps.clone()).collect();
    let Noted {
        goals, proposed, ..
    } = &mut rounds.noted;
    if campaign.measure() == Measure::Nothing {
        let replayed = replay(campaign, goals, &proposed.tests)?;
        suite.replayed = Some(replayed.tests);
        tests = replayed.covering;
    }
    let mut cutter = Cutter::new(campaign, goals);
    for steps in tests {
        let fresh = cutter.fresh(&steps, &suite.covered)?;
        if fresh.is_empty() {
            continue;
        }
        let cut = cutter.cut(&steps, &fresh)?;
        let hits = cutter.hits(&cut)?;
        suite.covered.extend(&hits);
        written.push((cut, hits));
    }
    suite.cost = cutter.cost(bench, &proposed.tests)?;
    // Those with assertions first; a test that does not hold with them is tried without.
    let mut tests = Vec::new();
    for (steps, _) in &written {
        let mut one = |asserts| -> Result<_, WorkerError> {
            let lines = bench.write(steps, Ends::Well, asserts, "")?;
            Ok(lines.map(|lines| TestFunction::new(&campaign.target, steps, lines)))
        };
        tests.push((one(true)?, one(false)?));
    }
    suite.verify(campaign, tests)?;
    // What only tests covered that were dropped is not covered.
    let kept = |steps: &Vec<Step>| suite.tests.iter().any(|test| test.steps == *steps);
    let kept = written.into_iter().filter(|(steps, _)| kept(steps));
    suite.covered = kept.flat_map(|(_, hits)| hits).collect();
    Ok(suite)
}

impl Suite {
    fn verify(
        &mut self,
        campaign: &Campaign<'_>,
        tests: Vec<(Option<TestFunction>, Option<TestFunction>)>,
    ) -> Result<(), WorkerError> {
        let (full, plain): (Vec<_>, Vec<_>) = tests.into_iter().unzip();
        let mut full: Vec<TestFunction> = full.into_iter().flatten().collect();
        let mut plain: Vec<TestFunction> = plain.into_iter().flatten().collect();
        name_apart(&mut full);
        name_apart(&mut plain);
        let problems = failing_tests(campaign, &full)?;
        let failing = |test: &TestFunction| problems.iter().any(|(name, _)| *name == test.name);
        plain.retain(failing);
        let still = if plain.is_empty() {
            Vec::new()
        } else {
            failing_tests(campaign, &plain)?
        };
        for test in full {
            if !failing(&test) {
                self.tests.push(test);
                continue;
            }
            let rest = plain.iter().find(|one| one.name == test.name);
            let problem = still.iter().find(|(name, _)| *name == test.name);
            match (rest, problem) {
                (Some(rest), None) => self.tests.push(rest.clone()),
                (_, problem) => self.dropped.push(LeftOut {
                    name: test.name.clone(),
                    reason: problem
                        .map_or("cannot be written", |(_, why)| why)
                        .to_owned(),
                }),
            }
        }
        Ok(())
    }
}

/// The tests that do not pass in one of two fresh processes, with what was raised.
fn failing_tests(
    campaign: &Campaign<'_>,
    tests: &[TestFunction],
) -> Result<Vec<(String, String)>, WorkerError> {
    let folder = campaign.out.join("suite");
    let source = text("checked", &campaign.target, &folder, tests);
    let path = folder.join("test_checked.py");
    let mut problems = Vec::new();
    for (seed, reverse, shift) in [(1, false, 0), (4242, true, check::SHIFT)] {
        let mut launch = campaign.launch.clone();
        launch.hash_seed = seed;
        let mut load = check_load(campaign, shift);
        load.limits = check::LIMITS;
        let mut session = Session::new(&campaign.runtime, &launch, load);
        let all = |why: &str| -> Vec<(String, String)> {
            let pair = |test: &TestFunction| (test.name.clone(), why.to_owned());
            tests.iter().map(pair).collect()
        };
        let checked = check::check(&mut session, &path, &source, reverse)?;
        if !checked.broken.is_empty() {
            return Ok(all(&checked.broken));
        }
        let failed = checked.tests.into_iter();
        let failed = failed.filter(|test| !test.problem.is_empty());
        problems.extend(failed.map(|test| (test.name, test.problem)));
    }
    Ok(problems)
}

/// What a worker is told that checks written files.
pub fn check_load(campaign: &Campaign<'_>, shift: u32) -> Load {
    Load {
        runner: check::RUNNER.to_owned(),
        arguments: check::arguments(shift, false),
        ..campaign.load(Measure::Nothing)
    }
}

/// Where the file of the suite is written.
pub fn file_name(campaign: &Campaign<'_>, what: &str) -> String {
    let name: String = campaign
        .name()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    format!("test_{name}{what}.py")
}

/// The text of the suite.
pub fn suite_text(
    campaign: &Campaign<'_>,
    folder: &Path,
    title: &str,
    tests: &[TestFunction],
) -> String {
    text(title, &campaign.target, folder, tests)
}
