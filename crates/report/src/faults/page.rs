//! A fault study as one HTML page.

use super::{FaultsRecord, tables};
use crate::html::{Block, Page, Section};

/// The page of one fault study.
#[must_use]
pub fn html(record: &FaultsRecord) -> String {
    let caption = "Runs whose suites fail, pass or are broken on the faulty version. A fault is detected if some run detects it; the \
                   likelihood is the share of runs that do, with Wilson's 95 % interval. Tests: the mean of those that pass on the fixed \
                   version.";
    let runs = "Seconds are those of testing, whole seconds also those of choosing assertions, writing and checking the suite. Tests \
                that do not pass on the fixed version are dropped.";
    let page = Page {
        title: format!("Faults against suites of {}", record.fixed),
        lead: format!(
            "{} faulty versions, {} runs of each guide with each budget.",
            record.faults.len(),
            record.runs
        ),
        sections: vec![
            Section::new(
                "Faults",
                vec![Block::Table(caption.to_owned(), tables::cells(record))],
            ),
            Section::new(
                "All faults",
                vec![Block::Table(
                    "Faults that all runs detect together, and the mean likelihood.".to_owned(),
                    tables::totals(record),
                )],
            ),
            Section::new(
                "Runs",
                vec![Block::Details(
                    "Every run".to_owned(),
                    vec![Block::Table(runs.to_owned(), tables::runs(record))],
                )],
            ),
        ],
        foot: format!(
            "Written by {}. Repeat with `{}`",
            record.program, record.command
        ),
    };
    page.html()
}

#[cfg(test)]
mod tests {
    use super::super::{FaultCell, FaultOutcome, FaultRecord, FaultRun, FaultTotal};
    use super::*;

    fn record() -> FaultsRecord {
        let run = |seed, outcome, cause: &str| FaultRun {
            seed,
            outcome,
            cause: cause.to_owned(),
            tests: 4,
            dropped: 1,
            failing: Vec::new(),
            seconds: 1.0,
            whole_seconds: 2.0,
        };
        FaultsRecord {
            fixed: "fixed.jar".to_owned(),
            classes: Vec::new(),
            command: "testhound study --fixed fixed.jar --faulty a.jar".to_owned(),
            program: "testhound".to_owned(),
            runs: 2,
            faults: vec![FaultRecord {
                faulty: "<a>.jar".to_owned(),
                cells: vec![FaultCell {
                    guide: "grt".to_owned(),
                    budget: "10s".to_owned(),
                    detected: true,
                    likelihood: 0.5,
                    low: 0.1,
                    high: 0.9,
                    runs: vec![
                        run(1, FaultOutcome::Fail, "expected 1"),
                        run(2, FaultOutcome::Broken, "cannot find symbol"),
                    ],
                }],
            }],
            totals: vec![FaultTotal {
                guide: "grt".to_owned(),
                budget: "10s".to_owned(),
                detected: 1,
                likelihood: 0.5,
            }],
        }
    }

    #[test]
    fn the_page_escapes_names_and_shows_every_run() {
        let page = html(&record());
        assert!(page.contains("&lt;a&gt;.jar"), "{page}");
        assert!(page.contains("cannot find symbol"));
    }

    #[test]
    fn the_terminal_tells_outcomes_likelihood_and_why_a_suite_is_broken() {
        let text = super::super::terminal(&record());
        for part in [
            "1     0       1",
            "50.0 %  10.0 %  90.0 %",
            "broken on <a>.jar: cannot find symbol",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
