//! The report of one `generate` run: what was executed, what failed, what was covered, what was kept.

mod record;

pub use record::{
    CriterionRecord, CurvePoint, EndCount, FailureRecord, FrameChoice, RunRecord, SandboxRecord,
};
