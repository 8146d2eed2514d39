//! A run as one HTML page.

use super::terminal::{criteria_table, ends_table, frame, sandbox};
use super::{CurvePoint, FailureRecord, RunRecord};
use crate::html::{Block, Page, Section};
use crate::left_out::{self, LeftOut};
use crate::number;
use crate::plot::{Axis, Curves, Mark, Point, Series, Spacing, Style};

/// Failures shown on the page; the others are counted and are in the JSON file.
const FAILURES: usize = 100;
/// Failures that are open when the page is; the others are folded.
const OPEN: usize = 3;
/// Goals never covered that are listed per criterion.
const GOALS: usize = 400;
/// Characters of input or output shown per failure.
const TEXT: usize = 8000;

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
    let mut blocks = vec![Block::Facts(vec![
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
    ])];
    blocks.push(Block::Prose(format!(
        "The run was stopped by {}. Sandbox: {}.",
        record.stopped_by,
        sandbox(record)
    )));
    if !record.ends.is_empty() {
        blocks.push(Block::Table(
            "How the tests ended.".into(),
            ends_table(record),
        ));
    }
    blocks
}

fn failures(record: &RunRecord) -> Vec<Block> {
    let total = record.failures.len();
    let mut blocks = Vec::new();
    for (index, failure) in record.failures.iter().take(FAILURES).enumerate() {
        let summary = format!(
            "{}. {}: {}",
            index + 1,
            failure.kind,
            crate::escape::clipped(&failure.message, 200)
        );
        let inner = failure_blocks(failure);
        blocks.push(if index < OPEN {
            Block::Opened(summary, inner)
        } else {
            Block::Details(summary, inner)
        });
    }
    if total > FAILURES {
        blocks.push(Block::Prose(format!(
            "And {} more.",
            number::count((total - FAILURES) as u64)
        )));
    }
    blocks
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
    if let Some(case) = &failure.case {
        items.push(format!("reproduce with `testhound replay {case}`"));
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

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => format!(
            "{}\n… cut here, {} bytes in all",
            &text[..end],
            number::count(text.len() as u64)
        ),
        None => text.to_owned(),
    }
}

fn coverage(record: &RunRecord) -> Vec<Block> {
    if record.criteria.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Table(
        "Goals covered per criterion.".into(),
        criteria_table(record),
    )];
    blocks.extend(curve(record));
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

/// Goals covered over executions; as shares where every criterion knows its total, so that they fit one axis.
fn curve(record: &RunRecord) -> Option<Block> {
    if record.curve.len() < 2 {
        return None;
    }
    let shares = record
        .criteria
        .iter()
        .all(|criterion| criterion.total.is_some_and(|total| total > 0));
    let series = record
        .criteria
        .iter()
        .enumerate()
        .map(|(index, criterion)| {
            let unit = if shares {
                criterion.total.map_or(1.0, |total| total as f64 / 100.0)
            } else {
                1.0
            };
            let goals = |point: &CurvePoint| Some(*point.goals.get(index)? as f64 / unit);
            let points = record
                .curve
                .iter()
                .filter_map(|point| Some(Point::new(point.executions as f64, goals(point)?)));
            let mut points: Vec<Point> = points.collect();
            // The curve has a point per change; the line goes on to the end of the run.
            if let Some(last) = points.last().map(|last| last.y) {
                points.push(Point::new(record.executions as f64, last));
            }
            Series {
                name: criterion.criterion.clone(),
                style: Style(index + 1),
                mark: Mark::Steps,
                points,
            }
        });
    let curves = Curves {
        title: String::new(),
        x: Axis::new("tests executed", Spacing::Linear).including(&[0.0]),
        y: Axis::new(
            if shares {
                "goals covered, %"
            } else {
                "goals covered"
            },
            Spacing::Linear,
        )
        .including(&[0.0]),
        series: series.collect(),
        legend: true,
        reference: None,
        width: 760.0,
        height: 240.0,
    };
    Some(Block::Figure(
        "Goals covered as the run went on.".to_owned(),
        curves.svg(),
    ))
}

fn suite(record: &RunRecord) -> Vec<Block> {
    let kept = number::counted(record.suite_tests, "test was", "tests were");
    let place = record
        .suite_path
        .as_ref()
        .map(|path| format!(" in `{path}`"))
        .unwrap_or_default();
    let mut blocks = vec![Block::Prose(format!("{kept} kept{place}."))];
    blocks.extend(left_out_blocks(
        "test",
        "Tests that were dropped, with the reason.",
        &record.dropped,
    ));
    blocks
}

fn untested(record: &RunRecord) -> Vec<Block> {
    left_out_blocks(
        "name",
        "What could not be tested, with the reason.",
        &record.untested,
    )
}

fn left_out_blocks(what: &str, caption: &str, left_out: &[LeftOut]) -> Vec<Block> {
    if left_out.is_empty() {
        return Vec::new();
    }
    let reasons = left_out::reasons(left_out).into_iter();
    let items = reasons.map(|(count, reason)| format!("{}: {reason}", number::count(count)));
    let table = Block::Table(caption.to_owned(), left_out::table(what, left_out));
    vec![
        Block::Items(items.collect()),
        Block::Details("One by one".to_owned(), vec![table]),
    ]
}
