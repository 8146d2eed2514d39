//! `mutate`: the mutation score of an existing pytest suite.
//!
//! Mutants are those of `crates/python/runtime/mutants.py`; each is run by the tests that reach its statement, until one notices it.

use super::{Existing, cannot_run};
use crate::cli::Mutate;
use crate::exit::{Exit, Failed};
use crate::jvm::{command, program};
use crate::written::{make_folder, write_text};
use python::protocol::Measure;
use python::pytest::Reaching;
use python::pytest::suite::{MutantJob, Noticed, SuiteMutant, SuiteRun, SuiteTest};
use report::jvm::{MutantFate, MutantRecord, MutateRecord};
use std::collections::BTreeMap;
use std::time::Instant;

/// What `mutants.py` changes.
const OPERATORS: [&str; 9] = [
    "arithmetic",
    "call",
    "comparison",
    "condition",
    "constant",
    "logic",
    "loop",
    "negation",
    "return",
];

/// Runs `mutate` on a Python module.
pub fn mutate(word: &str, flags: &Mutate) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    check_operators(&flags.operators)?;
    let existing = Existing::open(word, &flags.suite)?;
    let suite = existing.suite();
    let run = suite
        .run(Measure::Lines)
        .map_err(|error| cannot_run(&error))?;
    existing.check(&run)?;
    let passing: Vec<&SuiteTest> = run
        .tests
        .iter()
        .filter(|test| test.outcome == "passed")
        .collect();
    let mut mutants = suite
        .mutants(&run.modules)
        .map_err(|error| cannot_run(&error))?;
    mutants.retain(|one| flags.operators.is_empty() || flags.operators.contains(&one.operator));
    let jobs = jobs(&run, &passing, &mutants);
    let reached: Vec<MutantJob> = jobs.iter().flatten().cloned().collect();
    let bar = indicatif::ProgressBar::new(reached.len() as u64);
    let noticed = suite.run_mutants(&reached, existing.jobs, patience(&passing), &|| bar.inc(1));
    bar.finish_and_clear();
    let noticed = noticed.map_err(|error| cannot_run(&error))?;
    warn_of_refused(&noticed);
    let record = MutateRecord {
        subject: existing.named.module.clone(),
        command: command(),
        program: program(),
        runtime: existing.runtime(),
        elapsed_seconds: begun.elapsed().as_secs_f64(),
        tests: passing.len() as u64,
        unusable_tests: unusable(&run),
        mutants: records(&mutants, &jobs, noticed),
    };
    if let Some(out) = &flags.suite.out {
        make_folder(out)?;
        write_text(&out.join("report.html"), &report::jvm::mutate_html(&record))?;
        write_text(&out.join("report.json"), &report::jvm::mutate_json(&record))?;
    }
    let text = match flags.suite.json {
        true => report::jvm::mutate_json(&record),
        false => report::jvm::mutate_terminal(&record),
    };
    crate::print_bytes(text.as_bytes())
}

fn check_operators(names: &[String]) -> Result<(), Failed> {
    match names
        .iter()
        .find(|name| !OPERATORS.contains(&name.as_str()))
    {
        None => Ok(()),
        Some(name) => Err(Failed::input(format!("unknown operator `{name}`"))
            .hint(format!("for Python there are {}", OPERATORS.join(", ")))),
    }
}

/// How many seconds a test may take on a mutant: a second, and several times of what the slowest takes without.
fn patience(tests: &[&SuiteTest]) -> f64 {
    let slowest = tests.iter().map(|test| test.seconds).fold(0.0, f64::max);
    1.0 + 5.0 * slowest
}

fn unusable(run: &SuiteRun) -> Vec<String> {
    let tests = run.tests.iter();
    let bad = tests.filter(|test| !["passed", "skipped"].contains(&test.outcome.as_str()));
    bad.map(|test| test.name.clone()).collect()
}

/// What is to be run for every mutant; nothing where no test reaches it.
fn jobs(run: &SuiteRun, tests: &[&SuiteTest], mutants: &[SuiteMutant]) -> Vec<Option<MutantJob>> {
    let reaching = Reaching::of(run, tests);
    let files: BTreeMap<&String, &String> = run
        .modules
        .iter()
        .map(|(name, file)| (name, file))
        .collect();
    let job = |mutant: &SuiteMutant| {
        let file = *files.get(&mutant.module)?;
        let reach = reaching.tests(file, mutant.line);
        let reach: Vec<String> = reach
            .into_iter()
            .map(|number| tests[number].name.clone())
            .collect();
        (!reach.is_empty()).then(|| MutantJob {
            module: mutant.module.clone(),
            file: file.clone(),
            number: mutant.number,
            tests: reach,
        })
    };
    mutants.iter().map(job).collect()
}

/// Says how many mutants could not be run, and why.
fn warn_of_refused(noticed: &[Noticed]) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in noticed.iter().filter_map(|one| one.refused.as_deref()) {
        *counts.entry(reason).or_default() += 1;
    }
    for (reason, count) in counts {
        eprintln!("warning: {count} of the mutants could not be run: {reason}");
    }
}

fn records(
    mutants: &[SuiteMutant],
    jobs: &[Option<MutantJob>],
    noticed: Vec<Noticed>,
) -> Vec<MutantRecord> {
    let mut noticed = noticed.into_iter();
    let record = |(mutant, job): (&SuiteMutant, &Option<MutantJob>)| {
        let fate = job.as_ref().and_then(|_| noticed.next());
        let (fate, killed_by, detail) = match fate {
            None => (MutantFate::NotReached, None, String::new()),
            Some(Noticed {
                refused: Some(reason),
                ..
            }) => (MutantFate::Refused, None, reason),
            Some(Noticed { by: None, .. }) => (MutantFate::Survived, None, String::new()),
            Some(Noticed { by, outcome, .. }) => (MutantFate::Killed, by, outcome),
        };
        MutantRecord {
            id: mutant.number.to_string(),
            operator: mutant.operator.clone(),
            class: mutant.module.replace('.', "/"),
            method: mutant.function.clone(),
            line: Some(mutant.line),
            description: format!("line {}: {}", mutant.line, mutant.what),
            fate,
            killed_by,
            detail,
        }
    };
    mutants.iter().zip(jobs).map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_known_by_name() {
        let check = |name: &str| check_operators(&[name.to_owned()]);
        assert!(check("logic").is_ok());
        let failed = check("pit").unwrap_err();
        assert!(failed.hint.unwrap().contains("comparison"));
    }

    #[test]
    fn a_mutant_that_no_test_reaches_takes_no_result_of_another() {
        let mutant = |number| SuiteMutant {
            module: "m".into(),
            number,
            line: 3,
            column: 0,
            operator: "logic".into(),
            what: "x".into(),
            function: "f".into(),
        };
        let job = MutantJob {
            module: "m".into(),
            file: "m.py".into(),
            number: 1,
            tests: vec!["t".into()],
        };
        let killed = Noticed {
            by: Some("t".into()),
            outcome: "failed".into(),
            refused: None,
        };
        let records = records(&[mutant(0), mutant(1)], &[None, Some(job)], vec![killed]);
        assert_eq!(records[0].fate, MutantFate::NotReached);
        assert_eq!(records[1].fate, MutantFate::Killed);
        assert_eq!(records[1].killed_by.as_deref(), Some("t"));
    }
}
