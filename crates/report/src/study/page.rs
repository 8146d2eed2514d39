//! A study as one HTML page.

use super::terminal::hypotheses;
use super::{StudyRecord, figures, tables, words};
use crate::html::{Block, Page, Section};
use crate::number;
use crate::table::Table;

/// Tables with more rows than this are folded.
const FOLD: usize = 60;

/// The page of one study.
#[must_use]
pub fn html(record: &StudyRecord) -> String {
    let mut lead = format!("{}.", words::subject_line(record));
    if !record.description.is_empty() {
        lead = format!("{} {lead}", record.description);
    }
    let page = Page {
        title: format!("Study of {}", record.subject),
        lead,
        sections: sections(record),
        foot: format!(
            "Written by {}. Repeat with `{}`",
            record.program, record.command
        ),
    };
    page.html()
}

/// The sections about one subject.
pub(crate) fn sections(record: &StudyRecord) -> Vec<Section> {
    let sections = [
        Section::new("Summary", summary(record)),
        Section::new("Tests to the first failure", f_measure(record)),
        Section::new("Probability of revealing a fault", p_measure(record)),
        Section::new("Generation time", generation(record)),
        Section::new("Where failures lie", frames(record)),
        Section::new("Versions left out", dropped(record)),
        Section::new("How the study was run", method(record)),
    ];
    sections
        .into_iter()
        .filter(|section| !section.blocks.is_empty())
        .collect()
}

fn summary(record: &StudyRecord) -> Vec<Block> {
    let verdicts: Vec<String> = record
        .summaries
        .iter()
        .map(|summary| format!("{}.", words::verdict(summary, &record.baseline)))
        .collect();
    let mut blocks = vec![Block::Facts(vec![
        fact("subject", record.subject.clone()),
        fact(
            "faulty versions",
            number::count(record.versions.len() as u64),
        ),
        fact("runs per guide", number::count(record.runs)),
        fact("tests per run", number::count(record.tests_per_run)),
        fact("candidates", number::count(record.candidates)),
        fact("categories", number::count(record.categories)),
        fact("choices", number::count(record.choices)),
        fact("seed", record.seed.to_string()),
    ])];
    if !verdicts.is_empty() {
        blocks.push(Block::Items(verdicts));
    }
    blocks.extend(figures::summaries(&[record], &[]));
    if !record.summaries.is_empty() {
        let caption = format!(
            "Geometric mean of F-ratios to `{}` with {} confidence intervals; below 1 is better, bold differs significantly.",
            record.baseline,
            number::percent(record.confidence, 0)
        );
        blocks.push(Block::Table(caption, tables::summaries(&record.summaries)));
    }
    blocks
}

fn f_measure(record: &StudyRecord) -> Vec<Block> {
    let mut blocks = vec![Block::Prose(
        "The F-measure is the mean number of tests a guide needs to reveal the first failure; the F-ratio divides it by that of \
         the baseline."
            .to_owned(),
    )];
    blocks.extend(figures::f_ratios(&[record]));
    blocks.push(wins(record, "F-measure"));
    blocks.push(Block::Prose(format!(
        "{}.",
        words::friedman("F-measure", record.f_comparison.friedman.as_ref())
    )));
    let caption =
        "Wilcoxon signed-rank tests of F-measures over the faults; bold is significant.".to_owned();
    blocks.push(Block::Details(
        "Tests of each pair".into(),
        vec![Block::Table(caption, tables::tests(&record.f_comparison))],
    ));
    let caption = format!(
        "Failure rate, F-measure of `{}` and F-ratios of the other guides per fault; below 1 is better.",
        record.baseline
    );
    blocks.push(folded(
        "F-ratios per fault",
        caption,
        tables::ratios(record),
    ));
    let caption = format!(
        "All measures per fault and guide, with {} confidence intervals of the F-measure. Censored runs ended without a failure.",
        number::percent(record.confidence, 0)
    );
    let table = Block::Table(caption, tables::results(record));
    blocks.push(Block::Details(
        "All measures per fault and guide".into(),
        vec![table],
    ));
    blocks
}

fn p_measure(record: &StudyRecord) -> Vec<Block> {
    let mut blocks: Vec<Block> = figures::p_measures(record).into_iter().collect();
    blocks.push(Block::Prose(
        "The PMA of a fault is the area under its curve.".into(),
    ));
    blocks.push(wins(record, "PMA"));
    blocks.push(Block::Prose(format!(
        "{}.",
        words::friedman("PMA", record.pma_comparison.friedman.as_ref())
    )));
    let caption =
        "Wilcoxon signed-rank tests of PMAs over the faults; bold is significant.".to_owned();
    blocks.push(Block::Details(
        "Tests of each pair".into(),
        vec![Block::Table(caption, tables::tests(&record.pma_comparison))],
    ));
    blocks
}

/// The win table of one measure.
fn wins(record: &StudyRecord, measure: &str) -> Block {
    let (better, comparison) = match measure {
        "PMA" => ("higher", &record.pma_comparison),
        _ => ("lower", &record.f_comparison),
    };
    let caption = format!(
        "Faults on which the guide above has a {better} (better) {measure} than the guide on the left; bold pairs differ \
         significantly at {} over {}.",
        record.alpha,
        hypotheses(record)
    );
    Block::Table(caption, tables::wins(record, comparison))
}

fn generation(record: &StudyRecord) -> Vec<Block> {
    let Some(figure) = figures::generation(record) else {
        return Vec::new();
    };
    let caption = format!(
        "Time to generate tests per guide, then relative to `{}`.",
        record.baseline
    );
    vec![figure, Block::Table(caption, tables::generation(record))]
}

fn frames(record: &StudyRecord) -> Vec<Block> {
    if record
        .versions
        .iter()
        .all(|version| version.failing_frames.is_none())
    {
        return Vec::new();
    }
    let mut blocks: Vec<Block> = figures::distances(record).into_iter().collect();
    let caption = "Frames that hold a failure, mean failure rate within them, mean distance between them, and the F-ratios of \
                   the guides."
        .to_owned();
    blocks.push(folded(
        "Failing frames per fault",
        caption,
        tables::frames(record),
    ));
    blocks
}

fn dropped(record: &StudyRecord) -> Vec<Block> {
    if record.dropped_versions.is_empty() {
        return Vec::new();
    }
    let reasons = crate::left_out::reasons(&record.dropped_versions);
    let items = reasons
        .into_iter()
        .map(|(count, reason)| format!("{}: {reason}", number::count(count)));
    let table = Block::Table(
        "Versions left out of the study.".into(),
        tables::dropped(record),
    );
    vec![
        Block::Items(items.collect()),
        Block::Details("All versions left out".into(), vec![table]),
    ]
}

fn method(record: &StudyRecord) -> Vec<Block> {
    let source = match record.pool {
        Some(inputs) => format!(
            "a pool of {}",
            number::counted(inputs, "classified input", "classified inputs")
        ),
        None => "the generator directly".to_owned(),
    };
    vec![
        Block::Prose(format!(
            "Tests were drawn from {source}. One sequence of tests per run and guide served all versions. Time: {}.",
            words::timing(record)
        )),
        Block::Code(record.command.clone()),
    ]
}

/// A table, folded when it is long.
fn folded(summary: &str, caption: String, table: Table) -> Block {
    let rows = table.rows.len();
    let block = Block::Table(caption, table);
    if rows > FOLD {
        Block::Details(format!("{summary} ({rows} rows)"), vec![block])
    } else {
        block
    }
}

fn fact(name: &str, value: String) -> (String, String) {
    (name.to_owned(), value)
}
