//! What the written suite of a harness covers, as an LCOV tracefile: its tests are replayed once more, with lines measured.

use super::Campaign;
use super::file::TestFunction;
use crate::python::source_record::source_record;
use engine::{Goal, Test};
use python::harness::{Goals, Report, judge};
use python::protocol::{Measure, ProbeKind};
use python::session::{Session, WorkerError};
use report::jvm::ClassRecord;
use std::collections::BTreeMap;
use std::path::Path;

/// The tracefile of these tests; counts are tests.
pub fn lcov(campaign: &Campaign<'_>, tests: &[TestFunction]) -> Result<String, WorkerError> {
    let load = campaign.load(Measure::Lines);
    let mut session = Session::new(&campaign.runtime, &campaign.launch, load);
    let target = &campaign.target;
    let mut goals = Goals::default();
    let mut counts: BTreeMap<Goal, u64> = BTreeMap::new();
    for test in tests {
        let test = Test {
            steps: test.steps.clone(),
        };
        let ran = session.run(&[target.encode(&test, Report::All)])?;
        let files = session.files();
        for ran in &ran {
            let judged = judge(ran, &target.model, &mut goals, &|| files.clone());
            for goal in judged.observation.hits {
                *counts.entry(goal).or_default() += 1;
            }
        }
    }
    goals.add_all(&session.files());
    let mut files: BTreeMap<&str, Vec<(ProbeKind, u64)>> = BTreeMap::new();
    for (goal, file, kind) in goals.places() {
        let tests = counts.get(&goal).copied().unwrap_or(0);
        files.entry(file).or_default().push((kind, tests));
    }
    let record = |(file, probes): (&&str, &Vec<_>)| {
        let name = Path::new(file).with_extension("").display().to_string();
        let text = std::fs::read_to_string(file).unwrap_or_default();
        source_record(name.trim_start_matches('/').to_owned(), file, &text, probes)
    };
    let records: Vec<ClassRecord> = files.iter().map(record).collect();
    Ok(report::lcov::document(&records, &|path| format!("/{path}")))
}
