//! The record of a run on a harness, for reports.

use super::failures::WrittenFailure;
use super::suite::{Suite, file_name};
use super::{Campaign, Rounds};
use crate::cli::Reload;
use crate::generate::record::{curve, end_name, stop_name};
use crate::python::source_record::unmeasured;
use crate::setup::mode_name;
use command::suite::quote;
use engine::{CriterionId, Goal, Stop};
use python::harness::{CRITERIA, Goals};
use python::protocol::Measure;
use report::LeftOut;
use report::run::{CriterionRecord, EndCount, FailureRecord, RunRecord, SandboxRecord};
use std::collections::BTreeSet;

/// Goals never covered that are named.
const NAMED: usize = 50;

/// The record of a run.
pub fn record_of(
    campaign: &Campaign<'_>,
    rounds: &Rounds,
    stopped: Stop,
    failing: &[WrittenFailure],
    suite: &Suite,
) -> RunRecord {
    let run = &rounds.run;
    let plan = &campaign.plan;
    let seen = match campaign.measure() {
        Measure::Nothing => &suite.covered,
        _ => run.seen(),
    };
    let ends: Vec<EndCount> = rounds
        .ends
        .iter()
        .map(|(end, count)| EndCount {
            end: match end {
                engine::End::Exited(_) => "passed".to_owned(),
                engine::End::Threw(_) => "failed".to_owned(),
                end => end_name(*end),
            },
            count: *count,
        })
        .collect();
    RunRecord {
        subject: campaign.name(),
        target: "python".to_owned(),
        guide: plan.guide.clone(),
        seed: plan.seed.0,
        command: command_line(campaign, rounds),
        program: concat!("testhound ", env!("CARGO_PKG_VERSION")).to_owned(),
        executions: run.executions(),
        actions: Some(rounds.noted.actions),
        elapsed_seconds: rounds.elapsed.as_secs_f64(),
        stopped_by: stop_name(stopped).to_owned(),
        ends,
        failures: failing.iter().map(|one| failure(campaign, one)).collect(),
        criteria: criteria(seen, &rounds.noted.goals),
        curve: curve(run.curve()),
        coverage_cost: suite.cost,
        replayed: suite.replayed,
        suite_tests: suite.tests.len() as u64,
        suite_path: (!suite.tests.is_empty())
            .then(|| campaign.out.join("suite").display().to_string()),
        dropped: suite.dropped.clone(),
        mutation: None,
        leak: campaign.leak.get().cloned(),
        untested: untested(campaign, rounds),
        unmeasured: unmeasured(&campaign.runtime),
        sandbox: SandboxRecord {
            state: mode_name(campaign.settings.execution.sandbox).to_owned(),
            missing: Vec::new(),
            allowed: campaign.settings.execution.allow.clone(),
        },
    }
}

fn failure(campaign: &Campaign<'_>, one: &WrittenFailure) -> FailureRecord {
    let file = campaign
        .out
        .join("failures")
        .join(file_name(campaign, "_failures"));
    let note = if one.again {
        ""
    } else {
        "not seen again in a fresh worker: does it depend on time, addresses or what other tests left? `--reload` loads modules anew for each test"
    };
    let said = |what: &Option<String>| {
        let what = what.as_ref();
        what.map_or_else(String::new, |what| format!("the written test {what}"))
    };
    FailureRecord {
        signature: one.failure.signature.clone(),
        kind: one.failure.oracle.clone(),
        message: one.failure.message.clone(),
        frame: Vec::new(),
        count: one.count,
        first_execution: one.first,
        case: one
            .test
            .as_ref()
            .map(|test| format!("{}::{}", file.display(), test.name)),
        input: one
            .test
            .as_ref()
            .map_or_else(String::new, |test| test.lines.join("\n")),
        reduced: one.reduced,
        output: [note, &said(&one.open), &said(&one.otherwise), &one.log]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

fn criteria(seen: &BTreeSet<Goal>, goals: &Goals) -> Vec<CriterionRecord> {
    let record = |(index, criterion): (usize, engine::Criterion)| {
        let id = CriterionId(index as u16);
        let all = (0..criterion.goals).map(|number| Goal {
            criterion: id,
            number,
        });
        let open = all.filter(|goal| !seen.contains(goal));
        CriterionRecord {
            covered: seen.iter().filter(|goal| goal.criterion == id).count() as u64,
            total: Some(u64::from(criterion.goals)),
            uncovered: open
                .filter_map(|goal| goals.name(goal))
                .take(NAMED)
                .collect(),
            criterion: criterion.name,
        }
    };
    let criteria = goals.criteria().into_iter().enumerate();
    debug_assert!(CRITERIA.len() < usize::from(u16::MAX));
    criteria
        .filter(|(_, one)| one.goals > 0)
        .map(record)
        .collect()
}

/// Classes that sampling never found enabled.
fn untested(campaign: &Campaign<'_>, rounds: &Rounds) -> Vec<LeftOut> {
    let sizes = rounds.run.sizes();
    if sizes.iter().all(|size| size.samples == 0) {
        return Vec::new();
    }
    let classes = campaign.target.harness.classes.iter().zip(&sizes);
    let never = classes.filter(|(_, size)| size.samples == 0);
    never
        .map(|(class, _)| LeftOut {
            name: class.text.clone(),
            reason: "no action of this class was enabled while sizes were sampled".to_owned(),
        })
        .collect()
}

/// The command that repeats the run exactly, by executions instead of time.
fn command_line(campaign: &Campaign<'_>, rounds: &Rounds) -> String {
    let plan = &campaign.plan;
    let mut words = vec![
        "testhound generate".to_owned(),
        quote(&campaign.flags.subject),
        format!("--guide {}", quote(&plan.guide)),
        format!("--seed {}", plan.seed.0),
        format!("--executions {}", rounds.run.executions()),
    ];
    if let Some(steps) = plan.options.steps {
        words.push(format!("--steps {steps}"));
    }
    if let Some(time) = plan.options.step_time {
        words.push(format!("--step-time {}ms", time.as_millis()));
    }
    if let Some(share) = plan.options.sampling {
        words.push(format!("--sampling {share}"));
    }
    if !plan.options.arms.is_empty() {
        words.push(format!("--arms {}", quote(&plan.options.arms.join(";"))));
    }
    if let Some(size) = plan.options.size {
        let size = format!("{size:?}").to_lowercase();
        words.push(format!("--size {size}"));
    }
    if let Some(revision) = &plan.since {
        words.push(format!("--since {}", quote(revision)));
    }
    if plan.options.coverage {
        words.push("--coverage".to_owned());
    }
    match plan.options.reload {
        Some(Reload::Always) => words.push("--reload".to_owned()),
        Some(Reload::Never) => words.push("--reload=never".to_owned()),
        None => {}
    }
    if let Some(sizes) = &plan.options.sizes {
        words.push(format!("--sizes {}", quote(&sizes.to_string_lossy())));
    }
    words.join(" ")
}
