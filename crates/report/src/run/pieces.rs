//! Pieces that the reports of all runs share: small texts, tables, the progress curve, folded lists.

use super::record::{CriterionRecord, CurvePoint, EndCount, SandboxRecord};
use crate::escape::{clipped, one_line, snippet};
use crate::html::Block;
use crate::jvm::MutationTotals;
use crate::left_out::{self, LeftOut};
use crate::number;
use crate::plot::{Axis, Curves, Mark, Point, Series, Spacing, Style};
use crate::table::{Format, Table};

/// Lines of output shown per failure, and their width.
const OUTPUT: (usize, usize) = (6, 100);
/// Characters of input or output shown per failure on a page.
const TEXT: usize = 8000;

/// Failures shown in full in the terminal.
const IN_TERMINAL: usize = 10;
/// Failures shown on a page, and how many of them are unfolded.
const ON_PAGE: usize = 100;
const OPEN: usize = 3;

/// The distinct failures of a run for the terminal; `text` writes the one with this index.
pub(crate) fn failures_text(total: usize, text: &dyn Fn(usize) -> String) -> String {
    if total == 0 {
        return "\nno failure found\n".to_owned();
    }
    let mut all = format!(
        "\n{}\n",
        number::counted(total as u64, "distinct failure", "distinct failures")
    );
    all.extend((0..total.min(IN_TERMINAL)).map(text));
    if total > IN_TERMINAL {
        let more = number::count((total - IN_TERMINAL) as u64);
        all += &format!("  and {more} more\n");
    }
    all
}

/// The failures of a run for its page; `failure` gives kind, message and blocks of the one with this index.
pub(crate) fn failures_blocks(
    total: usize,
    failure: &dyn Fn(usize) -> (String, String, Vec<Block>),
) -> Vec<Block> {
    let mut blocks = Vec::new();
    for index in 0..total.min(ON_PAGE) {
        let (kind, message, inner) = failure(index);
        let summary = format!("{}. {kind}: {}", index + 1, clipped(&message, 200));
        blocks.push(if index < OPEN {
            Block::Opened(summary, inner)
        } else {
            Block::Details(summary, inner)
        });
    }
    if total > ON_PAGE {
        let more = number::count((total - ON_PAGE) as u64);
        blocks.push(Block::Prose(format!("And {more} more.")));
    }
    blocks
}

/// Executions per second; `None` for a run too short to say.
pub(crate) fn per_second(executions: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| executions as f64 / seconds)
}

/// The rate in parentheses, where there is one.
pub(crate) fn rate(executions: u64, seconds: f64) -> String {
    match per_second(executions, seconds) {
        Some(rate) => format!(" ({} per second)", number::count(rate.round() as u64)),
        None => String::new(),
    }
}

/// The state of the sandbox, in a few words.
pub(crate) fn sandbox(sandbox: &SandboxRecord) -> String {
    let mut text = one_line(&sandbox.state);
    if !sandbox.missing.is_empty() {
        text += &format!(" without {}", one_line(&sandbox.missing.join(", ")));
    }
    if !sandbox.allowed.is_empty() {
        text += &format!(", allowed {}", one_line(&sandbox.allowed.join(", ")));
    }
    text
}

/// A label with its text: beside it when it is one line, else below it.
pub(crate) fn labelled(label: &str, content: &str) -> String {
    let (lines, more) = snippet(content, OUTPUT.0, OUTPUT.1);
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("     {label}: {line}\n"),
        lines => {
            let mut text = format!("     {label}:\n");
            for line in lines {
                text += format!("       | {line}").trim_end();
                text.push('\n');
            }
            if more > 0 {
                text += &format!(
                    "       {} more\n",
                    number::counted(more as u64, "line", "lines")
                );
            }
            text
        }
    }
}

pub(crate) fn ends(ends: &[EndCount]) -> String {
    if ends.is_empty() {
        return String::new();
    }
    let table = ends_table(ends).text();
    format!("\nhow the tests ended\n\n{}", indented(&table))
}

