//! What a comparison may measure besides coverage: how long the first guide needs for the coverage of the others, and what measuring
//! coverage costs.
//!
//! Source: Holmes et al., "Using Relative Lines of Code to Guide Automated Test Generation for Python", `=branch` in Table 4, and Table 6.

use super::CompareRecord;
use crate::table::{Cell, Format, Table};
use serde::{Deserialize, Serialize};

/// How long the first guide needs to cover what another covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ReachedRecord {
    /// The other guide.
    pub guide: String,
    /// The goals that it covers, on average.
    pub covered: f64,
    /// The mean of what runs of the first guide needed: seconds, or executions where that is the budget. One that did not get there counts
    /// with all it had.
    pub needed: f64,
    /// Runs that got there.
    pub reached: u64,
    /// All runs.
    pub runs: u64,
}

/// What measuring coverage costs a guide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CostRecord {
    /// The guide.
    pub guide: String,
    /// Mean actions per second with coverage.
    pub with: f64,
    /// The same without; nothing for a guide that needs coverage.
    pub without: Option<f64>,
    /// The mean over seeds of how many times more actions a run takes without.
    pub gain: Option<f64>,
}

/// The tables that there is something for, with a sentence each.
pub(super) fn tables(record: &CompareRecord) -> Vec<(String, Table)> {
    let baseline = record.guides.first().map_or("", |guide| &guide.guide);
    let all = [
        (
            format!(
                "how long `{baseline}` needs to cover as much; runs that did not get there count with all they had"
            ),
            reached(record),
        ),
        (
            "actions per second with coverage and without, and how many times more a run takes without".to_owned(),
            costs(record),
        ),
    ];
    all.into_iter()
        .filter(|(_, table)| !table.rows.is_empty())
        .collect()
}

fn reached(record: &CompareRecord) -> Table {
    let by_executions = record.budget.ends_with("executions");
    let (unit, format) = match by_executions {
        true => ("executions", Format::Fixed(0)),
        false => ("seconds", Format::Fixed(1)),
    };
    let mut table = Table::new(&[
        ("as much as", Format::Text),
        ("covered", Format::Fixed(1)),
        (unit, format),
        ("got there", Format::Text),
    ]);
    for one in &record.reached {
        table.row(vec![
            one.guide.clone().into(),
            one.covered.into(),
            one.needed.into(),
            format!("{} of {}", one.reached, one.runs).into(),
        ]);
    }
    table
}

fn costs(record: &CompareRecord) -> Table {
    let mut table = Table::new(&[
        ("guide", Format::Text),
        ("with", Format::Fixed(0)),
        ("without", Format::Fixed(0)),
        ("gain", Format::Fixed(2)),
    ]);
    let number = |value: Option<f64>| value.map_or_else(Cell::absent, Cell::from);
    for one in &record.costs {
        table.row(vec![
            one.guide.clone().into(),
            one.with.into(),
            number(one.without),
            number(one.gain),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_measured_is_shown() {
        let mut record = CompareRecord {
            subject: "toy".to_owned(),
            command: String::new(),
            program: String::new(),
            budget: "60s".to_owned(),
            measure: String::new(),
            guides: vec![],
            runs: vec![],
            units: vec![],
            recommendation: String::new(),
            best: None,
            reached: vec![],
            costs: vec![],
        };
        assert!(tables(&record).is_empty());
        record.reached.push(ReachedRecord {
            guide: "loc".to_owned(),
            covered: 40.5,
            needed: 123.44,
            reached: 2,
            runs: 3,
        });
        record.costs.push(CostRecord {
            guide: "ga".to_owned(),
            with: 1000.0,
            without: None,
            gain: None,
        });
        let text: String = tables(&record)
            .iter()
            .map(|(_, table)| table.text())
            .collect();
        for shown in ["seconds", "40.5", "123.4", "2 of 3", "1000"] {
            assert!(text.contains(shown), "{shown}: {text}");
        }
        assert!(super::super::terminal(&record, "units.csv").contains("2 of 3"));
        assert!(super::super::html(&record).contains("2 of 3"));
    }
}
