//! The report of a study: guides compared on the faulty versions of one subject or of several.
//!
//! The study driver measures and tests; this module only presents what is in the records.

mod record;

pub use record::{
    Comparison, FailingFrames, GenerationPoint, GenerationTime, GuideResult, GuideSummary,
    Interval, Pair, StudiesRecord, StudyRecord, StudyTiming, TestResult, VersionRecord,
};
