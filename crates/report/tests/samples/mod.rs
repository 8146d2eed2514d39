//! Records that look like real ones, made by formulas: no measurement stands behind these numbers.

use report::LeftOut;
use report::study::{
    Comparison, FailingFrames, GenerationPoint, GenerationTime, GuideResult, GuideSummary,
    Interval, Pair, StudyRecord, StudyTiming, TestResult, VersionRecord,
};

/// How much better than random each guide is in the samples.
const GUIDES: [(&str, f64); 4] = [
    ("random", 1.0),
    ("art-mif", 0.93),
    ("art-sum", 0.88),
    ("art-pairs", 0.74),
];

/// A study with `faults` faulty versions; the guides do worse on harder subjects.
pub fn study(subject: &str, faults: usize, hardness: f64) -> StudyRecord {
    let sizes: Vec<u64> = (1..10)
        .chain((1..10).map(|n| n * 10))
        .chain((1..=10).map(|n| n * 100))
        .collect();
    let versions: Vec<VersionRecord> = (0..faults)
        .map(|index| version(index, hardness, &sizes))
        .collect();
    StudyRecord {
        subject: subject.to_owned(),
        description: "A small program.".to_owned(),
        command: format!(
            "testhound study examples/{subject}/{subject}.toml --guides random,art-mif --runs 2000 --seed 1"
        ),
        program: "testhound 0.1.0".to_owned(),
        seed: 1,
        guides: GUIDES.map(|(guide, _)| guide.to_owned()).to_vec(),
        baseline: "random".to_owned(),
        candidates: 10,
        categories: 12,
        choices: 47,
        runs: 2000,
        tests_per_run: 1000,
        pool: Some(100_000),
        confidence: 0.95,
        alpha: 0.05,
        hypotheses: 14,
        sizes,
        dropped_versions: vec![
            LeftOut {
                name: "m900".into(),
                reason: "never failed in 100,000 random tests".into(),
            },
            LeftOut {
                name: "m901".into(),
                reason: "same object code as `m900`".into(),
            },
        ],
        summaries: GUIDES[1..]
            .iter()
            .map(|guide| summary(guide.0, &versions))
            .collect(),
        f_comparison: comparison(&versions, |result| result.f_measure.map(|f| -f)),
        pma_comparison: comparison(&versions, |result| Some(result.pma)),
        versions,
        generation: GUIDES
            .iter()
            .enumerate()
            .map(|(index, guide)| generation(guide.0, index))
            .collect(),
        timing: StudyTiming {
            matrix_seconds: 412.7,
            matrix_executions: 100_000 * (faults as u64 + 1),
            left_out_seconds: 97.2,
            workers: 2,
            matrix_reused: true,
            simulation_seconds: 38.2,
        },
    }
}

fn version(index: usize, hardness: f64, sizes: &[u64]) -> VersionRecord {
    let rate = 0.09 * 0.72f64.powi(index as i32 % 17);
    let spread = 0.35 * (((index * 7919) % 97) as f64 / 97.0 - 0.5);
    let result = |&(guide, strength): &(&str, f64)| {
        let ratio = if guide == "random" {
            1.0
        } else {
            strength * hardness + spread
        };
        result(guide, rate, ratio, sizes)
    };
    VersionRecord {
        name: format!("m{:03}", index * 3 + 1),
        mutant: format!("line {}: `<` became `<=`", 40 + index * 11),
        failure_rate: rate,
        failing_frames: (index != 3).then(|| FailingFrames {
            frames: 40 - (index as u64 * 3) % 37,
            failure_rate_within: 0.3 + spread,
            mean_distance: (index != 5).then_some(4.0 - 6.0 * spread),
        }),
        results: GUIDES.iter().map(result).collect(),
    }
}

