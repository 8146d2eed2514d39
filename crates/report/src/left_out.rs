//! Something a report must not keep silent about: a test, version, operation or choice that was left out, and why.

use crate::table::{Format, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something left out, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LeftOut {
    /// Name of the test, version, operation or choice.
    pub name: String,
    /// Why, for example `output differed when run again` or `never failed in 100000 random tests`.
    pub reason: String,
}

/// A table of what was left out; `what` heads the names.
pub(crate) fn table(what: &str, left_out: &[LeftOut]) -> Table {
    let mut table = Table::new(&[(what, Format::Clipped(40)), ("reason", Format::Text)]);
    for LeftOut { name, reason } in left_out {
        table.row(vec![name.as_str().into(), reason.as_str().into()]);
    }
    table
}

/// How many were left out for each reason, most frequent first.
pub(crate) fn reasons(left_out: &[LeftOut]) -> Vec<(u64, &str)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for LeftOut { reason, .. } in left_out {
        *counts.entry(reason).or_default() += 1;
    }
    let mut reasons: Vec<(u64, &str)> = counts
        .into_iter()
        .map(|(reason, count)| (count, reason))
        .collect();
    reasons.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted_most_frequent_first() {
        let left_out = |reason: &str| LeftOut {
            name: "x".into(),
            reason: reason.into(),
        };
        let all = ["b", "a", "c", "b"].map(left_out);
        assert_eq!(reasons(&all), [(2, "b"), (1, "a"), (1, "c")]);
    }
}
