//! The record of a run on a JVM subject, filled from the run's state and its suite.

use super::Campaign;
use super::choose::Chosen;
use super::coverage_record::{self, Counts, Covered};
use super::failure_record::failures;
use super::rounds::Rounds;
use crate::generate::record::{curve, end_name, stop_name};
use classfile::ClassFile;
use command::suite::quote;
use engine::Stop;
use jvm::coverage::Coverage;
use jvm::suite::{DroppedSummary, Suite, SuiteSummary};
use report::LeftOut;
use report::jvm::{
    ClassRecord, Counter, DegradedRecord, JvmRunRecord, JvmTotals, MutationTotals, SourceText,
};
use report::run::{EndCount, SandboxRecord};
use std::collections::BTreeMap;

/// A suite as it was written.
pub struct Written<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The same, described.
    pub summary: SuiteSummary,
    /// The failing tests, in the order of the ledger.
    pub failing: &'a [Option<Chosen>],
    /// Where they stand in the input.
    pub places: &'a [Option<usize>],
    /// Tests that did not come so far.
    pub left_out: Vec<LeftOut>,
    /// How many tests cover each goal.
    pub counts: Counts,
    /// How many tests of the suite cover each goal.
    pub covered: Counts,
    /// The goals as the suite hit them.
    pub measured: Coverage,
    /// Failures that were too many to be written.
    pub unwritten: usize,
    /// How mutants fared under the suite.
    pub mutation: Option<MutationTotals>,
}

/// The record of a run.
pub fn record_of(
    campaign: &Campaign,
    rounds: &Rounds,
    stopped: Stop,
    written: &Written<'_>,
) -> JvmRunRecord {
    let run = &rounds.run;
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    for (end, count) in &rounds.ends {
        let name = match end {
            engine::End::Exited(_) => "ended normally".to_owned(),
            engine::End::Threw(_) => "threw an exception".to_owned(),
            other => end_name(*other),
        };
        *ends.entry(name).or_default() += count;
    }
    let mut ends: Vec<EndCount> = ends
        .into_iter()
        .map(|(end, count)| EndCount { end, count })
        .collect();
    ends.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.end.cmp(&b.end)));
    let folder = campaign.out.join("suite");
    JvmRunRecord {
        subject: campaign.name(),
        guide: campaign.plan.guide.clone(),
        seed: campaign.plan.seed.0,
        command: command_line(campaign, rounds),
        program: concat!("testhound ", env!("CARGO_PKG_VERSION")).to_owned(),
        java: campaign.opened.java.release.clone(),
        executions: run.executions(),
        calls: rounds.noted.calls,
        elapsed_seconds: rounds.elapsed.as_secs_f64(),
        first_test_seconds: rounds.noted.first_test.map(|time| time.as_secs_f64()),
        stopped_by: stop_name(stopped).to_owned(),
        ends,
        failures: failures(campaign, rounds, written),
        classes: classes(campaign, rounds, written),
        suite_coverage: Some(suite_coverage(campaign, written)),
        curve: curve(run.curve()),
        suite_tests: written.suite.methods.len() as u64,
        suite_assertions: written
            .suite
            .methods
            .iter()
            .map(|method| method.assertions.len() as u64)
            .sum(),
        suite_files: written
            .suite
            .files
            .iter()
            .map(|file| folder.join(&file.path).display().to_string())
            .collect(),
        dropped_tests: dropped_tests(written),
        dropped_assertions: written
            .summary
            .dropped_assertions
            .iter()
            .map(|dropped| LeftOut {
                name: dropped.assertion.clone().unwrap_or_default(),
                reason: kind_of(&dropped.detail),
            })
            .collect(),
        workers_started: rounds.noted.workers as u64,
        workers_retired: rounds.noted.troubles.retired(campaign),
        degraded: degraded(campaign),
        mutation: written.mutation,
        sandbox: SandboxRecord {
            state: campaign.sandbox_state().to_owned(),
            missing: Vec::new(),
            allowed: campaign.settings.execution.allow.clone(),
        },
    }
}

