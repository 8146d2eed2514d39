//! A JVM run as one HTML page.

use super::source_view::source_view;
use super::tables::{classes, criteria, degraded, methods, reasons, retired};
use super::{ClassRecord, JvmFailureRecord, JvmRunRecord, SourceText, totals};
use crate::html::{Block, Page, Section};
use crate::number;
use crate::run::pieces::{
    Over, criteria_table, curve, cut, ends_table, failures_blocks, left_out_blocks, per_second,
    sandbox,
};

/// The page of one run. Classes whose source is among `sources` get a source view.
#[must_use]
pub fn html(record: &JvmRunRecord, sources: &[SourceText]) -> String {
    let sections = [
        Section::new("Summary", summary(record)),
        Section::new("Failures", failures(record)),
        Section::new("Coverage", coverage(record)),
        Section::new("Classes and methods", class_blocks(&record.classes)),
        Section::new("Sources", source_view(&record.classes, sources)),
        Section::new("Suite", suite(record)),
        Section::new("Workers", workers(record)),
        Section::new(
            "How to repeat this run",
            vec![Block::Code(record.command.clone())],
        ),
    ];
    let page = Page {
        title: format!("Tests of {}", record.subject),
        lead: lead(record),
        sections: sections
            .into_iter()
            .filter(|section| !section.blocks.is_empty())
            .collect(),
        foot: format!("Written by {}", record.program),
    };
    page.html()
}

fn lead(record: &JvmRunRecord) -> String {
    let found = match record.failures.len() {
        0 => "No failure was found".to_owned(),
        count => format!(
            "{} found",
            number::counted(
                count as u64,
                "distinct failure was",
                "distinct failures were"
            )
        ),
    };
    format!(
        "{found} in {} within {}.",
        number::counted(record.executions, "test", "tests"),
        number::duration(record.elapsed_seconds)
    )
}

fn summary(record: &JvmRunRecord) -> Vec<Block> {
    let rate = per_second(record.calls, record.elapsed_seconds).map_or_else(
        || number::ABSENT.to_owned(),
        |rate| number::count(rate.round() as u64),
    );
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let mut facts = vec![
        fact("tests executed", number::count(record.executions)),
        fact("calls", number::count(record.calls)),
        fact("time", number::duration(record.elapsed_seconds)),
        fact("calls per second", rate),
        fact(
            "distinct failures",
            number::count(record.failures.len() as u64),
        ),
        fact("tests in the suite", number::count(record.suite_tests)),
        fact("guide", record.guide.clone()),
        fact("seed", record.seed.to_string()),
        fact("Java", record.java.clone()),
    ];
    if let Some(score) = record.mutation.as_ref().and_then(|totals| totals.score()) {
        facts.push(fact("mutants killed", number::percent(score, 1)));
    }
    let mut blocks = vec![Block::Facts(facts)];
    blocks.push(Block::Prose(format!(
        "The run was stopped by {}. Sandbox: {}.",
        record.stopped_by,
        sandbox(&record.sandbox)
    )));
    if !record.ends.is_empty() {
        blocks.push(Block::Table(
            "How the tests ended.".into(),
            ends_table(&record.ends),
        ));
    }
    blocks
}

fn failures(record: &JvmRunRecord) -> Vec<Block> {
    failures_blocks(record.failures.len(), &|index| {
        let failure = &record.failures[index];
        let inner = failure_blocks(failure);
        (failure.contract.clone(), failure.message.clone(), inner)
    })
}

