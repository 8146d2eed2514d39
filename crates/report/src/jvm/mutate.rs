//! The report of `mutate`: which mutants of a subject a suite kills, and which it does not notice.

use super::MutationTotals;
use crate::escape::one_line;
use crate::html::{Block, Page, Section};
use crate::number;
use crate::run::pieces::indented;
use crate::table::{Format, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Surviving mutants that are named in the terminal.
const NAMED: usize = 20;

/// How the mutants of a subject fared under a suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MutateRecord {
    /// Name of the subject.
    pub subject: String,
    /// The exact command line that repeats the run.
    pub command: String,
    /// Name and version of the program.
    pub program: String,
    /// What ran the tests, for example `Java 17.0.2` or `Python 3.11.7`.
    pub runtime: String,
    /// Wall time.
    pub elapsed_seconds: f64,
    /// Tests that pass on the original and were run on mutants.
    pub tests: u64,
    /// Tests that do not pass on the original, which were not.
    pub unusable_tests: Vec<String>,
    /// The mutants, by class and place.
    pub mutants: Vec<MutantRecord>,
}

/// One mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MutantRecord {
    /// Its id, unique within its class.
    pub id: String,
    /// The operator.
    pub operator: String,
    /// Internal name of the class.
    pub class: String,
    /// Name and descriptor of the method.
    pub method: String,
    /// The line, where known.
    pub line: Option<u32>,
    /// What it changes, for people.
    pub description: String,
    /// What became of it.
    pub fate: MutantFate,
    /// The test that killed it.
    pub killed_by: Option<String>,
    /// How: `failed`, `hung` or `died`; for a refused mutant the reason; else empty.
    pub detail: String,
}

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MutantFate {
    /// A test noticed it.
    Killed,
    /// Tests ran on it and passed.
    Survived,
    /// No test reaches it.
    NotReached,
    /// It could not be run.
    Refused,
}

impl MutateRecord {
    /// The counts; refused mutants are not among them.
    #[must_use]
    pub fn totals(&self) -> MutationTotals {
        let mut totals = MutationTotals::default();
        for mutant in &self.mutants {
            add(&mut totals, mutant.fate);
        }
        totals
    }

    fn refused(&self) -> u64 {
        let mutants = self.mutants.iter();
        mutants
            .filter(|mutant| mutant.fate == MutantFate::Refused)
            .count() as u64
    }

    fn survivors(&self) -> Vec<&MutantRecord> {
        let mutants = self.mutants.iter();
        mutants
            .filter(|mutant| mutant.fate == MutantFate::Survived)
            .collect()
    }
}

fn add(totals: &mut MutationTotals, fate: MutantFate) {
    totals.mutants += u64::from(fate != MutantFate::Refused);
    totals.killed += u64::from(fate == MutantFate::Killed);
    totals.not_covered += u64::from(fate == MutantFate::NotReached);
}

/// The record as JSON, indented.
#[must_use]
pub fn mutate_json(record: &MutateRecord) -> String {
    crate::json::pretty(record)
}

/// The summary printed at the end.
#[must_use]
pub fn mutate_terminal(record: &MutateRecord) -> String {
    let totals = record.totals();
    let mut text = format!(
        "{}: {} of {} killed ({}) by {} in {}, {}\n",
        one_line(&record.subject),
        number::count(totals.killed),
        number::counted(totals.mutants, "mutant", "mutants"),
        number::percent(totals.score().unwrap_or(f64::NAN), 1),
        number::counted(record.tests, "test", "tests"),
        number::duration(record.elapsed_seconds),
        one_line(&record.runtime)
    );
    for test in &record.unusable_tests {
        text += &format!("  not used, it does not pass: {}\n", one_line(test));
    }
    if record.refused() > 0 {
        text += &format!(
            "  {} could not be run\n",
            number::counted(record.refused(), "mutant", "mutants")
        );
    }
    text += &format!("\n{}", indented(&by_operator(record).text()));
    let survivors = record.survivors();
    if !survivors.is_empty() {
        text += "\nreached and not noticed\n\n";
    }
    for mutant in survivors.iter().take(NAMED) {
        text += &format!("  {}\n", one_line(&place(mutant)));
    }
    if survivors.len() > NAMED {
        text += &format!(
            "  and {} more\n",
            number::count((survivors.len() - NAMED) as u64)
        );
    }
    text
}

