//! The report of a comparison: guides run side by side on one subject, several times each.
//!
//! It presents what Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015) present of theirs: coverage over time, box
//! plots of each guide (Fig. 7), and tests of significance with effect sizes. The driver measures and tests; nothing is
//! computed here but what drawing needs.

mod page;
mod record;
mod studies;
mod tables;
mod terminal;

pub use page::html;
pub use record::{
    Beaten, Best, CompareRecord, ComparedGuide, ComparedRun, ComparedUnit, CurvePlace, UnitTest,
};
pub use studies::{CostRecord, ReachedRecord};
pub use terminal::terminal;

/// The record as JSON, indented.
#[must_use]
pub fn json(record: &CompareRecord) -> String {
    crate::json::pretty(record)
}

/// All runs as CSV, one row each.
#[must_use]
pub fn csv(record: &CompareRecord) -> String {
    tables::runs(record).csv()
}

/// All units as CSV, one row for each guide: means, medians, and A12 and Mann-Whitney p against the first guide.
#[must_use]
pub fn units_csv(record: &CompareRecord) -> String {
    tables::unit_guides(record).csv()
}
