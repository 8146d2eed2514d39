//! Failures of a harness as a SARIF log, for editors and code-hosting services.

use super::Campaign;
use super::failures::WrittenFailure;
use super::suite::file_name;
use report::jvm::{FrameRecord, JvmFailureRecord};
use std::path::Path;

/// The log. Places below the current folder are told relative to it.
pub fn sarif(campaign: &Campaign<'_>, program: &str, failing: &[WrittenFailure]) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let shown = |path: &str| {
        let inside = Path::new(path).strip_prefix(&here).ok();
        inside.map_or(path.to_owned(), |path| path.display().to_string())
    };
    let records: Vec<JvmFailureRecord> = failing
        .iter()
        .map(|failure| record(campaign, failure))
        .collect();
    report::sarif::document(program, &records, &shown)
}

fn record(campaign: &Campaign<'_>, one: &WrittenFailure) -> JvmFailureRecord {
    let frame = one
        .place
        .as_ref()
        .map(|(file, line, function)| FrameRecord {
            class: campaign.name().replace('.', "_"),
            method: function.clone(),
            file: Some(file.clone()),
            line: Some(*line),
            own: true,
        });
    let file = campaign.out.join("failures");
    let file = file.join(file_name(campaign, "_failures"));
    let test = one.test.as_ref();
    JvmFailureRecord {
        signature: one.failure.signature.clone(),
        contract: one.failure.oracle.clone(),
        message: one.failure.message.clone(),
        exception: None,
        stack: frame.into_iter().collect(),
        operation: campaign.name(),
        count: one.count,
        first_execution: one.first,
        test_source: test.map_or_else(String::new, |test| test.lines.join("\n")),
        reduced: one.reduced,
        test_file: test.map(|_| file.display().to_string()),
        test_name: test.map(|test| test.name.clone()),
    }
}