fn place(mutant: &MutantRecord) -> String {
    format!(
        "{}.{}: {}",
        mutant.class.replace('/', "."),
        mutant.method.split('(').next().unwrap_or_default(),
        mutant.description
    )
}

fn counted(heading: &str, rows: BTreeMap<String, MutationTotals>) -> Table {
    let mut table = Table::new(&[
        (heading, Format::Clipped(80)),
        ("mutants", Format::Count),
        ("killed", Format::Count),
        ("not reached", Format::Count),
        ("score", Format::Percent(1)),
    ]);
    for (name, totals) in rows {
        table.row(vec![
            name.into(),
            totals.mutants.into(),
            totals.killed.into(),
            totals.not_covered.into(),
            totals.score().into(),
        ]);
    }
    table
}

fn by_operator(record: &MutateRecord) -> Table {
    let mut rows: BTreeMap<String, MutationTotals> = BTreeMap::new();
    for mutant in &record.mutants {
        add(
            rows.entry(mutant.operator.clone()).or_default(),
            mutant.fate,
        );
    }
    counted("operator", rows)
}

fn by_class(record: &MutateRecord) -> Table {
    let mut rows: BTreeMap<String, MutationTotals> = BTreeMap::new();
    for mutant in &record.mutants {
        let class = mutant.class.replace('/', ".");
        add(rows.entry(class).or_default(), mutant.fate);
    }
    counted("class", rows)
}

/// The page.
#[must_use]
pub fn mutate_html(record: &MutateRecord) -> String {
    let totals = record.totals();
    let fate = |heading: &str, fate: MutantFate| {
        let mut table = Table::new(&[
            ("mutant", Format::Clipped(120)),
            ("change", Format::Text),
            ("detail", Format::Text),
        ]);
        for mutant in record.mutants.iter().filter(|mutant| mutant.fate == fate) {
            let place = format!("{}.{}", mutant.class.replace('/', "."), mutant.method);
            table.row(vec![
                place.into(),
                mutant.description.as_str().into(),
                match &mutant.killed_by {
                    Some(test) => format!("{}: {test}", mutant.detail).into(),
                    None => mutant.detail.as_str().into(),
                },
            ]);
        }
        let caption = format!("{heading}.");
        let blocks = match table.rows.len() {
            0 => Vec::new(),
            count => vec![Block::Details(
                number::counted(count as u64, "mutant", "mutants"),
                vec![Block::Table(caption, table)],
            )],
        };
        Section::new(heading, blocks)
    };
    let sections = [
        Section::new(
            "Scores",
            vec![
                Block::Table("Mutants per operator.".into(), by_operator(record)),
                Block::Table("Mutants per class.".into(), by_class(record)),
            ],
        ),
        fate("Reached and not noticed", MutantFate::Survived),
        fate("Not reached", MutantFate::NotReached),
        fate("Killed", MutantFate::Killed),
        fate("Could not be run", MutantFate::Refused),
        Section::new(
            "How to repeat this run",
            vec![Block::Code(record.command.clone())],
        ),
    ];
    let page = Page {
        title: format!("Mutants of {}", record.subject),
        lead: format!(
            "{} of {} killed by {}.",
            number::count(totals.killed),
            number::counted(totals.mutants, "mutant was", "mutants were"),
            number::counted(record.tests, "test", "tests")
        ),
        sections: sections
            .into_iter()
            .filter(|section| !section.blocks.is_empty())
            .collect(),
        foot: format!("Written by {}", record.program),
    };
    page.html()
}
