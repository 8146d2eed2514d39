//! Sentences about a study, shared by the terminal and the page.

use super::{GuideSummary, StudyRecord, TestResult};
use crate::number;

/// What was compared, in one sentence.
pub(crate) fn subject_line(record: &StudyRecord) -> String {
    format!(
        "{} on {}, {} of {} each, seed {}",
        number::counted(record.guides.len() as u64, "guide", "guides"),
        number::counted(
            record.versions.len() as u64,
            "faulty version",
            "faulty versions"
        ),
        number::counted(record.runs, "run", "runs"),
        number::counted(record.tests_per_run, "test", "tests"),
        record.seed
    )
}

/// How one guide did against the baseline, in one sentence.
pub(crate) fn verdict(summary: &GuideSummary, baseline: &str) -> String {
    let guide = &summary.guide;
    let Some(ratio) = summary.f_ratio else {
        return format!("`{guide}` has no F-ratio to `{baseline}` on any fault");
    };
    let faults = number::counted(summary.faults, "fault", "faults");
    let interval = match summary.interval {
        Some(interval) => {
            format!(
                ", {} to {}",
                number::fixed(interval.low, 3),
                number::fixed(interval.high, 3)
            )
        }
        None => String::new(),
    };
    format!(
        "`{guide}` needed {} times the tests of `{baseline}` (geometric mean over {faults}{interval}) and was better on {}; {}",
        number::fixed(ratio, 3),
        number::count(summary.wins),
        significance(summary.test.as_ref()),
    )
}

/// Whether a difference is significant, with its corrected p-value.
pub(crate) fn significance(test: Option<&TestResult>) -> String {
    match test {
        None => "no test was possible".to_owned(),
        Some(test) => {
            let p = number::p_value(test.p_holm);
            let p = match p.strip_prefix('<') {
                Some(limit) => format!("p < {limit}"),
                None => format!("p = {p}"),
            };
            let word = if test.significant {
                "significant"
            } else {
                "not significant"
            };
            format!("{word} ({p} after Holm-Bonferroni)")
        }
    }
}

/// The Friedman test of one measure, in one sentence.
pub(crate) fn friedman(measure: &str, test: Option<&TestResult>) -> String {
    match test {
        None => format!("{measure}: no Friedman test was possible"),
        Some(test) => {
            let statistic = number::significant(test.statistic, 4);
            format!(
                "{measure}: differences between the guides are {}, chi-square {statistic}",
                significance(Some(test))
            )
        }
    }
}

/// Where the time went, in one sentence.
pub(crate) fn timing(record: &StudyRecord) -> String {
    let timing = &record.timing;
    let reused = if timing.matrix_reused {
        ", read back this time"
    } else {
        ""
    };
    format!(
        "outcome matrix {} with {} ({} more for versions left out) for {}{reused}; simulation {}",
        number::duration(timing.matrix_seconds / timing.workers.max(1) as f64),
        number::counted(timing.workers, "worker", "workers"),
        number::duration(timing.left_out_seconds / timing.workers.max(1) as f64),
        number::counted(timing.matrix_executions, "execution", "executions"),
        number::duration(timing.simulation_seconds),
    )
}
