//! A comparison as one HTML page.

use super::{CompareRecord, studies, tables};
use crate::html::{Block, Page, Section};
use crate::plot::{
    Axis, BoxGroup, Boxes, Curves, Entry, Mark, Observation, Point, Series, Spacing, Style,
};

const WIDE: f64 = 760.0;

/// The page of one comparison.
#[must_use]
pub fn html(record: &CompareRecord) -> String {
    let page = Page {
        title: format!("Guides on {}", record.subject),
        lead: format!(
            "{} of {} guides, {} each. {}.",
            capital(&record.measure),
            record.guides.len(),
            record.budget,
            record.recommendation
        ),
        sections: [
            vec![
                Section::new("Guides", guides(record)),
                Section::new("Over time", vec![over_time(record)]),
            ],
            further(record),
            vec![
                Section::new("Piece by piece", units(record)),
                Section::new("Runs", vec![runs(record)]),
            ],
        ]
        .concat(),
        foot: format!(
            "Written by {}. Repeat with `{}`",
            record.program, record.command
        ),
    };
    page.html()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn names(record: &CompareRecord) -> Vec<String> {
    record.guides.iter().map(|one| one.guide.clone()).collect()
}

fn style(record: &CompareRecord, guide: &str) -> Style {
    let names = names(record);
    let baseline = names.first().cloned().unwrap_or_default();
    Style::of(guide, &names, &baseline)
}

fn entries(record: &CompareRecord) -> Vec<Entry> {
    let entry = |name: String| Entry {
        style: style(record, &name),
        name,
    };
    names(record).into_iter().map(entry).collect()
}

fn guides(record: &CompareRecord) -> Vec<Block> {
    let values = record.guides.iter().map(|guide| {
        let runs = record.runs.iter().filter(|run| run.guide == guide.guide);
        runs.map(|run| Observation {
            name: format!("seed {}", run.seed),
            value: 100.0 * run.share(),
        })
        .collect()
    });
    let boxes = Boxes {
        title: String::new(),
        y: Axis::new("% covered", Spacing::Linear),
        series: entries(record),
        groups: vec![BoxGroup {
            name: record.subject.clone(),
            values: values.collect(),
        }],
        reference: None,
        width: WIDE,
        height: 260.0,
    };
    let caption = "What the runs of each guide covered. `of the rest` is the share of what the first guide leaves uncovered; \
                   A12 is the chance that a run covers more than one of the first guide; bold differs significantly.";
    vec![
        Block::Table(caption.to_owned(), tables::guides(record)),
        Block::Figure("Runs of each guide.".to_owned(), boxes.svg()),
    ]
}

fn over_time(record: &CompareRecord) -> Block {
    let series = record.guides.iter().map(|guide| Series {
        name: guide.guide.clone(),
        style: style(record, &guide.guide),
        mark: Mark::Line,
        points: guide
            .curve
            .iter()
            .map(|place| Point {
                band: Some((100.0 * place.low, 100.0 * place.high)),
                ..Point::new(place.at, 100.0 * place.mean)
            })
            .collect(),
    });
    let by_executions = record.budget.ends_with("executions");
    let unit = if by_executions {
        "executions"
    } else {
        "seconds"
    };
    let curves = Curves {
        title: String::new(),
        x: Axis::new(unit, Spacing::Linear),
        y: Axis::new("% covered by the run", Spacing::Linear),
        series: series.collect(),
        legend: true,
        reference: None,
        width: WIDE,
        height: 300.0,
    };
    let caption = "Mean coverage while the tests ran, with 95 % confidence intervals of the mean.";
    Block::Figure(caption.to_owned(), curves.svg())
}

/// What was measured besides coverage, if anything was.
fn further(record: &CompareRecord) -> Vec<Section> {
    let tables = studies::tables(record).into_iter();
    let blocks: Vec<Block> = tables
        .map(|(sentence, table)| Block::Table(capital(&sentence) + ".", table))
        .collect();
    match blocks.is_empty() {
        true => Vec::new(),
        false => vec![Section::new("Cost", blocks)],
    }
}

fn units(record: &CompareRecord) -> Vec<Block> {
    let values = (0..record.guides.len()).map(|index| {
        let units = record.units.iter().filter(|unit| unit.total > 0);
        units
            .filter_map(|unit| {
                Some(Observation {
                    name: unit.name.clone(),
                    value: 100.0 * unit.medians.get(index)?,
                })
            })
            .collect()
    });
    let boxes = Boxes {
        title: String::new(),
        y: Axis::new("% covered", Spacing::Linear),
        series: entries(record),
        groups: vec![BoxGroup {
            name: "all".to_owned(),
            values: values.collect(),
        }],
        reference: None,
        width: WIDE,
        height: 260.0,
    };
    vec![
        Block::Figure("Medians of all units with goals.".to_owned(), boxes.svg()),
        Block::Details(
            "Every unit".to_owned(),
            vec![Block::Table(
                "Means, medians, and A12 and Mann-Whitney p against the first guide.".to_owned(),
                tables::units(record, &record.units.iter().collect::<Vec<_>>()),
            )],
        ),
    ]
}

fn runs(record: &CompareRecord) -> Block {
    let caption = "Seconds are those of testing, whole seconds also those of choosing assertions, writing and checking the suite.";
    Block::Details(
        "Every run".to_owned(),
        vec![Block::Table(caption.to_owned(), tables::runs(record))],
    )
}
