//! `mutate`: the mutation score of an existing JUnit suite.

use super::existing::{Existing, cannot_run, command, name, program};
use super::measure::outcome;
use crate::cli::Mutate;
use crate::exit::{Exit, Failed, told};
use crate::written::{make_folder, write_text};
use ::jvm::junit::{JunitTest, Outcome};
use ::jvm::mutation::{Fate, Running, Scored, score};
use ::mutants::Operator;
use ::mutants::java::{ClassMutant, Options};
use report::jvm::{MutantFate, MutantRecord, MutateRecord};
use std::path::Path;
use std::time::Instant;

/// Runs `mutate`.
pub fn mutate(flags: &Mutate) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let options = options(&flags.operators)?;
    let existing = Existing::open(&flags.suite)?;
    let originals = existing.originals();
    let suite = existing.suite(&originals);
    let bar = indicatif::ProgressBar::new(0);
    let mut told = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let scored = score(
        &suite,
        &options,
        Running {
            launch: &existing.launch,
            parent: existing.scratch.path(),
            jobs: existing.jobs,
        },
        &mut told,
    );
    bar.finish_and_clear();
    let scored = scored.map_err(|error| cannot_run(&error))?;
    let record = record(flags, &existing, &scored, begun);
    if let Some(out) = &flags.suite.out {
        write(out, &record)?;
    }
    let text = if flags.suite.json {
        report::jvm::mutate_json(&record)
    } else {
        report::jvm::mutate_terminal(&record)
    };
    crate::print_bytes(text.as_bytes())
}

/// The operators that the user names.
fn options(names: &[String]) -> Result<Options, Failed> {
    let mut options = Options::default();
    if names.is_empty() {
        return Ok(options);
    }
    options.operators.clear();
    for name in names {
        match name.as_str() {
            "pit" => options.operators.extend(Options::comparable().operators),
            name => {
                let operator: Operator =
                    name.parse().map_err(|error: ::mutants::UnknownOperator| {
                        told(&error.to_string(), Failed::input)
                    })?;
                options.operators.insert(operator);
            }
        }
    }
    Ok(options)
}

fn record(flags: &Mutate, existing: &Existing, scored: &Scored, begun: Instant) -> MutateRecord {
    let test = |test: &JunitTest| format!("{}.{}", test.class, test.name);
    let passed = scored
        .tests
        .iter()
        .filter(|(_, outcome)| *outcome == Outcome::Passed);
    let bad = |outcome: Outcome| !matches!(outcome, Outcome::Passed | Outcome::Skipped);
    let unusable = scored.tests.iter().filter(|(_, outcome)| bad(*outcome));
    let mutant = |(mutant, fate): &(ClassMutant, Fate)| {
        let (fate, killed_by, detail) = match fate {
            Fate::NotReached => (MutantFate::NotReached, None, String::new()),
            Fate::Survived { .. } => (MutantFate::Survived, None, String::new()),
            Fate::Refused(reason) => (MutantFate::Refused, None, reason.clone()),
            Fate::Killed { by, outcome: how } => {
                let by = scored.tests.get(*by).map(|(killer, _)| test(killer));
                (MutantFate::Killed, by, outcome(*how).to_owned())
            }
        };
        MutantRecord {
            id: mutant.id.to_string(),
            operator: mutant.operator.to_string(),
            class: mutant.class.clone(),
            method: format!("{}{}", mutant.method, mutant.descriptor),
            line: mutant.line,
            description: mutant.to_string(),
            fate,
            killed_by,
            detail,
        }
    };
    MutateRecord {
        subject: name(&flags.suite),
        command: command(),
        program: program(),
        runtime: format!("Java {}", existing.opened.java.release),
        elapsed_seconds: begun.elapsed().as_secs_f64(),
        tests: passed.count() as u64,
        unusable_tests: unusable.map(|(one, _)| test(one)).collect(),
        mutants: scored.mutants.iter().map(mutant).collect(),
    }
}

fn write(out: &Path, record: &MutateRecord) -> anyhow::Result<()> {
    make_folder(out)?;
    write_text(&out.join("report.html"), &report::jvm::mutate_html(record))?;
    write_text(&out.join("report.json"), &report::jvm::mutate_json(record))?;
    Ok(())
}
