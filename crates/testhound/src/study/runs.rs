//! The simulated runs of a study: for each guide, so many sequences of tests played against the outcome matrix.

use super::analysis::GuideRuns;
use crate::exit::Failed;
use crate::jobs;
use crate::progress::Progress;
use engine::frames::{FrameBlock, FrameSpace};
use engine::simulation::{FirstFailures, OutcomeMatrix, play};
use engine::{Guide, Seed, TestKind};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Runs per job.
const CHUNK: u32 = 50;

/// What the runs are played with.
pub struct Game<'a> {
    /// The space of frames.
    pub space: &'a FrameSpace,
    /// The frames of the pool.
    pub frames: &'a FrameBlock,
    /// Who fails on what.
    pub outcomes: &'a OutcomeMatrix,
    /// Candidates per selection.
    pub candidates: usize,
    /// Runs per guide.
    pub runs: u32,
    /// Tests per run.
    pub tests: u32,
    /// The seed of the study.
    pub seed: Seed,
}

#[derive(Serialize, Deserialize)]
struct Chunk {
    first: Vec<FirstFailures>,
    seconds: f64,
}

impl Game<'_> {
    /// Plays all runs of all guides; gives them and the seconds of processor time they took, also in earlier sittings.
    /// `folder` keeps results; `key` names what they depend on.
    pub fn play_all(
        &self,
        guides: &[String],
        folder: &Path,
        key: &str,
        stop: &AtomicBool,
        progress: Progress,
    ) -> Result<(Vec<GuideRuns>, f64), Failed> {
        let starts: Vec<u32> = (0..self.runs).step_by(CHUNK as usize).collect();
        let jobs_of: Vec<(&String, u32)> = guides
            .iter()
            .flat_map(|guide| starts.iter().map(move |start| (guide, *start)))
            .collect();
        let shown = Mutex::new((progress, 0usize));
        let chunks: Vec<Chunk> = jobs_of
            .par_iter()
            .map(|(guide, start)| {
                if stop.load(Ordering::Relaxed) {
                    return Err(Failed::interrupted());
                }
                let name = format!("{key}-{guide}-{start}");
                let chunk = match jobs::finished(folder, &name) {
                    Some(chunk) => chunk,
                    None => {
                        let chunk = self.play_chunk(guide, *start);
                        jobs::finish(folder, &name, &chunk)?;
                        chunk
                    }
                };
                let mut shown = shown.lock().expect("no holder of this lock panics");
                shown.1 += 1;
                let done = shown.1;
                shown
                    .0
                    .update(done as f64 / jobs_of.len() as f64, "simulating");
                Ok(chunk)
            })
            .collect::<Result<_, Failed>>()?;
        shown
            .into_inner()
            .expect("no holder of this lock panics")
            .0
            .finish();
        let seconds = chunks.iter().map(|chunk| chunk.seconds).sum();
        let mut chunks = chunks.into_iter();
        let runs = guides
            .iter()
            .map(|guide| GuideRuns {
                guide: guide.clone(),
                runs: chunks
                    .by_ref()
                    .take(starts.len())
                    .flat_map(|chunk| chunk.first)
                    .collect(),
                seconds_per_test: None,
            })
            .collect();
        Ok((runs, seconds))
    }

    fn play_chunk(&self, guide: &str, start: u32) -> Chunk {
        let begin = Instant::now();
        let guide = Guide::parse(guide, TestKind::Frames)
            .expect("guides are checked before a study begins");
        let end = (start + CHUNK).min(self.runs);
        let first = (start..end)
            .map(|run| {
                let mut selector = guide.selector(self.space, self.candidates);
                let seed = self.seed.derive("run", u64::from(run));
                play(
                    self.frames,
                    self.outcomes,
                    selector.as_mut(),
                    seed,
                    self.tests,
                )
            })
            .collect();
        Chunk {
            first,
            seconds: begin.elapsed().as_secs_f64(),
        }
    }
}
