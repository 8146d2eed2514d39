//! The summary of a JVM run as terminal text.

use super::tables::{criteria, reasons, retired};
use super::{JvmFailureRecord, JvmRunRecord, totals};
use crate::escape::{clipped, one_line};
use crate::run::pieces::{
    criteria_table, ends, failures_text, indented, killed, labelled, rate, sandbox,
};
use crate::{left_out, number};

/// The summary printed at the end of a run.
#[must_use]
pub fn terminal(record: &JvmRunRecord) -> String {
    let mut text = format!(
        "{}: {} with {} in {}{}, stopped by {}\nguide {}, seed {}, Java {}, sandbox {}\n",
        one_line(&record.subject),
        number::counted(record.executions, "test", "tests"),
        number::counted(record.calls, "call", "calls"),
        number::duration(record.elapsed_seconds),
        rate(record.executions, record.elapsed_seconds),
        one_line(&record.stopped_by),
        one_line(&record.guide),
        record.seed,
        one_line(&record.java),
        sandbox(&record.sandbox),
    );
    let failures = &record.failures;
    text += &failures_text(failures.len(), &|index| {
        failure_text(index + 1, &failures[index])
    });
    text += &ends(&record.ends);
    text += &coverage(record);
    text += &suite(record);
    text += &workers(record);
    text += &format!("\nto repeat: {}\n", one_line(&record.command));
    text
}

fn failure_text(number: usize, failure: &JvmFailureRecord) -> String {
    let mut text = format!(
        "\n  {number}. {}: {}\n     in {}, seen in {}, first in test {}\n",
        one_line(&failure.contract),
        clipped(&failure.message, 160),
        clipped(&failure.operation, 120),
        number::counted(failure.count, "test", "tests"),
        number::count(failure.first_execution),
    );
    if let Some(frame) = failure.stack.iter().find(|frame| frame.own) {
        text += &format!("     at {}\n", clipped(&frame.to_string(), 160));
    }
    text += &labelled(
        if failure.reduced {
            "reduced test"
        } else {
            "test"
        },
        &failure.test_source,
    );
    if let Some(file) = &failure.test_file {
        let name = failure.test_name.as_deref().unwrap_or_default();
        let place = format!("{} {}", one_line(file), one_line(name));
        text += &format!("     written to {}\n", place.trim_end());
    }
    text
}

fn coverage(record: &JvmRunRecord) -> String {
    if record.classes.is_empty() {
        return String::new();
    }
    let table = criteria_table(&criteria(&totals(&record.classes)));
    let mut text = format!(
        "\nwhat the tests covered of {}\n\n{}",
        number::counted(record.classes.len() as u64, "class", "classes"),
        indented(&table.text())
    );
    if let Some(suite) = &record.suite_coverage {
        let share =
            |counter: super::Counter| number::percent(counter.share().unwrap_or(f64::NAN), 1);
        text += &format!(
            "  the written suite covers: branch {}, line {}, method {}\n",
            share(suite.branch),
            share(suite.line),
            share(suite.method)
        );
    }
    let reasons = reasons(&record.classes);
    if !reasons.rows.is_empty() {
        text += &format!(
            "\nwhat could not be called\n\n{}",
            indented(&reasons.text())
        );
    }
    text
}

fn suite(record: &JvmRunRecord) -> String {
    let mut text = format!(
        "\nsuite: {} with {}",
        number::counted(record.suite_tests, "test", "tests"),
        number::counted(record.suite_assertions, "assertion", "assertions")
    );
    if let [file] = record.suite_files.as_slice() {
        text += &format!(" in {}", one_line(file));
    } else if !record.suite_files.is_empty() {
        text += &format!(
            " in {} files",
            number::count(record.suite_files.len() as u64)
        );
    }
    text.push('\n');
    if let Some(mutation) = &record.mutation {
        text += &format!("  {}\n", killed(mutation));
    }
    for (what, dropped) in [
        ("dropped", &record.dropped_tests),
        ("assertions dropped", &record.dropped_assertions),
    ] {
        for (count, reason) in left_out::reasons(dropped) {
            text += &format!(
                "  {} {what}: {}\n",
                number::count(count),
                clipped(reason, 160)
            );
        }
    }
    text
}

fn workers(record: &JvmRunRecord) -> String {
    let mut text = String::new();
    if !record.workers_retired.is_empty() {
        text += &format!(
            "\n{} started; given up:\n\n{}",
            number::counted(record.workers_started, "worker", "workers"),
            indented(&retired(&record.workers_retired).text())
        );
    }
    if !record.degraded.is_empty() {
        text += &format!(
            "\n{} fewer probes than asked for: too near the size limit\n",
            number::counted(
                record.degraded.len() as u64,
                "method carries",
                "methods carry"
            )
        );
    }
    text
}
