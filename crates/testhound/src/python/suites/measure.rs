//! `measure`: what an existing pytest suite covers of a module.
//!
//! The record is that of JUnit suites: a module is a class, a function a method, and what importing covers is covered by no test.

use super::{Existing, cannot_run};
use crate::cli::{Criterion, Measure};
use crate::exit::Exit;
use crate::jvm::{command, program};
use crate::python::source_record::source_record;
use crate::written::{make_folder, write_text};
use python::protocol::{Measure as Probing, ProbeHits, ProbeKind};
use python::pytest::suite::{SuiteRun, SuiteTest};
use report::jvm::{ClassRecord, GoalRecord, MeasureRecord, MeasuredTestRecord, SourceText};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// A probe: its file and its number there.
type Probe<'a> = (&'a str, u32);

/// Runs `measure` on a Python module.
pub fn measure(word: &str, flags: &Measure) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let existing = Existing::open(word, &flags.suite)?;
    let run = existing.suite().run(Probing::Lines);
    let run = run.map_err(|error| cannot_run(&error))?;
    existing.check(&run)?;
    let record = record(flags, &existing, &run, begun);
    if let Some(out) = &flags.suite.out {
        write(out, &record, &run)?;
    }
    let good = |test: &MeasuredTestRecord| ["passed", "skipped"].contains(&test.outcome.as_str());
    let exit = match record.tests.iter().all(good) {
        true => Exit::Clean,
        false => Exit::Failures,
    };
    let text = match flags.suite.json {
        true => report::jvm::measure_json(&record),
        false => report::jvm::measure_terminal(&record),
    };
    crate::print_bytes(text.as_bytes())?;
    Ok(exit)
}

fn record(flags: &Measure, existing: &Existing, run: &SuiteRun, begun: Instant) -> MeasureRecord {
    let criteria: Vec<String> = [Criterion::Branch, Criterion::Line, Criterion::Method]
        .into_iter()
        .filter(|one| flags.criteria.is_empty() || flags.criteria.contains(one))
        .map(|one| one.name().to_owned())
        .collect();
    let (goals, numbers) = goals(run, &criteria);
    let test = |test: &SuiteTest| {
        let (class, name) = split(&test.name);
        let mut goals: Vec<u32> = probes(&test.hits)
            .filter_map(|probe| numbers.get(&probe).copied())
            .collect();
        goals.sort_unstable();
        MeasuredTestRecord {
            class,
            name,
            outcome: test.outcome.clone(),
            message: test.message.clone(),
            goals,
        }
    };
    MeasureRecord {
        subject: existing.named.module.clone(),
        command: command(),
        program: program(),
        runtime: existing.runtime(),
        elapsed_seconds: begun.elapsed().as_secs_f64(),
        criteria,
        tests: run.tests.iter().map(test).collect(),
        goals,
        classes: classes(run),
    }
}

/// The class of a test, or its module where it is in none, and its name there.
fn split(name: &str) -> (String, String) {
    // What is in brackets are values of parameters.
    let end = name.find('[').unwrap_or(name.len());
    let begin = name[..end].rfind("::").map_or(0, |at| at + 2);
    let class = name[..begin].trim_end_matches(':').replace("::", ".");
    let class = class.replacen(".py", "", 1).replace('/', ".");
    (class, name[begin..].to_owned())
}

fn probes(hits: &ProbeHits) -> impl Iterator<Item = Probe<'_>> {
    hits.iter()
        .flat_map(|(file, hits)| hits.iter().map(move |probe| (file.as_str(), *probe)))
}

/// The goals of the criteria, and their numbers in the record.
fn goals<'a>(
    run: &'a SuiteRun,
    criteria: &[String],
) -> (Vec<GoalRecord>, BTreeMap<Probe<'a>, u32>) {
    let (mut records, mut numbers) = (Vec::new(), BTreeMap::new());
    for (module, file) in &run.modules {
        let kinds = run.files.get(file).into_iter().flatten();
        for (probe, kind) in (0..).zip(kinds) {
            let (criterion, line, offset) = match *kind {
                ProbeKind::Branch(line, side) => (Criterion::Branch, line, side),
                ProbeKind::Line(line) => (Criterion::Line, line, 0),
                ProbeKind::Enter(line) => (Criterion::Method, line, 0),
            };
            if !criteria.iter().any(|one| one == criterion.name()) {
                continue;
            }
            numbers.insert((file.as_str(), probe), records.len() as u32);
            records.push(GoalRecord {
                criterion: criterion.name().to_owned(),
                class: class_name(module, file),
                method: String::new(),
                line: Some(line),
                offset,
            });
        }
    }
    (records, numbers)
}

/// What is covered of every module; counts are tests.
fn classes(run: &SuiteRun) -> Vec<ClassRecord> {
    let mut counts: BTreeMap<Probe<'_>, u64> = BTreeMap::new();
    // What importing hit was covered, though by no test.
    for probe in probes(&run.rest) {
        counts.insert(probe, 1);
    }
    for probe in run.tests.iter().flat_map(|test| probes(&test.hits)) {
        *counts.entry(probe).or_default() += 1;
    }
    let record = |(module, file): &(String, String)| {
        let kinds = run.files.get(file)?;
        let count = |probe| counts.get(&(file.as_str(), probe)).copied().unwrap_or(0);
        let probes: Vec<(ProbeKind, u64)> = (0..)
            .zip(kinds)
            .map(|(probe, kind)| (*kind, count(probe)))
            .collect();
        let text = std::fs::read_to_string(file).unwrap_or_default();
        Some(source_record(
            class_name(module, file),
            file,
            &text,
            &probes,
        ))
    };
    run.modules.iter().filter_map(record).collect()
}

/// A module as records name classes; the code of a package is in its `__init__`.
fn class_name(module: &str, file: &str) -> String {
    let name = module.replace('.', "/");
    match file.ends_with("__init__.py") {
        true => name + "/__init__",
        false => name,
    }
}

fn write(out: &Path, record: &MeasureRecord, run: &SuiteRun) -> anyhow::Result<()> {
    make_folder(out)?;
    let files: BTreeMap<String, &String> = record
        .classes
        .iter()
        .zip(&run.modules)
        .filter_map(|(class, (_, file))| Some((class.source_path()?, file)))
        .collect();
    let source = |(path, file): (&String, &&String)| {
        let text = std::fs::read_to_string(file).ok()?;
        let path = path.clone();
        Some(SourceText { path, text })
    };
    let sources: Vec<SourceText> = files.iter().filter_map(source).collect();
    let place = |path: &str| {
        files
            .get(path)
            .map_or(path.to_owned(), |file| (*file).clone())
    };
    let texts = [
        ("report.html", report::jvm::measure_html(record, &sources)),
        ("report.json", report::jvm::measure_json(record)),
        (
            "coverage.lcov",
            report::lcov::document(&record.classes, &place),
        ),
    ];
    for (name, text) in &texts {
        write_text(&out.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_have_the_class_that_pytest_tells_other_tools() {
        let pair = |class: &str, name: &str| (class.to_owned(), name.to_owned());
        let in_class = split("tests/test_cart.py::TestAdd::test_none");
        assert_eq!(in_class, pair("tests.test_cart.TestAdd", "test_none"));
        let parametrised = split("test_x.py::test_of[a::b]");
        assert_eq!(parametrised, pair("test_x", "test_of[a::b]"));
    }
}
