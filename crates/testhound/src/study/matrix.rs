//! The outcome matrix: which inputs make which versions fail. A version fails on an input where its output, exit code or
//! signal differs from the original program's (Barus et al., Section 4.7.2).
//!
//! One job runs one version on one chunk of inputs and keeps the result on disk. The original's outcomes are kept as hashes.
//! Inputs that are equal are run once: generators with few values make the same text again and again.

use super::versions::Version;
use crate::exit::Failed;
use crate::jobs;
use crate::progress::Progress;
use crate::setup::{Setup, sandbox_failed};
use command::Input;
use command::execute::Program;
use sandbox::{End, Finished, Launcher};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Inputs per job.
const CHUNK: usize = 2000;

/// What runs versions on inputs.
pub struct Laboratory<'a> {
    /// The subject, with its workers.
    pub setup: &'a Setup,
    /// Where results are kept.
    pub folder: PathBuf,
    /// Different inputs, in the order in which the pool names them first.
    distinct: Arc<Vec<Input>>,
    /// For every different input, where the pool has it.
    places: Vec<Vec<u32>>,
    /// Inputs of the pool.
    pub inputs: usize,
    /// Shows no progress.
    pub quiet: bool,
    /// The original program's outcomes, filled by [`Laboratory::run_original`].
    original: Arc<Vec<u64>>,
    /// The time limit of versions.
    timeout: Duration,
    /// Mean wall time of one run of the original.
    pub seconds_per_run: f64,
    /// What the original's outcomes cost.
    pub original_cost: Cost,
    /// What all results cost, those of versions that were not used in the end among them.
    pub cost: Cost,
    /// Whether all results came from disk.
    pub reused: bool,
}

/// Executions and the workers' time behind results, also of earlier sittings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Programs run.
    pub executions: u64,
    /// Time of all workers together.
    pub seconds: f64,
}

impl Cost {
    /// Adds another cost.
    pub fn add(&mut self, executions: u64, seconds: f64) {
        self.executions += executions;
        self.seconds += seconds;
    }
}

#[derive(Serialize, Deserialize)]
struct OriginalChunk {
    hashes: Vec<u64>,
    slowest_us: u64,
    total_us: u64,
    seconds: f64,
}

#[derive(Serialize, Deserialize)]
struct VersionChunk {
    failing: Vec<u32>,
    timed_out: u32,
    /// Why it was not run to the chunk's end.
    given_up: Option<GivenUp>,
    seconds: f64,
}

/// Why a version was not run on all inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GivenUp {
    /// It fails on far too many inputs.
    FailsTooOften,
    /// It runs into the time limit again and again, which would take the study's time.
    TooSlow,
}

/// How much of a version's misbehaviour a chunk puts up with, as shares of its inputs.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Failing inputs.
    pub failing: f64,
    /// Inputs that run into the time limit.
    pub timed_out: f64,
}

impl Patience {
    /// Runs every version to the end.
    pub const ENDLESS: Patience = Patience {
        failing: 1.0,
        timed_out: 1.0,
    };

    fn given_up(&self, chunk: &VersionChunk, inputs: usize) -> Option<GivenUp> {
        let inputs = inputs as f64;
        if f64::from(chunk.timed_out) > self.timed_out * inputs + 3.0 {
            return Some(GivenUp::TooSlow);
        }
        (chunk.failing.len() as f64 > self.failing * inputs + 20.0)
            .then_some(GivenUp::FailsTooOften)
    }
}

/// What a version did on the inputs it was run on.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The inputs on which it failed.
    pub failing: Vec<u32>,
    /// Why it was not run on all inputs.
    pub given_up: Option<GivenUp>,
    /// What it cost.
    pub cost: Cost,
}

