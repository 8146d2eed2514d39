//! Two studies beside the comparison of coverage, for harnesses: how long the first guide needs to cover what another covers, and what
//! measuring coverage costs.
//!
//! Source: Holmes et al., "Using Relative Lines of Code to Guide Automated Test Generation for Python", `=branch` in Table 4 and
//! section 3.5 with Table 6.
//!
//! Differences: the first guide is run once per seed, up to the largest of the wanted coverages, and what it needed for the others is read
//! from its curve. It is given up after some times the budget; such runs count with all they had, so the mean is too small then.

use super::measured::{Job, Measured, says_coverage};
use super::{Jobs, budget_options, is_harness};
use crate::cli::Compare;
use crate::exit::Failed;
use report::compare::{CostRecord, ReachedRecord};
use stats::mean;
use std::time::Duration;

/// Refuses studies of what cannot be studied.
pub fn check(flags: &Compare) -> Result<(), Failed> {
    let asked = [
        (flags.studies.same_coverage.is_some(), "--same-coverage"),
        (flags.studies.coverage_cost, "--coverage-cost"),
    ];
    let Some((_, option)) = asked.iter().find(|(asked, _)| *asked) else {
        return Ok(());
    };
    if !is_harness(&flags.subject) {
        let message = format!(
            "`{option}` is for harnesses (`.tstl`), and `{}` is something else",
            flags.subject
        );
        return Err(Failed::command_line(message).hint("leave it out to compare coverage alone"));
    }
    if flags.guides.iter().any(|guide| says_coverage(flags, guide)) {
        let message = format!("`{option}` itself decides which runs measure coverage");
        return Err(
            Failed::command_line(message).hint("leave `--coverage` and `--no-coverage` out")
        );
    }
    Ok(())
}

/// The options that ask for the studies.
pub fn options(flags: &Compare) -> Vec<String> {
    let times = flags.studies.same_coverage;
    let same = times.map(|times| format!("--same-coverage={times}"));
    let cost = flags
        .studies
        .coverage_cost
        .then(|| "--coverage-cost".to_owned());
    same.into_iter().chain(cost).collect()
}

/// How many runs the studies take.
pub fn jobs(flags: &Compare) -> u64 {
    let same = u64::from(flags.studies.same_coverage.is_some());
    let free = flags
        .guides
        .iter()
        .filter(|guide| does_without(guide))
        .count() as u64;
    let cost = if flags.studies.coverage_cost { free } else { 0 };
    flags.runs * (same + cost)
}

/// How long the first guide needs to cover what each other one covers on average.
pub fn reached(
    flags: &Compare,
    jobs: &mut Jobs<'_>,
    runs: &[Vec<Measured>],
) -> Result<Vec<ReachedRecord>, Failed> {
    let (Some(times), Some(baseline)) = (flags.studies.same_coverage, flags.guides.first()) else {
        return Ok(Vec::new());
    };
    let wanted: Vec<f64> = runs.iter().skip(1).map(|runs| covered(runs)).collect();
    let most = wanted.iter().copied().fold(0.0, f64::max);
    let totals = runs.iter().flatten().map(Measured::total);
    let share = share(most, totals.min().unwrap_or(0));
    let mut found = Vec::new();
    for run in 0..flags.runs {
        let longer = longer(flags, times);
        let mut job = Job::new(&longer, baseline, flags.seed + flags.runs + run);
        job.options
            .extend(["--until".to_owned(), format!("coverage=branch:{share}%")]);
        job.purpose = format!("-until-{share}-{}", budget_options(&longer).concat());
        found.push(jobs.measured(&job)?);
    }
    let others = flags.guides.iter().skip(1).zip(wanted);
    let record = |(guide, covered): (&String, f64)| {
        let needed: Vec<(f64, bool)> = found
            .iter()
            .map(|run| needed(run, covered, flags.executions.is_some()))
            .collect();
        let times: Vec<f64> = needed.iter().map(|(time, _)| *time).collect();
        ReachedRecord {
            guide: guide.clone(),
            covered,
            needed: mean(&times).unwrap_or(0.0),
            reached: needed.iter().filter(|(_, reached)| *reached).count() as u64,
            runs: flags.runs,
        }
    };
    Ok(others.map(record).collect())
}

/// The mean number of goals that runs cover.
fn covered(runs: &[Measured]) -> f64 {
    let covered: Vec<f64> = runs.iter().map(|run| run.covered() as f64).collect();
    mean(&covered).unwrap_or(0.0)
}

