//! A study as CSV files: long format, full precision, the subject in the first column of every file.

use super::{Comparison, GuideSummary, StudyRecord, TestResult};
use crate::table::{Cell, Format, Table};

/// A file: its name, its columns after the subject, separated by spaces, and its rows.
struct File {
    name: &'static str,
    columns: &'static str,
    rows: fn(&StudyRecord) -> Vec<Vec<Cell>>,
}

const FILES: [File; 7] = [
    File {
        name: "versions.csv",
        columns: "version mutant failure-rate failing-frames failure-rate-within-frames distance-between-frames \
                  dropped-because",
        rows: versions,
    },
    File {
        name: "results.csv",
        columns: "version guide f-measure f-low f-high f-ratio censored pma seconds-to-first-failure",
        rows: results,
    },
    File {
        name: "p-measures.csv",
        columns: "version guide tests p-measure low high",
        rows: p_measures,
    },
    File {
        name: "comparisons.csv",
        columns: "measure test first second first-wins second-wins ties statistic p p-holm significant",
        rows: comparisons,
    },
    File {
        name: "summaries.csv",
        columns: SUMMARY,
        rows: |record| summaries(&record.summaries),
    },
    File {
        name: "generation.csv",
        columns: "guide tests seconds",
        rows: generation,
    },
    File {
        name: "timing.csv",
        columns: "matrix-seconds matrix-executions left-out-seconds workers simulation-seconds runs tests-per-run seed",
        rows: timing,
    },
];

const SUMMARY: &str = "guide faults f-ratio low high wins p p-holm significant";

/// The files of one study: name and content.
#[must_use]
pub fn csv(record: &StudyRecord) -> Vec<(String, String)> {
    files(&[record])
}

/// The files of several studies; each holds the rows of all subjects.
pub(crate) fn files(records: &[&StudyRecord]) -> Vec<(String, String)> {
    let file = |file: &File| {
        let mut table = table(&format!("subject {}", file.columns));
        for record in records {
            for mut row in (file.rows)(record) {
                row.insert(0, record.subject.as_str().into());
                table.row(row);
            }
        }
        (file.name.to_owned(), table.csv())
    };
    FILES.iter().map(file).collect()
}

/// Summaries that belong to no single subject, as one file.
pub(crate) fn overall(overall: &[GuideSummary]) -> String {
    let mut table = table(SUMMARY);
    table.rows = summaries(overall);
    table.csv()
}

fn table(columns: &str) -> Table {
    let columns: Vec<(&str, Format)> = columns
        .split_whitespace()
        .map(|column| (column, Format::Text))
        .collect();
    Table::new(&columns)
}

fn versions(record: &StudyRecord) -> Vec<Vec<Cell>> {
    let kept = record.versions.iter().map(|version| {
        let frames = version.failing_frames.as_ref();
        vec![
            version.name.as_str().into(),
            version.mutant.as_str().into(),
            version.failure_rate.into(),
            frames.map(|frames| frames.frames).into(),
            frames.map(|frames| frames.failure_rate_within).into(),
            frames.and_then(|frames| frames.mean_distance).into(),
            Cell::absent(),
        ]
    });
    let dropped = record.dropped_versions.iter().map(|version| {
        let mut row = vec![Cell::absent(); 7];
        row[0] = version.name.as_str().into();
        row[6] = version.reason.as_str().into();
        row
    });
    kept.chain(dropped).collect()
}

fn results(record: &StudyRecord) -> Vec<Vec<Cell>> {
    let rows = record.versions.iter().flat_map(|version| {
        version.results.iter().map(|result| {
            vec![
                version.name.as_str().into(),
                result.guide.as_str().into(),
                result.f_measure.into(),
                result.f_interval.map(|interval| interval.low).into(),
                result.f_interval.map(|interval| interval.high).into(),
                result.f_ratio.into(),
                result.censored.into(),
                result.pma.into(),
                result.seconds_to_first_failure.into(),
            ]
        })
    });
    rows.collect()
}

fn p_measures(record: &StudyRecord) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    for version in &record.versions {
        for result in &version.results {
            for (index, (size, p)) in record.sizes.iter().zip(&result.p_measures).enumerate() {
                let interval = result.p_intervals.get(index);
                rows.push(vec![
                    version.name.as_str().into(),
                    result.guide.as_str().into(),
                    (*size).into(),
                    (*p).into(),
                    interval.map(|interval| interval.low).into(),
                    interval.map(|interval| interval.high).into(),
                ]);
            }
        }
    }
    rows
}

fn comparisons(record: &StudyRecord) -> Vec<Vec<Cell>> {
    let mut rows = comparison_rows("f-measure", &record.f_comparison);
    rows.extend(comparison_rows("pma", &record.pma_comparison));
    rows
}

fn comparison_rows(measure: &str, comparison: &Comparison) -> Vec<Vec<Cell>> {
    let mut friedman = vec![measure.into(), "friedman".into()];
    friedman.extend(vec![Cell::absent(); 5]);
    friedman.push(comparison.friedman.map(|test| test.statistic).into());
    friedman.extend(test_cells(comparison.friedman.as_ref()));
    let mut rows = vec![friedman];
    for pair in &comparison.pairs {
        let mut row: Vec<Cell> = vec![
            measure.into(),
            "wilcoxon".into(),
            pair.first.as_str().into(),
            pair.second.as_str().into(),
            pair.first_wins.into(),
            pair.second_wins.into(),
            pair.ties.into(),
            pair.test.map(|test| test.statistic).into(),
        ];
        row.extend(test_cells(pair.test.as_ref()));
        rows.push(row);
    }
    rows
}

/// p, corrected p and `yes` or `no`.
fn test_cells(test: Option<&TestResult>) -> [Cell; 3] {
    match test {
        Some(test) => [
            test.p.into(),
            test.p_holm.into(),
            if test.significant { "yes" } else { "no" }.into(),
        ],
        None => [Cell::absent(), Cell::absent(), Cell::absent()],
    }
}

fn summaries(summaries: &[GuideSummary]) -> Vec<Vec<Cell>> {
    let row = |summary: &GuideSummary| {
        let mut row: Vec<Cell> = vec![
            summary.guide.as_str().into(),
            summary.faults.into(),
            summary.f_ratio.into(),
            summary.interval.map(|interval| interval.low).into(),
            summary.interval.map(|interval| interval.high).into(),
            summary.wins.into(),
        ];
        row.extend(test_cells(summary.test.as_ref()));
        row
    };
    summaries.iter().map(row).collect()
}

fn generation(record: &StudyRecord) -> Vec<Vec<Cell>> {
    let rows = record.generation.iter().flat_map(|time| {
        time.points.iter().map(|point| {
            vec![
                time.guide.as_str().into(),
                point.tests.into(),
                point.seconds.into(),
            ]
        })
    });
    rows.collect()
}

fn timing(record: &StudyRecord) -> Vec<Vec<Cell>> {
    let timing = &record.timing;
    vec![vec![
        timing.matrix_seconds.into(),
        timing.matrix_executions.into(),
        timing.left_out_seconds.into(),
        timing.workers.into(),
        timing.simulation_seconds.into(),
        record.runs.into(),
        record.tests_per_run.into(),
        record.seed.into(),
    ]]
}
