//! The report of a fault study: suites generated on a fixed version, run on faulty ones.
//!
//! It presents what Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section IV-C1 and Table IV, present of
//! theirs: how many faults the suites of all runs detect together. Beside it stands how likely one run detects each fault. The
//! driver measures; nothing is computed here but totals.

mod page;
mod record;
mod tables;
mod terminal;

pub use page::html;
pub use record::{FaultCell, FaultOutcome, FaultRecord, FaultRun, FaultTotal, FaultsRecord};
pub use terminal::terminal;

/// The record as JSON, indented.
#[must_use]
pub fn json(record: &FaultsRecord) -> String {
    crate::json::pretty(record)
}

/// All runs on all faulty versions as CSV, one row each.
#[must_use]
pub fn csv(record: &FaultsRecord) -> String {
    tables::runs(record).csv()
}
