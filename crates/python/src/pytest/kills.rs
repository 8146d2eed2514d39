//! Which mutants of the module the tests of a written file kill. Assertions that kill none are left out.
//!
//! A mutant is run by the tests that reach its line; one that importing the module reaches is run by all. A test whose assertions all kill
//! nothing keeps its first one, and a test that met no mutant keeps all.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use engine::Goal;
use sandbox::runner::Ended;
use serde::Deserialize;
use serde_json::json;

use super::file::{Place, TestFile};
use crate::module::open::Opened;
use crate::protocol::{Measure, ProbeKind};
use crate::runtime::Runtime;
use crate::session::{Session, WorkerError};
use crate::worker::Launch;

/// The runner of mutants.
const RUNNER: &str = "testhound_runtime.mutation";

/// Mutants that are asked for at once.
const BATCH: usize = 16;

/// How the mutants of a module fared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Mutants that were run, and the same share of those that no test reaches.
    pub mutants: usize,
    /// Killed.
    pub killed: usize,
    /// Killed by the same tests if they asserted nothing.
    pub killed_without_assertions: usize,
    /// On lines that no test reaches.
    pub not_covered: usize,
    /// Assertions that were left out.
    pub left_out: usize,
}

#[derive(Debug, Deserialize)]
struct Listed {
    number: i64,
    line: u32,
}

#[derive(Debug, Deserialize)]
struct Kills {
    loaded: bool,
    /// Name, whether the test was left early, lines of failed assertions.
    tests: Vec<(String, bool, Vec<usize>)>,
}

/// A mutant with the names of tests that run it; -1 is no mutant.
type Job<'a> = (i64, Vec<&'a str>);

/// A written file with what its tests cover, and where its mutants are run.
pub struct Mutating<'a> {
    /// The module.
    pub opened: &'a Opened,
    /// What every test covers, by its name.
    pub covered: &'a BTreeMap<String, Vec<Goal>>,
    /// The Python side.
    pub runtime: &'a Arc<Runtime>,
    /// How workers are started.
    pub launch: &'a Launch,
    /// Workers side by side.
    pub jobs: usize,
    /// The most mutants that are run.
    pub most: usize,
    /// Whether the rest is to be passed over.
    pub hurry: &'a (dyn Fn() -> bool + Sync),
}

