//! The regression suite of a harness: passing tests that add coverage, cut to what adds it, written with what they give, and run
//! in two fresh processes with different hash seeds.

use super::file::{TestFunction, name_apart, text};
use super::{Campaign, Rounds};
use engine::reduce::shrink_list;
use engine::{Goal, LazyTest, Step, Test};
use python::harness::{Bench, Ends, Goals, HarnessTarget, Report, judge};
use python::protocol::{Load, Measure};
use python::session::{Session, WorkerError};
use report::LeftOut;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The runner of written files.
const RUNNER: &str = "testhound_runtime.check";
/// How far the clock of the second process is ahead, in seconds.
const SHIFT: u32 = 100_003;
/// How long tests that ran without coverage are replayed with it.
const REPLAYING: Duration = Duration::from_secs(30);
/// Executions that cutting all tests may take.
const CUTTING: usize = 4000;
/// Executions that cutting one test may take.
const CUTTING_ONE: usize = 150;

/// A suite that passes.
pub struct Suite {
    /// Its tests.
    pub tests: Vec<TestFunction>,
    /// What they cover, by criterion number.
    pub covered: BTreeSet<Goal>,
    /// What is not in it.
    pub dropped: Vec<LeftOut>,
}

/// What a process says about a file.
#[derive(Debug, Deserialize)]
struct Checked {
    broken: String,
    tests: Vec<CheckedTest>,
}

#[derive(Debug, Deserialize)]
struct CheckedTest {
    name: String,
    problem: String,
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
    };
    let mut written = Vec::new();
    let archive = rounds.run.archive().tests();
    let passed = archive.iter().filter(|one| one.passed);
    let mut tests: Vec<Vec<Step>> = passed.map(|one| one.test.steps.clone()).collect();
    let mut cutter = Cutter::new(campaign, &mut rounds.noted.goals);
    if campaign.measure() == Measure::Nothing {
        tests = cutter.replay(&rounds.noted.proposed.tests)?;
    }
    for steps in tests {
        let fresh = cutter.fresh(&steps, &suite.covered)?;
        if fresh.is_empty() {
            continue;
        }
        let cut = cutter.cut(&steps, &fresh)?;
        suite.covered.extend(cutter.hits(&cut)?);
        written.push(cut);
    }
    // Those with assertions first; a test that does not hold with them is tried without.
    let mut tests = Vec::new();
    for steps in &written {
        let mut one = |asserts| -> Result<_, WorkerError> {
            let lines = bench.write(steps, Ends::Well, asserts)?;
            Ok(lines.map(|lines| TestFunction::new(&campaign.target, steps, lines)))
        };
        tests.push((one(true)?, one(false)?));
    }
    suite.verify(campaign, tests)?;
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
        let problems = check(campaign, &full)?;
        let failing = |test: &TestFunction| problems.iter().any(|(name, _)| *name == test.name);
        plain.retain(failing);
        let still = if plain.is_empty() {
            Vec::new()
        } else {
            check(campaign, &plain)?
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
fn check(
    campaign: &Campaign<'_>,
    tests: &[TestFunction],
) -> Result<Vec<(String, String)>, WorkerError> {
    let folder = campaign.out.join("suite");
    let source = text("checked", &campaign.target, &folder, tests);
    let path = folder.join("test_checked.py");
    let mut problems = Vec::new();
    for (seed, reverse, shift) in [(1, false, 0), (4242, true, SHIFT)] {
        let mut launch = campaign.launch.clone();
        launch.hash_seed = seed;
        let load = check_load(campaign, shift);
        let mut session = Session::new(&campaign.runtime, &launch, load);
        let with = json!({"path": path, "source": source, "reverse": reverse});
        let all = |why: &str| -> Vec<(String, String)> {
            let pair = |test: &TestFunction| (test.name.clone(), why.to_owned());
            tests.iter().map(pair).collect()
        };
        match session.ask::<Checked>("check", &with)? {
            Err(_) => return Ok(all("the interpreter did not survive the suite")),
            Ok(checked) if !checked.broken.is_empty() => return Ok(all(&checked.broken)),
            Ok(checked) => {
                let failed = checked
                    .tests
                    .into_iter()
                    .filter(|test| !test.problem.is_empty());
                problems.extend(failed.map(|test| (test.name, test.problem)));
            }
        }
    }
    Ok(problems)
}

fn check_load(campaign: &Campaign<'_>, shift: u32) -> Load {
    Load {
        runner: RUNNER.to_owned(),
        arguments: json!({"shift": shift}),
        ..campaign.load(Measure::Nothing)
    }
}

/// What a test that passed hit, and its steps.
struct Passed {
    hits: Vec<Goal>,
    steps: Vec<Step>,
}

/// Cuts tests to what makes them cover something.
struct Cutter<'a> {
    target: &'a HarnessTarget,
    goals: &'a mut Goals,
    session: Session,
    left: usize,
    stop: &'a std::sync::atomic::AtomicBool,
}

