//! The report of a JVM run: what was executed, what failed, what was covered per class and method, what was kept.
//!
//! [`JvmRunRecord`] is filled by the binary. The coverage part of it ([`ClassRecord`]) is also what the exporters for
//! other tools take: [`lcov`](crate::lcov) and [`jacoco`](crate::jacoco).

mod measure;
mod mutate;
mod page;
mod record;
mod source_view;
mod tables;
mod terminal;
mod totals;

pub use measure::{
    GoalRecord, MeasureRecord, MeasuredTestRecord, measure_html, measure_json, measure_terminal,
};
pub use mutate::{
    MutantFate, MutantRecord, MutateRecord, mutate_html, mutate_json, mutate_terminal,
};
pub use page::html;
pub use record::{
    BranchRecord, ClassRecord, Counter, DegradedRecord, FrameRecord, JvmFailureRecord,
    JvmRunRecord, JvmTotals, LineRecord, MethodRecord, MutationTotals, Reason, RetiredRecord,
    SourceText,
};
pub use terminal::terminal;
pub use totals::totals;

/// The record as JSON, indented.
#[must_use]
pub fn json(record: &JvmRunRecord) -> String {
    crate::json::pretty(record)
}
