//! From a finished run to its suite: choose and reduce tests, write and verify pytest files, report.

use super::confirm::confirm;
use super::rounds::Rounds;
use super::{Campaign, exports, record, worker_failed};
use crate::exit::{Exit, Failed};
use crate::progress::Progress;
use crate::python::importing::importing;
use crate::written::{fresh_folder, write_files, write_text};
use engine::{Goal, Stop};
use python::module::choose::{Chooser, ChosenFailure};
use python::module::open::Opened;
use python::protocol::Measure;
use python::pytest::{Dropped, KeptCall, Mutating, Score, TestFile, Verified, verify, write};
use python::session::{Session, WorkerError};
use report::LeftOut;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Mutants that assertions are chosen by at most, unless the user says how many.
const MUTANTS: usize = 300;

/// A suite as it was written.
pub struct Written {
    /// The tests that pass.
    pub suite: TestFile,
    /// The tests that fail.
    pub failures: TestFile,
    /// What those of them that do not fail do when they are run, by their names.
    pub otherwise: BTreeMap<String, String>,
    /// The failures with their tests, in the order of the ledger.
    pub failing: Vec<ChosenFailure>,
    /// What the suite covers, importing the module included.
    pub covered: BTreeSet<Goal>,
    /// What is not in the suite.
    pub dropped: Vec<LeftOut>,
    /// How the mutants of the module fared, where some were made.
    pub score: Option<Score>,
}

/// Ends a run: writes its suite and its reports; the exit code says what was found.
pub fn harvest(campaign: &Campaign<'_>, rounds: Rounds, stopped: Stop) -> anyhow::Result<Exit> {
    let mut progress = Progress::new("suite", campaign.flags.json);
    let written = write_all(campaign, &rounds, &mut progress);
    progress.finish();
    let written = written.map_err(|error| worker_failed(&error))?;
    write_suite(campaign, &written)?;
    let record = record::record_of(campaign, &rounds, stopped, &written);
    report(campaign, &record, &written)?;
    Ok(match (stopped, record.failures.is_empty()) {
        (Stop::Interrupted, _) => Exit::Interrupted,
        (_, true) => Exit::Clean,
        (_, false) => Exit::Failures,
    })
}

fn write_all(
    campaign: &Campaign<'_>,
    rounds: &Rounds,
    progress: &mut Progress,
) -> Result<Written, WorkerError> {
    let opened = &campaign.opened;
    let session = || {
        let load = opened.load(Measure::Lines);
        Session::new(&campaign.runtime, &campaign.launch, load)
    };
    let hurry = || campaign.flags.no_reduce || campaign.stop.load(Ordering::Relaxed);
    let mut chooser = Chooser {
        model: &opened.model,
        coverage: &opened.coverage,
        first: session(),
        second: session(),
        hurry: &hurry,
        progress: &mut |share, message| progress.update(share, message),
        left_out: Vec::new(),
    };
    let entries = rounds.run.ledger().entries();
    let failing = chooser.failing(&entries)?;
    let covering = chooser.covering(&rounds.run.archive().tests())?;
    let left_out = chooser.left_out;
    progress.update(0.95, "running the suite twice");
    let module = &opened.model.module;
    let title = format!("Tests of `{module}`: what it does today.");
    let (verified, score) = verified(campaign, write(&opened.model, &title, &covering), progress)?;
    let Verified {
        file,
        dropped,
        covered,
    } = verified;
    let failed: Vec<KeptCall> = failing.iter().filter_map(|one| one.kept.clone()).collect();
    let title = format!("Tests of `{module}` that fail: what is wrong stands above the last step.");
    let mut failures = write(&opened.model, &title, &failed);
    let otherwise = confirm(campaign, &mut failures)?;
    let mut goals: BTreeSet<Goal> = covered.into_values().flatten().collect();
    goals.extend(&opened.imported);
    Ok(Written {
        suite: file,
        failures,
        otherwise,
        covered: goals,
        dropped: left_out
            .into_iter()
            .map(|(number, reason)| LeftOut {
                name: format!("test {}", number + 1),
                reason,
            })
            .chain(dropped.into_iter().map(dropped_record))
            .collect(),
        failing,
        score,
    })
}

