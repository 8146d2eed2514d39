//! JVM run reports: a small sample kept as expected text, and properties that every report must have.

#[path = "samples/jvm.rs"]
mod samples;

use report::jvm::{self, JvmRunRecord};

fn empty() -> JvmRunRecord {
    let mut record = samples::run(0);
    (record.executions, record.calls, record.elapsed_seconds) = (0, 0, 0.0);
    (record.ends, record.classes, record.curve) = (vec![], vec![], vec![]);
    (record.suite_coverage, record.mutation) = (None, None);
    (record.suite_tests, record.suite_assertions) = (0, 0);
    (record.suite_files, record.dropped_tests) = (vec![], vec![]);
    (record.dropped_assertions, record.degraded) = (vec![], vec![]);
    record.workers_retired = vec![];
    record
}

#[test]
fn the_terminal_summary_is_as_expected() {
    insta::assert_snapshot!(jvm::terminal(&samples::run(2)));
}

#[test]
fn the_terminal_summary_of_a_run_without_anything_is_short() {
    insta::assert_snapshot!(jvm::terminal(&empty()));
}

#[test]
fn the_page_body_is_as_expected() {
    let mut record = samples::run(2);
    record.curve.clear();
    let page = jvm::html(&record, &samples::sources());
    let body = page.split_once("<body>").map(|(_, body)| body);
    insta::assert_snapshot!(body.unwrap_or_default());
}

#[test]
fn totals_count_a_line_that_two_methods_share_once() {
    let words = &samples::classes()[2];
    let totals = words.totals();
    assert_eq!((totals.line.covered, totals.line.total), (3, 4));
    assert_eq!((totals.branch.covered, totals.branch.total), (2, 4));
    assert_eq!((totals.method.covered, totals.method.total), (3, 3));
    let all = jvm::totals(&samples::classes());
    assert_eq!((all.branch.covered, all.branch.total), (4, 9));
}

#[test]
fn json_reads_back_as_the_same_record() {
    for record in [samples::run(3), empty()] {
        let read: JvmRunRecord =
            serde_json::from_str(&jvm::json(&record)).expect("it was just written");
        assert_eq!(read, record);
    }
}

#[test]
fn the_page_draws_coverage_over_time_to_the_end_of_the_run() {
    let page = jvm::html(&samples::run(1), &[]);
    assert!(page.contains("goals covered, %") && page.contains("seconds: 10"));
}

#[test]
fn sources_that_were_not_given_have_no_view() {
    assert!(!jvm::html(&samples::run(1), &[]).contains("<pre class=\"source\">"));
}

#[test]
fn an_empty_run_has_a_page_without_undefined_numbers() {
    let page = jvm::html(&empty(), &samples::sources());
    assert!(page.contains("No failure was found"));
    assert!(!page.contains("NaN") && !page.contains("inf<"));
}

#[test]
fn what_a_subject_says_can_neither_break_a_page_nor_a_terminal() {
    let mut record = samples::run(1);
    record.failures[0].message = "\x1b[2J<img src=x>".into();
    record.failures[0].test_source = "</code><script>alert(1)</script>\x07\n".repeat(2000);
    record.classes[2].name = "a/<b>\x1b`".into();
    let mut sources = samples::sources();
    sources[0].path = "a/Words.java".into();
    sources[0].text = "<script>\x1b</script>".into();
    let (page, text) = (jvm::html(&record, &sources), jvm::terminal(&record));
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>\x1b"));
    for output in [&page, &text] {
        assert!(!output.contains(['\x1b', '\x07']));
    }
    assert!(page.len() < 200_000, "long texts are cut: {}", page.len());
}
