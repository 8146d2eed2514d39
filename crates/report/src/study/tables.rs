//! The tables of a study.

use super::selection::{others, seconds};
use super::{Comparison, GuideSummary, StudyRecord};
use crate::table::{Cell, Format, Table};

/// Per fault: the F-measure of the baseline and the F-ratios of the other guides.
pub(crate) fn ratios(record: &StudyRecord) -> Table {
    let mut table = Table::new(&[
        ("version", Format::Clipped(24)),
        ("failure rate", Format::Significant(2)),
    ]);
    table.column(format!("F of {}", record.baseline), Format::Significant(4));
    for guide in others(record) {
        table.column(guide, Format::Fixed(3));
    }
    table.column("change", Format::Clipped(44));
    for version in &record.versions {
        let baseline = version
            .result(&record.baseline)
            .and_then(|result| result.f_measure);
        let mut row = vec![
            version.name.as_str().into(),
            version.failure_rate.into(),
            baseline.into(),
        ];
        row.extend(others(record).map(|guide| {
            version
                .result(guide)
                .and_then(|result| result.f_ratio)
                .into()
        }));
        row.push(if version.mutant.is_empty() {
            Cell::absent()
        } else {
            version.mutant.as_str().into()
        });
        table.row(row);
    }
    table
}

/// Per fault and guide: every measure.
pub(crate) fn results(record: &StudyRecord) -> Table {
    let mut table = Table::new(&[
        ("version", Format::Clipped(24)),
        ("guide", Format::Text),
        ("F-measure", Format::Significant(4)),
        ("low", Format::Significant(4)),
        ("high", Format::Significant(4)),
        ("F-ratio", Format::Fixed(3)),
        ("censored runs", Format::Count),
        ("PMA", Format::Significant(4)),
        ("time to first failure", Format::Duration),
    ]);
    for version in &record.versions {
        for result in &version.results {
            table.row(vec![
                version.name.as_str().into(),
                result.guide.as_str().into(),
                result.f_measure.into(),
                result.f_interval.map(|interval| interval.low).into(),
                result.f_interval.map(|interval| interval.high).into(),
                result.f_ratio.into(),
                result.censored.into(),
                result.pma.into(),
                result.seconds_to_first_failure.into(),
            ]);
        }
    }
    table
}

/// Tables 5 and 6: on how many faults the guide above beats the guide on the left. Cells of pairs that differ
/// significantly are emphasised.
pub(crate) fn wins(record: &StudyRecord, comparison: &Comparison) -> Table {
    let mut table = Table::new(&[("", Format::Text)]);
    for guide in &record.guides {
        table.column(guide, Format::Count);
    }
    for left in &record.guides {
        let mut row = vec![Cell::from(left.as_str())];
        row.extend(
            record
                .guides
                .iter()
                .map(|above| match comparison.wins(above, left) {
                    Some((wins, test)) => {
                        Cell::from(wins).strong_if(test.is_some_and(|test| test.significant))
                    }
                    None => Cell::absent(),
                }),
        );
        table.row(row);
    }
    table
}

/// The tests behind [`wins`].
pub(crate) fn tests(comparison: &Comparison) -> Table {
    let mut table = Table::new(&[
        ("first", Format::Text),
        ("second", Format::Text),
        ("first better", Format::Count),
        ("second better", Format::Count),
        ("ties", Format::Count),
        ("W", Format::Significant(4)),
        ("p", Format::PValue),
        ("p after Holm", Format::PValue),
    ]);
    for pair in &comparison.pairs {
        let significant = pair.test.is_some_and(|test| test.significant);
        table.row(vec![
            pair.first.as_str().into(),
            pair.second.as_str().into(),
            pair.first_wins.into(),
            pair.second_wins.into(),
            pair.ties.into(),
            pair.test.map(|test| test.statistic).into(),
            pair.test.map(|test| test.p).into(),
            Cell::from(pair.test.map(|test| test.p_holm)).strong_if(significant),
        ]);
    }
    table
}

/// Per guide: the geometric mean of its F-ratios.
pub(crate) fn summaries(summaries: &[GuideSummary]) -> Table {
    let mut table = Table::new(&[
        ("guide", Format::Text),
        ("faults", Format::Count),
        ("F-ratio", Format::Fixed(3)),
        ("low", Format::Fixed(3)),
        ("high", Format::Fixed(3)),
        ("better on", Format::Count),
        ("p after Holm", Format::PValue),
    ]);
    for summary in summaries {
        table.row(vec![
            summary.guide.as_str().into(),
            summary.faults.into(),
            Cell::from(summary.f_ratio)
                .strong_if(summary.test.is_some_and(|test| test.significant)),
            summary.interval.map(|interval| interval.low).into(),
            summary.interval.map(|interval| interval.high).into(),
            summary.wins.into(),
            summary.test.map(|test| test.p_holm).into(),
        ]);
    }
    table
}

/// Table 7: time per guide and number of tests, and times relative to the baseline.
pub(crate) fn generation(record: &StudyRecord) -> Table {
    let points = record.generation.iter().flat_map(|time| &time.points);
    let mut sizes: Vec<u64> = points.map(|point| point.tests).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut table = Table::new(&[("tests", Format::Count)]);
    generation_columns(&mut table, record);
    for tests in sizes {
        let mut row = vec![tests.into()];
        row.extend(generation_cells(record, tests));
        table.row(row);
    }
    table
}

/// The columns that [`generation_cells`] fills.
pub(crate) fn generation_columns(table: &mut Table, record: &StudyRecord) {
    for guide in &record.guides {
        table.column(guide, Format::Duration);
    }
    for guide in others(record) {
        table.column(
            format!("{guide} / {}", record.baseline),
            Format::Significant(3),
        );
    }
}

/// Times of all guides at a number of tests, then times relative to the baseline.
pub(crate) fn generation_cells(record: &StudyRecord, tests: u64) -> Vec<Cell> {
    let times = record
        .guides
        .iter()
        .map(|guide| seconds(record, guide, tests).into());
    let baseline = seconds(record, &record.baseline, tests).filter(|seconds| *seconds > 0.0);
    let relative = others(record).map(|guide| {
        let ratio = seconds(record, guide, tests)
            .zip(baseline)
            .map(|(own, baseline)| own / baseline);
        ratio.into()
    });
    times.chain(relative).collect()
}

/// Section 6: how the failures of each version lie in the space of frames, beside the F-ratios.
pub(crate) fn frames(record: &StudyRecord) -> Table {
    let mut table = Table::new(&[
        ("version", Format::Clipped(24)),
        ("failing frames", Format::Count),
        ("failure rate within", Format::Significant(3)),
        ("distance between", Format::Significant(3)),
    ]);
    for guide in others(record) {
        table.column(guide, Format::Fixed(3));
    }
    for version in &record.versions {
        let frames = version.failing_frames.as_ref();
        let mut row = vec![
            version.name.as_str().into(),
            frames.map(|frames| frames.frames).into(),
            frames.map(|frames| frames.failure_rate_within).into(),
            frames.and_then(|frames| frames.mean_distance).into(),
        ];
        row.extend(others(record).map(|guide| {
            version
                .result(guide)
                .and_then(|result| result.f_ratio)
                .into()
        }));
        table.row(row);
    }
    table
}

/// Versions left out, with the reason.
pub(crate) fn dropped(record: &StudyRecord) -> Table {
    crate::left_out::table("version", &record.dropped_versions)
}
