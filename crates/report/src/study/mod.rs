//! The report of a study: guides compared on the faulty versions of one subject.
//!
//! It presents the measures, figures and tables of Barus, Chen, Kuo, Liu, Merkel and Rothermel, "A cost-effective random
//! testing method for programs with non-numeric inputs" (IEEE Transactions on Computers, 2016): F-ratios (Fig. 1),
//! P-measures (Fig. 2), generation time (Fig. 3, Table 7), pairwise wins (Tables 5 and 6) and how failures lie in the
//! space of frames (Section 6). The study driver measures and tests; nothing is computed here but what drawing needs.

pub(crate) mod csv;
pub(crate) mod figures;
mod page;
mod record;
pub(crate) mod selection;
pub(crate) mod tables;
pub(crate) mod terminal;
pub(crate) mod words;

pub use csv::csv;
pub use page::html;
pub(crate) use page::sections;
pub use record::{
    Comparison, FailingFrames, GenerationPoint, GenerationTime, GuideResult, GuideSummary,
    Interval, Pair, StudyRecord, StudyTiming, TestResult, VersionRecord,
};
pub use terminal::terminal;

/// The record as JSON, indented.
#[must_use]
pub fn json(record: &StudyRecord) -> String {
    crate::json::pretty(record)
}
