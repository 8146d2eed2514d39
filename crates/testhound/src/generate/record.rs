//! The record of a run for reports, filled from the run's state.

use super::rounds::Rounds;
use crate::cli::Generate;
use crate::setup::Setup;
use command::Input;
use command::oracle::describe_end;
use command::suite::quote;
use engine::frames::Frame;
use engine::{CriterionId, End, Goal, Stop};
use report::run::{CriterionRecord, CurvePoint, EndCount, FrameChoice, RunRecord};
use std::path::Path;

/// The command line as a person would type it, with standard input below.
pub fn typed(program: &Path, input: &Input) -> String {
    let name = program
        .file_name()
        .unwrap_or(program.as_os_str())
        .to_string_lossy();
    let mut words: Vec<String> = input
        .env
        .iter()
        .map(|(name, value)| format!("{name}={}", quote(value)))
        .collect();
    words.push(quote(&name));
    words.extend(input.args.iter().map(|arg| quote(arg)));
    let mut text = words.join(" ");
    for (name, bytes) in &input.files {
        text.push_str(&format!("\n--- {name}\n{}", String::from_utf8_lossy(bytes)));
    }
    if !input.stdin.is_empty() {
        text.push_str(&format!(
            "\n--- standard input\n{}",
            String::from_utf8_lossy(&input.stdin)
        ));
    }
    text
}

/// A frame for reports.
pub fn frame_choices(setup: &Setup, frame: &Frame) -> Vec<FrameChoice> {
    let space = &setup.spec.space;
    let choice = |(index, &choice): (usize, &u16)| FrameChoice {
        category: space.categories[index].name.clone(),
        choice: (choice != 0).then(|| space.choice_name(index, choice).to_owned()),
    };
    frame.0.iter().enumerate().map(choice).collect()
}

/// The record of a run, without its failures and suite.
pub fn record_of(setup: &Setup, rounds: &Rounds, stopped: Stop, flags: &Generate) -> RunRecord {
    let run = &rounds.run;
    let mut ends: Vec<EndCount> = rounds
        .ends
        .iter()
        .map(|(end, count)| EndCount {
            end: end_name(*end),
            count: *count,
        })
        .collect();
    ends.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.end.cmp(&b.end)));
    let plan = &rounds.folder.plan;
    RunRecord {
        subject: setup.spec.name.clone(),
        target: "command".to_owned(),
        guide: plan.guide.clone(),
        seed: plan.seed.0,
        command: command_line(flags, rounds),
        program: concat!("testhound ", env!("CARGO_PKG_VERSION")).to_owned(),
        executions: run.executions(),
        actions: None,
        elapsed_seconds: rounds.elapsed.as_secs_f64(),
        stopped_by: stop_name(stopped).to_owned(),
        ends,
        failures: Vec::new(),
        criteria: criteria(rounds),
        curve: curve(run.curve()),
        coverage_cost: None,
        replayed: None,
        leak: None,
        suite_tests: 0,
        suite_path: None,
        dropped: Vec::new(),
        mutation: None,
        untested: Vec::new(),
        unmeasured: Vec::new(),
        sandbox: setup.sandbox.clone(),
    }
}

/// Progress over a run for reports.
pub fn curve(curve: &engine::curve::Curve) -> Vec<CurvePoint> {
    let point = |point: &engine::curve::Point| CurvePoint {
        executions: point.executions,
        seconds: point.elapsed_ms as f64 / 1000.0,
        goals: point
            .covered
            .iter()
            .map(|count| u64::from(*count))
            .collect(),
        failures: u64::from(point.failures),
    };
    curve.points().iter().map(point).collect()
}

/// The command that repeats the run exactly, by executions instead of time.
fn command_line(flags: &Generate, rounds: &Rounds) -> String {
    let plan = &rounds.folder.plan;
    let mut words = vec![
        "testhound generate".to_owned(),
        quote(&flags.subject),
        format!("--guide {}", quote(&plan.guide)),
        format!("--seed {}", plan.seed.0),
        format!("--executions {}", rounds.run.executions()),
    ];
    if plan.candidates != engine::selection::CANDIDATES {
        words.push(format!("--candidates {}", plan.candidates));
    }
    if let Some(pool) = &flags.pool {
        words.push(format!("--pool {}", quote(&pool.to_string_lossy())));
    }
    if plan.without_replacement {
        words.push("--without-replacement".to_owned());
    }
    words.join(" ")
}

fn criteria(rounds: &Rounds) -> Vec<CriterionRecord> {
    let model = rounds.run.model();
    let seen = rounds.run.seen();
    let record = |(index, criterion): (usize, &engine::Criterion)| {
        let id = CriterionId(index as u16);
        let open = (0..criterion.goals).map(|number| Goal {
            criterion: id,
            number,
        });
        let uncovered: Vec<String> = open
            .filter(|goal| !seen.contains(goal))
            .map(|goal| model.goal_name(goal))
            .collect();
        CriterionRecord {
            criterion: criterion.name.clone(),
            covered: seen.iter().filter(|goal| goal.criterion == id).count() as u64,
            total: Some(u64::from(criterion.goals)),
            uncovered,
        }
    };
    model.criteria.iter().enumerate().map(record).collect()
}

/// How an execution ended, in words.
pub fn end_name(end: End) -> String {
    match end {
        End::Exited(code) => describe_end(sandbox::End::Exited(code)),
        End::Signalled(signal) => describe_end(sandbox::End::Signalled(signal)),
        End::TimedOut => describe_end(sandbox::End::TimedOut),
        End::WorkerLost => describe_end(sandbox::End::Lost),
        End::Threw(step) => format!("threw in step {step}"),
    }
}

/// What ended a run, in words.
pub fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "the time budget",
        Stop::Executions => "the execution budget",
        Stop::Tests => "the budget of kept tests",
        Stop::Coverage => "the coverage asked for",
        Stop::Failure => "the first failure",
        Stop::Exhausted => "the end of the pool",
        Stop::Interrupted => "Ctrl-C",
    }
}