impl<'a> Cutter<'a> {
    fn new(campaign: &'a Campaign<'_>, goals: &'a mut Goals) -> Cutter<'a> {
        let load = campaign.load(Measure::Branches);
        Cutter {
            target: &campaign.target,
            goals,
            session: Session::new(&campaign.runtime, &campaign.launch, load),
            left: if campaign.flags.no_reduce { 0 } else { CUTTING },
            stop: &campaign.stop,
        }
    }

    /// What a test hits; nothing if it does not pass.
    fn hits(&mut self, steps: &[Step]) -> Result<Vec<Goal>, WorkerError> {
        let test = Test {
            steps: steps.to_vec(),
        };
        Ok(self.run(&test)?.map_or(Vec::new(), |passed| passed.hits))
    }

    /// What a test hits, and its steps; nothing if it does not pass.
    fn run(&mut self, test: &Test) -> Result<Option<Passed>, WorkerError> {
        let ran = self.session.run(&[self.target.encode(test, Report::All)])?;
        let Some(ran) = ran.first() else {
            return Ok(None);
        };
        let files = self.session.files();
        let judged = judge(ran, &self.target.model, self.goals, &|| files.clone());
        let observation = judged.observation;
        let taken = observation.taken.unwrap_or_default();
        let passed = observation.failures.is_empty();
        Ok(passed.then_some(Passed {
            hits: observation.hits,
            steps: taken,
        }))
    }

    /// Of tests that ran without coverage, the steps of those that cover more than the ones before, as far as time allows.
    fn replay(&mut self, tests: &[LazyTest]) -> Result<Vec<Vec<Step>>, WorkerError> {
        let (mut covered, mut kept) = (BTreeSet::new(), Vec::new());
        let begin = Instant::now();
        for test in tests {
            if begin.elapsed() > REPLAYING || self.stop.load(Ordering::Relaxed) {
                break;
            }
            let Some(Passed { hits, steps }) = self.run(test)? else {
                continue;
            };
            let before = covered.len();
            covered.extend(hits);
            if covered.len() > before {
                kept.push(steps);
            }
        }
        self.goals.add_all(&self.session.files());
        Ok(kept)
    }

    /// What a test hits that is not covered yet.
    fn fresh(
        &mut self,
        steps: &[Step],
        covered: &BTreeSet<Goal>,
    ) -> Result<Vec<Goal>, WorkerError> {
        let mut hits = self.hits(steps)?;
        hits.retain(|goal| !covered.contains(goal));
        Ok(hits)
    }

    /// Fewer steps that hit the same of these goals.
    fn cut(&mut self, steps: &[Step], wanted: &[Goal]) -> Result<Vec<Step>, WorkerError> {
        let limit = CUTTING_ONE.min(self.left);
        if limit == 0 || self.stop.load(Ordering::Relaxed) {
            return Ok(steps.to_vec());
        }
        let mut broken = None;
        let mut asked = 0;
        let cut = shrink_list(steps, limit, &mut |steps| {
            asked += 1;
            match self.hits(steps) {
                Ok(hits) => wanted.iter().all(|goal| hits.contains(goal)),
                Err(error) => {
                    broken = Some(error);
                    false
                }
            }
        });
        self.left = self.left.saturating_sub(asked);
        broken.map_or(Ok(cut), Err)
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
