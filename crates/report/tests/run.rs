//! Run reports: a small sample kept as expected text, and properties that every report must have.

#[path = "samples/run.rs"]
mod samples;

use report::run::{self, RunRecord};

fn empty() -> RunRecord {
    let mut record = samples::run(0);
    (
        record.executions,
        record.elapsed_seconds,
        record.suite_tests,
    ) = (0, 0.0, 0);
    (record.suite_path, record.ends, record.criteria) = (None, vec![], vec![]);
    record.coverage_cost = None;
    (record.curve, record.dropped, record.untested) = (vec![], vec![], vec![]);
    record.unmeasured.clear();
    record
}

#[test]
fn the_terminal_summary_is_as_expected() {
    insta::assert_snapshot!(run::terminal(&samples::run(2)));
}

#[test]
fn the_terminal_summary_of_a_run_without_anything_is_short() {
    insta::assert_snapshot!(run::terminal(&empty()));
}

#[test]
fn coverage_that_was_measured_afterwards_is_told_with_what_it_would_have_cost() {
    let mut record = samples::run(1);
    record.replayed = Some(1200);
    let told = "this is what 1,200 tests covered that were run again; measuring all would have taken 1.08 times";
    assert!(run::terminal(&record).contains(told));
    assert!(run::html(&record).contains("measured afterwards, on 1,200 tests run again"));
}

#[test]
fn the_page_body_is_as_expected() {
    let mut record = samples::run(1);
    record.curve.clear();
    record.criteria[1].uncovered.truncate(2);
    let page = run::html(&record);
    let body = page.split_once("<body>").map(|(_, body)| body);
    insta::assert_snapshot!(body.unwrap_or_default());
}

#[test]
fn many_failures_are_counted_in_the_summary_and_folded_on_the_page() {
    let record = samples::run(130);
    assert!(run::terminal(&record).contains("and 120 more"));
    let page = run::html(&record);
    assert!(page.contains("And 30 more"));
    assert!(page.matches("<details>").count() >= 97);
}

#[test]
fn json_reads_back_as_the_same_record() {
    for record in [samples::run(3), empty()] {
        let read: RunRecord =
            serde_json::from_str(&run::json(&record)).expect("it was just written");
        assert_eq!(read, record);
    }
}

#[test]
fn the_page_draws_how_coverage_grew_to_the_end_of_the_run() {
    let page = run::html(&samples::run(1));
    assert!(page.contains("goals covered, %"));
    assert!(
        page.contains("tests executed: 12345"),
        "the last point stands at the end of the run"
    );
}

#[test]
fn an_empty_run_has_a_page_without_undefined_numbers() {
    let page = run::html(&empty());
    assert!(
        page.contains("No failure was found") && !page.contains("NaN") && !page.contains("inf<")
    );
}

#[test]
fn what_a_subject_prints_can_neither_break_a_page_nor_a_terminal() {
    let mut record = samples::run(1);
    record.failures[0].output = "</code><script>alert(1)</script>\x1b]0;title\x07\n".repeat(2000);
    record.failures[0].message = "\x1b[2J<img src=x>".into();
    record.failures[0].case = Some("out/`rm -rf`".into());
    let (page, text) = (run::html(&record), run::terminal(&record));
    assert!(!page.contains("<script") && !page.contains("<img"));
    for output in [&page, &text] {
        assert!(!output.contains(['\x1b', '\x07']));
    }
    assert!(page.len() < 200_000, "long outputs are cut: {}", page.len());
    assert!(text.lines().count() < 80);
}

#[test]
fn state_that_outlives_tests_is_told_with_what_changed() {
    let mut record = empty();
    record.leak = Some(run::LeakRecord {
        test: 3,
        steps: "counter.large(1)".into(),
        after_others: "failed (E)".into(),
        fresh: "passed".into(),
        modules: vec!["counter".into()],
        changed: vec!["counter.calls".into()],
        reloaded: true,
    });
    let told = "outlives tests in `counter.calls`: after others, test 3 failed (E), and in a fresh worker it passed";
    assert!(run::terminal(&record).contains(&format!("\nstate {told}")));
    let page = run::html(&record);
    assert!(page.contains("State outlives tests") && page.contains("counter.large(1)"));
}
