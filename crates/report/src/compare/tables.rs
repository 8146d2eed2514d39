//! The tables of a comparison.

use super::{CompareRecord, ComparedUnit};
use crate::table::{Cell, Format, Table};

/// p-values below this are emphasised.
const ALPHA: f64 = 0.05;

fn number(value: Option<f64>) -> Cell {
    value.map_or_else(Cell::absent, Cell::from)
}

fn p_value(value: Option<f64>) -> Cell {
    number(value).strong_if(value.is_some_and(|p| p < ALPHA))
}

/// One row per guide.
pub(super) fn guides(record: &CompareRecord) -> Table {
    let mut table = Table::new(&[
        ("guide", Format::Text),
        ("mean", Format::Percent(1)),
        ("median", Format::Percent(1)),
        ("of the rest", Format::Percent(1)),
        ("A12", Format::Fixed(2)),
        ("p", Format::PValue),
        ("better", Format::Count),
        ("worse", Format::Count),
        ("p over all", Format::PValue),
        ("at zero", Format::Count),
        ("failures", Format::Fixed(1)),
    ]);
    for guide in &record.guides {
        table.row(vec![
            guide.guide.clone().into(),
            guide.mean.into(),
            guide.median.into(),
            number(guide.gained),
            number(guide.a12),
            p_value(guide.p),
            guide.better_units.into(),
            guide.worse_units.into(),
            p_value(guide.p_over_units),
            guide.zero_units.into(),
            guide.failures.into(),
        ]);
    }
    table
}

/// The mean and the median of every guide on a unit.
fn averages(unit: &ComparedUnit) -> impl Iterator<Item = (f64, f64)> {
    let means = unit.means.iter().copied();
    means.zip(unit.medians.iter().copied())
}

/// One row for each of these units.
pub(super) fn units(record: &CompareRecord, listed: &[&ComparedUnit]) -> Table {
    let mut table = Table::new(&[("unit", Format::Text), ("goals", Format::Count)]);
    for (index, guide) in record.guides.iter().enumerate() {
        table.column(format!("{} mean", guide.guide), Format::Percent(1));
        table.column("median", Format::Percent(1));
        if index > 0 {
            table.column("A12", Format::Fixed(2));
            table.column("p", Format::PValue);
        }
    }
    for unit in listed {
        let mut row: Vec<Cell> = vec![unit.name.clone().into(), unit.total.into()];
        for (index, (mean, median)) in averages(unit).enumerate() {
            row.push(mean.into());
            row.push(median.into());
            if let Some(test) = index.checked_sub(1).and_then(|one| unit.tests.get(one)) {
                row.push(number(test.a12));
                row.push(p_value(test.p));
            }
        }
        table.row(row);
    }
    table
}

/// One row per unit and guide, for other programs.
pub(super) fn unit_guides(record: &CompareRecord) -> Table {
    let mut table = Table::new(&[
        ("unit", Format::Text),
        ("goals", Format::Count),
        ("guide", Format::Text),
        ("mean", Format::Percent(1)),
        ("median", Format::Percent(1)),
        ("a12", Format::Fixed(2)),
        ("p", Format::PValue),
    ]);
    for unit in &record.units {
        let guides = record.guides.iter().zip(averages(unit));
        for (index, (guide, (mean, median))) in guides.enumerate() {
            let test = index.checked_sub(1).and_then(|one| unit.tests.get(one));
            table.row(vec![
                unit.name.clone().into(),
                unit.total.into(),
                guide.guide.clone().into(),
                mean.into(),
                median.into(),
                number(test.and_then(|test| test.a12)),
                number(test.and_then(|test| test.p)),
            ]);
        }
    }
    table
}

/// One row per run.
pub(super) fn runs(record: &CompareRecord) -> Table {
    let mut table = Table::new(&[
        ("guide", Format::Text),
        ("seed", Format::Count),
        ("covered", Format::Count),
        ("total", Format::Count),
        ("executions", Format::Count),
        ("seconds", Format::Fixed(2)),
        ("whole-seconds", Format::Fixed(2)),
        ("failures", Format::Count),
        ("suite-tests", Format::Count),
    ]);
    for run in &record.runs {
        table.row(vec![
            run.guide.clone().into(),
            run.seed.into(),
            run.covered.into(),
            run.total.into(),
            run.executions.into(),
            run.seconds.into(),
            run.whole_seconds.into(),
            run.failures.into(),
            run.suite_tests.into(),
        ]);
    }
    table
}
