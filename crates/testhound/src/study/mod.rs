//! `testhound study`: guides compared on the faulty versions of one program or of several, as in the ARTsum paper.
//!
//! The outcome matrix (input x version) is computed once and kept on disk; simulating the runs needs it alone. Everything is
//! made of small jobs with result files, so that a study that was stopped goes on where it was. `faults` is the study of faults in
//! Java classes and Python modules.

mod analysis;
mod direct;
mod faults;
mod inputs;
mod matrix;
mod recorded;
mod runs;
mod subject;
mod timing;
mod versions;

use crate::cli::Study;
use crate::exit::{Exit, Failed};
use crate::generate::{interrupt_flag, unknown_guide};
use crate::settings::SettingsFile;
use crate::written::{make_folder, write_text};
use analysis::{correct, hypotheses, signed_rank, summarise};
use engine::{Guide, TestKind};
use report::studies::StudiesRecord;
use report::study::{StudyRecord, TestResult};
use std::path::Path;

/// Runs the subcommand.
pub fn study(flags: &Study) -> anyhow::Result<Exit> {
    if let Some(fixed) = &flags.faults.fixed {
        return faults::study(fixed, flags);
    }
    let flags = &Study {
        guides: flags.guides_or("random,art-sum,art-mif"),
        ..flags.clone()
    };
    for guide in &flags.guides {
        Guide::parse(guide, TestKind::Frames).map_err(|error| unknown_guide(&error))?;
    }
    if flags.runs() == 0 || flags.tests == 0 || flags.inputs == 0 {
        return Err(Failed::input("a study needs at least one run, one test and one input").into());
    }
    let mut settings = SettingsFile::find(&std::env::current_dir()?)?.execution(&flags.execution);
    // A study counts crashes; where they happen does not matter to it.
    settings.core = 0;
    let stop = interrupt_flag()?;
    let mut subjects = Vec::new();
    for spec in &flags.specs {
        subjects.push(subject::study_subject(spec, flags, &settings, &stop)?);
    }
    let record = finish(flags, subjects);
    make_folder(&flags.out)?;
    write_reports(&flags.out, &record)?;
    if flags.json {
        crate::print_bytes(report::studies::json(&record).as_bytes())?;
    } else {
        let text = match record.subjects.as_slice() {
            [one] => report::study::terminal(one),
            _ => report::studies::terminal(&record),
        };
        crate::print_bytes(text.as_bytes())?;
        eprintln!("report: {}", flags.out.join("report.html").display());
    }
    Ok(Exit::Clean)
}

/// Corrects all p-values of all subjects together and sums up.
fn finish(flags: &Study, mut subjects: Vec<StudyRecord>) -> StudiesRecord {
    let mut overall_tests: Vec<Option<TestResult>> = flags.guides[1..]
        .iter()
        .map(|guide| overall_test(&subjects, guide))
        .collect();
    let mut all: Vec<&mut TestResult> = overall_tests.iter_mut().flatten().collect();
    for subject in &mut subjects {
        all.extend(hypotheses(&mut subject.f_comparison));
        all.extend(hypotheses(&mut subject.pma_comparison));
    }
    let count = correct(&mut all);
    for subject in &mut subjects {
        subject.hypotheses = count;
        for summary in &mut subject.summaries {
            let pair = subject.f_comparison.wins(&summary.guide, &subject.baseline);
            summary.test = pair.and_then(|(_, test)| test.copied());
        }
    }
    let overall = flags.guides[1..]
        .iter()
        .zip(overall_tests)
        .map(|(guide, test)| {
            let versions = subjects.iter().flat_map(|subject| &subject.versions);
            let ratios: Vec<f64> = versions
                .filter_map(|version| version.result(guide)?.f_ratio)
                .collect();
            summarise(guide, &ratios, test, flags.seed)
        })
        .collect();
    StudiesRecord {
        command: command_line(flags),
        program: concat!("testhound ", env!("CARGO_PKG_VERSION")).to_owned(),
        subjects,
        overall,
    }
}

/// A guide against the baseline over the faults of all subjects.
fn overall_test(subjects: &[StudyRecord], guide: &str) -> Option<TestResult> {
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for subject in subjects {
        let measures = |version: &report::study::VersionRecord| {
            let measure = |guide: &str| version.result(guide)?.f_measure;
            measure(guide).zip(measure(&subject.baseline))
        };
        pairs.extend(subject.versions.iter().filter_map(measures));
    }
    let (method, baseline): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    signed_rank(&method, &baseline)
}

fn write_reports(folder: &Path, record: &StudiesRecord) -> Result<(), Failed> {
    write_text(&folder.join("study.json"), &report::studies::json(record))?;
    for (name, text) in report::studies::csv(record) {
        write_text(&folder.join(name), &text)?;
    }
    let page = match record.subjects.as_slice() {
        [one] => report::study::html(one),
        _ => report::studies::html(record),
    };
    write_text(&folder.join("report.html"), &page)
}

/// The command that repeats the study.
fn command_line(flags: &Study) -> String {
    let quote = |path: &Path| command::suite::quote(&path.to_string_lossy());
    let mut words = vec!["testhound study".to_owned()];
    words.extend(flags.specs.iter().map(|spec| quote(spec)));
    words.extend(
        flags
            .versions
            .iter()
            .map(|folder| format!("--versions {}", quote(folder))),
    );
    words.extend(
        flags
            .mutants
            .iter()
            .map(|count| format!("--mutants {count}")),
    );
    words.extend(
        flags
            .pool
            .iter()
            .map(|folder| format!("--pool {}", quote(folder))),
    );
    words.extend(flags.direct.then(|| "--direct".to_owned()));
    words.push(format!(
        "--guides {} --runs {} --tests {} --inputs {} --candidates {} --seed {}",
        flags.guides.join(","),
        flags.runs(),
        flags.tests,
        flags.inputs,
        flags.candidates,
        flags.seed
    ));
    words.join(" ")
}
