//! Oracles: whether what a program did is a failure, and what identifies that failure.

mod check_script;
mod core_dump;
mod difference;
mod judge;
mod signals;
mod trace;

pub use core_dump::top_frames;
pub use difference::{Difference, first_difference};
pub use judge::{Expectation, Judge, Judged, describe_end};
pub use signals::signal_name;
pub use trace::{SanitizerReport, sanitizer_report};