/// Ways to end with their counts and shares.
pub(crate) fn ends_table(ends: &[EndCount]) -> Table {
    let mut table = Table::new(&[
        ("end", Format::Clipped(40)),
        ("tests", Format::Count),
        ("share", Format::Percent(1)),
    ]);
    let total: u64 = ends.iter().map(|end| end.count).sum();
    for end in ends {
        let share = (total > 0).then(|| end.count as f64 / total as f64);
        table.row(vec![
            end.end.as_str().into(),
            end.count.into(),
            share.into(),
        ]);
    }
    table
}

/// Criteria with goals covered.
pub(crate) fn criteria_table(criteria: &[CriterionRecord]) -> Table {
    let mut table = Table::new(&[
        ("criterion", Format::Clipped(40)),
        ("covered", Format::Count),
        ("of", Format::Count),
        ("share", Format::Percent(1)),
    ]);
    for criterion in criteria {
        let share = criterion
            .total
            .filter(|total| *total > 0)
            .map(|total| criterion.covered as f64 / total as f64);
        table.row(vec![
            criterion.criterion.as_str().into(),
            criterion.covered.into(),
            criterion.total.into(),
            share.into(),
        ]);
    }
    table
}

pub(crate) fn indented(text: &str) -> String {
    text.lines()
        .map(|line| {
            if line.is_empty() {
                "\n".to_owned()
            } else {
                format!("  {line}\n")
            }
        })
        .collect()
}

pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => format!(
            "{}\n… cut here, {} bytes in all",
            &text[..end],
            number::count(text.len() as u64)
        ),
        None => text.to_owned(),
    }
}

/// What the progress curve runs over, with its end.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Over {
    /// Tests executed.
    Tests(u64),
    /// Wall time.
    Seconds(f64),
}

/// Goals covered as the run went on; as shares where every criterion knows its total, so that they fit one axis.
pub(crate) fn curve(
    criteria: &[CriterionRecord],
    curve: &[CurvePoint],
    over: Over,
) -> Option<Block> {
    if curve.len() < 2 {
        return None;
    }
    let shares = criteria
        .iter()
        .all(|criterion| criterion.total.is_some_and(|total| total > 0));
    let series = criteria.iter().enumerate().map(|(index, criterion)| {
        let unit = if shares {
            criterion.total.map_or(1.0, |total| total as f64 / 100.0)
        } else {
            1.0
        };
        let goals = |point: &CurvePoint| Some(*point.goals.get(index)? as f64 / unit);
        let points = curve
            .iter()
            .filter_map(|point| Some(Point::new(over.at(point), goals(point)?)));
        let mut points: Vec<Point> = points.collect();
        // The curve has a point per change; the line goes on to the end of the run.
        if let Some(last) = points.last().map(|last| last.y) {
            points.push(Point::new(over.end(), last));
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
        x: Axis::new(over.label(), Spacing::Linear).including(&[0.0]),
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

impl Over {
    fn at(self, point: &CurvePoint) -> f64 {
        match self {
            Self::Tests(_) => point.executions as f64,
            Self::Seconds(_) => point.seconds,
        }
    }

    fn end(self) -> f64 {
        match self {
            Self::Tests(executions) => executions as f64,
            Self::Seconds(seconds) => seconds,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Tests(_) => "tests executed",
            Self::Seconds(_) => "seconds",
        }
    }
}

pub(crate) fn left_out_blocks(what: &str, caption: &str, left_out: &[LeftOut]) -> Vec<Block> {
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

/// How mutants fared, as what the suite does.
pub(crate) fn killed(mutation: &MutationTotals) -> String {
    format!(
        "kills {} of {} mutants ({}), {} on lines that no test reaches",
        number::count(mutation.killed),
        number::count(mutation.mutants),
        number::percent(mutation.score().unwrap_or(f64::NAN), 1),
        number::count(mutation.not_covered)
    )
}
