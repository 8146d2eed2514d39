//! The study of one subject: versions, outcome matrix, filters, runs, record.

use super::direct;
use super::inputs::Inputs;
use super::matrix::{GivenUp, Laboratory, Patience, Row};
use super::recorded::{Measured, study_record};
use super::runs::Game;
use super::timing::generation_time;
use super::versions::{self, Version, Versions};
use crate::cli::Study;
use crate::exit::Failed;
use crate::jobs;
use crate::progress::Progress;
use crate::settings::ExecutionSettings;
use crate::setup::{Setup, load_spec};
use crate::written::make_folder;
use engine::Seed;
use engine::simulation::OutcomeMatrix;
use mutants::{FailingSet, Fate, MutantId, OutcomeLimits};
use report::LeftOut;
use report::study::StudyRecord;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Inputs on which versions are looked at before they are run on all.
const SCREEN: usize = 1000;
/// Versions that run into the time limit more often than this are left out: they would take the study's time.
const MOST_TIME_OUTS: f64 = 0.002;

/// Studies one subject; `Err` also when interrupted.
pub fn study_subject(
    spec_path: &Path,
    flags: &Study,
    settings: &ExecutionSettings,
    stop: &Arc<AtomicBool>,
) -> Result<StudyRecord, Failed> {
    let spec = load_spec(spec_path)?;
    let folder = flags.out.join(&spec.name);
    let build = folder.join("build");
    make_folder(&build)?;
    let build = build.canonicalize().unwrap_or(build);
    check_plan(&folder, spec_path, flags)?;
    let setup = Setup::new(spec_path, settings, &build, Arc::clone(stop))?;
    let pool = Inputs::new(&setup.spec, flags)?;
    let mut laboratory = Laboratory::new(&setup, &folder.join("matrix"), pool.inputs, flags.json);
    laboratory.run_original()?;
    let usable = usable_versions(&mut laboratory, flags, &build)?;
    if usable.versions.is_empty() {
        return Err(Failed::input(
            "no faulty version can be used: none fails often enough or seldom enough",
        )
        .hint("give more mutants, more inputs or a larger `--max-failure-rate`"));
    }
    let outcomes = usable.outcomes(laboratory.inputs);
    let generation = flags
        .guides
        .iter()
        .map(|guide| generation_time(&setup.spec, guide, flags.candidates))
        .collect::<Result<Vec<_>, _>>()?;
    let begin = Instant::now();
    let (runs, simulation_seconds) = if flags.direct {
        let runs = direct::play_all(&setup, &usable.versions, flags, &folder.join("runs"))?;
        (runs, begin.elapsed().as_secs_f64())
    } else {
        let game = Game {
            space: &setup.spec.space,
            frames: &pool.frames,
            outcomes: &outcomes,
            candidates: flags.candidates,
            runs: flags.runs(),
            tests: flags.tests,
            seed: Seed(flags.seed),
        };
        let key = format!("{}x{}", usable.versions.len(), flags.tests);
        let progress = Progress::new(&format!("{}: runs", setup.spec.name), flags.json);
        game.play_all(&flags.guides, &folder.join("runs"), &key, stop, progress)?
    };
    let mut matrix_cost = laboratory.original_cost;
    for row in &usable.rows {
        matrix_cost.add(row.cost.executions, row.cost.seconds);
    }
    let measured = Measured {
        spec: &setup.spec,
        laboratory: &laboratory,
        versions: &usable.versions,
        left_out: usable.left_out,
        frames: &pool.frames,
        outcomes: &outcomes,
        runs,
        generation,
        simulation_seconds,
        matrix_cost,
        workers: settings.jobs,
    };
    Ok(study_record(measured, flags))
}

/// Versions with the inputs that make them fail.
struct Usable {
    versions: Vec<Version>,
    rows: Vec<Row>,
    left_out: Vec<LeftOut>,
}

impl Usable {
    fn outcomes(&self, inputs: usize) -> OutcomeMatrix {
        let mut outcomes = OutcomeMatrix::new(inputs, self.versions.len());
        for (version, row) in self.rows.iter().enumerate() {
            for &input in &row.failing {
                outcomes.set(input as usize, version);
            }
        }
        outcomes
    }
}

/// Finds or makes the faulty versions, runs them on the pool, and keeps those a study can use.
fn usable_versions(
    laboratory: &mut Laboratory<'_>,
    flags: &Study,
    build: &Path,
) -> Result<Usable, Failed> {
    let spec = &laboratory.setup.spec;
    if let Some(given) = &flags.versions {
        let versions = versions::from_folder(spec, given, build)?;
        return run_given(laboratory, versions);
    }
    let wanted = flags.mutants.unwrap_or(40);
    let versions = versions::from_mutants(spec, wanted.saturating_mul(8), flags.seed, build)?;
    run_mutants(laboratory, versions, wanted, flags)
}