fn failure_blocks(failure: &JvmFailureRecord) -> Vec<Block> {
    let mut items = vec![
        format!("operation `{}`", failure.operation),
        format!(
            "seen in {}, first in test {}",
            number::counted(failure.count, "test", "tests"),
            number::count(failure.first_execution)
        ),
        format!(
            "signature `{}`",
            crate::escape::clipped(&failure.signature, 300)
        ),
    ];
    if let Some(file) = &failure.test_file {
        items.push(match &failure.test_name {
            Some(name) => format!("written to `{file}` as `{name}`"),
            None => format!("written to `{file}`"),
        });
    }
    let mut stack = failure.exception.clone().unwrap_or_default();
    for frame in &failure.stack {
        stack += &format!("\n    at {frame}");
    }
    let mut blocks = vec![Block::Items(items)];
    let test = if failure.reduced {
        "Reduced test:"
    } else {
        "Test:"
    };
    for (name, text) in [(test, &failure.test_source), ("Stack:", &stack)] {
        if !text.is_empty() {
            blocks.push(Block::Prose(name.to_owned()));
            blocks.push(Block::Code(cut(text)));
        }
    }
    blocks
}

fn coverage(record: &JvmRunRecord) -> Vec<Block> {
    if record.classes.is_empty() {
        return Vec::new();
    }
    let criteria_of_run = criteria(&totals(&record.classes));
    let mut blocks = vec![Block::Table(
        "What the run covered.".into(),
        criteria_table(&criteria_of_run),
    )];
    if let Some(suite) = &record.suite_coverage {
        blocks.push(Block::Table(
            "What the written suite covers.".into(),
            criteria_table(&criteria(suite)),
        ));
    }
    blocks.extend(curve(
        &criteria_of_run,
        &record.curve,
        Over::Seconds(record.elapsed_seconds),
    ));
    let reasons = reasons(&record.classes);
    if !reasons.rows.is_empty() {
        blocks.push(Block::Table(
            "Why classes and methods could not be called.".into(),
            reasons,
        ));
    }
    blocks
}

/// All classes in one table, then the methods of each, folded.
pub(super) fn class_blocks(records: &[ClassRecord]) -> Vec<Block> {
    if records.is_empty() {
        return Vec::new();
    }
    let table = Block::Table("Covered per class.".into(), classes(records));
    let with_methods = records.iter().filter(|class| !class.methods.is_empty());
    let folded = with_methods.map(|class| {
        let caption = format!("Covered per method of `{}`.", class.dotted_name());
        let summary = format!("`{}`", class.dotted_name());
        Block::Details(summary, vec![Block::Table(caption, methods(class))])
    });
    std::iter::once(table).chain(folded).collect()
}

fn suite(record: &JvmRunRecord) -> Vec<Block> {
    let mut blocks = vec![Block::Prose(format!(
        "{} kept, with {}.",
        number::counted(record.suite_tests, "test was", "tests were"),
        number::counted(record.suite_assertions, "assertion", "assertions")
    ))];
    if !record.suite_files.is_empty() {
        let files = record.suite_files.iter().map(|file| format!("`{file}`"));
        blocks.push(Block::Items(files.collect()));
    }
    if let Some(mutation) = &record.mutation {
        blocks.push(Block::Prose(format!(
            "It kills {} of {} mutants; {} are on lines that no test reaches.",
            number::count(mutation.killed),
            number::count(mutation.mutants),
            number::count(mutation.not_covered)
        )));
    }
    blocks.extend(left_out_blocks(
        "test",
        "Tests that were dropped, with the reason.",
        &record.dropped_tests,
    ));
    blocks.extend(left_out_blocks(
        "assertion",
        "Assertions that were dropped, with the reason.",
        &record.dropped_assertions,
    ));
    blocks
}

fn workers(record: &JvmRunRecord) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !record.workers_retired.is_empty() {
        let caption = format!(
            "Workers given up, of {} started.",
            number::count(record.workers_started)
        );
        blocks.push(Block::Table(caption, retired(&record.workers_retired)));
        let examples = record
            .workers_retired
            .iter()
            .filter(|retired| !retired.example.is_empty());
        for retired in examples {
            let summary = format!("A test after which: {}", retired.reason);
            blocks.push(Block::Details(
                summary,
                vec![Block::Code(cut(&retired.example))],
            ));
        }
    }
    if !record.degraded.is_empty() {
        blocks.push(Block::Table(
            "Methods with fewer probes than asked for, because they are near the size limit of a method.".into(),
            degraded(&record.degraded),
        ));
    }
    blocks
}
