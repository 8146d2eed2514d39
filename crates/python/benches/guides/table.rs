//! Prints what has been measured.

use crate::faults;
use crate::options::{Options, Subject};
use crate::results::{Outcome, read};
use crate::{ACTIONS, MOST_ACTIONS};
use stats::{geometric_mean, holm, mann_whitney, mean, vargha_delaney};

/// Prints all tables that have results.
pub fn print(options: &Options) {
    reach(options);
    budget(options);
    faults::print(options);
}

fn all(options: &Options, step: &str, subject: &Subject, guide: &str) -> Vec<Outcome> {
    let key = |seed: u64| format!("{step}/{}-{guide}-{seed}", subject.name);
    let seeds = options.seeds.clone();
    seeds.filter_map(|seed| read(options, &key(seed))).collect()
}

fn reach(options: &Options) {
    println!(
        "`loc` after {ACTIONS} actions, and the actions after which `random` has covered as much (at most {MOST_ACTIONS})\n"
    );
    println!(
        "| subject | seeds | branches, loc | random | p | A12 | random needs | not in time | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut ratios = Vec::new();
    for subject in &options.subjects {
        let after = |one: &Outcome| f64::from(one.covered_after(ACTIONS));
        let (loc, random) = (
            all(options, "reach", subject, "loc"),
            all(options, "reach", subject, "random"),
        );
        let (ours, theirs): (Vec<f64>, Vec<f64>) = (
            loc.iter().map(after).collect(),
            random.iter().map(after).collect(),
        );
        let (Ok(target), Ok(other)) = (mean(&ours), mean(&theirs)) else {
            continue;
        };
        let needed: Vec<Option<u64>> = random.iter().map(|one| one.actions_for(target)).collect();
        // A run that never covered it counts as long as it was.
        let length = |one: &Outcome| one.points.last().map_or(0, |point| point.actions);
        let actions: Vec<f64> = needed
            .iter()
            .zip(&random)
            .map(|(needed, run)| needed.unwrap_or(length(run)) as f64)
            .collect();
        let ratio = mean(&actions).unwrap() / ACTIONS as f64;
        ratios.push(ratio);
        let (p, a12) = compared(&ours, &theirs);
        let late = needed.iter().filter(|one| one.is_none()).count();
        println!(
            "| {} | {} | {target:.1} | {other:.1} | {p:.4} | {a12:.2} | {:.0} | {late} | {ratio:.2} |",
            subject.name,
            loc.len().min(random.len()),
            ratio * ACTIONS as f64
        );
    }
    if let Ok(ratio) = geometric_mean(&ratios) {
        println!(
            "\ngeometric mean: {ratio:.2} over {} subjects\n",
            ratios.len()
        );
    }
}

fn compared(first: &[f64], second: &[f64]) -> (f64, f64) {
    let p = mann_whitney(first, second).map_or(f64::NAN, |test| test.p);
    (p, vargha_delaney(first, second).unwrap_or(f64::NAN))
}

fn budget(options: &Options) {
    println!(
        "mean branches after {} s of processor time, and `auto` against `random`\n",
        options.seconds
    );
    println!(
        "| subject | seeds | {} | p, Holm | A12 |",
        options.guides.join(" | ")
    );
    println!("|---|---|{}---|---|", "---|".repeat(options.guides.len()));
    let mut rows = Vec::new();
    for subject in &options.subjects {
        let runs: Vec<Vec<f64>> = options
            .guides
            .iter()
            .map(|guide| all(options, "budget", subject, guide))
            .map(|runs| runs.iter().map(|one| f64::from(one.covered())).collect())
            .collect();
        if runs.iter().all(|runs| !runs.is_empty()) {
            rows.push((subject.name, runs));
        }
    }
    let place = |name: &str| options.guides.iter().position(|guide| guide == name);
    let (Some(random), Some(auto)) = (place("random"), place("auto")) else {
        return;
    };
    let tests: Vec<(f64, f64)> = rows
        .iter()
        .map(|(_, runs)| compared(&runs[auto], &runs[random]))
        .collect();
    let adjusted = holm(&tests.iter().map(|(p, _)| *p).collect::<Vec<_>>()).unwrap_or_default();
    let mut relative = vec![Vec::new(); options.guides.len()];
    for (number, (name, runs)) in rows.iter().enumerate() {
        let means: Vec<f64> = runs.iter().map(|runs| mean(runs).unwrap()).collect();
        for (list, one) in relative.iter_mut().zip(&means) {
            list.push(one / means[random]);
        }
        let shown: Vec<String> = means.iter().map(|one| format!("{one:.1}")).collect();
        let seeds = runs.iter().map(Vec::len).min().unwrap_or(0);
        let (p, a12) = (
            adjusted.get(number).copied().unwrap_or(f64::NAN),
            tests[number].1,
        );
        println!(
            "| {name} | {seeds} | {} | {p:.4} | {a12:.2} |",
            shown.join(" | ")
        );
    }
    let shown = relative
        .iter()
        .map(|list| geometric_mean(list).unwrap_or(f64::NAN));
    let shown: Vec<String> = shown.map(|one| format!("{one:.3}")).collect();
    println!("| against random | | {} | | |\n", shown.join(" | "));
}
