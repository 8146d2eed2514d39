//! The table of both tools: branches covered per module as means over seeds, and two means: of the modules that both were run on, where a
//! tool that ended with an error counts with what its tests cover, and of those where both ended without one.

use serde_json::Value;
use std::path::Path;

/// What one run gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Branches covered and all; nothing of nothing where no test could be run.
    pub branches: (u64, u64),
    /// Whether the tool ended with an error.
    pub problem: bool,
    /// Whether not all tests pass in three fresh runs.
    pub unstable: bool,
}

impl Outcome {
    /// The outcome in the folder of a run, if there is one.
    pub fn read(folder: &Path) -> Option<Outcome> {
        let text = std::fs::read_to_string(folder.join("result.json")).ok()?;
        Some(Outcome {
            branches: branches(&text)?,
            problem: folder.join("problem").exists(),
            unstable: folder.join("unstable").exists(),
        })
    }

    fn share(&self) -> f64 {
        self.branches.0 as f64 / self.branches.1.max(1) as f64
    }
}

/// Branches covered and all in a report of coverage.py.
fn branches(report: &str) -> Option<(u64, u64)> {
    let report: Value = serde_json::from_str(report).ok()?;
    let number = |name: &str| report["totals"][name].as_u64().unwrap_or(0);
    Some((number("covered_branches"), number("num_branches")))
}

/// The table, given the runs of a tool on a module.
pub fn text(modules: &[String], found: impl Fn(&str, &str) -> Vec<Outcome>) -> String {
    let mut text = line("module", ["Testhound", "Pynguin"].map(str::to_owned));
    let (mut both, mut whole) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for module in modules {
        let runs = ["ours", "pynguin"].map(|tool| found(tool, module));
        text += &line(module, [cell(&runs[0]), cell(&runs[1])]);
        if let (Some(ours), Some(theirs)) = (share(&runs[0]), share(&runs[1])) {
            both[0].push(ours);
            both[1].push(theirs);
            if !runs.iter().flatten().any(|run| run.problem) {
                whole[0].push(ours);
                whole[1].push(theirs);
            }
        }
    }
    text += &mean("run by both", both);
    text += &mean("without errors", whole);
    text + "* the tool ended with an error   ! not all tests pass in three fresh runs\n"
}

fn mean(which: &str, shares: [Vec<f64>; 2]) -> String {
    let name = format!("mean of {}, {which}", shares[0].len());
    line(
        &name,
        shares.map(|shares| match stats::mean(&shares) {
            Ok(mean) => format!("{:.1} %", 100.0 * mean),
            Err(_) => "-".to_owned(),
        }),
    )
}

fn line(name: &str, [ours, theirs]: [String; 2]) -> String {
    format!("{name:30} {ours:>20} {theirs:>20}\n")
}

/// The mean share over all seeds.
fn share(runs: &[Outcome]) -> Option<f64> {
    let shares: Vec<f64> = runs.iter().map(Outcome::share).collect();
    stats::mean(&shares).ok()
}

fn cell(runs: &[Outcome]) -> String {
    let Some(share) = share(runs) else {
        return "-".to_owned();
    };
    let covered: u64 = runs.iter().map(|run| run.branches.0).sum();
    let covered = (10.0 * covered as f64 / runs.len() as f64).round() / 10.0;
    let all = runs.iter().map(|run| run.branches.1).max().unwrap_or(0);
    let note = match runs {
        _ if runs.iter().any(|run| run.problem) => "*",
        _ if runs.iter().any(|run| run.unstable) => "!",
        _ => "",
    };
    format!("{covered}/{all} {:.1} %{note}", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(covered: u64, problem: bool) -> Outcome {
        Outcome {
            branches: (covered, 8),
            problem,
            unstable: false,
        }
    }

    #[test]
    fn means_leave_out_modules_that_one_tool_lacks_and_one_of_them_those_with_errors() {
        let found = |tool: &str, module: &str| match (tool, module) {
            ("ours", "a") => vec![outcome(8, false), outcome(7, false)],
            ("ours", "b") => vec![outcome(0, false)],
            ("ours", _) => vec![outcome(4, false)],
            (_, "a") => vec![outcome(4, false)],
            (_, "c") => vec![outcome(0, true)],
            _ => Vec::new(),
        };
        let modules = ["a", "b", "c"].map(str::to_owned);
        let table = text(&modules, found);
        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(rows[1], ["a", "7.5/8", "93.8", "%", "4/8", "50.0", "%"]);
        assert_eq!(rows[2], ["b", "0/8", "0.0", "%", "-"]);
        assert_eq!(rows[3], ["c", "4/8", "50.0", "%", "0/8", "0.0", "%*"]);
        let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
        assert_eq!(rows[4], words("mean of 2, run by both 71.9 % 25.0 %"));
        assert_eq!(rows[5], words("mean of 1, without errors 93.8 % 50.0 %"));
    }

    #[test]
    fn a_report_without_totals_covers_nothing_of_nothing() {
        assert_eq!(branches(r#"{"totals": null}"#), Some((0, 0)));
        assert_eq!(
            branches(r#"{"totals": {"covered_branches": 3, "num_branches": 4}}"#),
            Some((3, 4))
        );
        assert_eq!(branches("{"), None);
    }
}
