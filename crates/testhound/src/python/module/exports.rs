//! What other tools read about a run on a module: coverage of the suite for LCOV, failures for SARIF.
//!
//! Both writers were made for classes; a module is given to them as one class with one method.

use super::Campaign;
use super::harvest::{Written, file_name};
use engine::Goal;
use python::protocol::ProbeKind;
use report::jvm::{
    BranchRecord, ClassRecord, FrameRecord, JvmFailureRecord, LineRecord, MethodRecord,
};
use report::run::RunRecord;

/// The LCOV file of a suite.
pub fn lcov(campaign: &Campaign<'_>, written: &Written) -> String {
    let file = campaign.opened.model.file.clone();
    let covered = coverage(campaign, written);
    report::lcov::document(std::slice::from_ref(&covered), &|_| file.clone())
}

/// What the written suite covers of the file, as exporters take it.
fn coverage(campaign: &Campaign<'_>, written: &Written) -> ClassRecord {
    let tests = |goal: &Goal| u64::from(written.covered.contains(goal));
    let coverage = &campaign.opened.coverage;
    let mut lines: Vec<LineRecord> = coverage
        .all()
        .filter_map(|(goal, kind)| match kind {
            ProbeKind::Line(line) => Some(LineRecord {
                line,
                tests: tests(&goal),
                instructions: None,
            }),
            _ => None,
        })
        .collect();
    lines.sort_by_key(|line| line.line);
    let branches = coverage.branches().into_iter();
    let branches = branches.map(|(line, sides)| BranchRecord {
        offset: line,
        line: Some(line),
        sides: sides.iter().map(tests).collect(),
    });
    let module = MethodRecord {
        name: "module".to_owned(),
        descriptor: String::new(),
        tests: 1,
        lines,
        branches: branches.collect(),
        instructions: None,
        reason: None,
    };
    ClassRecord {
        name: campaign.opened.model.module.replace('.', "/"),
        source_file: Some(file_name(campaign, "")),
        methods: vec![module],
        suite: None,
        reason: None,
    }
}

/// The SARIF file of the failures of a run.
pub fn sarif(campaign: &Campaign<'_>, record: &RunRecord, written: &Written) -> String {
    let file = &campaign.opened.model.file;
    let here = std::env::current_dir().unwrap_or_default();
    let shown = std::path::Path::new(file).strip_prefix(&here);
    let shown = shown.map_or_else(|_| file.clone(), |path| path.display().to_string());
    let failures = record.failures.iter().zip(&written.failing);
    let failure = |(failure, chosen): (
        &report::run::FailureRecord,
        &python::module::choose::ChosenFailure,
    )| {
        let thrown = chosen.kept.as_ref().and_then(|kept| kept.thrown.as_ref());
        let (test_file, test_name) =
            match failure.case.as_deref().and_then(|one| one.split_once("::")) {
                Some((file, name)) => (Some(file.to_owned()), Some(name.to_owned())),
                None => (None, None),
            };
        let frames = thrown.map_or(&[][..], |thrown| &thrown.frames[..]);
        JvmFailureRecord {
            signature: failure.signature.clone(),
            contract: failure.kind.clone(),
            message: failure.message.clone(),
            exception: thrown.map(|thrown| thrown.class.clone()),
            stack: frames
                .iter()
                .rev()
                .map(|(function, line, place)| FrameRecord {
                    class: campaign.opened.model.module.clone(),
                    method: function.clone(),
                    file: Some(place.clone()),
                    line: Some(*line),
                    own: place == file,
                })
                .collect(),
            operation: campaign.opened.model.module.clone(),
            count: failure.count,
            first_execution: failure.first_execution,
            test_source: failure.input.clone(),
            reduced: failure.reduced,
            test_file,
            test_name,
        }
    };
    let failures: Vec<JvmFailureRecord> = failures.map(failure).collect();
    report::sarif::document(&record.program, &failures, &|_| shown.clone())
}
