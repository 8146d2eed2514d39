//! `testhound compare`: guides run side by side on one subject with the same budget, several times each.
//!
//! Every run is a `generate` of its own in a process of its own, so that no run warms anything up for the next. Runs go seed by
//! seed over all guides, so that what else the machine does hits all guides alike. Each leaves a result file; a
//! comparison that was stopped goes on where it was.

mod analysis;
mod choose;
mod measured;
mod recommendation;
mod studies;

use crate::cli::Compare;
use crate::exit::{Exit, Failed};
use crate::generate::{interrupt_flag, unknown_guide};
use crate::jobs;
use crate::progress::Progress;
use crate::subject::Subject;
use crate::written::{make_folder, write_text};
use engine::Guide;
use measured::{Job, Measured, run_once};
use report::compare::CompareRecord;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The file with what every guide covers of every unit.
const UNITS: &str = "units.csv";

/// What results depend on besides guide and seed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Plan {
    subject: String,
    budget: Vec<String>,
    options: Vec<String>,
}

/// Runs the subcommand.
pub fn compare(flags: &Compare) -> anyhow::Result<Exit> {
    let guides = match flags.choose {
        true => choose::GUIDES.map(str::to_owned).to_vec(),
        false => split(&flags.guides),
    };
    let flags = &Compare {
        guides,
        ..flags.clone()
    };
    check(flags)?;
    make_folder(&flags.out)?;
    begin(flags)?;
    let mut jobs = Jobs::new(flags)?;
    let mut runs: Vec<Vec<Measured>> = vec![Vec::new(); flags.guides.len()];
    let mut without = runs.clone();
    for seed in flags.seed..flags.seed + flags.runs {
        for (number, guide) in flags.guides.iter().enumerate() {
            runs[number].push(jobs.measured(&Job::new(flags, guide, seed))?);
            let pair = studies::without_coverage(flags, &mut jobs, guide, seed)?;
            without[number].extend(pair);
        }
    }
    let reached = studies::reached(flags, &mut jobs, &runs)?;
    let costs = studies::costs(flags, &runs, &without);
    jobs.progress.finish();
    measured::agree(&mut runs);
    let mut record = analysis::analyse(flags, &command_line(flags), &runs);
    (record.reached, record.costs) = (reached, costs);
    write_reports(&flags.out, &record)?;
    if flags.choose {
        let (guide, path) = choose::choose(&std::env::current_dir()?, &runs)?;
        let path = path.display();
        eprintln!("chosen: `{guide}`, written to `{path}` for harnesses");
    }
    if flags.json {
        return crate::print_bytes(report::compare::json(&record).as_bytes());
    }
    eprintln!("report: {}", flags.out.join("report.html").display());
    let units = flags.out.join(UNITS).display().to_string();
    crate::print_bytes(report::compare::terminal(&record, &units).as_bytes())
}

/// Runs of a comparison, done or to be done.
struct Jobs<'a> {
    flags: &'a Compare,
    stop: Arc<AtomicBool>,
    progress: Progress,
    done: u64,
    all: u64,
}

impl Jobs<'_> {
    fn new(flags: &Compare) -> Result<Jobs<'_>, Failed> {
        Ok(Jobs {
            flags,
            stop: interrupt_flag()?,
            progress: Progress::new("runs", flags.json),
            done: 0,
            all: flags.runs * flags.guides.len() as u64 + studies::jobs(flags),
        })
    }

    /// What a run gave, now or in an earlier sitting.
    fn measured(&mut self, job: &Job) -> Result<Measured, Failed> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Failed::interrupted());
        }
        let (done, all) = (self.done, self.all);
        let message = format!("{done} of {all}; `{}`, seed {}", job.guide, job.seed);
        self.progress.update(done as f64 / all as f64, &message);
        self.done += 1;
        let folder = self.flags.out.join("results");
        let key = job.key();
        if let Some(measured) = jobs::finished(&folder, &key) {
            return Ok(measured);
        }
        let measured = run_once(self.flags, job)?;
        jobs::finish(&folder, &key, &measured)?;
        Ok(measured)
    }
}