/// Versions that the user gave: only those that never fail are left out.
fn run_given(laboratory: &mut Laboratory<'_>, given: Versions) -> Result<Usable, Failed> {
    let inputs = laboratory.inputs;
    let rows = laboratory.run_versions(&given.versions, inputs, Patience::ENDLESS)?;
    let mut usable = Usable {
        versions: Vec::new(),
        rows: Vec::new(),
        left_out: given.left_out,
    };
    for (version, row) in given.versions.into_iter().zip(rows) {
        if row.failing.is_empty() {
            usable.left_out.push(LeftOut {
                name: version.name,
                reason: "no input makes it fail".to_owned(),
            });
        } else {
            usable.versions.push(version);
            usable.rows.push(row);
        }
    }
    Ok(usable)
}

/// Mutants, in batches until enough pass the paper's filters (Section 4.2.2).
fn run_mutants(
    laboratory: &mut Laboratory<'_>,
    candidates: Versions,
    wanted: usize,
    flags: &Study,
) -> Result<Usable, Failed> {
    let inputs = laboratory.inputs;
    let patience = Patience {
        failing: flags.max_failure_rate * 1.5,
        timed_out: MOST_TIME_OUTS,
    };
    let mut left_out = candidates.left_out;
    let mut waiting = candidates.versions.into_iter();
    let mut run: Vec<(Version, Row)> = Vec::new();
    loop {
        let fates = fates(&run, inputs, flags);
        let kept = fates.iter().filter(|fate| **fate == Fate::Kept).count();
        let missing = wanted.saturating_sub(kept);
        let batch: Vec<Version> = waiting
            .by_ref()
            .take(missing + missing.div_ceil(4))
            .collect();
        if batch.is_empty() {
            return Ok(usable(run, fates, left_out, wanted));
        }
        // A look at few inputs first: what fails there far too often need not be run on all.
        let screened = laboratory.run_versions(&batch, SCREEN.min(inputs), patience)?;
        let promising = keep_running(batch, screened, &mut left_out);
        let promising = promising
            .into_iter()
            .map(|(version, _)| version)
            .collect::<Vec<_>>();
        let rows = laboratory.run_versions(&promising, inputs, patience)?;
        run.extend(keep_running(promising, rows, &mut left_out));
    }
}

/// The versions that were not given up; the others are left out with the reason.
fn keep_running(
    versions: Vec<Version>,
    rows: Vec<Row>,
    left_out: &mut Vec<LeftOut>,
) -> Vec<(Version, Row)> {
    let mut kept = Vec::new();
    for (version, row) in versions.into_iter().zip(rows) {
        let reason = match row.given_up {
            None => {
                kept.push((version, row));
                continue;
            }
            Some(GivenUp::FailsTooOften) => "fails far too often on the first inputs",
            Some(GivenUp::TooSlow) => "runs into the time limit too often",
        };
        left_out.push(LeftOut {
            name: version.name,
            reason: reason.to_owned(),
        });
    }
    kept
}

/// The fate of every mutant that was run on all inputs.
fn fates(run: &[(Version, Row)], inputs: usize, flags: &Study) -> Vec<Fate> {
    let sets: Vec<(MutantId, FailingSet)> = run
        .iter()
        .filter_map(|(version, row)| {
            let mut failing = FailingSet::new(inputs);
            row.failing
                .iter()
                .for_each(|&input| failing.insert(input as usize));
            Some((version.mutant.clone()?, failing))
        })
        .collect();
    let limits = OutcomeLimits {
        highest_failure_rate: flags.max_failure_rate,
    };
    mutants::filter_by_outcomes(&sets, limits, flags.seed)
        .into_iter()
        .map(|(_, fate)| fate)
        .collect()
}

fn usable(
    run: Vec<(Version, Row)>,
    fates: Vec<Fate>,
    left_out: Vec<LeftOut>,
    wanted: usize,
) -> Usable {
    let mut usable = Usable {
        versions: Vec::new(),
        rows: Vec::new(),
        left_out,
    };
    for ((version, row), fate) in run.into_iter().zip(fates) {
        let reason = match fate {
            Fate::Kept if usable.versions.len() < wanted => {
                usable.versions.push(version);
                usable.rows.push(row);
                continue;
            }
            Fate::Kept => "there are enough versions".to_owned(),
            fate => fate.to_string(),
        };
        usable.left_out.push(LeftOut {
            name: version.name,
            reason,
        });
    }
    usable
}

/// Refuses to mix results of different questions in one folder.
fn check_plan(folder: &Path, spec_path: &Path, flags: &Study) -> Result<(), Failed> {
    let spec = std::fs::read_to_string(spec_path).map_err(|error| {
        Failed::input(format!("cannot read `{}`: {error}", spec_path.display()))
    })?;
    let plan = serde_json::json!({
        // Counts changes of what the files of a matrix mean.
        "matrix-format": 2,
        "spec": spec, "seed": flags.seed, "inputs": flags.inputs, "pool": flags.pool,
        "versions": flags.versions, "candidates": flags.candidates,
    });
    match jobs::finished::<serde_json::Value>(folder, "plan") {
        Some(earlier) if earlier != plan => Err(Failed::input(format!(
            "`{}` holds a study of other settings",
            folder.display()
        ))
        .hint("name another folder with `--out`, or remove this one")),
        Some(_) => Ok(()),
        None => jobs::finish(folder, "plan", &plan),
    }
}