impl<'a> Laboratory<'a> {
    /// A laboratory for the inputs of a study.
    pub fn new(setup: &'a Setup, folder: &Path, pool: Vec<Input>, quiet: bool) -> Laboratory<'a> {
        let inputs = pool.len();
        let (distinct, places) = distinct(pool);
        Laboratory {
            setup,
            folder: folder.to_owned(),
            distinct: Arc::new(distinct),
            places,
            inputs,
            quiet,
            original: Arc::default(),
            timeout: setup.judge.program.timeout,
            seconds_per_run: 0.0,
            original_cost: Cost::default(),
            cost: Cost::default(),
            reused: true,
        }
    }

    /// Chunks of the different inputs among the first `count` of the pool.
    fn chunks(&self, count: usize) -> Vec<(usize, usize)> {
        let count = self
            .places
            .partition_point(|places| (places[0] as usize) < count);
        (0..count)
            .step_by(CHUNK)
            .map(|start| (start, (start + CHUNK).min(count)))
            .collect()
    }

    /// Runs the original program on all inputs.
    pub fn run_original(&mut self) -> Result<(), Failed> {
        let program = self.setup.judge.program.clone();
        let chunks = self.chunks(self.inputs);
        let mut found: Vec<Option<OriginalChunk>> = chunks
            .iter()
            .map(|(start, _)| jobs::finished(&self.folder, &format!("original-{start}")))
            .collect();
        let open: Vec<usize> = (0..chunks.len())
            .filter(|&index| found[index].is_none())
            .collect();
        let inputs = Arc::clone(&self.distinct);
        let tasks: Vec<(usize, usize)> = open.iter().map(|&index| chunks[index]).collect();
        let work = Arc::new(
            move |launcher: &mut Launcher, (start, end): (usize, usize)| {
                original_chunk(launcher, &program, &inputs[start..end])
            },
        );
        let done = self.run(
            &format!("{}: original", self.setup.spec.name),
            tasks,
            work,
            &mut |index, chunk| {
                jobs::finish(
                    &self.folder,
                    &format!("original-{}", chunks[open[index]].0),
                    chunk,
                )
            },
        )?;
        self.reused &= open.is_empty();
        for (index, chunk) in open.into_iter().zip(done) {
            found[index] = Some(chunk);
        }
        self.use_original(found.into_iter().flatten().collect());
        Ok(())
    }

    fn use_original(&mut self, chunks: Vec<OriginalChunk>) {
        let slowest = chunks
            .iter()
            .map(|chunk| chunk.slowest_us)
            .max()
            .unwrap_or(0);
        let total: u64 = chunks.iter().map(|chunk| chunk.total_us).sum();
        // A version in an endless loop should not cost a whole time-out per input.
        let generous = Duration::from_micros(slowest * 10).max(Duration::from_millis(250));
        self.timeout = generous.min(self.timeout);
        self.seconds_per_run = total as f64 / 1e6 / self.distinct.len().max(1) as f64;
        let seconds = chunks.iter().map(|chunk| chunk.seconds).sum::<f64>();
        self.original_cost.add(self.distinct.len() as u64, seconds);
        self.cost = self.original_cost;
        self.original = Arc::new(chunks.into_iter().flat_map(|chunk| chunk.hashes).collect());
    }

    /// Runs versions on the first `count` inputs, as far as `patience` goes.
    pub fn run_versions(
        &mut self,
        versions: &[Version],
        count: usize,
        patience: Patience,
    ) -> Result<Vec<Row>, Failed> {
        let chunks = self.chunks(count);
        let mut jobs_of: Vec<(usize, usize, usize)> = Vec::new();
        for version in 0..versions.len() {
            jobs_of.extend(chunks.iter().map(|&(start, end)| (version, start, end)));
        }
        let key = |&(version, start, end): &(usize, usize, usize)| {
            format!("{}-{start}-{end}", versions[version].name)
        };
        let mut found: Vec<Option<VersionChunk>> = jobs_of
            .iter()
            .map(|job| jobs::finished(&self.folder, &key(job)))
            .collect();
        let open: Vec<usize> = (0..jobs_of.len())
            .filter(|&index| found[index].is_none())
            .collect();
        let (inputs, original) = (Arc::clone(&self.distinct), Arc::clone(&self.original));
        let program = Program {
            timeout: self.timeout,
            ..self.setup.judge.program.clone()
        };
        let tasks: Vec<(Program, usize, usize)> = open
            .iter()
            .map(|&index| {
                let (version, start, end) = jobs_of[index];
                (
                    Program {
                        path: versions[version].path.clone(),
                        ..program.clone()
                    },
                    start,
                    end,
                )
            })
            .collect();
        let work = Arc::new(
            move |launcher: &mut Launcher, (program, start, end): (Program, usize, usize)| {
                version_chunk(
                    launcher,
                    &program,
                    start,
                    &inputs[start..end],
                    &original[start..end],
                    patience,
                )
            },
        );
        let label = format!("{}: versions", self.setup.spec.name);
        let done = self.run(&label, tasks, work, &mut |index, chunk| {
            jobs::finish(&self.folder, &key(&jobs_of[open[index]]), chunk)
        })?;
        self.reused &= open.is_empty();
        for (index, chunk) in open.into_iter().zip(done) {
            found[index] = Some(chunk);
        }
        let mut rows = vec![Row::default(); versions.len()];
        for ((version, start, end), chunk) in jobs_of.into_iter().zip(found) {
            let chunk = chunk.expect("every job is found or done");
            let executions = (end - start) as u64;
            self.cost.add(executions, chunk.seconds);
            rows[version].cost.add(executions, chunk.seconds);
            rows[version].given_up = rows[version].given_up.or(chunk.given_up);
            let places = chunk
                .failing
                .iter()
                .flat_map(|&input| &self.places[input as usize])
                .filter(|&&place| (place as usize) < count);
            rows[version].failing.extend(places);
        }
        rows.iter_mut().for_each(|row| row.failing.sort_unstable());
        Ok(rows)
    }

    /// Does jobs on the workers, keeping each result as it comes.
    fn run<T: Send + 'static, R: Send + 'static>(
        &self,
        label: &str,
        tasks: Vec<T>,
        work: command::execute::Work<T, Result<R, sandbox::Error>>,
        keep: &mut dyn FnMut(usize, &R) -> Result<(), Failed>,
    ) -> Result<Vec<R>, Failed> {
        let total = tasks.len();
        let mut progress = Progress::new(label, self.quiet || total == 0);
        let start = Instant::now();
        let (mut done, mut broken) = (0, None);
        let results = self.setup.workers.map(tasks, work, &mut |index, result| {
            done += 1;
            let left = start.elapsed().mul_f64((total - done) as f64 / done as f64);
            progress.update(
                done as f64 / total as f64,
                &format!("{} left", crate::progress::short_time(left)),
            );
            if let Ok(result) = result {
                broken = broken.take().or(keep(index, result).err());
            }
        });
        progress.finish();
        if let Some(failed) = broken {
            return Err(failed);
        }
        let results = results.into_iter().map(|result| {
            result
                .ok_or_else(Failed::interrupted)?
                .map_err(|e| sandbox_failed(&e))
        });
        results.collect()
    }
}

/// The different inputs of a pool, and where each of them stands in it.
fn distinct(pool: Vec<Input>) -> (Vec<Input>, Vec<Vec<u32>>) {
    let mut numbers: HashMap<Input, usize> = HashMap::new();
    let (mut inputs, mut places) = (Vec::new(), Vec::<Vec<u32>>::new());
    for (place, input) in pool.into_iter().enumerate() {
        let place = place as u32;
        if let Some(&number) = numbers.get(&input) {
            places[number].push(place);
            continue;
        }
        numbers.insert(input.clone(), inputs.len());
        inputs.push(input);
        places.push(vec![place]);
    }
    (inputs, places)
}

fn original_chunk(
    launcher: &mut Launcher,
    program: &Program,
    inputs: &[Input],
) -> Result<OriginalChunk, sandbox::Error> {
    let begin = Instant::now();
    let mut chunk = OriginalChunk {
        hashes: Vec::new(),
        slowest_us: 0,
        total_us: 0,
        seconds: 0.0,
    };
    for input in inputs {
        let finished = program.run(launcher, input)?;
        let wall = finished.wall.as_micros() as u64;
        chunk.hashes.push(outcome_hash(&finished));
        chunk.slowest_us = chunk.slowest_us.max(wall);
        chunk.total_us += wall;
    }
    chunk.seconds = begin.elapsed().as_secs_f64();
    Ok(chunk)
}

fn version_chunk(
    launcher: &mut Launcher,
    program: &Program,
    start: usize,
    inputs: &[Input],
    original: &[u64],
    patience: Patience,
) -> Result<VersionChunk, sandbox::Error> {
    let begin = Instant::now();
    let mut chunk = VersionChunk {
        failing: Vec::new(),
        timed_out: 0,
        given_up: None,
        seconds: 0.0,
    };
    for (index, (input, expected)) in inputs.iter().zip(original).enumerate() {
        let finished = program.run(launcher, input)?;
        if outcome_hash(&finished) != *expected {
            chunk.failing.push((start + index) as u32);
            chunk.timed_out += u32::from(finished.end == End::TimedOut);
        }
        chunk.given_up = patience.given_up(&chunk, inputs.len());
        if chunk.given_up.is_some() {
            break;
        }
    }
    chunk.seconds = begin.elapsed().as_secs_f64();
    Ok(chunk)
}

/// What is compared: how it ended and what it wrote to standard output. FNV-1a, because hashes are kept on disk and must not
/// change with the compiler's own hasher.
pub fn outcome_hash(finished: &Finished) -> u64 {
    let (kind, number) = match finished.end {
        End::Exited(code) => (0, code),
        End::Signalled(signal) => (1, signal),
        End::TimedOut => (2, 0),
        End::Lost => (3, 0),
    };
    let end = [[kind; 4], number.to_le_bytes()].concat();
    let bytes = end.iter().chain(&finished.stdout);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_inputs_are_run_once_and_count_everywhere() {
        let input = |text: &str| Input {
            args: vec![text.to_owned()],
            ..Input::default()
        };
        let pool = ["a", "b", "a", "c", "b", "a"].map(input).to_vec();
        let (inputs, places) = distinct(pool);
        assert_eq!(inputs, ["a", "b", "c"].map(input));
        assert_eq!(places, [vec![0, 2, 5], vec![1, 4], vec![3]]);
    }
}
