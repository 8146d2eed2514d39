//! The summary of a run as terminal text.

use super::pieces::{
    criteria_table, ends, failures_text, indented, killed, labelled, rate, sandbox,
};
use super::{CriterionRecord, FailureRecord, RunRecord};
use crate::escape::{clipped, one_line};
use crate::{left_out, number};

/// Goals never covered that are named per criterion.
const GOALS: usize = 8;
/// Modules without coverage that are named.
const MOST_UNMEASURED: usize = 8;

/// The summary printed at the end of a run.
#[must_use]
pub fn terminal(record: &RunRecord) -> String {
    let mut text = format!(
        "{}: {} in {}{}, stopped by {}\nguide {}, seed {}, sandbox {}\n",
        one_line(&record.subject),
        number::counted(record.executions, "test", "tests"),
        number::duration(record.elapsed_seconds),
        rate(record.executions, record.elapsed_seconds),
        one_line(&record.stopped_by),
        one_line(&record.guide),
        record.seed,
        sandbox(&record.sandbox),
    );
    let failures = &record.failures;
    text += &failures_text(failures.len(), &|index| {
        failure_text(index + 1, &failures[index])
    });
    text += &ends(&record.ends);
    if let Some(leak) = &record.leak {
        text += &format!("\n{}\n", one_line(&leak.sentence()));
    }
    text += &coverage(record);
    text += &suite(record);
    text += &format!("\nto repeat: {}\n", one_line(&record.command));
    text
}

fn failure_text(number: usize, failure: &FailureRecord) -> String {
    let mut text = format!(
        "\n  {number}. {}: {}\n     seen in {}, first in test {}\n",
        one_line(&failure.kind),
        clipped(&failure.message, 160),
        number::counted(failure.count, "test", "tests"),
        number::count(failure.first_execution),
    );
    let frame = frame(failure);
    if !frame.is_empty() {
        text += &format!("     choices: {}\n", clipped(&frame, 200));
    }
    text += &labelled(
        if failure.reduced {
            "reduced input"
        } else {
            "input"
        },
        &failure.input,
    );
    text += &labelled("output", &failure.output);
    if let Some(replay) = failure.replay() {
        text += &format!("     replay: {}\n", one_line(&replay));
    }
    text
}

/// The choices that are present, as `category=choice`.
pub(super) fn frame(failure: &FailureRecord) -> String {
    let choices = failure
        .frame
        .iter()
        .filter_map(|choice| Some(format!("{}={}", choice.category, choice.choice.as_ref()?)));
    choices.collect::<Vec<_>>().join(", ")
}

fn coverage(record: &RunRecord) -> String {
    if record.criteria.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\nwhat the tests covered\n\n{}",
        indented(&criteria_table(&record.criteria).text())
    );
    let measured = measuring(record);
    if !measured.is_empty() {
        text += &format!("\n  {measured}\n");
    }
    for criterion in &record.criteria {
        text += &never_covered(criterion);
    }
    text
}

/// How coverage was measured, and what that costs.
fn measuring(record: &RunRecord) -> String {
    let cost = record.coverage_cost.map(|cost| number::fixed(cost, 2));
    match (record.replayed, cost) {
        (None, None) => String::new(),
        (None, Some(cost)) => {
            format!("tests take {cost} times the processor time of those without coverage")
        }
        (Some(tests), cost) => {
            let tests = number::counted(tests, "test", "tests");
            let cost = cost.map_or_else(String::new, |cost| {
                format!("; measuring all would have taken {cost} times the processor time")
            });
            format!(
                "coverage was not measured while tests ran: this is what {tests} covered that were run again{cost}"
            )
        }
    }
}

fn never_covered(criterion: &CriterionRecord) -> String {
    if criterion.uncovered.is_empty() {
        return String::new();
    }
    let named: Vec<String> = criterion
        .uncovered
        .iter()
        .take(GOALS)
        .map(|goal| clipped(goal, 60))
        .collect();
    let missing = criterion
        .total
        .map_or(criterion.uncovered.len() as u64, |total| {
            total.saturating_sub(criterion.covered)
        });
    let more = missing.saturating_sub(named.len() as u64);
    let more = if more > 0 {
        format!(" and {} more", number::count(more))
    } else {
        String::new()
    };
    format!(
        "\n  {} never covered: {}{more}\n",
        one_line(&criterion.criterion),
        named.join("; ")
    )
}

fn suite(record: &RunRecord) -> String {
    let tests = number::counted(record.suite_tests, "test", "tests");
    let place = record
        .suite_path
        .as_ref()
        .map(|path| format!(" in {}", one_line(path)))
        .unwrap_or_default();
    let mut text = format!("\nsuite: {tests} kept{place}\n");
    text += &record
        .mutation
        .as_ref()
        .map(killed)
        .map_or_else(String::new, |line| format!("  {line}\n"));
    for (what, left_out) in [
        ("dropped", &record.dropped),
        ("could not be tested", &record.untested),
    ] {
        for (count, reason) in left_out::reasons(left_out) {
            text += &format!(
                "  {} {what}: {}\n",
                number::count(count),
                clipped(reason, 160)
            );
        }
    }
    for one in record.unmeasured.iter().take(MOST_UNMEASURED) {
        let (name, reason) = (clipped(&one.name, 80), clipped(&one.reason, 160));
        text += &format!("  `{name}` is not in the coverage: {reason}\n");
    }
    let more = record.unmeasured.len().saturating_sub(MOST_UNMEASURED);
    if more > 0 {
        text += &format!("  nor are {} further modules\n", number::count(more as u64));
    }
    text
}
