//! Something a report must not keep silent about: a test, version, operation or choice that was left out, and why.

use serde::{Deserialize, Serialize};

/// Something left out, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LeftOut {
    /// Name of the test, version, operation or choice.
    pub name: String,
    /// Why, for example `output differed when run again` or `never failed in 100000 random tests`.
    pub reason: String,
}
