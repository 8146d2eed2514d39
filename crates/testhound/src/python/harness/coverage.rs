//! What the written suite of a harness covers, as an LCOV tracefile: its tests are replayed once more, with lines measured.

use super::Campaign;
use super::file::TestFunction;
use engine::{Goal, Test};
use python::harness::{Goals, Report, judge};
use python::protocol::{Measure, ProbeKind};
use python::session::{Session, WorkerError};
use report::jvm::{BranchRecord, ClassRecord, LineRecord, MethodRecord};
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
    let records: Vec<ClassRecord> = files.iter().map(|(file, all)| record(file, all)).collect();
    Ok(report::lcov::document(&records, &|path| format!("/{path}")))
}

/// A source file as the exporter takes it: a class, with one method per function and one for the rest.
fn record(file: &str, probes: &[(ProbeKind, u64)]) -> ClassRecord {
    let mut module = method("module", Vec::new());
    let mut branches: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
    let mut methods = Vec::new();
    for &(kind, tests) in probes {
        match kind {
            ProbeKind::Line(line) => module.lines.push(covered(line, tests)),
            ProbeKind::Branch(line, side) => {
                branches.entry(line).or_default().insert(side, tests);
            }
            ProbeKind::Enter(line) => {
                let mut function = method(&format!("line{line}"), vec![covered(line, tests)]);
                function.tests = tests;
                methods.push(function);
            }
        }
    }
    module.lines.sort_by_key(|line| line.line);
    module.tests = module
        .lines
        .iter()
        .map(|line| line.tests)
        .max()
        .unwrap_or(0);
    let branch = |(line, sides): (u32, BTreeMap<u32, u64>)| BranchRecord {
        offset: line,
        line: Some(line),
        sides: sides.into_values().collect(),
    };
    module.branches = branches.into_iter().map(branch).collect();
    methods.push(module);
    let path = Path::new(file);
    let name = path.file_name().unwrap_or_default();
    ClassRecord {
        name: path
            .with_extension("")
            .display()
            .to_string()
            .trim_start_matches('/')
            .to_owned(),
        source_file: Some(name.to_string_lossy().into_owned()),
        methods,
        suite: None,
        reason: None,
    }
}

fn covered(line: u32, tests: u64) -> LineRecord {
    LineRecord {
        line,
        tests,
        instructions: None,
    }
}

fn method(name: &str, lines: Vec<LineRecord>) -> MethodRecord {
    MethodRecord {
        name: name.to_owned(),
        descriptor: String::new(),
        tests: 0,
        lines,
        instructions: None,
        branches: Vec::new(),
        reason: None,
    }
}
