//! Guides of harnesses against each other: `cargo bench -p python --bench guides -- STEP… [OPTIONS]`.
//!
//! Steps: `reach` runs `loc` for 2,000 actions and `random` until it has covered as much; `budget` runs guides for the same
//! processor time; `faults` plants faults and counts how often guides find them, `listed` only those that were chosen before, `search`
//! only others; `table` prints what has been measured. One result file per step, subject, guide and seed below the folder of results; what
//! has one is not measured again. `bench/guides` does all of it.
//!
//! Budgets are actions, or processor time of the one worker and of the thread that drives it, so that what else the machine does matters
//! little. Runs use the engine and the workers as `generate` does, without reducing failures and writing suites. Where coverage is what is
//! compared, all guides measure it while they run, also those that would not need to.
#![allow(clippy::unwrap_used)]

mod faults;
mod options;
mod recording;
mod results;
mod run;
mod table;

use options::{Options, Subject, parse};
use results::kept;
use run::{Limits, run};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

sandbox::launcher_here!();

/// The actions after which `loc` is measured.
const ACTIONS: u64 = 2_000;
/// The actions after which `random` gives up.
const MOST_ACTIONS: u64 = 20_000;
/// Processor time of the runs before the first that counts.
const WARM: Duration = Duration::from_secs(3);

fn main() {
    let (steps, options) = parse(std::env::args().skip(1));
    for step in &steps {
        match step.as_str() {
            "reach" => each(&options, &["loc", "random"], reach),
            "budget" => {
                let guides: Vec<&str> = options.guides.iter().map(String::as_str).collect();
                each(&options, &guides, budget);
            }
            "faults" => faults::measure(&options),
            "search" => faults::search(&options),
            "listed" => faults::measure_listed(&options),
            "table" => table::print(&options),
            other => {
                panic!("there is no step `{other}`: reach, budget, faults, listed, search or table")
            }
        }
    }
}

/// Seeds go around subjects, so that what has been measured is even when time is over.
fn each(options: &Options, guides: &[&str], limits: fn(&Options, &str) -> Limits) {
    let mut runs = Vec::new();
    for seed in options.seeds.clone() {
        for subject in &options.subjects {
            runs.extend(guides.iter().map(|guide| (*subject, *guide, seed)));
        }
    }
    let names = options.subjects.iter().map(|subject| subject.name);
    let warmed: BTreeMap<&str, OnceLock<()>> = names.map(|name| (name, OnceLock::new())).collect();
    side_by_side(options.jobs, &runs, |(subject, guide, seed)| {
        let limits = limits(options, guide);
        let step = if limits.actions.is_some() {
            "reach"
        } else {
            "budget"
        };
        let key = format!("{step}/{}-{guide}-{seed}", subject.name);
        kept(options, &key, || {
            if limits.cpu.is_some() {
                warmed[subject.name].get_or_init(|| warm(options, subject, guides));
            }
            eprintln!("{key}");
            run(options, subject, guide, *seed, &limits)
        });
    });
}

/// Runs a subject for a while, so that not only its first run has to give probes to modules that actions import.
fn warm(options: &Options, subject: &Subject, guides: &[&str]) {
    eprintln!("{}: warming up", subject.name);
    let limits = Limits {
        cpu: Some(WARM),
        ..Limits::default()
    };
    for guide in guides.iter().take(2) {
        run(options, subject, guide, 0, &limits);
    }
}

/// Does something with all of these, as many at a time as there are jobs.
fn side_by_side<T: Sync>(jobs: usize, all: &[T], each: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            each(one);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
}

fn reach(_: &Options, guide: &str) -> Limits {
    Limits {
        actions: Some(if guide == "loc" {
            ACTIONS
        } else {
            MOST_ACTIONS
        }),
        ..Limits::default()
    }
}

fn budget(options: &Options, _: &str) -> Limits {
    Limits {
        cpu: Some(Duration::from_secs_f64(options.seconds)),
        ..Limits::default()
    }
}
