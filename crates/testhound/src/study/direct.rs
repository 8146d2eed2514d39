//! Runs that draw from the generator directly, without a pool: every chosen test is made concrete and executed on the original
//! and on the versions that have not failed yet in this run. Outcomes are remembered by input, so nothing is executed twice.
//!
//! Much dearer than a pool: use it where the generator's inputs are too many for a pool to stand for them.

use super::analysis::GuideRuns;
use super::matrix::outcome_hash;
use super::versions::Version;
use crate::cli::Study;
use crate::exit::Failed;
use crate::jobs;
use crate::setup::{Setup, sandbox_failed};
use command::Input;
use command::execute::Program;
use command::source::{SpecSource, operations, test_input};
use command::spec::Spec;
use engine::simulation::FirstFailures;
use engine::{Budget, Guide, Model, Observation, Run, Seed, TestKind};
use sandbox::Launcher;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is known of inputs: the original's outcome and, per version, whether it fails.
type Memory = Mutex<HashMap<Input, Known>>;

#[derive(Clone, Default)]
struct Known {
    original: Option<u64>,
    fails: Vec<Option<bool>>,
}

/// Everything a worker needs to play a run.
struct Player {
    spec: Arc<Spec>,
    original: Program,
    versions: Vec<Program>,
    memory: Memory,
    candidates: usize,
    tests: u32,
    seed: Seed,
}

#[derive(Serialize, Deserialize)]
struct Played {
    first: FirstFailures,
    /// Tests this run executed.
    tests: u32,
}

/// Plays all runs of all guides.
pub fn play_all(
    setup: &Setup,
    versions: &[Version],
    flags: &Study,
    folder: &Path,
) -> Result<Vec<GuideRuns>, Failed> {
    let original = setup.judge.program.clone();
    let version = |version: &Version| Program {
        path: version.path.clone(),
        ..original.clone()
    };
    let player = Arc::new(Player {
        spec: Arc::clone(&setup.spec),
        versions: versions.iter().map(version).collect(),
        original,
        memory: Memory::default(),
        candidates: flags.candidates,
        tests: flags.tests,
        seed: Seed(flags.seed),
    });
    let mut all = Vec::new();
    for guide in &flags.guides {
        let key = |run: u32| format!("direct-{}x{}-{guide}-{run}", versions.len(), flags.tests);
        let mut found: Vec<Option<Played>> = (0..flags.runs())
            .map(|run| jobs::finished(folder, &key(run)))
            .collect();
        let open: Vec<u32> = (0..flags.runs())
            .filter(|&run| found[run as usize].is_none())
            .collect();
        let (player, guide_name) = (Arc::clone(&player), guide.clone());
        let work = Arc::new(move |launcher: &mut Launcher, run: u32| {
            player.play(launcher, &guide_name, run)
        });
        let mut broken = None;
        let results = setup.workers.map(open.clone(), work, &mut |index, result| {
            if let Ok(played) = result {
                broken = broken
                    .take()
                    .or(jobs::finish(folder, &key(open[index]), played).err());
            }
        });
        if let Some(failed) = broken {
            return Err(failed);
        }
        for (run, result) in open.iter().zip(results) {
            let result = result.ok_or_else(Failed::interrupted)?;
            found[*run as usize] = Some(result.map_err(|error| sandbox_failed(&error))?);
        }
        let runs = found
            .into_iter()
            .flatten()
            .map(|played| played.first)
            .collect();
        all.push(GuideRuns {
            guide: guide.clone(),
            runs,
            seconds_per_test: None,
        });
    }
    Ok(all)
}

impl Player {
    /// One run: tests until every version has failed, or the limit.
    fn play(
        &self,
        launcher: &mut Launcher,
        guide: &str,
        number: u32,
    ) -> Result<Played, sandbox::Error> {
        let guide = Guide::parse(guide, TestKind::Frames)
            .expect("guides are checked before a study begins");
        let model = Model::of_space(self.spec.space.clone(), operations());
        let selector = guide.selector(&model.space, self.candidates);
        let source = Box::new(SpecSource::new(Arc::clone(&self.spec)));
        let budget = Budget {
            executions: Some(u64::from(self.tests)),
            ..Budget::default()
        };
        let seed = self.seed.derive("run", u64::from(number));
        let mut run = Run::new(seed, budget, model, source, selector);
        let mut played = Played {
            first: vec![None; self.versions.len()],
            tests: 0,
        };
        while run.over(Duration::ZERO).is_none() && played.first.contains(&None) {
            let Ok(round) = run.propose() else { break };
            let observations: Vec<Observation> = round
                .iter()
                .map(|_| Observation::plain(engine::End::Exited(0)))
                .collect();
            for proposal in &round {
                let Some(input) = test_input(&self.spec, &proposal.test) else {
                    continue;
                };
                played.tests += 1;
                self.execute(launcher, &input, &mut played)?;
            }
            run.learn(&round, &observations, Duration::ZERO);
        }
        Ok(played)
    }

    /// Executes one test on the versions that have not failed yet in this run.
    fn execute(
        &self,
        launcher: &mut Launcher,
        input: &Input,
        played: &mut Played,
    ) -> Result<(), sandbox::Error> {
        let lock = || self.memory.lock().expect("no holder of this lock panics");
        let mut known = lock().get(input).cloned().unwrap_or_default();
        known.fails.resize(self.versions.len(), None);
        let expected = match known.original {
            Some(hash) => hash,
            None => outcome_hash(&self.original.run(launcher, input)?),
        };
        known.original = Some(expected);
        for (version, program) in self.versions.iter().enumerate() {
            if played.first[version].is_some() {
                continue;
            }
            let fails = match known.fails[version] {
                Some(fails) => fails,
                None => outcome_hash(&program.run(launcher, input)?) != expected,
            };
            known.fails[version] = Some(fails);
            if fails {
                played.first[version] = Some(played.tests);
            }
        }
        lock().insert(input.clone(), known);
        Ok(())
    }
}
