//! Study reports: a small sample kept as expected text, and properties that every report must have.

mod samples;

use report::studies::{self, StudiesRecord};
use report::study::{self, StudyRecord};

fn empty() -> StudyRecord {
    let mut record = samples::study("nothing", 0, 1.0);
    record.guides.clear();
    record.sizes.clear();
    record.summaries.clear();
    record.generation.clear();
    record.dropped_versions.clear();
    record.f_comparison.pairs.clear();
    record.f_comparison.friedman = None;
    record
}

/// A study in which nothing could be estimated.
fn undefined() -> StudyRecord {
    let mut record = samples::study("undefined", 2, 1.0);
    for result in record
        .versions
        .iter_mut()
        .flat_map(|version| &mut version.results)
    {
        (result.f_measure, result.f_interval, result.f_ratio) = (None, None, None);
        result.p_measures.clear();
        result.seconds_to_first_failure = None;
    }
    for summary in &mut record.summaries {
        (summary.f_ratio, summary.interval, summary.test) = (None, None, None);
    }
    record
}

fn several(subjects: Vec<StudyRecord>) -> StudiesRecord {
    let overall = samples::overall(&subjects);
    StudiesRecord {
        command: "testhound study".into(),
        program: "testhound 0.1.0".into(),
        subjects,
        overall,
    }
}

#[test]
fn the_terminal_text_is_as_expected() {
    insta::assert_snapshot!(study::terminal(&samples::study("tokens", 6, 1.0)));
}

#[test]
fn the_terminal_text_of_several_subjects_ends_with_the_summary() {
    let text = studies::terminal(&several(vec![
        samples::study("tokens", 2, 1.0),
        samples::study("collide", 3, 1.2),
    ]));
    insta::assert_snapshot!(text);
}

#[test]
fn the_files_are_as_expected() {
    let mut record = samples::study("tokens", 2, 1.0);
    record.sizes.truncate(2);
    let files = study::csv(&record);
    let text: Vec<String> = files
        .iter()
        .map(|(name, content)| format!("{name}\n{content}"))
        .collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn all_rows_of_a_file_have_the_same_number_of_cells() {
    for record in [samples::study("tokens", 4, 1.0), empty(), undefined()] {
        for (name, content) in study::csv(&record) {
            let widths: Vec<usize> = content
                .lines()
                .map(|line| line.split(',').count())
                .collect();
            // The samples hold one comma inside a cell, in a quoted reason.
            let quoted = content.lines().map(|line| usize::from(line.contains('"')));
            let widths: Vec<usize> = widths
                .iter()
                .zip(quoted)
                .map(|(width, quoted)| width - quoted)
                .collect();
            assert!(
                widths.iter().all(|width| *width == widths[0]),
                "{name}: {widths:?}"
            );
        }
    }
}

#[test]
fn json_reads_back_as_the_same_record() {
    for record in [samples::study("tokens", 4, 1.0), empty(), undefined()] {
        let read: StudyRecord =
            serde_json::from_str(&study::json(&record)).expect("it was just written");
        assert_eq!(read, record);
    }
}

#[test]
fn json_keys_are_in_kebab_case() {
    let text = study::json(&samples::study("tokens", 1, 1.0));
    let keys = text.lines().filter_map(|line| {
        line.trim()
            .strip_prefix('"')?
            .split_once("\": ")
            .map(|(key, _)| key)
    });
    let bad: Vec<&str> = keys
        .filter(|key| key.contains('_') || key.chars().any(char::is_uppercase))
        .collect();
    assert!(bad.is_empty(), "{bad:?}");
}

#[test]
fn the_page_holds_the_figures_and_tables_of_the_paper() {
    let page = study::html(&samples::study("tokens", 12, 1.0));
    for needle in [
        "c1 box",
        "P-measure",
        "seconds",
        "Figure 5.",
        "lower (better) F-measure",
        "higher (better) PMA",
        "<nav",
    ] {
        assert!(page.contains(needle), "{needle}");
    }
    assert_eq!(
        page.matches("P-measure against tests").count(),
        6,
        "six faults of twelve are drawn"
    );
}

#[test]
fn reports_without_data_hold_no_undefined_number() {
    for record in [empty(), undefined(), samples::study("one", 1, 1.0)] {
        let texts = [
            study::terminal(&record),
            study::html(&record),
            studies::html(&several(vec![record.clone(), record])),
        ];
        for text in texts {
            assert!(!text.contains("NaN") && !text.contains(" inf"), "{text}");
        }
    }
    assert!(studies::html(&several(vec![])).contains("0 subjects"));
    assert!(studies::terminal(&several(vec![])).contains("to repeat"));
}

#[test]
fn foreign_names_can_neither_break_a_page_nor_a_terminal() {
    let mut record = samples::study("</script><script>\x1b[2J", 2, 1.0);
    record.versions[0].name = "<b>\u{202e}".repeat(400);
    record.versions[1].mutant = "a\nb\x07`c".into();
    record.command = "testhound study '<i>`'\x1b".into();
    let (page, text) = (study::html(&record), study::terminal(&record));
    assert!(!page.contains("<script") && !page.contains("<i>"));
    for output in [page, text] {
        assert!(!output.contains(['\x1b', '\x07', '\u{202e}']));
    }
}

#[test]
fn one_page_holds_several_subjects_and_draws_them_together() {
    let page = studies::html(&several(vec![
        samples::study("tokens", 9, 1.0),
        samples::study("collide", 8, 1.25),
    ]));
    for needle in [
        "Subject tokens",
        "Subject collide",
        "all subjects",
        "tokens, art-sum",
        "collide, art-sum",
    ] {
        assert!(page.contains(needle), "{needle}");
    }
}