/// A file without what does not hold and without assertions that kill no mutant.
fn verified(
    campaign: &Campaign<'_>,
    file: TestFile,
    progress: &mut Progress,
) -> Result<(Verified, Option<Score>), WorkerError> {
    let Opened {
        named, coverage, ..
    } = &campaign.opened;
    let check = |file| verify(file, named, coverage, &campaign.runtime, &campaign.launch);
    let mut verified = check(file)?;
    let most = campaign.flags.mutants.unwrap_or(MUTANTS);
    if most == 0 || verified.file.tests.is_empty() {
        return Ok((verified, None));
    }
    progress.update(0.97, "choosing assertions by the mutants they kill");
    let mutating = Mutating {
        opened: &campaign.opened,
        covered: &verified.covered,
        runtime: &campaign.runtime,
        launch: &campaign.launch,
        jobs: campaign.settings.execution.jobs,
        most,
        hurry: &|| campaign.stop.load(Ordering::Relaxed),
    };
    let score = mutating.choose(&mut verified.file)?;
    if score.left_out > 0 {
        // Assertions call methods, so what the suite covers may be less now.
        let Verified {
            file,
            dropped,
            covered,
        } = check(verified.file)?;
        verified.dropped.extend(dropped);
        (verified.file, verified.covered) = (file, covered);
    }
    Ok((verified, Some(score)))
}

fn dropped_record(dropped: Dropped) -> LeftOut {
    LeftOut {
        name: match dropped.assertion {
            Some(assertion) => format!("{}: {assertion}", dropped.test),
            None => dropped.test,
        },
        reason: dropped.reason,
    }
}

/// The name of the file of a suite.
pub fn file_name(campaign: &Campaign<'_>, what: &str) -> String {
    format!(
        "test_{}{what}.py",
        campaign.opened.model.module.replace('.', "_")
    )
}

fn write_suite(campaign: &Campaign<'_>, written: &Written) -> Result<(), Failed> {
    for (folder, what, file) in [
        ("suite", "", &written.suite),
        ("failures", "_failures", &written.failures),
    ] {
        let folder = campaign.out.join(folder);
        fresh_folder(&folder)?;
        if file.tests.is_empty() {
            continue;
        }
        let (name, (text, _)) = (file_name(campaign, what), file.text());
        let way = conftest(campaign, &folder);
        let way = way.iter().map(|text| ("conftest.py", text.as_bytes()));
        let file = (name.as_str(), text.as_bytes());
        write_files(&folder, way.chain([file]))?;
    }
    Ok(())
}

/// What lets tests find a module that is not installed, wherever they are run from.
fn conftest(campaign: &Campaign<'_>, folder: &Path) -> Option<String> {
    let root = campaign.opened.named.paths.first()?;
    let root = root.canonicalize().ok()?;
    let file = Path::new(&campaign.opened.model.file).canonicalize().ok()?;
    let inside = file.strip_prefix(&root).ok()?;
    // An environment inside the project has its own way.
    let installed = inside.iter().any(|part| part == "site-packages");
    (!installed).then(|| {
        let importing = importing(folder, &root);
        format!("\"\"\"Lets the tests here import what they test.\"\"\"\n\nimport os\nimport sys\n\n{importing}")
    })
}

fn report(
    campaign: &Campaign<'_>,
    record: &report::run::RunRecord,
    written: &Written,
) -> anyhow::Result<()> {
    let out = &campaign.out;
    let json = crate::generate::folder::pretty(record);
    write_text(&out.join("record.json"), &json)?;
    write_text(&out.join("report.html"), &report::run::html(record))?;
    write_text(
        &out.join("coverage.lcov"),
        &exports::lcov(campaign, written),
    )?;
    let sarif = exports::sarif(campaign, record, written);
    write_text(&out.join("failures.sarif"), &sarif)?;
    if campaign.flags.json {
        crate::print_bytes(json.as_bytes())?;
    } else {
        crate::print_bytes(report::run::terminal(record).as_bytes())?;
        eprintln!("report: {}", out.join("report.html").display());
    }
    Ok(())
}
