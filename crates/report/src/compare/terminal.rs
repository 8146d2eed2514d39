//! A comparison as terminal text.

use super::{CompareRecord, studies, tables};
use crate::escape::one_line;

/// Units that are listed; the rest is in the files.
const MOST: usize = 40;

/// What a person wants to see at the end of a comparison.
#[must_use]
pub fn terminal(record: &CompareRecord) -> String {
    let runs = record.runs.len() / record.guides.len().max(1);
    let mut text = format!(
        "comparison on {}: {}, {} runs of each guide, {} each\n\n",
        one_line(&record.subject),
        record.measure,
        runs,
        record.budget
    );
    text += &tables::guides(record).text();
    if record.units.len() <= MOST {
        text += "\nmedians per unit; A12 and p against the first guide\n\n";
        text += &tables::units(record).text();
    }
    for (sentence, table) in studies::tables(record) {
        text += &format!("\n{}\n\n{}", one_line(&sentence), table.text());
    }
    text += &format!(
        "\n{}\nto repeat: {}\n",
        record.recommendation,
        one_line(&record.command)
    );
    text
}
