//! The tables of a fault study.

use super::{FaultOutcome, FaultsRecord};
use crate::table::{Format, Table};

/// One row per faulty version, guide and budget.
pub(super) fn cells(record: &FaultsRecord) -> Table {
    let mut table = Table::new(&[
        ("faulty version", Format::Text),
        ("guide", Format::Text),
        ("budget", Format::Text),
        ("detected", Format::Text),
        ("fail", Format::Count),
        ("pass", Format::Count),
        ("broken", Format::Count),
        ("likelihood", Format::Percent(1)),
        ("from", Format::Percent(1)),
        ("to", Format::Percent(1)),
        ("tests", Format::Fixed(1)),
    ]);
    for fault in &record.faults {
        for cell in &fault.cells {
            let tests: u64 = cell.runs.iter().map(|run| run.tests).sum();
            table.row(vec![
                fault.faulty.clone().into(),
                cell.guide.clone().into(),
                cell.budget.clone().into(),
                if cell.detected { "yes" } else { "no" }.into(),
                cell.count(FaultOutcome::Fail).into(),
                cell.count(FaultOutcome::Pass).into(),
                cell.count(FaultOutcome::Broken).into(),
                cell.likelihood.into(),
                cell.low.into(),
                cell.high.into(),
                (tests as f64 / cell.runs.len().max(1) as f64).into(),
            ]);
        }
    }
    table
}

/// One row per guide and budget.
pub(super) fn totals(record: &FaultsRecord) -> Table {
    let mut table = Table::new(&[
        ("guide", Format::Text),
        ("budget", Format::Text),
        ("detected", Format::Count),
        ("of", Format::Count),
        ("mean likelihood", Format::Percent(1)),
    ]);
    for total in &record.totals {
        table.row(vec![
            total.guide.clone().into(),
            total.budget.clone().into(),
            total.detected.into(),
            (record.faults.len() as u64).into(),
            total.likelihood.into(),
        ]);
    }
    table
}

/// One row per run and faulty version.
pub(super) fn runs(record: &FaultsRecord) -> Table {
    let mut table = Table::new(&[
        ("faulty-version", Format::Text),
        ("guide", Format::Text),
        ("budget", Format::Text),
        ("seed", Format::Count),
        ("outcome", Format::Text),
        ("tests", Format::Count),
        ("dropped", Format::Count),
        ("failing", Format::Count),
        ("seconds", Format::Fixed(2)),
        ("whole-seconds", Format::Fixed(2)),
        ("cause", Format::Clipped(80)),
    ]);
    for fault in &record.faults {
        for cell in &fault.cells {
            for run in &cell.runs {
                table.row(vec![
                    fault.faulty.clone().into(),
                    cell.guide.clone().into(),
                    cell.budget.clone().into(),
                    run.seed.into(),
                    run.outcome.name().into(),
                    run.tests.into(),
                    run.dropped.into(),
                    (run.failing.len() as u64).into(),
                    run.seconds.into(),
                    run.whole_seconds.into(),
                    run.cause.clone().into(),
                ]);
            }
        }
    }
    table
}
