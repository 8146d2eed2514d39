//! The report of `measure`: what an existing suite covers, and which test covers what.

use super::page::class_blocks;
use super::source_view::source_view;
use super::tables::criteria;
use super::{ClassRecord, SourceText, totals};
use crate::escape::{clipped, one_line};
use crate::html::{Block, Page, Section};
use crate::number;
use crate::run::CriterionRecord;
use crate::run::pieces::{criteria_table, indented};
use crate::table::{Format, Table};
use serde::{Deserialize, Serialize};

/// Tests that did not pass which are named in the terminal.
const NAMED: usize = 20;

/// What a suite covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MeasureRecord {
    /// Name of the subject.
    pub subject: String,
    /// The exact command line that repeats the measurement.
    pub command: String,
    /// Name and version of the program.
    pub program: String,
    /// What ran the tests, for example `Java 17.0.2` or `Python 3.11.7`.
    pub runtime: String,
    /// Wall time.
    pub elapsed_seconds: f64,
    /// What was asked for: `branch`, `line`, `method`.
    pub criteria: Vec<String>,
    /// The tests, in the order of their run.
    pub tests: Vec<MeasuredTestRecord>,
    /// What can be covered; tests name goals by their index here.
    pub goals: Vec<GoalRecord>,
    /// What was covered, per class, sorted by name.
    pub classes: Vec<ClassRecord>,
}

/// One test of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MeasuredTestRecord {
    /// Its class, as Java names it.
    pub class: String,
    /// Its name.
    pub name: String,
    /// `passed`, `failed`, `skipped`, `hung` or `died`.
    pub outcome: String,
    /// What it threw; empty if nothing.
    pub message: String,
    /// The goals it covers, ascending.
    pub goals: Vec<u32>,
}

/// Something to cover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GoalRecord {
    /// `branch`, `line` or `method`.
    pub criterion: String,
    /// Internal name of the class.
    pub class: String,
    /// Name and descriptor of the method.
    pub method: String,
    /// The line, where known.
    pub line: Option<u32>,
    /// The offset of the instruction.
    pub offset: u32,
}

impl MeasureRecord {
    /// How many tests ended so.
    #[must_use]
    pub fn count(&self, outcome: &str) -> u64 {
        let tests = self.tests.iter();
        tests.filter(|test| test.outcome == outcome).count() as u64
    }

    /// The criteria that were asked for.
    fn counted(&self) -> Vec<CriterionRecord> {
        let mut all = criteria(&totals(&self.classes));
        all.retain(|one| self.criteria.contains(&one.criterion));
        all
    }

    fn outcomes(&self) -> String {
        let counts = ["passed", "failed", "skipped", "hung", "died"].map(|outcome| {
            let count = self.count(outcome);
            (count > 0).then(|| format!("{} {outcome}", number::count(count)))
        });
        let counts: Vec<String> = counts.into_iter().flatten().collect();
        if counts.is_empty() {
            "no test".to_owned()
        } else {
            counts.join(", ")
        }
    }
}

/// The record as JSON, indented.
#[must_use]
pub fn measure_json(record: &MeasureRecord) -> String {
    crate::json::pretty(record)
}

/// The summary printed at the end.
#[must_use]
pub fn measure_terminal(record: &MeasureRecord) -> String {
    let mut text = format!(
        "{}: {} in {}, {}\n",
        one_line(&record.subject),
        record.outcomes(),
        number::duration(record.elapsed_seconds),
        one_line(&record.runtime)
    );
    let bad: Vec<&MeasuredTestRecord> = not_passed(record).collect();
    for test in bad.iter().take(NAMED) {
        let name = format!("{}.{} {}", test.class, test.name, test.outcome);
        text += &format!("  {}: {}\n", one_line(&name), clipped(&test.message, 120));
    }
    if bad.len() > NAMED {
        text += &format!("  and {} more\n", number::count((bad.len() - NAMED) as u64));
    }
    let table = criteria_table(&record.counted());
    let (one, many) = match record.runtime.starts_with("Python") {
        true => ("module", "modules"),
        false => ("class", "classes"),
    };
    text += &format!(
        "\nwhat the tests cover of {}\n\n{}",
        number::counted(record.classes.len() as u64, one, many),
        indented(&table.text())
    );
    text
}

fn not_passed(record: &MeasureRecord) -> impl Iterator<Item = &MeasuredTestRecord> {
    let tests = record.tests.iter();
    tests.filter(|test| test.outcome != "passed" && test.outcome != "skipped")
}

/// The page. Classes whose source is among `sources` get a source view.
#[must_use]
pub fn measure_html(record: &MeasureRecord, sources: &[SourceText]) -> String {
    let coverage = Block::Table(
        "What the tests cover.".into(),
        criteria_table(&record.counted()),
    );
    let sections = [
        Section::new("Coverage", vec![coverage]),
        Section::new("Tests", vec![tests(record)]),
        Section::new("Classes and methods", class_blocks(&record.classes)),
        Section::new("Sources", source_view(&record.classes, sources)),
        Section::new(
            "How to repeat this measurement",
            vec![Block::Code(record.command.clone())],
        ),
    ];
    let page = Page {
        title: format!("Coverage of {}", record.subject),
        lead: format!(
            "{} in {}.",
            record.outcomes(),
            number::duration(record.elapsed_seconds)
        ),
        sections: sections
            .into_iter()
            .filter(|section| !section.blocks.is_empty())
            .collect(),
        foot: format!("Written by {}", record.program),
    };
    page.html()
}

/// All tests; `alone` counts the goals that no other test covers.
fn tests(record: &MeasureRecord) -> Block {
    let mut covering = vec![0_u32; record.goals.len()];
    for goal in record.tests.iter().flat_map(|test| &test.goals) {
        if let Some(count) = covering.get_mut(*goal as usize) {
            *count += 1;
        }
    }
    let mut table = Table::new(&[
        ("test", Format::Clipped(100)),
        ("outcome", Format::Text),
        ("goals", Format::Count),
        ("alone", Format::Count),
        ("message", Format::Clipped(160)),
    ]);
    for test in &record.tests {
        let alone = |goal: &&u32| covering.get(**goal as usize) == Some(&1);
        table.row(vec![
            format!("{}.{}", test.class, test.name).into(),
            test.outcome.as_str().into(),
            (test.goals.len() as u64).into(),
            (test.goals.iter().filter(alone).count() as u64).into(),
            test.message.as_str().into(),
        ]);
    }
    let caption = "Goals that each test covers, and how many of them no other test does.";
    Block::Table(caption.to_owned(), table)
}