fn result(guide: &str, rate: f64, ratio: f64, sizes: &[u64]) -> GuideResult {
    let f = ratio / rate;
    let p_measures: Vec<f64> = sizes
        .iter()
        .map(|&n| 1.0 - (1.0 - rate / ratio).powi(n as i32))
        .collect();
    let interval = |p: &f64| Interval {
        low: (p - 0.015).max(0.0),
        high: (p + 0.015).min(1.0),
    };
    GuideResult {
        guide: guide.to_owned(),
        f_measure: Some(f),
        f_interval: Some(Interval {
            low: f * 0.96,
            high: f * 1.04,
        }),
        f_ratio: Some(ratio),
        censored: (2000.0 * (1.0 - rate / ratio).powi(1000)) as u64,
        p_intervals: p_measures.iter().map(interval).collect(),
        pma: p_measures.iter().sum::<f64>() * 30.0,
        p_measures,
        seconds_to_first_failure: Some(f * 3.1e-4),
    }
}

fn test(wins: u64, losses: u64) -> TestResult {
    let difference = (wins as f64 - losses as f64).abs() / (wins + losses).max(1) as f64;
    let p = 0.4 * (-8.0 * difference).exp();
    TestResult {
        statistic: 31.5,
        p,
        p_holm: (p * 7.0).min(1.0),
        significant: p * 7.0 < 0.05,
    }
}

/// The summary of one guide over all faults of some versions.
pub fn summary(guide: &str, versions: &[VersionRecord]) -> GuideSummary {
    let ratios: Vec<f64> = versions
        .iter()
        .filter_map(|version| version.result(guide)?.f_ratio)
        .collect();
    let wins = ratios.iter().filter(|ratio| **ratio < 1.0).count() as u64;
    let f_ratio = stats::geometric_mean(&ratios).ok();
    GuideSummary {
        guide: guide.to_owned(),
        faults: ratios.len() as u64,
        f_ratio,
        interval: f_ratio.map(|ratio| Interval {
            low: ratio * 0.95,
            high: ratio * 1.06,
        }),
        wins,
        test: Some(test(wins, ratios.len() as u64 - wins)),
    }
}

/// The summary of every guide over all faults of some subjects.
pub fn overall(subjects: &[StudyRecord]) -> Vec<GuideSummary> {
    let versions: Vec<VersionRecord> = subjects
        .iter()
        .flat_map(|subject| subject.versions.clone())
        .collect();
    GUIDES[1..]
        .iter()
        .map(|guide| summary(guide.0, &versions))
        .collect()
}

fn comparison(versions: &[VersionRecord], measure: fn(&GuideResult) -> Option<f64>) -> Comparison {
    let mut pairs = Vec::new();
    for (index, (first, _)) in GUIDES.iter().enumerate() {
        for (second, _) in &GUIDES[index + 1..] {
            let better = |a: &str, b: &str| {
                let wins = versions.iter().filter(|version| {
                    version.result(a).and_then(measure) > version.result(b).and_then(measure)
                });
                wins.count() as u64
            };
            let (first_wins, second_wins) = (better(first, second), better(second, first));
            pairs.push(Pair {
                first: (*first).to_owned(),
                second: (*second).to_owned(),
                first_wins,
                second_wins,
                ties: versions.len() as u64 - first_wins - second_wins,
                test: Some(test(first_wins, second_wins)),
            });
        }
    }
    let friedman = TestResult {
        statistic: 17.25,
        p: 0.0006,
        p_holm: 0.0042,
        significant: true,
    };
    Comparison {
        friedman: Some(friedman),
        pairs,
    }
}

fn generation(guide: &str, index: usize) -> GenerationTime {
    let cost = [1.1e-6, 2.3e-4, 6.4e-6, 1.9e-5][index];
    let point = |tests: u64| GenerationPoint {
        tests,
        seconds: cost * tests as f64,
    };
    GenerationTime {
        guide: guide.to_owned(),
        points: [100, 300, 1000, 3000, 10_000].map(point).to_vec(),
    }
}
