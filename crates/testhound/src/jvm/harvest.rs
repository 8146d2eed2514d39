//! From a finished run to its suite: choose and reduce tests, write and verify JUnit classes, report.

use super::Campaign;
use super::choose::{Chooser, Chosen, MOST_FAILURES};
use super::coverage_record::Counts;
use super::examine::Examiner;
use super::kills::{find_kills, totals};
use super::record::{self, Written};
use super::rounds::Rounds;
use crate::exit::{Exit, Failed, told};
use crate::progress::Progress;
use crate::written::{fresh_folder, write_files, write_text};
use engine::Stop;
use jvm::coverage::Coverage;
use jvm::measure::measure;
use jvm::mutation::{Looking, SuiteSubject};
use jvm::suite::{
    Compiler, Junit, JunitPlaces, KeptTest, Suite, SuiteInput, SuiteOptions, SuiteSummary,
    Verifier, verify, write,
};
use jvm::target::originals;
use report::jvm::{ClassRecord, JvmRunRecord};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Mutants that assertions are chosen by, where the user does not say how many.
const MUTANTS: usize = 1000;
/// How long one test may be reduced, and how long it may run on mutants, in a run by time.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long the compiler may take.
const COMPILING: Duration = Duration::from_secs(300);
/// How much processor time one written test may take.
const TESTING: Duration = Duration::from_secs(10);

/// Ends a run: writes its suite and its reports; the exit code says what was found.
pub fn harvest(campaign: &Campaign, rounds: Rounds, stopped: Stop) -> anyhow::Result<Exit> {
    let mut progress = Progress::new("suite", campaign.flags.json);
    // A run by executions repeats exactly, however long that takes.
    let timed = campaign.settings.budget.executions.is_none();
    let patience = timed.then_some(PATIENCE);
    let mut chooser = Chooser {
        model: &campaign.target.model,
        first: Examiner::new(campaign),
        second: Examiner::new(campaign),
        home: home_name(campaign),
        stop: &campaign.stop,
        patience,
        left_out: Vec::new(),
    };
    let entries = rounds.run.ledger().entries();
    let failing = chooser.failing(&entries, &mut progress)?;
    let mut covering = chooser.covering(&rounds.run.archive().tests(), &mut progress)?;
    let left_out = chooser.left_out;
    let most = campaign.flags.mutants.unwrap_or(MUTANTS);
    let looked = match most {
        0 => None,
        _ => {
            progress.update(0.5, "choosing assertions by the mutants they kill");
            Some(find_kills(
                campaign,
                &mut covering,
                Looking { most, patience },
            )?)
        }
    };
    let mut tests: Vec<KeptTest> = covering.into_iter().map(|chosen| chosen.kept).collect();
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
    progress.update(0.9, "compiling and running the suite three times");
    let (suite, compiled) = verified(campaign, &input)?;
    progress.update(0.95, "measuring what the suite covers");
    let (covered, measured) = covered(campaign, &suite, &compiled)?;
    progress.finish();
    write_suite(campaign, &suite)?;
    let counts = counts(&rounds, &covered);
    let written = Written {
        suite: &suite,
        summary: SuiteSummary::of(&input, &suite),
        failing: &failing,
        places: &places,
        left_out,
        counts,
        covered,
        measured,
        unwritten: entries.len().saturating_sub(MOST_FAILURES),
        mutation: looked.map(|looked| totals(&looked, &input, &suite)),
    };
    let record = record::record_of(campaign, &rounds, stopped, &written);
    report(
        campaign,
        &record,
        &record::suite_classes(campaign, &written),
    )?;
    Ok(match (stopped, record.failures.is_empty()) {
        (Stop::Interrupted, _) => Exit::Interrupted,
        (_, true) => Exit::Clean,
        (_, false) => Exit::Failures,
    })
}

/// Compiles the suite and runs it in fresh JVMs; what does not hold is dropped. Gives the folder of its classes, too.
fn verified(campaign: &Campaign, input: &SuiteInput<'_>) -> Result<(Suite, PathBuf), Failed> {
    let junit = JunitPlaces::of_this_process(Vec::new())
        .find(campaign.junit)
        .map_err(|error| told(&error.to_string(), Failed::missing))?;
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
    let suite = verify(input, write(input), &verifier).map_err(|error| {
        told(
            &format!("{:#}", anyhow::Error::from(error)),
            Failed::missing,
        )
    })?;
    Ok((suite, verifier.compiler.classes()))
}

/// What the tests of the suite cover in a JVM of their own, with the number of tests that cover each goal.
fn covered(
    campaign: &Campaign,
    suite: &Suite,
    compiled: &Path,
) -> Result<(Counts, Coverage), Failed> {
    if suite.methods.is_empty() {
        return Ok((Counts::new(), Coverage::default()));
    }
    let mut classpath = campaign.opened.subject.full_classpath();
    classpath.push(compiled.to_owned());
    let runners = JunitPlaces::of_this_process(Vec::new()).runners(&classpath);
    classpath.extend(runners);
    let test_classes: Vec<String> = suite
        .files
        .iter()
        .map(|file| file.class.replace('.', "/"))
        .collect();
    let subject = SuiteSubject {
        originals: &originals(&campaign.opened.subject, &campaign.opened.discovered),
        classpath: &classpath,
        test_classes: &test_classes,
    };
    let measured = measure(&subject, &campaign.launch, campaign.scratch())
        .map_err(|error| told(&error.to_string(), Failed::subject))?;
    let mut counts = Counts::new();
    for goal in measured.tests.iter().flat_map(|test| &test.goals) {
        *counts.entry(*goal).or_default() += 1;
    }
    for goal in measured.rest {
        counts.entry(goal).or_insert(1);
    }
    Ok((counts, measured.coverage))
}

fn home_name(campaign: &Campaign) -> String {
    let name = campaign.opened.java.home.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
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
fn counts(rounds: &Rounds, covered: &Counts) -> Counts {
    let mut counts: Counts = rounds.run.seen().iter().map(|&goal| (goal, 1)).collect();
    counts.extend(covered);
    counts
}

/// Writes the reports. The coverage files, which other tools read, are of the suite alone.
fn report(campaign: &Campaign, record: &JvmRunRecord, suite: &[ClassRecord]) -> anyhow::Result<()> {
    let out = &campaign.out;
    let sources = record::sources(campaign, record);
    let place = |path: &str| match &campaign.plan.options.sources {
        Some(folder) => folder.join(path).display().to_string(),
        None => path.to_owned(),
    };
    let files = [
        ("report.html", report::jvm::html(record, &sources)),
        ("report.json", report::jvm::json(record)),
        ("coverage.lcov", report::lcov::document(suite, &place)),
        (
            "coverage.xml",
            report::jacoco::document(&record.subject, suite),
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
