//! A fault study as terminal text.

use super::{FaultOutcome, FaultsRecord, tables};
use crate::escape::{clipped, one_line};

/// What a person wants to see at the end of a fault study.
#[must_use]
pub fn terminal(record: &FaultsRecord) -> String {
    let mut text = format!(
        "faults against suites of {}: {} runs of each guide with each budget\n\n",
        one_line(&record.fixed),
        record.runs,
    );
    text += &tables::cells(record).text();
    if record.faults.len() > 1 {
        text += "\nall faults\n\n";
        text += &tables::totals(record).text();
    }
    for fault in &record.faults {
        let runs = fault.cells.iter().flat_map(|cell| &cell.runs);
        let mut broken = runs.filter(|run| run.outcome == FaultOutcome::Broken);
        if let Some(run) = broken.next() {
            let cause = clipped(&one_line(&run.cause), 160);
            text += &format!("\nbroken on {}: {cause}\n", one_line(&fault.faulty));
        }
    }
    text += &format!("\nto repeat: {}\n", one_line(&record.command));
    text
}
