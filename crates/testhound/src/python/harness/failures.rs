//! Failures of a run: found again in a fresh worker, reduced, and written as tests that fail.

use super::allowance::{Allowance, Share};
use super::file::TestFunction;
use super::replay::step_text;
use super::{Campaign, worker_failed};
use crate::exit::Failed;
use engine::ledger::Entry;
use engine::{Failure, Step, Test};
use python::harness::{Bench, Ends, Phase, Reduced, reduce};
use python::session::WorkerError;

/// A failure as it is written.
pub struct WrittenFailure {
    /// The failure.
    pub failure: Failure,
    /// How many tests failed so.
    pub count: u64,
    /// The number of the first one.
    pub first: u64,
    /// The test, with its name; nothing if it could not be written.
    pub test: Option<TestFunction>,
    /// Whether it is smaller than what was found.
    pub reduced: bool,
    /// What reducing it left open.
    pub open: Option<String>,
    /// Whether it was seen again in a fresh worker.
    pub again: bool,
    /// What the written test does when it is run, if that is not the failure.
    pub otherwise: Option<String>,
    /// The file, line and function that it came from.
    pub place: Option<(String, u32, String)>,
    /// The actions as TSTL calls them.
    pub actions: Vec<String>,
    /// What the harness logs in it.
    pub log: String,
}

/// Reduces and writes all failures.
pub fn failures(
    campaign: &Campaign<'_>,
    entries: &[&Entry],
    bench: &mut Bench<'_>,
) -> Result<Vec<WrittenFailure>, Failed> {
    let mut allowance = Allowance::new(campaign);
    let write = |entry: &&Entry| write(campaign, entry, bench, &mut allowance.one());
    let written: Result<Vec<_>, WorkerError> = entries.iter().map(write).collect();
    written.map_err(|error| worker_failed(&error))
}

fn write(
    campaign: &Campaign<'_>,
    entry: &Entry,
    bench: &mut Bench<'_>,
    share: &mut Share<'_, '_>,
) -> Result<WrittenFailure, WorkerError> {
    // State that other tests left would hide in a used worker.
    bench.retire();
    let same = |failure: &Option<Failure>| {
        let failure = failure.as_ref();
        failure.is_some_and(|one| {
            one.oracle == entry.failure.oracle && one.signature == entry.failure.signature
        })
    };
    let mut found = bench.replay(&entry.test)?;
    if !same(&found.failure) && entry.failure.oracle == "time-out" {
        // Which function had been running for long when time was up depends on how busy the machine is.
        bench.retire();
        found = bench.replay(&entry.test)?;
    }
    let again = same(&found.failure);
    let (mut broken, mut open) = (None, None);
    let mut steps = if found.steps.is_empty() {
        entry.test.steps.clone()
    } else {
        found.steps
    };
    let before = steps.len();
    if again && !campaign.flags.no_reduce {
        bench.hook("test_before_reduce")?;
        bench.hook("test_before_normalize")?;
        let mut fails = |phase: Phase, steps: &[Step]| {
            if broken.is_some() || !share.allows(phase) {
                return None;
            }
            let test = Test {
                steps: steps.to_vec(),
            };
            match bench.replay(&test) {
                Ok(replayed) => {
                    if replayed.failure.as_ref().is_some_and(is_fatal) {
                        share.cost_a_worker(phase);
                    }
                    Some(same(&replayed.failure))
                }
                Err(error) => {
                    broken = Some(error);
                    None
                }
            }
        };
        let reduced = reduce(&steps, &campaign.target, &mut fails);
        open = share.met.and_then(|met| left_open(&reduced, met));
        steps = reduced.steps;
        bench.hook("test_after_normalize")?;
        bench.hook("test_after_reduce")?;
    }
    if let Some(error) = broken {
        return Err(error);
    }
    let draw = campaign.target.model.draw();
    let known = again && steps.iter().all(|step| step.operation < draw);
    let ends = match is_fatal(&entry.failure) {
        true => Ends::Fatally,
        false => Ends::Raising,
    };
    let lines = match known {
        true => bench.write(&steps, ends, false, &comment(&entry.failure.message))?,
        false => None,
    };
    let test = lines.map(|mut lines| {
        if let Some(open) = &open {
            lines.insert(0, comment(&format!("This test {open}.")));
        }
        TestFunction::new(&campaign.target, &steps, lines)
    });
    let log = match (known, campaign.logged()) {
        (true, Some(level)) => log(bench, &steps, level)?,
        _ => String::new(),
    };
    Ok(WrittenFailure {
        actions: if known {
            bench.names(&steps)?
        } else {
            Vec::new()
        },
        log,
        failure: entry.failure.clone(),
        count: entry.count,
        first: entry.first.0 + 1,
        test,
        reduced: steps.len() < before,
        open,
        again,
        otherwise: None,
        place: found.place,
    })
}

/// Whether a failure takes the worker with it.
pub fn is_fatal(failure: &Failure) -> bool {
    matches!(failure.oracle.as_str(), "crash" | "time-out")
}

/// What a reduction that met a bound left open.
fn left_open(reduced: &Reduced, met: &str) -> Option<String> {
    let what = match (reduced.minimal, reduced.plain) {
        (true, true) => return None,
        (true, false) => "may not have the plainest values",
        (false, _) => "may have steps that are not needed",
    };
    Some(format!("{what}: its reduction was {met}"))
}

/// Text as a comment of Python, which every control character could end.
pub fn comment(text: &str) -> String {
    format!("# {}", text.replace(char::is_control, " "))
}

/// What the harness logs in a test, step by step.
fn log(bench: &mut Bench<'_>, steps: &[Step], level: i32) -> Result<String, WorkerError> {
    let test = Test {
        steps: steps.to_vec(),
    };
    let logs = bench.show(&test, level)?.logs;
    let shown = bench.shown(steps)?;
    Ok(shown
        .iter()
        .zip(&logs)
        .map(|(step, logs)| step_text(step, logs))
        .collect())
}
