//! From a finished run to what it leaves: failing tests, a suite that passes, sizes, reports.

use super::confirm::confirm;
use super::failures::{WrittenFailure, failures};
use super::file::TestFunction;
use super::suite::{Suite, file_name, suite, suite_text};
use super::{Campaign, Rounds, coverage, record, sarif, sizes, worker_failed};
use crate::exit::{Exit, Failed};
use crate::generate::folder::pretty;
use crate::progress::Progress;
use crate::written::{fresh_folder, write_files, write_text};
use engine::Stop;
use python::harness::Bench;
use python::protocol::Measure;
use report::junit::{Outcome, Reason, TestCase, TestSuite, document};
use std::collections::BTreeSet;

/// Ends a run: writes its tests and its reports; the exit code says what was found.
pub fn harvest(campaign: &Campaign<'_>, mut rounds: Rounds, stopped: Stop) -> anyhow::Result<Exit> {
    let mut progress = Progress::new("suite", campaign.flags.json);
    fresh_folder(&campaign.out.join("suite"))?;
    fresh_folder(&campaign.out.join("failures"))?;
    sizes::write(campaign, &rounds)?;
    warn(campaign, &rounds);
    let mut bench = Bench::new(
        &campaign.target,
        &campaign.runtime,
        &campaign.launch,
        campaign.load(Measure::Nothing),
    );
    progress.update(0.1, "reducing failures");
    let mut failing = failures(campaign, &rounds.run.ledger().entries(), &mut bench)?;
    progress.update(0.4, "running failing tests as they are written");
    confirm(campaign, &mut failing).map_err(|error| worker_failed(&error))?;
    progress.update(0.5, "writing the suite and running it twice");
    let suite = if stopped == Stop::Interrupted {
        Suite {
            tests: Vec::new(),
            covered: BTreeSet::new(),
            dropped: Vec::new(),
            replayed: None,
            cost: None,
        }
    } else {
        suite(campaign, &mut rounds, &mut bench).map_err(|error| worker_failed(&error))?
    };
    progress.finish();
    write_tests(campaign, &failing, &suite)?;
    if !suite.tests.is_empty() {
        let lcov = coverage::lcov(campaign, &suite.tests).map_err(|error| worker_failed(&error))?;
        write_text(&campaign.out.join("coverage.lcov"), &lcov)?;
    }
    let record = record::record_of(campaign, &rounds, stopped, &failing, &suite);
    let out = &campaign.out;
    write_text(&out.join("record.json"), &pretty(&record))?;
    write_text(&out.join("report.html"), &report::run::html(&record))?;
    write_text(&out.join("junit.xml"), &junit(campaign, &failing, &suite))?;
    let sarif = sarif::sarif(campaign, &record.program, &failing);
    write_text(&out.join("failures.sarif"), &sarif)?;
    if campaign.flags.json {
        crate::print_bytes(pretty(&record).as_bytes())?;
    } else {
        crate::print_bytes(report::run::terminal(&record).as_bytes())?;
        let rate = rounds.noted.actions as f64 / rounds.elapsed.as_secs_f64().max(1e-9);
        eprintln!("{} actions, {rate:.0} per second", rounds.noted.actions);
        eprintln!("report: {}", out.join("report.html").display());
    }
    Ok(match (stopped, record.failures.is_empty()) {
        (Stop::Interrupted, _) => Exit::Interrupted,
        (_, true) => Exit::Clean,
        (_, false) => Exit::Failures,
    })
}

/// Says which exceptions were raised that the harness marks with `!`: they are no failures, but worth a look.
fn warn(campaign: &Campaign<'_>, rounds: &Rounds) {
    for ((class, exception), count) in &rounds.noted.warned {
        if let Some(class) = campaign.target.harness.classes.get(*class as usize) {
            let place = format!("{}:{}", campaign.flags.subject, class.line);
            let tests = if *count == 1 { "test" } else { "tests" };
            eprintln!(
                "warning: {place}: `{}` raised {exception} in {count} {tests}",
                class.text
            );
        }
    }
}

fn write_tests(
    campaign: &Campaign<'_>,
    failing: &[WrittenFailure],
    suite: &Suite,
) -> Result<(), Failed> {
    let failures: Vec<TestFunction> = failing.iter().filter_map(|one| one.test.clone()).collect();
    let name = campaign.name();
    for (folder, what, title, tests) in [
        (
            "suite",
            "",
            format!("Tests of the harness `{name}`: what the subject does today."),
            &suite.tests,
        ),
        (
            "failures",
            "_failures",
            format!("Tests of the harness `{name}` that fail."),
            &failures,
        ),
    ] {
        if tests.is_empty() {
            continue;
        }
        let folder = campaign.out.join(folder);
        let text = suite_text(campaign, &folder, &title, tests);
        let file = file_name(campaign, what);
        write_files(&folder, [(file.as_str(), text.as_bytes())].into_iter())?;
    }
    let folder = campaign.out.join("failures");
    for one in failing {
        if let Some(test) = &one.test {
            let name = format!("{}.test", test.name);
            let text: String = one
                .actions
                .iter()
                .map(|line| line.trim().to_owned() + "\n")
                .collect();
            write_files(&folder, [(name.as_str(), text.as_bytes())].into_iter())?;
        }
    }
    Ok(())
}

fn junit(campaign: &Campaign<'_>, failing: &[WrittenFailure], suite: &Suite) -> String {
    let name = campaign.name();
    let case = |test: &TestFunction, folder: &str, outcome, log: &str| TestCase {
        name: test.name.clone(),
        class_name: format!("{name}.{folder}"),
        seconds: 0.0,
        outcome,
        system_out: log.to_owned(),
    };
    let mut cases = Vec::new();
    for one in failing {
        let Some(test) = &one.test else {
            continue;
        };
        let outcome = Outcome::Failed(Reason {
            kind: one.failure.oracle.clone(),
            message: one.failure.message.clone(),
            text: test.lines.join("\n"),
        });
        cases.push(case(test, "failures", outcome, &one.log));
    }
    let passing = suite.tests.iter();
    cases.extend(passing.map(|test| case(test, "suite", Outcome::Passed, "")));
    document(&[TestSuite { name, cases }])
}
