//! From the runs of a comparison to its record: means, medians, effect sizes, tests, mean curves. What to recommend is `recommendation`'s.
//!
//! Differences between runs of two guides are tested by Mann and Whitney's test with Vargha and Delaney's A12, differences over
//! units by Wilcoxon's signed-rank test on medians, as Arcuri and Briand advise ("A practical guide for using statistical
//! tests to assess randomized algorithms in software engineering", ICSE 2011).

use super::measured::Measured;
use super::{budget_options, recommendation};
use crate::cli::Compare;
use report::compare::{
    CompareRecord, ComparedGuide, ComparedRun, ComparedUnit, CurvePlace, UnitTest,
};
use stats::{mann_whitney, mean, mean_interval, median, vargha_delaney, wilcoxon_signed_rank};
use std::collections::BTreeMap;

/// Points of a mean curve.
const POINTS: usize = 60;

/// The record of a comparison; `runs` holds those of each guide in the order of seeds.
pub fn analyse(flags: &Compare, command: &str, runs: &[Vec<Measured>]) -> CompareRecord {
    let first = runs.first().and_then(|runs| runs.first());
    let units = units(runs);
    let guides: Vec<ComparedGuide> = (0..runs.len())
        .map(|number| guide(flags, number, runs, &units))
        .collect();
    let all: Vec<Vec<f64>> = runs.iter().map(|runs| shares(runs)).collect();
    let best = recommendation::best(&flags.guides, &units, &all);
    CompareRecord {
        subject: first.map(|run| run.subject.clone()).unwrap_or_default(),
        command: command.to_owned(),
        program: concat!("testhound ", env!("CARGO_PKG_VERSION")).to_owned(),
        budget: match flags.executions {
            Some(executions) => format!("{executions} executions"),
            None => budget_options(flags).pop().unwrap_or_default(),
        },
        measure: first.map(|run| run.measure.clone()).unwrap_or_default(),
        recommendation: flags
            .guides
            .first()
            .map(|first| recommendation::advice(best.as_ref(), first))
            .unwrap_or_default(),
        best,
        runs: flags
            .guides
            .iter()
            .zip(runs)
            .flat_map(|(guide, runs)| {
                let seeds = flags.seed..;
                runs.iter()
                    .zip(seeds)
                    .map(|(run, seed)| compared(guide, seed, run))
            })
            .collect(),
        guides,
        units,
        reached: Vec::new(),
        costs: Vec::new(),
    }
}

fn compared(guide: &str, seed: u64, run: &Measured) -> ComparedRun {
    ComparedRun {
        guide: guide.to_owned(),
        seed,
        covered: run.covered(),
        total: run.total(),
        executions: run.executions,
        seconds: run.seconds,
        whole_seconds: run.whole_seconds,
        failures: run.failures,
        suite_tests: run.suite_tests,
    }
}

fn share(covered: u64, total: u64) -> f64 {
    match total {
        0 => 1.0,
        total => covered as f64 / total as f64,
    }
}

/// The shares of the runs of one guide.
fn shares(runs: &[Measured]) -> Vec<f64> {
    let runs = runs.iter();
    runs.map(|run| share(run.covered(), run.total())).collect()
}

/// Means, medians and tests of every unit that has goals in some run.
fn units(runs: &[Vec<Measured>]) -> Vec<ComparedUnit> {
    let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
    for unit in runs.iter().flatten().flat_map(|run| &run.units) {
        let total = totals.entry(&unit.name).or_default();
        *total = (*total).max(unit.total);
    }
    let with_goals = totals.into_iter().filter(|(_, total)| *total > 0);
    with_goals
        .map(|(name, total)| {
            let samples: Vec<Vec<f64>> = runs
                .iter()
                .map(|runs| runs.iter().map(|run| unit_share(run, name)).collect())
                .collect();
            let (baseline, others) = samples.split_first().expect("there are two guides");
            ComparedUnit {
                name: name.to_owned(),
                total,
                means: samples.iter().map(|one| mean(one).unwrap_or(0.0)).collect(),
                medians: samples
                    .iter()
                    .map(|one| median(one).unwrap_or(0.0))
                    .collect(),
                tests: others.iter().map(|one| test(one, baseline)).collect(),
            }
        })
        .collect()
}

fn unit_share(run: &Measured, name: &str) -> f64 {
    let unit = run.units.iter().find(|unit| unit.name == name);
    unit.map_or(0.0, |unit| share(unit.covered, unit.total))
}

fn test(sample: &[f64], baseline: &[f64]) -> UnitTest {
    UnitTest {
        a12: vargha_delaney(sample, baseline).ok(),
        p: mann_whitney(sample, baseline).ok().map(|test| test.p),
    }
}

fn guide(
    flags: &Compare,
    number: usize,
    runs: &[Vec<Measured>],
    units: &[ComparedUnit],
) -> ComparedGuide {
    let [own, baseline] = [&runs[number], &runs[0]].map(|runs| shares(runs));
    let [average, before] = [&own, &baseline].map(|sample| mean(sample).unwrap_or(0.0));
    let other = number > 0;
    let tested = test(&own, &baseline);
    let medians: Vec<(f64, f64)> = units
        .iter()
        .map(|unit| (unit.medians[number], unit.medians[0]))
        .collect();
    let (mine, theirs): (Vec<f64>, Vec<f64>) = medians.iter().copied().unzip();
    let over_units = wilcoxon_signed_rank(&mine, &theirs).ok();
    let count = |fits: fn(&(f64, f64)) -> bool| medians.iter().filter(|pair| fits(pair)).count();
    let failures: Vec<f64> = runs[number].iter().map(|run| run.failures as f64).collect();
    ComparedGuide {
        guide: flags.guides[number].clone(),
        mean: average,
        median: median(&own).unwrap_or(0.0),
        a12: tested.a12.filter(|_| other),
        p: tested.p.filter(|_| other),
        p_over_units: over_units.map(|test| test.p).filter(|_| other),
        better_units: count(|(mine, theirs)| mine > theirs) as u64,
        worse_units: count(|(mine, theirs)| mine < theirs) as u64,
        zero_units: count(|(mine, _)| *mine == 0.0) as u64,
        gained: (other && before < 1.0).then(|| (average - before) / (1.0 - before)),
        failures: mean(&failures).unwrap_or(0.0),
        curve: curve(flags, &runs[number]),
    }
}

