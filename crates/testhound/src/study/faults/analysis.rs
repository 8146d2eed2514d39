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