/// The percentage of goals that runs stop at, in hundredths as stop rules take it: all that many goals reach and no fewer do. Of more than
/// ten thousand goals, some more.
fn share(wanted: f64, total: u64) -> f64 {
    let hundredths = wanted.ceil() * 1e4 / total.max(1) as f64;
    let whole = match total {
        0..=10_000 => hundredths.floor(),
        _ => hundredths.ceil(),
    };
    whole.clamp(1.0, 1e4) / 100.0
}

/// The same comparison with so many times the budget.
fn longer(flags: &Compare, times: u32) -> Compare {
    let time = flags.time.unwrap_or(Duration::from_secs(60));
    Compare {
        executions: flags.executions.map(|all| all * u64::from(times)),
        time: Some(time * times).filter(|_| flags.executions.is_none()),
        ..flags.clone()
    }
}

/// What a run needed to cover so much, in seconds or executions, and whether it got there.
fn needed(run: &Measured, wanted: f64, by_executions: bool) -> (f64, bool) {
    let reached = run
        .curve
        .iter()
        .find(|place| place.covered as f64 >= wanted);
    let (seconds, executions) = match reached {
        Some(place) => (place.seconds, place.executions),
        None => (run.seconds, run.executions),
    };
    let needed = if by_executions {
        executions as f64
    } else {
        seconds
    };
    (needed, reached.is_some())
}

/// The run without coverage that belongs to a run with it: right after that one, so that what else the machine does hits both alike.
pub fn without_coverage(
    flags: &Compare,
    jobs: &mut Jobs<'_>,
    guide: &str,
    seed: u64,
) -> Result<Option<Measured>, Failed> {
    if !flags.studies.coverage_cost || !does_without(guide) {
        return Ok(None);
    }
    let mut job = Job::new(flags, guide, seed);
    job.options.retain(|option| option != "--coverage");
    job.purpose = "-without".to_owned();
    jobs.measured(&job).map(Some)
}

/// The actions per second of every guide with and without coverage.
pub fn costs(
    flags: &Compare,
    with: &[Vec<Measured>],
    without: &[Vec<Measured>],
) -> Vec<CostRecord> {
    if !flags.studies.coverage_cost {
        return Vec::new();
    }
    let rates = |runs: &[Measured]| runs.iter().map(rate).collect::<Vec<f64>>();
    let record = |(guide, (with, without)): (&String, (&Vec<Measured>, &Vec<Measured>))| {
        let (with, without) = (rates(with), rates(without));
        let pairs = without.iter().zip(&with);
        let gains: Vec<f64> = pairs.map(|(one, other)| one / other).collect();
        CostRecord {
            guide: guide.clone(),
            with: mean(&with).unwrap_or(0.0),
            without: mean(&without).ok(),
            gain: mean(&gains).ok(),
        }
    };
    let runs = with.iter().zip(without);
    flags.guides.iter().zip(runs).map(record).collect()
}

fn does_without(guide: &str) -> bool {
    !crate::python::needs_coverage(super::measured::parts(guide).0)
}

fn rate(run: &Measured) -> f64 {
    run.actions.unwrap_or(0) as f64 / run.seconds.max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::super::measured::Place;
    use super::*;

    #[test]
    fn as_many_goals_as_are_wanted_reach_the_share_and_one_less_does_not() {
        assert_eq!(share(1.0, 3), 33.33);
        for total in 1..=300u64 {
            for wanted in 1..=total {
                let share = share(wanted as f64 - 0.5, total);
                let of = |covered: u64| 100.0 * covered as f64 / total as f64;
                assert!(
                    of(wanted) >= share && of(wanted - 1) < share,
                    "{wanted} of {total}"
                );
            }
        }
        assert_eq!(share(20_000.0, 30_000), 66.67);
        assert_eq!(share(3.0, 3), 100.0);
        assert_eq!(share(0.0, 0), 0.01);
    }

    #[test]
    fn a_run_needs_as_long_as_its_curve_says_or_more_than_it_had() {
        let place = |seconds: f64, covered: u64| Place {
            seconds,
            executions: covered * 100,
            covered,
        };
        let run = Measured {
            subject: String::new(),
            measure: String::new(),
            units: vec![],
            executions: 900,
            seconds: 60.0,
            whole_seconds: 61.0,
            failures: 0,
            actions: None,
            suite_tests: 0,
            curve: vec![place(1.0, 2), place(5.0, 6)],
        };
        assert_eq!(needed(&run, 2.5, false), (5.0, true));
        assert_eq!(needed(&run, 2.0, true), (200.0, true));
        assert_eq!(needed(&run, 6.5, false), (60.0, false));
        assert_eq!(needed(&run, 6.5, true), (900.0, false));
    }
}