impl Mutating<'_> {
    /// Leaves out assertions of a file that kill no mutant; tells how the mutants fared.
    pub fn choose(&self, file: &mut TestFile) -> Result<Score, WorkerError> {
        let (text, places) = file.text();
        let names: Vec<&str> = file.tests.iter().map(|test| test.name.as_str()).collect();
        let mut session = self.session(&text);
        let listed = session.ask::<Vec<Listed>>("mutants", &json!(null))?;
        let plain = self.ask(&mut session, &[(-1, names)])?;
        let (Ok(mut listed), [Some(plain)]) = (listed, plain.as_slice()) else {
            return Ok(Score::default());
        };
        listed.retain(|one| self.opened.tests_line(one.line));
        let passing = plain.tests.iter();
        let passing = passing.filter(|(_, early, failed)| !early && failed.is_empty());
        let passing: BTreeSet<&str> = passing.map(|(name, ..)| name.as_str()).collect();
        let reaching = self.reaching(&passing);
        let all: Vec<Job<'_>> = listed
            .iter()
            .map(|one| (one.number, reaching.of(one.line)))
            .collect();
        let reached: Vec<&Job<'_>> = all.iter().filter(|job| !job.1.is_empty()).collect();
        let run = reached.len().min(self.most);
        let chosen = (0..run).map(|index| reached[index * reached.len() / run].clone());
        let jobs: Vec<Job<'_>> = chosen.collect();
        let kills = self.run(&text, &jobs)?;
        let missed = all.len() - reached.len();
        let not_covered = match reached.len() {
            0 => missed,
            reached => missed * run / reached,
        };
        let mut score = tally(&jobs, &kills);
        score.mutants += not_covered;
        score.not_covered = not_covered;
        score.left_out = leave_out(file, &places, &jobs, &kills);
        Ok(score)
    }

    fn session(&self, text: &str) -> Session {
        let named = &self.opened.named;
        let arguments = json!({"module": named.module, "path": "test_file.py", "source": text});
        let load = named.load(RUNNER, arguments, Measure::Nothing);
        Session::new(self.runtime, self.launch, load)
    }

    /// Runs jobs in as many workers as may run side by side.
    fn run(&self, text: &str, jobs: &[Job<'_>]) -> Result<Vec<Option<Kills>>, WorkerError> {
        let share = jobs.len().div_ceil(self.jobs.max(1)).max(1);
        std::thread::scope(|scope| {
            let parts = jobs.chunks(share);
            let threads: Vec<_> = parts
                .map(|part| scope.spawn(move || self.run_part(text, part)))
                .collect();
            let mut all = Vec::new();
            for thread in threads {
                let part = thread.join().map_err(|_| Ended)?;
                all.extend(part?);
            }
            Ok(all)
        })
    }

    /// Runs jobs in one worker after the other.
    fn run_part(&self, text: &str, jobs: &[Job<'_>]) -> Result<Vec<Option<Kills>>, WorkerError> {
        let mut session = self.session(text);
        let mut all = Vec::new();
        for batch in jobs.chunks(BATCH) {
            match (self.hurry)() {
                true => all.extend(batch.iter().map(|_| None)),
                false => all.extend(self.ask(&mut session, batch)?),
            }
        }
        Ok(all)
    }

    /// What became of some jobs. One that took the worker with it was noticed, too: as if the module could not be loaded.
    fn ask(
        &self,
        session: &mut Session,
        jobs: &[Job<'_>],
    ) -> Result<Vec<Option<Kills>>, WorkerError> {
        if let Ok(kills) = session.ask::<Vec<Kills>>("kills", &jobs)? {
            return Ok(kills.into_iter().map(Some).collect());
        }
        let mut all = Vec::new();
        for job in jobs {
            let gone = |_| {
                vec![Kills {
                    loaded: false,
                    tests: Vec::new(),
                }]
            };
            let alone = session.ask::<Vec<Kills>>("kills", &[job])?;
            all.extend(alone.unwrap_or_else(gone).into_iter().map(Some));
        }
        Ok(all)
    }

    /// Which tests reach which lines.
    fn reaching<'n>(&self, passing: &BTreeSet<&'n str>) -> Reaching<'n> {
        let mut lines: BTreeMap<u32, Vec<&'n str>> = BTreeMap::new();
        let of = |name: &str| -> BTreeSet<Goal> {
            let goals = self.covered.get(name).into_iter().flatten();
            goals.copied().collect()
        };
        let goals: Vec<(&str, BTreeSet<Goal>)> =
            passing.iter().map(|name| (*name, of(name))).collect();
        for (goal, kind) in self.opened.coverage.all() {
            let ProbeKind::Line(line) = kind else {
                continue;
            };
            let tests = match self.opened.imported.contains(&goal) {
                true => passing.iter().copied().collect(),
                false => goals
                    .iter()
                    .filter(|(_, goals)| goals.contains(&goal))
                    .map(|(name, _)| *name)
                    .collect(),
            };
            lines.insert(line, tests);
        }
        Reaching { lines }
    }
}

/// The tests that reach every line that begins a statement.
struct Reaching<'n> {
    lines: BTreeMap<u32, Vec<&'n str>>,
}

impl<'n> Reaching<'n> {
    /// The tests that reach the statement that a line belongs to.
    fn of(&self, line: u32) -> Vec<&'n str> {
        let statement = self.lines.range(..=line).next_back();
        statement.map_or_else(Vec::new, |(_, tests)| tests.clone())
    }
}

fn tally(jobs: &[Job<'_>], kills: &[Option<Kills>]) -> Score {
    let mut score = Score::default();
    for kills in jobs
        .iter()
        .zip(kills)
        .filter_map(|(_, kills)| kills.as_ref())
    {
        let early = !kills.loaded || kills.tests.iter().any(|(_, early, _)| *early);
        let asserted = kills.tests.iter().any(|(.., failed)| !failed.is_empty());
        score.mutants += 1;
        score.killed += usize::from(early || asserted);
        score.killed_without_assertions += usize::from(early);
    }
    score
}

/// Takes assertions away that killed no mutant; tells how many.
fn leave_out(
    file: &mut TestFile,
    places: &[Option<Place>],
    jobs: &[Job<'_>],
    kills: &[Option<Kills>],
) -> usize {
    let mut met: BTreeSet<String> = BTreeSet::new();
    let mut useful: BTreeSet<(usize, usize)> = BTreeSet::new();
    for ((_, names), kills) in jobs.iter().zip(kills) {
        let Some(kills) = kills else { continue };
        met.extend(names.iter().map(|name| (*name).to_owned()));
        for line in kills.tests.iter().flat_map(|(.., failed)| failed) {
            if let Some(Some(Place::Assertion(test, claim))) = places.get(*line) {
                useful.insert((*test, *claim));
            }
        }
    }
    let mut left_out = 0;
    for (number, test) in file.tests.iter_mut().enumerate() {
        if !met.contains(&test.name) {
            continue;
        }
        let none = !useful.iter().any(|(test, _)| *test == number);
        let before = test.assertions.len();
        let mut claim = 0;
        test.assertions.retain(|_| {
            claim += 1;
            useful.contains(&(number, claim - 1)) || (none && claim == 1)
        });
        left_out += before - test.assertions.len();
    }
    left_out
}
