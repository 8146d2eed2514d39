//! The failures of a run for its record: what broke, where, and the written test that shows it.

use super::Campaign;
use super::choose::Chosen;
use super::harvest::reduced;
use super::record::Written;
use super::rounds::Rounds;
use engine::ledger::Entry;
use jvm::suite::{Suite, SuiteFile};
use report::jvm::{FrameRecord, JvmFailureRecord};

/// The failures in the order of the ledger, with the tests that show them.
pub fn failures(
    campaign: &Campaign,
    rounds: &Rounds,
    written: &Written<'_>,
) -> Vec<JvmFailureRecord> {
    let entries = rounds.run.ledger().entries();
    let mut records = Vec::new();
    for (index, entry) in entries.into_iter().enumerate() {
        let chosen = written.failing.get(index).and_then(Option::as_ref);
        let place = written.places.get(index).copied().flatten();
        let method = place.and_then(|place| {
            let methods = &written.suite.methods;
            methods.iter().position(|method| method.test == place)
        });
        records.push(failure(campaign, entry, chosen, method, written));
    }
    records
}

fn failure(
    campaign: &Campaign,
    entry: &Entry,
    chosen: Option<&Chosen>,
    method: Option<usize>,
    written: &Written<'_>,
) -> JvmFailureRecord {
    let shown = chosen.and_then(|chosen| chosen.kept.failure.as_ref());
    let message = shown.map_or(&entry.failure.message, |shown| &shown.failure.message);
    let test = chosen.map_or(entry.test.as_ref(), |chosen| &chosen.kept.test);
    let operation = test.steps.last().and_then(|step| {
        let operations = &campaign.target.model.operations;
        operations.get(step.operation.0 as usize)
    });
    let exception = chosen.and_then(|chosen| {
        let thrown = chosen.kept.observed.threw()?;
        Some(thrown.1.class.replace('/', "."))
    });
    let frames = chosen.map_or(&[][..], |chosen| &chosen.frames);
    let standing = method.and_then(|method| standing(written.suite, method));
    JvmFailureRecord {
        signature: entry.failure.signature.clone(),
        contract: entry.failure.oracle.clone(),
        message: message.clone(),
        exception,
        stack: frames.iter().map(|one| frame(campaign, one)).collect(),
        operation: operation.map(jvm::oracle::called).unwrap_or_default(),
        count: entry.count,
        first_execution: entry.first.0 + 1,
        test_source: standing
            .map(|(file, lines)| excerpt(&file.text, lines))
            .unwrap_or_default(),
        reduced: reduced(chosen),
        test_file: standing.map(|(file, _)| {
            campaign
                .out
                .join("suite")
                .join(&file.path)
                .display()
                .to_string()
        }),
        test_name: method.map(|method| written.suite.methods[method].name.clone()),
    }
}

/// The file and the lines of a method.
fn standing(suite: &Suite, method: usize) -> Option<(&SuiteFile, (u32, u32))> {
    suite.files.iter().find_map(|file| {
        let place = file.methods.iter().find(|place| place.method == method)?;
        Some((file, place.lines))
    })
}

/// Lines of a text, counted from 1, both ends included.
pub fn excerpt(text: &str, (first, last): (u32, u32)) -> String {
    let count = (last + 1).saturating_sub(first) as usize;
    let lines: Vec<&str> = text
        .lines()
        .skip(first.saturating_sub(1) as usize)
        .take(count)
        .collect();
    lines.join("\n")
}

fn frame(campaign: &Campaign, frame: &jvm::protocol::Frame) -> FrameRecord {
    let name = frame.class.replace('.', "/");
    let mut classes = campaign.opened.discovered.classes.iter();
    let class = classes.find(|class| class.name == name);
    FrameRecord {
        class: frame.class.clone(),
        method: frame.method.clone(),
        file: class.and_then(|class| class.source_file.clone()),
        line: (frame.line > 0).then_some(frame.line),
        own: campaign.opened.subject.classes.contains_key(&name),
    }
}
