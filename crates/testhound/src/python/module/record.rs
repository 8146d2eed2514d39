//! The record of a run on a module for reports, filled from the run's state and its suite.

use super::Campaign;
use super::harvest::{Written, file_name};
use super::rounds::Rounds;
use crate::generate::record::{curve, end_name, stop_name};
use crate::python::source_record::unmeasured;
use crate::setup::mode_name;
use command::suite::quote;
use engine::{CriterionId, End, Goal, Stop};
use python::module::coverage::CRITERIA;
use python::protocol::ProbeKind;
use python::pytest::WrittenTest;
use report::LeftOut;
use report::jvm::MutationTotals;
use report::run::{CriterionRecord, EndCount, FailureRecord, RunRecord, SandboxRecord};

/// Goals that are named as uncovered at most.
const MOST_UNCOVERED: usize = 200;

/// The record of a run.
pub fn record_of(
    campaign: &Campaign<'_>,
    rounds: &Rounds,
    stopped: Stop,
    written: &Written,
) -> RunRecord {
    let run = &rounds.run;
    let suite = campaign.out.join("suite").join(file_name(campaign, ""));
    let untested = campaign.opened.model.left_out.iter();
    RunRecord {
        subject: campaign.opened.model.module.clone(),
        target: "python".to_owned(),
        guide: campaign.plan.guide.clone(),
        seed: campaign.plan.seed.0,
        command: command_line(campaign, rounds),
        program: concat!("testhound ", env!("CARGO_PKG_VERSION")).to_owned(),
        executions: run.executions(),
        actions: None,
        elapsed_seconds: rounds.elapsed.as_secs_f64(),
        stopped_by: stop_name(stopped).to_owned(),
        ends: ends(rounds),
        failures: failures(campaign, rounds, written),
        criteria: criteria(campaign, written),
        curve: curve(run.curve()),
        coverage_cost: None,
        replayed: None,
        leak: None,
        suite_tests: written.suite.tests.len() as u64,
        suite_path: (!written.suite.tests.is_empty()).then(|| suite.display().to_string()),
        dropped: written.dropped.clone(),
        mutation: written.score.map(|score| MutationTotals {
            mutants: score.mutants as u64,
            killed: score.killed as u64,
            killed_without_assertions: score.killed_without_assertions as u64,
            not_covered: score.not_covered as u64,
        }),
        untested: untested
            .map(|(name, reason)| LeftOut {
                name: name.clone(),
                reason: reason.clone(),
            })
            .collect(),
        unmeasured: unmeasured(&campaign.runtime),
        sandbox: SandboxRecord {
            state: mode_name(campaign.settings.execution.sandbox).to_owned(),
            missing: Vec::new(),
            allowed: campaign.settings.execution.allow.clone(),
        },
    }
}

fn ends(rounds: &Rounds) -> Vec<EndCount> {
    let name = |end: End| match end {
        End::Exited(_) => "ended normally".to_owned(),
        End::Threw(_) => "raised an exception".to_owned(),
        other => end_name(other),
    };
    let mut ends: Vec<EndCount> = rounds
        .ends
        .iter()
        .map(|(end, count)| EndCount {
            end: name(*end),
            count: *count,
        })
        .collect();
    ends.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.end.cmp(&b.end)));
    ends
}

fn failures(campaign: &Campaign<'_>, rounds: &Rounds, written: &Written) -> Vec<FailureRecord> {
    let file = campaign
        .out
        .join("failures")
        .join(file_name(campaign, "_failures"));
    let file = file.display().to_string();
    let entries = rounds.run.ledger().entries();
    let mut kept = 0;
    let record = |(index, entry): (usize, &&engine::ledger::Entry)| {
        let chosen = written.failing.get(index);
        let found = chosen.is_some_and(|chosen| chosen.kept.is_some());
        kept += usize::from(found);
        let mut tests = written.failures.tests.iter();
        let test = tests.find(|test| found && test.number + 1 == kept);
        FailureRecord {
            signature: entry.failure.signature.clone(),
            kind: entry.failure.oracle.clone(),
            message: entry.failure.message.clone(),
            frame: Vec::new(),
            count: entry.count,
            first_execution: entry.first.0 + 1,
            case: test.map(|test| format!("{file}::{}", test.name)),
            input: test.map(source).unwrap_or_default(),
            reduced: chosen.is_some_and(|chosen| chosen.reduced),
            output: test
                .and_then(|test| written.otherwise.get(&test.name))
                .map_or_else(String::new, |what| format!("the written test {what}")),
        }
    };
    entries.iter().enumerate().map(record).collect()
}

/// The lines of a test.
fn source(test: &WrittenTest) -> String {
    let lines = test.lines.iter().chain(&test.assertions);
    let lines: Vec<&str> = lines
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect();
    lines.join("\n")
}

/// What the written suite covers, per criterion.
fn criteria(campaign: &Campaign<'_>, written: &Written) -> Vec<CriterionRecord> {
    let coverage = &campaign.opened.coverage;
    let record = |(index, name): (usize, &&str)| {
        let id = CriterionId(index as u16);
        let all: Vec<(Goal, ProbeKind)> = coverage
            .all()
            .filter(|(goal, _)| goal.criterion == id)
            .collect();
        let open = all
            .iter()
            .filter(|(goal, _)| !written.covered.contains(goal));
        let uncovered: Vec<String> = open.map(|(_, kind)| describe(*kind)).collect();
        CriterionRecord {
            criterion: (*name).to_owned(),
            covered: (all.len() - uncovered.len()) as u64,
            total: Some(all.len() as u64),
            uncovered: uncovered.into_iter().take(MOST_UNCOVERED).collect(),
        }
    };
    CRITERIA.iter().enumerate().map(record).collect()
}

fn describe(kind: ProbeKind) -> String {
    match kind {
        ProbeKind::Line(line) => format!("line {line}"),
        ProbeKind::Branch(line, side) => format!("line {line}, side {side}"),
        ProbeKind::Enter(line) => format!("the function in line {line}"),
    }
}

/// The command that repeats the run exactly, by executions instead of time.
fn command_line(campaign: &Campaign<'_>, rounds: &Rounds) -> String {
    let mut words = vec![
        "testhound generate".to_owned(),
        quote(&campaign.flags.subject),
        format!("--guide {}", quote(&campaign.plan.guide)),
        format!("--seed {}", campaign.plan.seed.0),
        format!("--executions {}", rounds.run.executions()),
    ];
    if let Some(python) = &campaign.flags.python.python {
        words.push(format!("--python {}", quote(&python.to_string_lossy())));
    }
    if let Some(revision) = &campaign.plan.since {
        words.push(format!("--since {}", quote(revision)));
    }
    words.extend(
        campaign
            .plan
            .options
            .private
            .then(|| "--private".to_owned()),
    );
    words.join(" ")
}
