//! A study as terminal text.

use super::{StudyRecord, tables, words};
use crate::{left_out, number};

/// Everything a person wants to see at the end of a study; what is longer is in the files.
#[must_use]
pub fn terminal(record: &StudyRecord) -> String {
    let mut text = brief(record);
    text += &format!(
        "\nF-measure of {} and F-ratios of the others per fault (below 1 is better)\n\n",
        plain(&record.baseline)
    );
    text += &tables::ratios(record).text();
    text += "\nfaults on which the guide above has the lower (better) F-measure than the guide on the left\n\n";
    text += &tables::wins(record, &record.f_comparison).text();
    text += "\nfaults on which the guide above has the higher (better) PMA than the guide on the left\n\n";
    text += &tables::wins(record, &record.pma_comparison).text();
    text += &format!(
        "\n* significant at {} over {}\n",
        record.alpha,
        hypotheses(record)
    );
    text += &format!(
        "{}\n",
        words::friedman("F-measure", record.f_comparison.friedman.as_ref())
    );
    text += &format!(
        "{}\n",
        words::friedman("PMA", record.pma_comparison.friedman.as_ref())
    );
    if record.generation.iter().any(|time| !time.points.is_empty()) {
        text += "\ntime to generate tests, and relative to the baseline\n\n";
        text += &tables::generation(record).text();
    }
    if record
        .versions
        .iter()
        .any(|version| version.failing_frames.is_some())
    {
        text += "\nwhere failures lie: frames with failures, failure rate within them, distance between them, F-ratios\n\n";
        text += &tables::frames(record).text();
    }
    text += &dropped(record);
    text += &format!(
        "\ntime: {}\nto repeat: {}\n",
        words::timing(record),
        crate::escape::one_line(&record.command)
    );
    text
}

/// What was compared and how each guide did, in a few lines.
pub(crate) fn brief(record: &StudyRecord) -> String {
    let mut text = format!(
        "study of {}: {}\n",
        plain(&record.subject),
        words::subject_line(record)
    );
    for summary in &record.summaries {
        text += &format!("  {}\n", plain(&words::verdict(summary, &record.baseline)));
    }
    text
}

/// How many hypotheses were corrected for.
pub(super) fn hypotheses(record: &StudyRecord) -> String {
    number::counted(record.hypotheses, "hypothesis", "hypotheses")
}

fn dropped(record: &StudyRecord) -> String {
    if record.dropped_versions.is_empty() {
        return String::new();
    }
    let total = number::counted(record.dropped_versions.len() as u64, "version", "versions");
    let mut text = format!("\n{total} left out\n");
    for (count, reason) in left_out::reasons(&record.dropped_versions) {
        text += &format!("  {} {}\n", number::count(count), plain(reason));
    }
    text
}

/// One line without the backticks that mark code on a page.
pub(crate) fn plain(text: &str) -> String {
    crate::escape::one_line(text).replace('`', "")
}
