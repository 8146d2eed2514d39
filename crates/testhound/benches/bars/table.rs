//! Prints what has been measured.

use super::Options;
use super::fresh::Fresh;
use super::generated::{Generated, result, share};
use super::kills::Killed;
use super::subjects::Subject;
use serde::de::DeserializeOwned;

fn read<T: DeserializeOwned>(subject: &Subject, options: &Options, what: &str) -> Option<T> {
    let text = std::fs::read_to_string(result(subject, options, what)).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

/// Prints one line per subject and the averages.
pub fn print(options: &Options) {
    println!(
        "{:22} {:>7} {:>8} {:>7} {:>7} {:>5} {:>8} {:>7} {:>7} {:>6} {:>9} {:>7}",
        "subject",
        "classes",
        "branches",
        "suite%",
        "class%",
        "zero",
        "no code",
        "tests",
        "dropped",
        "kill%",
        "calls %",
        "fresh"
    );
    let mut shares = Vec::new();
    let mut classes = Vec::new();
    let mut mutants = (0, 0, 0);
    let mut wrong = (0, 0, 0);
    for subject in &options.subjects {
        let Some(one) = read::<Generated>(subject, options, "generated-0") else {
            continue;
        };
        let own: Vec<f64> = one
            .branches
            .values()
            .filter(|branches| branches.1 > 0)
            .map(|branches| share([*branches].into_iter()))
            .collect();
        let all = share(one.branches.values().copied());
        let unexplained = one.zero.values().filter(|codes| codes.is_empty()).count();
        let fresh: Option<Vec<Fresh>> = read(subject, options, "fresh");
        let told = fresh.map_or("-".to_owned(), |fresh| {
            let broken = fresh.iter().filter(|one| one.broken.is_some()).count();
            let flaky: usize = fresh.iter().map(|one| one.flaky.len()).sum();
            let runs: usize = fresh.iter().map(|one| one.runs).sum();
            wrong = (wrong.0 + runs, wrong.1 + broken, wrong.2 + flaky);
            format!("{broken}/{flaky}/{runs}")
        });
        let percent = |part: u64| 100.0 * part as f64 / one.mutants.0.max(1) as f64;
        println!(
            "{:22} {:7} {:8} {:7.1} {:7.1} {:5} {:8} {:7} {:7} {:6.1} {:9.1} {:>7}",
            subject.name,
            one.branches.len(),
            one.branches.values().map(|one| one.1).sum::<u64>(),
            100.0 * all,
            100.0 * mean(&own),
            one.zero.len(),
            unexplained,
            one.written.0,
            one.dropped.values().sum::<u64>(),
            percent(one.mutants.1),
            percent(one.mutants.2),
            told,
        );
        shares.push(all);
        classes.extend(own);
        mutants.0 += one.mutants.0;
        mutants.1 += one.mutants.1;
        mutants.2 += one.mutants.2;
    }
    println!(
        "branch coverage of the written suites: {:.1} % as the mean of {} subjects, {:.1} % as the mean of {} classes with branches",
        100.0 * mean(&shares),
        shares.len(),
        100.0 * mean(&classes),
        classes.len()
    );
    println!(
        "mutants: {} killed of {}, {} without assertions, ratio {:.2}",
        mutants.1,
        mutants.0,
        mutants.2,
        mutants.1 as f64 / f64::from(u32::try_from(mutants.2.max(1)).unwrap())
    );
    println!(
        "fresh JVMs: {} tests run, {} suites did not compile, {} tests wrong",
        wrong.0, wrong.1, wrong.2
    );
    for subject in &options.subjects {
        if let Some(killed) = read::<Killed>(subject, options, "killed") {
            killed.print(subject.name);
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
