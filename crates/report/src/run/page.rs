//! A run as one HTML page.

use super::pieces::{
    Over, criteria_table, curve, cut, ends_table, failures_blocks, killed, left_out_blocks, sandbox,
};
use super::terminal::frame;
use super::{FailureRecord, RunRecord};
use crate::html::{Block, Page, Section};
use crate::number;

/// Goals never covered that are listed per criterion.
const GOALS: usize = 400;

/// The page of one run.
#[must_use]
pub fn html(record: &RunRecord) -> String {
    let sections = [
        Section::new("Summary", summary(record)),
        Section::new("Failures", failures(record)),
        Section::new("Coverage", coverage(record)),
        Section::new("Suite", suite(record)),
        Section::new("Left out", untested(record)),
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

fn lead(record: &RunRecord) -> String {
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
    let executions = number::counted(record.executions, "test", "tests");
    format!(
        "{found} in {executions} within {}.",
        number::duration(record.elapsed_seconds)
    )
}

fn summary(record: &RunRecord) -> Vec<Block> {
    let rate = record.rate().map_or_else(
        || number::ABSENT.to_owned(),
        |rate| number::count(rate.round() as u64),
    );
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let cost = record.coverage_cost.map(|cost| {
        let times = format!(
            "{} times the processor time without",
            number::fixed(cost, 2)
        );
        fact("cost of coverage", times)
    });
    let afterwards = record.replayed.map(|tests| {
        let tests = number::counted(tests, "test", "tests");
        fact(
            "coverage",
            format!("measured afterwards, on {tests} run again"),
        )
    });
    let mut blocks = vec![Block::Facts(
        [
            fact("tests executed", number::count(record.executions)),
            fact("time", number::duration(record.elapsed_seconds)),
            fact("tests per second", rate),
            fact(
                "distinct failures",
                number::count(record.failures.len() as u64),
            ),
            fact("tests in the suite", number::count(record.suite_tests)),
            fact("guide", record.guide.clone()),
            fact("seed", record.seed.to_string()),
            fact("kind of subject", record.target.clone()),
        ]
        .into_iter()
        .chain(afterwards)
        .chain(cost)
        .collect(),
    )];
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
    if let Some(leak) = &record.leak {
        let mut sentence = leak.sentence();
        sentence[..1].make_ascii_uppercase();
        blocks.push(Block::Prose(sentence + ". The steps of that test:"));
        blocks.push(Block::Code(leak.steps.clone()));
    }
    blocks
}

fn failures(record: &RunRecord) -> Vec<Block> {
    failures_blocks(record.failures.len(), &|index| {
        let failure = &record.failures[index];
        let inner = failure_blocks(failure);
        (failure.kind.clone(), failure.message.clone(), inner)
    })
}

fn failure_blocks(failure: &FailureRecord) -> Vec<Block> {
    let mut items = vec![format!(
        "seen in {}, first in test {}",
        number::counted(failure.count, "test", "tests"),
        number::count(failure.first_execution)
    )];
    if failure.signature != failure.message {
        items.push(format!(
            "signature `{}`",
            crate::escape::clipped(&failure.signature, 300)
        ));
    }
    let frame = frame(failure);
    if !frame.is_empty() {
        items.push(format!("choices `{frame}`"));
    }
    if let Some(replay) = failure.replay() {
        items.push(format!("reproduce with `{replay}`"));
    }
    let mut blocks = vec![Block::Items(items)];
    for (name, text) in [
        (
            if failure.reduced {
                "Reduced input:"
            } else {
                "Input:"
            },
            &failure.input,
        ),
        ("Output:", &failure.output),
    ] {
        if !text.is_empty() {
            blocks.push(Block::Prose(name.to_owned()));
            blocks.push(Block::Code(cut(text)));
        }
    }
    blocks
}

fn coverage(record: &RunRecord) -> Vec<Block> {
    if record.criteria.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Table(
        "Goals covered per criterion.".into(),
        criteria_table(&record.criteria),
    )];
    blocks.extend(curve(
        &record.criteria,
        &record.curve,
        Over::Tests(record.executions),
    ));
    for criterion in &record.criteria {
        if criterion.uncovered.is_empty() {
            continue;
        }
        let missing = criterion
            .total
            .map_or(criterion.uncovered.len() as u64, |total| {
                total.saturating_sub(criterion.covered)
            });
        let mut goals: Vec<String> = criterion
            .uncovered
            .iter()
            .take(GOALS)
            .map(|goal| format!("`{goal}`"))
            .collect();
        let more = missing.saturating_sub(goals.len() as u64);
        if more > 0 {
            goals.push(format!("and {} more", number::count(more)));
        }
        let summary = format!(
            "{} never covered: {}",
            criterion.criterion,
            number::count(missing)
        );
        blocks.push(Block::Details(summary, vec![Block::Items(goals)]));
    }
    blocks
}

fn suite(record: &RunRecord) -> Vec<Block> {
    let kept = number::counted(record.suite_tests, "test was", "tests were");
    let place = record
        .suite_path
        .as_ref()
        .map(|path| format!(" in `{path}`"))
        .unwrap_or_default();
    let mut blocks = vec![Block::Prose(format!("{kept} kept{place}."))];
    if let Some(mutation) = &record.mutation {
        blocks.push(Block::Prose(format!("The suite {}.", killed(mutation))));
    }
    blocks.extend(left_out_blocks(
        "test",
        "Tests that were dropped, with the reason.",
        &record.dropped,
    ));
    blocks
}

fn untested(record: &RunRecord) -> Vec<Block> {
    let mut blocks = left_out_blocks(
        "name",
        "What could not be tested, with the reason.",
        &record.untested,
    );
    blocks.extend(left_out_blocks(
        "module",
        "Modules that are not in the coverage, with the reason.",
        &record.unmeasured,
    ));
    blocks
}
