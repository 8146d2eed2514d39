//! From the outcomes of all runs to the record of the study.

use super::Asked;
use super::job::Budget;
use report::faults::{FaultCell, FaultOutcome, FaultRecord, FaultRun, FaultTotal, FaultsRecord};

/// The confidence of intervals.
const CONFIDENCE: f64 = 0.95;

/// The runs of one guide with one budget.
pub struct Cell {
    guide: String,
    budget: String,
    /// By faulty version, then seed.
    pub runs: Vec<Vec<FaultRun>>,
}

impl Cell {
    /// A cell without runs.
    pub fn new(guide: &str, budget: Budget, faults: usize) -> Cell {
        Cell {
            guide: guide.to_owned(),
            budget: budget.to_string(),
            runs: vec![Vec::new(); faults],
        }
    }
}

/// The record of a study.
pub fn analyse(asked: &Asked<'_>, command: &str, cells: Vec<Cell>) -> FaultsRecord {
    let flags = &asked.flags.faults;
    let faults = (0..).zip(&flags.faulty).map(|(index, faulty)| {
        let of = |cell: &Cell| fault_cell(cell, &cell.runs[index]);
        FaultRecord {
            faulty: faulty.clone(),
            cells: cells.iter().map(of).collect(),
        }
    });
    let faults: Vec<FaultRecord> = faults.collect();
    FaultsRecord {
        fixed: asked.fixed.to_owned(),
        classes: flags.class.clone(),
        command: command.to_owned(),
        program: concat!("testhound ", env!("CARGO_PKG_VERSION")).to_owned(),
        runs: asked.seeds.clone().count() as u64,
        totals: (0..cells.len())
            .map(|index| total(&faults, index))
            .collect(),
        faults,
    }
}

fn fault_cell(cell: &Cell, runs: &[FaultRun]) -> FaultCell {
    let found = runs.iter().filter(|run| run.outcome == FaultOutcome::Fail);
    let found = found.count() as u64;
    let interval = stats::share_interval(found, runs.len() as u64, CONFIDENCE);
    let interval = interval.expect("a study has at least one run");
    FaultCell {
        guide: cell.guide.clone(),
        budget: cell.budget.clone(),
        detected: found > 0,
        likelihood: found as f64 / runs.len() as f64,
        low: interval.low,
        high: interval.high,
        runs: runs.to_vec(),
    }
}

fn total(faults: &[FaultRecord], index: usize) -> FaultTotal {
    let cells: Vec<&FaultCell> = faults.iter().map(|fault| &fault.cells[index]).collect();
    let likelihood: f64 = cells.iter().map(|cell| cell.likelihood).sum();
    FaultTotal {
        guide: cells[0].guide.clone(),
        budget: cells[0].budget.clone(),
        detected: cells.iter().filter(|cell| cell.detected).count() as u64,
        likelihood: likelihood / cells.len() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;
    use report::faults::FaultOutcome::{Broken, Fail, Pass};

    /// Runs with these outcomes.
    fn runs(outcomes: &[(FaultOutcome, usize)]) -> Vec<FaultRun> {
        let all = outcomes
            .iter()
            .flat_map(|&(outcome, count)| vec![outcome; count]);
        (1..)
            .zip(all)
            .map(|(seed, outcome)| FaultRun {
                seed,
                outcome,
                cause: String::new(),
                tests: 5,
                dropped: 0,
                failing: Vec::new(),
                seconds: 1.0,
                whole_seconds: 2.0,
            })
            .collect()
    }

    /// A study of three faults with two guides, ten runs each.
    fn record() -> FaultsRecord {
        let words = "testhound study --fixed a.jar --faulty 1.jar --faulty 2.jar --faulty 3.jar";
        let cli = Cli::try_parse_from(words.split(' ')).unwrap();
        let Command::Study(flags) = cli.command else {
            panic!("the words name this subcommand");
        };
        let asked = Asked {
            fixed: "a.jar",
            flags: &flags,
            guides: vec!["random".to_owned(), "grt".to_owned()],
            budgets: vec![Budget::Executions(500)],
            seeds: 1..11,
        };
        let cells = [
            (
                "random",
                [
                    runs(&[(Pass, 7), (Fail, 3)]),
                    runs(&[(Pass, 10)]),
                    runs(&[(Broken, 10)]),
                ],
            ),
            (
                "grt",
                [
                    runs(&[(Fail, 9), (Broken, 1)]),
                    runs(&[(Pass, 9), (Fail, 1)]),
                    runs(&[(Broken, 6), (Pass, 4)]),
                ],
            ),
        ];
        let cells = cells.map(|(guide, runs)| Cell {
            runs: runs.to_vec(),
            ..Cell::new(guide, Budget::Executions(500), 3)
        });
        analyse(&asked, "", cells.into())
    }

    #[test]
    fn a_fault_is_detected_if_one_suite_of_all_runs_fails_on_it() {
        let record = record();
        let detected = |fault: &FaultRecord| fault.cells.iter().map(|one| one.detected).collect();
        let detected: Vec<Vec<bool>> = record.faults.iter().map(detected).collect();
        // A single suite of ten is enough, and one that is broken detects nothing.
        assert_eq!(detected, [[true, true], [false, true], [false, false]]);
        let union: Vec<(&str, u64)> = record
            .totals
            .iter()
            .map(|total| (total.guide.as_str(), total.detected))
            .collect();
        assert_eq!(union, [("random", 1), ("grt", 2)]);
        assert_eq!(
            (record.runs, record.faults[2].faulty.as_str()),
            (10, "3.jar")
        );
    }

    #[test]
    fn the_likelihood_is_the_share_of_all_runs_broken_ones_included() {
        let record = record();
        let likelihood =
            |fault: &FaultRecord| fault.cells.iter().map(|one| one.likelihood).collect();
        let likelihoods: Vec<Vec<f64>> = record.faults.iter().map(likelihood).collect();
        assert_eq!(likelihoods, [[0.3, 0.9], [0.0, 0.1], [0.0, 0.0]]);
        let means: Vec<f64> = record.totals.iter().map(|one| one.likelihood).collect();
        // (3 + 0 + 0) and (9 + 1 + 0) of three times ten runs.
        for (mean, expected) in means.iter().zip([0.1, 1.0 / 3.0]) {
            assert!((mean - expected).abs() < 1e-12, "{means:?}");
        }
    }

    #[test]
    fn the_interval_of_the_likelihood_is_wilsons() {
        let record = record();
        // With z = 1.959964 and n = 10: (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n).
        for (fault, low, high) in [(0, 0.107_791, 0.603_222), (1, 0.0, 0.277_533)] {
            let cell = &record.faults[fault].cells[0];
            assert!((cell.low - low).abs() < 1e-5, "{}", cell.low);
            assert!((cell.high - high).abs() < 1e-5, "{}", cell.high);
        }
    }
}