/// What the run and its suite covered, class by class, and what the suite alone does.
fn classes(campaign: &Campaign, rounds: &Rounds, written: &Written<'_>) -> Vec<ClassRecord> {
    let goals = &campaign.target.coverage;
    let mut classes = coverage_record::classes(
        &campaign.opened,
        &Covered {
            goals,
            hit: &[goals, &written.measured],
            counts: &written.counts,
            troubles: &rounds
                .noted
                .troubles
                .reasons(campaign, &rounds.run.statistics()),
            unreadable: &campaign.target.unreadable,
        },
    );
    for (class, of_suite) in classes.iter_mut().zip(suite_classes(campaign, written)) {
        class.suite = Some(of_suite.totals());
    }
    classes
}

/// What the suite covers by itself, class by class.
pub fn suite_classes(campaign: &Campaign, written: &Written<'_>) -> Vec<ClassRecord> {
    let covered = Covered {
        goals: &campaign.target.coverage,
        hit: &[&written.measured],
        counts: &written.covered,
        troubles: &[],
        unreadable: &campaign.target.unreadable,
    };
    coverage_record::classes(&campaign.opened, &covered)
}

/// A reason without what exactly was seen, so that reports can count equal ones.
fn kind_of(detail: &str) -> String {
    detail.split(": ").next().unwrap_or(detail).to_owned()
}

fn dropped_tests(written: &Written<'_>) -> Vec<LeftOut> {
    let mut all = written.left_out.clone();
    let dropped = |dropped: &DroppedSummary| LeftOut {
        name: dropped
            .method
            .clone()
            .unwrap_or_else(|| format!("kept test {}", dropped.test + 1)),
        reason: kind_of(&dropped.detail),
    };
    all.extend(written.summary.dropped_tests.iter().map(dropped));
    if written.unwritten > 0 {
        all.push(LeftOut {
            name: format!("{} failing tests", written.unwritten),
            reason: "too many failures to write them all".to_owned(),
        });
    }
    all
}

/// What the passing and failing tests of the suite cover together.
fn suite_coverage(campaign: &Campaign, written: &Written<'_>) -> JvmTotals {
    let covered = &written.covered;
    let counter = |index: usize| {
        let criteria = campaign.target.coverage.criteria();
        Counter {
            covered: covered
                .iter()
                .filter(|(goal, _)| usize::from(goal.criterion.0) == index)
                .count() as u64,
            total: criteria.get(index).map_or(0, |one| u64::from(one.goals)),
        }
    };
    JvmTotals {
        branch: counter(0),
        line: counter(1),
        method: counter(2),
    }
}

/// Methods that are too large for all probes.
fn degraded(campaign: &Campaign) -> Vec<DegradedRecord> {
    let record = |(class, reduced): &(String, classfile::rewrite::Reduced)| {
        let parsed = campaign.opened.subject.classes.get(class);
        let parsed = parsed.and_then(|class| ClassFile::parse(&class.bytes).ok())?;
        let member = parsed.methods.get(usize::from(reduced.method))?;
        Some(DegradedRecord {
            class: class.clone(),
            method: member.name(&parsed.pool).to_owned(),
            descriptor: member.descriptor(&parsed.pool).to_owned(),
            level: format!("{:?}", reduced.level),
        })
    };
    campaign.target.reduced.iter().filter_map(record).collect()
}

/// The sources of the classes in a record, where the user said where they are.
pub fn sources(campaign: &Campaign, record: &JvmRunRecord) -> Vec<SourceText> {
    super::existing::sources(&campaign.plan.options, &record.classes)
}

/// The command that repeats the run exactly, by executions instead of time.
fn command_line(campaign: &Campaign, rounds: &Rounds) -> String {
    let options = &campaign.plan.options;
    let mut words = vec![
        "testhound generate".to_owned(),
        quote(&campaign.flags.subject),
        format!("--guide {}", quote(&campaign.plan.guide)),
        format!("--seed {}", campaign.plan.seed.0),
        format!("--executions {}", rounds.run.executions()),
    ];
    let mut all = |flag: &str, values: &[String]| {
        words.extend(
            values
                .iter()
                .map(|value| format!("--{flag} {}", quote(value))),
        );
    };
    all("class", &options.class);
    all("package", &options.package);
    all("method", &options.method);
    all("entry", options.entry.as_slice());
    all("since", options.since.as_slice());
    all("check", &options.check);
    all("classpath", options.classpath.as_slice());
    let with = options.with.iter().map(|path| path.display().to_string());
    all("with", &with.collect::<Vec<_>>());
    words.extend(options.deprecated.then(|| "--deprecated".to_owned()));
    words.extend(options.fresh_jvm.then(|| "--fresh-jvm".to_owned()));
    words.join(" ")
}