/// The mean curve of some runs, at even distances up to where the longest one ends.
fn curve(flags: &Compare, runs: &[Measured]) -> Vec<CurvePlace> {
    let by_executions = flags.executions.is_some();
    let at = |place: &super::measured::Place| match by_executions {
        true => place.executions as f64,
        false => place.seconds,
    };
    let ends = runs.iter().filter_map(|run| run.curve.last().map(at));
    let end = ends.fold(0.0, f64::max);
    let place = |number: usize| {
        let here = end * number as f64 / POINTS as f64;
        let shares: Vec<f64> = runs
            .iter()
            .map(|run| {
                let reached = run.curve.partition_point(|place| at(place) <= here);
                let place = reached.checked_sub(1).and_then(|last| run.curve.get(last));
                share(place.map_or(0, |place| place.covered), run.total()).min(1.0)
            })
            .collect();
        let average = mean(&shares).unwrap_or(0.0);
        let interval = mean_interval(&shares, 0.95).ok();
        CurvePlace {
            at: here,
            mean: average,
            low: interval.as_ref().map_or(average, |one| one.low.max(0.0)),
            high: interval.as_ref().map_or(average, |one| one.high.min(1.0)),
        }
    };
    (0..=POINTS).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::super::measured::{Place, Unit};
    use super::*;

    fn measured(covered: u64, curve: &[(f64, u64)]) -> Measured {
        let unit = |name: &str, covered| Unit {
            name: name.to_owned(),
            covered,
            total: 100,
        };
        Measured {
            subject: "toy".to_owned(),
            measure: "branches".to_owned(),
            units: vec![unit("A", covered), unit("B", 0)],
            executions: 10,
            seconds: 1.0,
            whole_seconds: 2.0,
            failures: 1,
            actions: None,
            suite_tests: 3,
            curve: curve
                .iter()
                .map(|&(seconds, covered)| Place {
                    seconds,
                    executions: 0,
                    covered,
                })
                .collect(),
        }
    }

    fn flags(guides: &[&str]) -> Compare {
        Compare {
            subject: "toy.jar".to_owned(),
            guides: guides.iter().map(|one| (*one).to_owned()).collect(),
            choose: false,
            runs: 6,
            time: None,
            executions: None,
            seed: 1,
            out: "out".into(),
            json: false,
            studies: crate::cli::Studies::default(),
            options: vec![],
        }
    }

    #[test]
    fn a_guide_that_always_covers_more_is_recommended() {
        let runs = |base: u64| {
            (0..6)
                .map(|run| measured(base + run, &[(1.0, base)]))
                .collect()
        };
        let record = analyse(&flags(&["a", "b"]), "", &[runs(10), runs(50)]);
        let better = &record.guides[1];
        assert_eq!(better.a12, Some(1.0));
        assert!(better.p.unwrap() < 0.01);
        assert_eq!(
            (better.better_units, better.worse_units, better.zero_units),
            (1, 0, 1)
        );
        // Means are 12.5 and 52.5 of 200 goals.
        assert!((better.gained.unwrap() - 40.0 / 187.5).abs() < 1e-9);
        assert!(
            record.recommendation.contains("use `b`"),
            "{}",
            record.recommendation
        );
        assert_eq!(record.runs.len(), 12);
        let same = analyse(&flags(&["a", "b"]), "", &[runs(10), runs(10)]);
        assert!(same.recommendation.contains("nothing speaks against `a`"));
    }

    #[test]
    fn units_have_means_beside_medians() {
        let runs = |covered: [u64; 3]| covered.map(|one| measured(one, &[])).to_vec();
        let runs = [runs([10, 10, 40]), runs([0, 30, 90])];
        let record = analyse(&flags(&["a", "b"]), "", &runs);
        let unit = &record.units[0];
        assert_eq!(unit.name, "A");
        assert_eq!(unit.medians, [0.1, 0.3]);
        for (mean, expected) in unit.means.iter().zip([0.2, 0.4]) {
            assert!((mean - expected).abs() < 1e-12, "{mean}");
        }
        assert_eq!(record.units[1].means, [0.0, 0.0]);
    }

    #[test]
    fn the_mean_curve_holds_what_was_reached_before() {
        let runs = [
            measured(50, &[(1.0, 20), (2.0, 50)]),
            measured(30, &[(1.0, 30)]),
        ];
        let curve = curve(&flags(&["a", "b"]), &runs);
        assert_eq!(curve.len(), POINTS + 1);
        assert_eq!(curve[0].mean, 0.0);
        let half = curve.iter().find(|place| place.at >= 1.0).unwrap();
        assert!((half.mean - 25.0 / 200.0).abs() < 1e-9);
        assert!((curve[POINTS].mean - 40.0 / 200.0).abs() < 1e-9);
    }
}
