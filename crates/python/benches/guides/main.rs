//! Guides of harnesses against each other: `cargo bench -p python --bench guides -- STEP… [OPTIONS]`.
//!
//! Steps: `reach` runs `loc` for 2,000 actions and `random` until it has covered as much; `budget` runs guides for the same
//! processor time; `faults` plants faults and counts how often guides find them; `table` prints what has been measured. One result file per
//! step, subject, guide and seed below the folder of results; what has one is not measured again. `bench/guides` does all of it.
//!
//! Budgets are actions or processor time of the one worker, so that what else the machine does matters little. Runs use the engine
//! and the workers as `generate` does, without reducing failures and writing suites.
#![allow(clippy::unwrap_used)]

mod faults;
mod options;
mod recording;
mod results;
mod run;
mod table;

use options::{Options, Subject, parse};
use results::{Outcome, kept};
use run::{Limits, run};
use std::time::Duration;

sandbox::launcher_here!();

/// The actions after which `loc` is measured.
const ACTIONS: u64 = 2_000;
/// The actions after which `random` gives up.
const MOST_ACTIONS: u64 = 20_000;

fn main() {
    let (steps, options) = parse(std::env::args().skip(1));
    for step in &steps {
        match step.as_str() {
            "reach" => each(&options, |subject, seed| reach(&options, subject, seed)),
            "budget" => each(&options, |subject, seed| budget(&options, subject, seed)),
            "faults" => faults::measure(&options),
            "table" => table::print(&options),
            other => panic!("there is no step `{other}`: reach, budget, faults or table"),
        }
    }
}

/// Seeds go around subjects, so that what has been measured is even when time is over.
fn each(options: &Options, measure: impl Fn(&Subject, u64)) {
    for seed in 1..=options.seeds {
        for subject in &options.subjects {
            measure(subject, seed);
        }
    }
}

fn reach(options: &Options, subject: &Subject, seed: u64) {
    for (guide, actions) in [("loc", ACTIONS), ("random", MOST_ACTIONS)] {
        let limits = Limits {
            actions: Some(actions),
            ..Limits::default()
        };
        one(options, "reach", subject, guide, seed, &limits);
    }
}

fn budget(options: &Options, subject: &Subject, seed: u64) {
    for guide in &options.guides {
        let limits = Limits {
            cpu: Some(Duration::from_secs_f64(options.seconds)),
            ..Limits::default()
        };
        one(options, "budget", subject, guide, seed, &limits);
    }
}

/// One run, unless its result is there.
fn one(
    options: &Options,
    step: &str,
    subject: &Subject,
    guide: &str,
    seed: u64,
    limits: &Limits,
) -> Outcome {
    let key = format!("{step}/{}-{guide}-{seed}", subject.name);
    kept(options, &key, || {
        eprintln!("{key}");
        run(options, subject, guide, seed, limits)
    })
}
