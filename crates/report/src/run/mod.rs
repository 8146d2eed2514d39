//! The report of one `generate` run: what was executed, what failed, what was covered, what was kept.
//!
//! The terminal summary and the page are written for someone who sees the program for the first time: they say what each
//! number means and what to do next.

mod page;
pub(crate) mod pieces;
mod record;
mod terminal;

pub use page::html;
pub use record::{
    CriterionRecord, CurvePoint, EndCount, FailureRecord, FrameChoice, LeakRecord, RunRecord,
    SandboxRecord,
};
pub use terminal::terminal;

/// The record as JSON, indented.
#[must_use]
pub fn json(record: &RunRecord) -> String {
    crate::json::pretty(record)
}
