//! The report of a study over several subjects: a summary that spans them, then the report of each.

use crate::html::{Block, Page, Section};
use crate::number;
use crate::study::terminal::{brief, plain};
use crate::study::{self, GuideSummary, StudyRecord, figures, selection, tables, words};
use crate::table::{Cell, Format, Table};
use serde::{Deserialize, Serialize};

/// A study of several subjects, with the figures that span them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StudiesRecord {
    /// The exact command line that repeats the study.
    pub command: String,
    /// Name and version of the program that ran it.
    pub program: String,
    /// The subjects, in the order to present them. They share guides and baseline.
    pub subjects: Vec<StudyRecord>,
    /// Per guide other than the baseline, the F-ratio over all faults of all subjects.
    pub overall: Vec<GuideSummary>,
}

impl StudiesRecord {
    fn baseline(&self) -> &str {
        self.subjects
            .first()
            .map_or("the baseline", |record| &record.baseline)
    }

    fn records(&self) -> Vec<&StudyRecord> {
        self.subjects.iter().collect()
    }
}

/// The record as JSON, indented.
#[must_use]
pub fn json(record: &StudiesRecord) -> String {
    crate::json::pretty(record)
}

/// The files of all subjects together, and `overall.csv`: name and content.
#[must_use]
pub fn csv(record: &StudiesRecord) -> Vec<(String, String)> {
    let mut files = study::csv::files(&record.records());
    files.push((
        "overall.csv".to_owned(),
        study::csv::overall(&record.overall),
    ));
    files
}

/// Terminal text: a few lines per subject, then the summary. Everything else is on the page and in the files.
#[must_use]
pub fn terminal(record: &StudiesRecord) -> String {
    let mut text: String = record.subjects.iter().map(brief).collect();
    text += &format!(
        "\nall subjects: geometric mean of F-ratios to {} (below 1 is better, * significant)\n\n",
        plain(record.baseline())
    );
    text += &matrix(record).text();
    text += "\n";
    for summary in &record.overall {
        text += &format!("{}\n", plain(&words::verdict(summary, record.baseline())));
    }
    text += &format!("to repeat: {}\n", crate::escape::one_line(&record.command));
    text
}

/// One page: the summary, then a folded report per subject.
#[must_use]
pub fn html(record: &StudiesRecord) -> String {
    let faults: usize = record
        .subjects
        .iter()
        .map(|subject| subject.versions.len())
        .sum();
    let mut sections = vec![
        Section::new("Summary", summary(record)),
        Section::new("F-ratios per subject", f_ratios(record)),
    ];
    sections.extend(generation(record));
    sections.extend(record.subjects.iter().map(subject));
    let page = Page {
        title: format!(
            "Study of {}",
            number::counted(record.subjects.len() as u64, "subject", "subjects")
        ),
        lead: format!(
            "Guides compared on {}.",
            number::counted(faults as u64, "faulty version", "faulty versions")
        ),
        sections,
        foot: format!(
            "Written by {}. Repeat with `{}`",
            record.program, record.command
        ),
    };
    page.html()
}

/// Subjects by guides: geometric means, emphasised where they differ significantly from 1.
fn matrix(record: &StudiesRecord) -> Table {
    let mut table = Table::new(&[("subject", Format::Clipped(28)), ("faults", Format::Count)]);
    let guides: Vec<&String> = record
        .subjects
        .first()
        .map(|first| selection::others(first).collect())
        .unwrap_or_default();
    for guide in &guides {
        table.column(*guide, Format::Fixed(3));
    }
    let cells = |summaries: &[GuideSummary]| -> Vec<Cell> {
        let cell = |guide: &&String| {
            let summary = summaries.iter().find(|summary| summary.guide == **guide);
            let significant = summary
                .and_then(|summary| summary.test)
                .is_some_and(|test| test.significant);
            Cell::from(summary.and_then(|summary| summary.f_ratio)).strong_if(significant)
        };
        guides.iter().map(cell).collect()
    };
    for subject in &record.subjects {
        let mut row = vec![
            subject.subject.as_str().into(),
            (subject.versions.len() as u64).into(),
        ];
        row.extend(cells(&subject.summaries));
        table.row(row);
    }
    if !record.overall.is_empty() {
        let faults: usize = record
            .subjects
            .iter()
            .map(|subject| subject.versions.len())
            .sum();
        let mut row = vec!["all subjects".into(), (faults as u64).into()];
        row.extend(cells(&record.overall));
        table.row(row);
    }
    table
}

fn summary(record: &StudiesRecord) -> Vec<Block> {
    let verdicts = record
        .overall
        .iter()
        .map(|summary| format!("{}.", words::verdict(summary, record.baseline())));
    let mut blocks = vec![Block::Items(verdicts.collect())];
    blocks.extend(figures::summaries(&record.records(), &record.overall));
    let caption = format!(
        "Geometric mean of F-ratios to `{}` per subject and guide; below 1 is better, bold differs significantly.",
        record.baseline()
    );
    blocks.push(Block::Table(caption, matrix(record)));
    blocks
}

fn f_ratios(record: &StudiesRecord) -> Vec<Block> {
    let mut blocks: Vec<Block> = figures::f_ratios(&record.records()).into_iter().collect();
    let friedman = record.subjects.iter().map(|subject| {
        format!(
            "`{}`, {}.",
            subject.subject,
            words::friedman("F-measure", subject.f_comparison.friedman.as_ref())
        )
    });
    blocks.push(Block::Items(friedman.collect()));
    blocks
}

/// Table 7: times of all subjects at one number of tests each.
fn generation(record: &StudiesRecord) -> Option<Section> {
    let first = record.subjects.first()?;
    let mut table = Table::new(&[("subject", Format::Clipped(28)), ("tests", Format::Count)]);
    tables::generation_columns(&mut table, first);
    for subject in &record.subjects {
        if let Some(tests) = selection::common_tests(&subject.generation) {
            let mut row = vec![subject.subject.as_str().into(), tests.into()];
            row.extend(tables::generation_cells(subject, tests));
            table.row(row);
        }
    }
    let caption = format!(
        "Time to generate tests per subject and guide, then relative to `{}`.",
        first.baseline
    );
    (!table.rows.is_empty())
        .then(|| Section::new("Generation time", vec![Block::Table(caption, table)]))
}

/// The whole report of one subject, folded by section.
fn subject(record: &StudyRecord) -> Section {
    let sections = study::sections(record).into_iter();
    let blocks = sections.map(|section| Block::Details(section.heading, section.blocks));
    Section::new(&format!("Subject {}", record.subject), blocks.collect())
}
