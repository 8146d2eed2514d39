//! `measure`: what an existing JUnit suite covers.

use super::coverage_record::{Counts, Covered, classes};
use super::existing::{Existing, cannot_run, command, name, program, sources};
use crate::cli::{Criterion, Measure, Suite};
use crate::exit::{Exit, Failed};
use crate::written::{make_folder, write_text};
use ::jvm::junit::Outcome;
use ::jvm::measure::{Measured, MeasuredTest, measure as run};
use classfile::ClassFile;
use engine::Goal;
use report::jvm::{GoalRecord, MeasureRecord, MeasuredTestRecord};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs `measure`.
pub fn measure(flags: &Measure) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let existing = Existing::open(&flags.suite)?;
    let originals = existing.originals();
    let suite = existing.suite(&originals);
    let measured = run(&suite, &existing.launch, existing.scratch.path())
        .map_err(|error| cannot_run(&error))?;
    let record = record(flags, &existing, &measured, begun);
    if let Some(out) = &flags.suite.out {
        write(flags, out, &record)?;
    }
    let failed = record.tests.iter();
    let failed = failed.filter(|test| test.outcome != "passed" && test.outcome != "skipped");
    let exit = if failed.count() > 0 {
        Exit::Failures
    } else {
        Exit::Clean
    };
    let text = if flags.suite.json {
        report::jvm::measure_json(&record)
    } else {
        report::jvm::measure_terminal(&record)
    };
    crate::print_bytes(text.as_bytes())?;
    Ok(exit)
}

/// How long a test of ours may take on a version of its subject; on the one it was written for it took milliseconds.
const VERSION_PATIENCE: Duration = Duration::from_secs(10);

/// Runs a suite of ours on a version of its subject and tells how its tests end.
pub fn run_suite(flags: &Suite) -> Result<Vec<MeasuredTest>, Failed> {
    let mut existing = Existing::open(flags)?;
    existing.launch.patience = VERSION_PATIENCE;
    let originals = existing.originals();
    let suite = existing.suite(&originals);
    let measured = run(&suite, &existing.launch, existing.scratch.path());
    Ok(measured.map_err(|error| cannot_run(&error))?.tests)
}

/// The name of an outcome in records.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Skipped => "skipped",
        Outcome::Hung => "hung",
        Outcome::Died => "died",
    }
}

fn record(
    flags: &Measure,
    existing: &Existing,
    measured: &Measured,
    begun: Instant,
) -> MeasureRecord {
    let criteria: Vec<String> = [Criterion::Branch, Criterion::Line, Criterion::Method]
        .into_iter()
        .filter(|one| flags.criteria.is_empty() || flags.criteria.contains(one))
        .map(|one| one.name().to_owned())
        .collect();
    let (goals, numbers) = goals(existing, measured, &criteria);
    let mut counts = Counts::new();
    // What ran after the last test was covered, though by no test.
    for goal in &measured.rest {
        counts.insert(*goal, 1);
    }
    for goal in measured.tests.iter().flat_map(|test| &test.goals) {
        *counts.entry(*goal).or_default() += 1;
    }
    let test = |test: &MeasuredTest| MeasuredTestRecord {
        class: test.test.class.clone(),
        name: test.test.name.clone(),
        outcome: outcome(test.outcome).to_owned(),
        message: test.message.clone(),
        goals: test
            .goals
            .iter()
            .filter_map(|goal| numbers.get(goal).copied())
            .collect(),
    };
    MeasureRecord {
        subject: name(&flags.suite),
        command: command(),
        program: program(),
        runtime: format!("Java {}", existing.opened.java.release),
        elapsed_seconds: begun.elapsed().as_secs_f64(),
        criteria,
        tests: measured.tests.iter().map(test).collect(),
        goals,
        classes: classes(
            &existing.opened,
            &Covered {
                goals: &measured.coverage,
                hit: &[&measured.coverage],
                counts: &counts,
                troubles: &[],
                unreadable: &measured.unreadable,
            },
        ),
    }
}

/// The goals of the criteria, and their numbers in the record.
fn goals(
    existing: &Existing,
    measured: &Measured,
    criteria: &[String],
) -> (Vec<GoalRecord>, BTreeMap<Goal, u32>) {
    let (mut records, mut numbers) = (Vec::new(), BTreeMap::new());
    for class in measured.coverage.classes() {
        let bytes = existing.opened.subject.classes.get(&class.name);
        let parsed = bytes.and_then(|class| ClassFile::parse(&class.bytes).ok());
        for (id, goal) in (0..).zip(&class.goals.goals) {
            let criterion = goal.criterion.name().to_owned();
            if !criteria.contains(&criterion) {
                continue;
            }
            let method = parsed.as_ref().and_then(|parsed| {
                let member = parsed.methods.get(goal.method)?;
                Some(member.name(&parsed.pool).to_owned() + member.descriptor(&parsed.pool))
            });
            let goal_id = classfile::analysis::coverage::GoalId(id);
            numbers.insert(class.goal(goal_id), records.len() as u32);
            records.push(GoalRecord {
                criterion,
                class: class.name.clone(),
                method: method.unwrap_or_default(),
                line: goal.line,
                offset: goal.pc,
            });
        }
    }
    (records, numbers)
}

fn write(flags: &Measure, out: &Path, record: &MeasureRecord) -> anyhow::Result<()> {
    make_folder(out)?;
    let options = &flags.suite.jvm;
    let place = |path: &str| match &options.sources {
        Some(folder) => folder.join(path).display().to_string(),
        None => path.to_owned(),
    };
    let sources = sources(options, &record.classes);
    let files = [
        ("report.html", report::jvm::measure_html(record, &sources)),
        ("report.json", report::jvm::measure_json(record)),
        (
            "coverage.lcov",
            report::lcov::document(&record.classes, &place),
        ),
        (
            "coverage.xml",
            report::jacoco::document(&record.subject, &record.classes),
        ),
    ];
    for (name, text) in &files {
        write_text(&out.join(name), text)?;
    }
    Ok(())
}