/// A single list with commas is a list of guides, because one guide alone cannot be compared.
fn split(guides: &[String]) -> Vec<String> {
    match guides {
        [one] if !one.contains(' ') => crate::cli::split(one),
        several => several.to_vec(),
    }
}

fn is_harness(subject: &str) -> bool {
    subject.ends_with(".tstl")
}

fn check(flags: &Compare) -> anyhow::Result<()> {
    if flags.choose && !is_harness(&flags.subject) {
        let message = format!("`{}` is not a harness", flags.subject);
        let hint = "`--choose` chooses among guides of harnesses (`.tstl`)";
        return Err(Failed::command_line(message).hint(hint).into());
    }
    let kind = Subject::recognise(&flags.subject)?.kind();
    for guide in &flags.guides {
        let (guide, _) = measured::parts(guide);
        Guide::parse(guide, kind).map_err(|error| unknown_guide(&error))?;
    }
    studies::check(flags)?;
    check_measures(flags)?;
    if flags.runs == 0 || flags.guides.len() < 2 {
        let hint = "for example `--guides random,grt --runs 5`";
        return Err(
            Failed::input("a comparison needs two guides and one run at least")
                .hint(hint)
                .into(),
        );
    }
    Ok(())
}

/// What runs without coverage cover is known of some of their tests alone, which is less than what a run with coverage tells.
fn check_measures(flags: &Compare) -> Result<(), Failed> {
    if !is_harness(&flags.subject) {
        return Ok(());
    }
    let measures = |guide: &String| measured::measures_coverage(flags, guide);
    let (with, without): (Vec<_>, Vec<_>) = flags.guides.iter().partition(|guide| measures(guide));
    let ([one, ..], [other, ..]) = (with.as_slice(), without.as_slice()) else {
        return Ok(());
    };
    let message = format!("`{one}` would be compared by all of its tests, and `{other}` by some");
    let hint = "leave `--no-coverage` out, or compare guides that do without coverage";
    Err(Failed::command_line(message).hint(hint))
}

/// Takes up an earlier comparison of the same kind, or begins one.
fn begin(flags: &Compare) -> Result<(), Failed> {
    let plan = Plan {
        subject: flags.subject.clone(),
        budget: budget_options(flags),
        options: flags.options.clone(),
    };
    match jobs::finished::<Plan>(&flags.out, "plan") {
        Some(earlier) if earlier != plan => Err(Failed::input(format!(
            "`{}` holds a comparison with another subject, budget or options",
            flags.out.display()
        ))
        .hint("name another folder with `--out`, or remove this one")),
        Some(_) => Ok(()),
        None => jobs::finish(&flags.out, "plan", &plan),
    }
}

/// The budget as `generate` takes it.
fn budget_options(flags: &Compare) -> Vec<String> {
    match (flags.executions, flags.time) {
        (Some(executions), _) => vec!["--executions".to_owned(), executions.to_string()],
        (None, time) => {
            let seconds = time.map_or(60.0, |time| time.as_secs_f64());
            vec!["--time".to_owned(), format!("{seconds}s")]
        }
    }
}

fn write_reports(folder: &Path, record: &CompareRecord) -> Result<(), Failed> {
    write_text(&folder.join("compare.json"), &report::compare::json(record))?;
    write_text(&folder.join("runs.csv"), &report::compare::csv(record))?;
    let units = report::compare::units_csv(record);
    write_text(&folder.join(UNITS), &units)?;
    write_text(&folder.join("report.html"), &report::compare::html(record))
}

/// The command that repeats the comparison.
fn command_line(flags: &Compare) -> String {
    let quote = |text: &str| command::suite::quote(text);
    let mut words = vec![format!(
        "testhound compare {} --guides {} --runs {} --seed {}",
        quote(&flags.subject),
        quote(&flags.guides.join(";")),
        flags.runs,
        flags.seed
    )];
    words.extend(budget_options(flags));
    words.extend(studies::options(flags));
    if !flags.options.is_empty() {
        words.push("--".to_owned());
        words.extend(flags.options.iter().map(|option| quote(option)));
    }
    words.join(" ")
}
