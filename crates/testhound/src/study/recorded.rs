//! The record of a studied subject, put together from what was measured.

use super::analysis::{ALPHA, CONFIDENCE, GuideRuns, compare, summarise, version_results};
use super::matrix::{Cost, Laboratory};
use super::versions::Version;
use crate::cli::Study;
use command::spec::Spec;
use engine::frames::FrameBlock;
use engine::simulation::{OutcomeMatrix, failing_frames};
use report::LeftOut;
use report::study::{
    FailingFrames, GenerationTime, GuideResult, StudyRecord, StudyTiming, VersionRecord,
};
use stats::Better;

/// What a study of one subject measured.
pub struct Measured<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// Where the outcomes come from.
    pub laboratory: &'a Laboratory<'a>,
    /// The faulty versions.
    pub versions: &'a [Version],
    /// Versions that were left out.
    pub left_out: Vec<LeftOut>,
    /// The frames of the pool.
    pub frames: &'a FrameBlock,
    /// Who fails on what.
    pub outcomes: &'a OutcomeMatrix,
    /// The runs, per guide.
    pub runs: Vec<GuideRuns>,
    /// How long guides take to generate.
    pub generation: Vec<GenerationTime>,
    /// Processor seconds of the runs.
    pub simulation_seconds: f64,
    /// What the outcomes of the original and of the versions used cost.
    pub matrix_cost: Cost,
    /// Workers that ran at the same time.
    pub workers: usize,
}

/// Puts the record together; p-values are corrected later, over all subjects.
pub fn study_record(mut measured: Measured<'_>, flags: &Study) -> StudyRecord {
    let sizes = stats::p_measure_sizes(u64::from(flags.tests).min(1000));
    for (runs, time) in measured.runs.iter_mut().zip(&measured.generation) {
        let per_test = time
            .points
            .last()
            .map(|point| point.seconds / point.tests as f64);
        runs.seconds_per_test =
            per_test.map(|seconds| seconds + measured.laboratory.seconds_per_run);
    }
    let versions: Vec<VersionRecord> = (0..measured.versions.len())
        .map(|version| version_record(&measured, version, flags, &sizes))
        .collect();
    let column = |value: &dyn Fn(&GuideResult) -> f64| -> Vec<Vec<f64>> {
        versions
            .iter()
            .map(|version| version.results.iter().map(value).collect())
            .collect()
    };
    // A guide that never found a fault is worse than any that did; the rank tests need a finite number for that.
    let never = f64::from(flags.tests) * f64::from(flags.runs()) * 10.0;
    let f_measures = column(&|result| result.f_measure.unwrap_or(never));
    let areas = column(&|result| result.pma);
    let spec = measured.spec;
    let summaries = flags.guides[1..]
        .iter()
        .map(|guide| {
            let ratios: Vec<f64> = versions
                .iter()
                .filter_map(|version| version.result(guide)?.f_ratio)
                .collect();
            summarise(guide, &ratios, None, flags.seed)
        })
        .collect();
    StudyRecord {
        subject: spec.name.clone(),
        description: spec.about.clone(),
        command: super::command_line(flags),
        program: concat!("testhound ", env!("CARGO_PKG_VERSION")).to_owned(),
        seed: flags.seed,
        guides: flags.guides.clone(),
        baseline: flags.guides[0].clone(),
        candidates: flags.candidates as u64,
        categories: spec.space.categories.len() as u64,
        choices: spec.space.sizes().iter().sum::<usize>() as u64,
        runs: u64::from(flags.runs()),
        tests_per_run: u64::from(flags.tests),
        pool: (!flags.direct).then_some(measured.laboratory.inputs as u64),
        confidence: CONFIDENCE,
        alpha: ALPHA,
        hypotheses: 0,
        sizes,
        f_comparison: compare(&flags.guides, &f_measures, Better::Smaller),
        pma_comparison: compare(&flags.guides, &areas, Better::Larger),
        versions,
        dropped_versions: measured.left_out,
        summaries,
        generation: measured.generation,
        timing: StudyTiming {
            matrix_seconds: measured.matrix_cost.seconds,
            matrix_executions: measured.matrix_cost.executions,
            left_out_seconds: measured.laboratory.cost.seconds - measured.matrix_cost.seconds,
            workers: measured.workers as u64,
            matrix_reused: measured.laboratory.reused,
            simulation_seconds: measured.simulation_seconds,
        },
    }
}

fn version_record(
    measured: &Measured<'_>,
    version: usize,
    flags: &Study,
    sizes: &[u64],
) -> VersionRecord {
    let space = &measured.spec.space;
    let distance = |a: &[u16], b: &[u16]| space.distance(a, b);
    let frames = failing_frames(measured.frames, measured.outcomes, version, &distance);
    let failing = measured.outcomes.failing(version) as f64;
    VersionRecord {
        name: measured.versions[version].name.clone(),
        mutant: measured.versions[version].change.clone(),
        failure_rate: failing / measured.outcomes.inputs().max(1) as f64,
        failing_frames: Some(FailingFrames {
            frames: frames.frames as u64,
            failure_rate_within: frames.rate_within,
            mean_distance: (frames.frames > 1).then_some(frames.distance),
        }),
        results: version_results(&measured.runs, version, flags.tests, sizes),
    }
}
