//! From a finished run to its suite: choose and reduce tests, write and verify JUnit classes, report.

use super::choose::{Chooser, Chosen, MOST_FAILURES};
use super::coverage_record::Counts;
use super::examine::Examiner;
use super::record::{self, Written};
use super::rounds::Rounds;
use super::{Campaign, bad_target};
use crate::exit::{Exit, Failed};
use crate::progress::Progress;
use crate::written::{fresh_folder, write_files, write_text};
use engine::Stop;
use jvm::suite::{
    Compiler, Junit, JunitPlaces, KeptTest, Suite, SuiteInput, SuiteOptions, SuiteSummary,
    Verifier, verify, write,
};
use report::jvm::JvmRunRecord;
use std::collections::BTreeSet;
use std::time::Duration;

/// How long the compiler may take.
const COMPILING: Duration = Duration::from_secs(300);
/// How long one written test may take.
const TESTING: Duration = Duration::from_secs(10);

/// Ends a run: writes its suite and its reports; the exit code says what was found.
pub fn harvest(campaign: &Campaign, rounds: Rounds, stopped: Stop) -> anyhow::Result<Exit> {
    let mut progress = Progress::new("suite", campaign.flags.json);
    let mut chooser = Chooser {
        model: &campaign.target.model,
        first: Examiner::new(&campaign.target, &campaign.launch),
        second: Examiner::new(&campaign.target, &campaign.launch),
        stop: &campaign.stop,
        left_out: Vec::new(),
    };
    let entries = rounds.run.ledger().entries();
    let failing = chooser.failing(&entries, &mut progress)?;
    let covering = chooser.covering(&rounds.run.archive().tests(), &mut progress)?;
    let left_out = chooser.left_out;
    let mut tests: Vec<KeptTest> = covering;
    // Where the test of each failure stands in the suite's input.
    let places: Vec<Option<usize>> = failing
        .iter()
        .map(|chosen| {
            let chosen = chosen.as_ref()?;
            tests.push(chosen.kept.clone());
            Some(tests.len() - 1)
        })
        .collect();
    let closed = closed_packages(campaign);
    let input = SuiteInput {
        model: &campaign.target.model,
        tests: &tests,
        options: SuiteOptions {
            junit: campaign.junit,
        },
        closed: &closed,
    };
    progress.update(0.9, "compiling and running the suite twice");
    let suite = verified(campaign, &input)?;
    progress.finish();
    write_suite(campaign, &suite)?;
    let counts = counts(&rounds, &input, &suite);
    let written = Written {
        suite: &suite,
        summary: SuiteSummary::of(&input, &suite),
        input: &input,
        failing: &failing,
        places: &places,
        left_out,
        counts,
        unwritten: entries.len().saturating_sub(MOST_FAILURES),
    };
    let record = record::record_of(campaign, &rounds, stopped, &written);
    report(campaign, &record)?;
    Ok(match (stopped, record.failures.is_empty()) {
        (Stop::Interrupted, _) => Exit::Interrupted,
        (_, true) => Exit::Clean,
        (_, false) => Exit::Failures,
    })
}

/// Compiles the suite and runs it in fresh JVMs; what does not hold is dropped.
fn verified(campaign: &Campaign, input: &SuiteInput<'_>) -> Result<Suite, Failed> {
    let junit = JunitPlaces::of_this_process(Vec::new())
        .find(campaign.junit)
        .map_err(|error| bad_target(&error.to_string(), Failed::missing))?;
    let mut classpath = campaign.opened.subject.full_classpath();
    classpath.extend(junit);
    let folder = campaign.out.join("build").join("suite");
    fresh_folder(&folder)?;
    let verifier = Verifier {
        compiler: Compiler {
            java: campaign.opened.java.clone(),
            classpath,
            folder: folder.canonicalize().unwrap_or(folder),
            timeout: COMPILING,
        },
        policy: campaign.policy()?,
        launcher: campaign.launch.launcher.clone(),
        test_timeout: TESTING,
    };
    verify(input, write(input), &verifier).map_err(|error| {
        bad_target(
            &format!("{:#}", anyhow::Error::from(error)),
            Failed::missing,
        )
    })
}

/// Packages into which no test can be put.
fn closed_packages(campaign: &Campaign) -> BTreeSet<String> {
    let closed = campaign.opened.discovered.classes.iter();
    closed
        .filter(|class| class.closed)
        .map(|class| match class.name.rsplit_once('/') {
            Some((package, _)) => package.to_owned(),
            None => String::new(),
        })
        .collect()
}

/// Writes the files, below `suite` as a build tool wants them below its folder of test sources.
fn write_suite(campaign: &Campaign, suite: &Suite) -> Result<(), Failed> {
    let folder = campaign.out.join("suite");
    fresh_folder(&folder)?;
    let files = suite.files.iter();
    write_files(
        &folder,
        files.map(|file| (file.path.as_str(), file.text.as_bytes())),
    )
}

/// How many tests of the suite cover each goal; what only the run covered counts as one.
fn counts(rounds: &Rounds, input: &SuiteInput<'_>, suite: &Suite) -> Counts {
    let mut counts: Counts = rounds.run.seen().iter().map(|&goal| (goal, 0)).collect();
    for method in &suite.methods {
        for &goal in &input.tests[method.test].goals {
            *counts.entry(goal).or_default() += 1;
        }
    }
    counts
        .values_mut()
        .for_each(|count| *count = (*count).max(1));
    counts
}

fn report(campaign: &Campaign, record: &JvmRunRecord) -> anyhow::Result<()> {
    let out = &campaign.out;
    let sources = record::sources(campaign, record);
    let place = |path: &str| match &campaign.plan.options.sources {
        Some(folder) => folder.join(path).display().to_string(),
        None => path.to_owned(),
    };
    let files = [
        ("report.html", report::jvm::html(record, &sources)),
        ("report.json", report::jvm::json(record)),
        (
            "coverage.lcov",
            report::lcov::document(&record.classes, &place),
        ),
        (
            "coverage.xml",
            report::jacoco::document(&record.subject, &record.classes),
        ),
        (
            "failures.sarif",
            report::sarif::document(&record.program, &record.failures, &place),
        ),
    ];
    for (name, text) in &files {
        write_text(&out.join(name), text)?;
    }
    if campaign.flags.json {
        crate::print_bytes(report::jvm::json(record).as_bytes())?;
    } else {
        crate::print_bytes(report::jvm::terminal(record).as_bytes())?;
        eprintln!("report: {}", out.join("report.html").display());
    }
    Ok(())
}

/// What is said of a failing test in reports.
pub fn reduced(chosen: Option<&Chosen>) -> bool {
    chosen.is_some_and(|chosen| chosen.reduced)
}

/// The version of JUnit that written tests are for.
pub fn junit(version: Option<crate::cli::JUnit>) -> Junit {
    match version {
        Some(crate::cli::JUnit::Four) => Junit::Four,
        Some(crate::cli::JUnit::Five) | None => Junit::Five,
    }
}
