//! `testhound study --fixed A --faulty B`: the fault protocol of Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015),
//! Section IV-C1, which is that of Defects4J (Just et al., ISSTA 2014).
//!
//! Suites are generated on the fixed version, several with each guide and budget. `generate` drops what does not compile or is
//! unstable there; what does not pass there in the process that runs suites here is dropped, too. The rest is compiled and run on
//! the faulty versions. Suites and outcomes are jobs with result files: a study that was stopped goes on where it was, and one more
//! run, guide, budget or faulty version costs only itself.
//!
//! Differences:
//! - A suite that does not compile on the faulty version is broken as a whole, and so is one without a test that passes on the fixed
//!   version. The paper's third outcome is a suite that fails on the fixed version; here such tests are dropped one by one.
//! - Besides the union over runs that the paper counts, the share of runs that detect a fault is told, with its interval.

mod analysis;
mod job;
mod version;

use crate::cli::{Cli, Command, Generate, Study};
use crate::exit::{Exit, Failed};
use crate::generate::{interrupt_flag, unknown_guide};
use crate::jobs;
use crate::progress::Progress;
use crate::settings::SettingsFile;
use crate::written::{make_folder, write_text};
use clap::Parser;
use engine::{Guide, TestKind};
use job::{Budget, Job};
use report::faults::FaultsRecord;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::Ordering;
use version::Versions;

/// Runs of each guide with each budget; the paper's number.
const RUNS: u32 = 10;

/// What suites depend on besides guide, budget and seed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Plan {
    fixed: String,
    classes: Vec<String>,
    options: Vec<String>,
}

/// A study as it was asked for.
struct Asked<'a> {
    fixed: &'a str,
    flags: &'a Study,
    guides: Vec<String>,
    budgets: Vec<Budget>,
    seeds: std::ops::Range<u64>,
}

/// Runs the subcommand on a fixed version.
pub fn study(fixed: &str, flags: &Study) -> anyhow::Result<Exit> {
    let runs = u64::from(flags.runs.unwrap_or(RUNS));
    let asked = Asked {
        fixed,
        flags,
        guides: flags.guides_or("random,auto"),
        budgets: Budget::all(&flags.faults),
        seeds: flags.seed..flags.seed + runs,
    };
    let generate = options(&asked)?;
    for guide in &asked.guides {
        Guide::parse(guide, TestKind::Calls).map_err(|error| unknown_guide(&error))?;
    }
    if runs == 0 {
        return Err(Failed::input("a study needs at least one run").into());
    }
    let settings = SettingsFile::find(&std::env::current_dir()?)?.execution(&generate.execution);
    let versions = Versions::new(fixed, &flags.faults.faulty, &generate, settings)?;
    make_folder(&flags.out)?;
    begin(&asked)?;
    let cells = run_all(&asked, &versions)?;
    let record = analysis::analyse(&asked, &command_line(&asked), cells);
    write_reports(&flags.out, &record)?;
    if flags.json {
        return crate::print_bytes(report::faults::json(&record).as_bytes());
    }
    eprintln!("report: {}", flags.out.join("report.html").display());
    crate::print_bytes(report::faults::terminal(&record).as_bytes())
}

/// The options after `--` as `generate` reads them, with those that this command has itself.
fn options(asked: &Asked<'_>) -> Result<Box<Generate>, Failed> {
    let words = ["testhound", "generate", asked.fixed].map(str::to_owned);
    let words = words.into_iter().chain(job::choices(asked));
    let parsed = Cli::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        Failed::input(format!(
            "the options of `generate` cannot be read: {}",
            first.trim_start_matches("error: ")
        ))
        .hint("`testhound generate --help` lists them")
    })?;
    match parsed.command {
        Command::Generate(flags) => Ok(flags),
        _ => unreachable!("the words name this subcommand"),
    }
}

/// Takes up an earlier study of the same kind, or begins one.
fn begin(asked: &Asked<'_>) -> Result<(), Failed> {
    let flags = asked.flags;
    let plan = Plan {
        fixed: asked.fixed.to_owned(),
        classes: flags.faults.class.clone(),
        options: flags.faults.options.clone(),
    };
    match jobs::finished::<Plan>(&flags.out, "plan") {
        Some(earlier) if earlier != plan => Err(Failed::input(format!(
            "`{}` holds a study of another fixed version, other classes or options",
            flags.out.display()
        ))
        .hint("name another folder with `--out`, or remove this one")),
        Some(_) => Ok(()),
        None => jobs::finish(&flags.out, "plan", &plan),
    }
}

/// Runs what has no result yet; gives all outcomes by faulty version, guide and budget.
fn run_all(asked: &Asked<'_>, versions: &Versions<'_>) -> anyhow::Result<Vec<analysis::Cell>> {
    let flags = asked.flags;
    let stop = interrupt_flag()?;
    let mut progress = Progress::new("runs", flags.json);
    let mut cells: Vec<analysis::Cell> = Vec::new();
    let settings = asked.guides.len() * asked.budgets.len();
    let all = asked.seeds.clone().count() * settings;
    // Seed by seed, so that what else the machine does hits all guides alike.
    for (run, seed) in asked.seeds.clone().enumerate() {
        for (number, guide) in asked.guides.iter().enumerate() {
            for (place, &budget) in asked.budgets.iter().enumerate() {
                if stop.load(Ordering::Relaxed) {
                    return Err(Failed::interrupted().into());
                }
                let cell = number * asked.budgets.len() + place;
                let done = run * settings + cell;
                progress.update(
                    done as f64 / all as f64,
                    &format!("{done} of {all}; `{guide}`, {budget}, seed {seed}"),
                );
                let job = Job {
                    guide,
                    budget,
                    seed,
                };
                if run == 0 {
                    cells.push(analysis::Cell::new(
                        guide,
                        budget,
                        flags.faults.faulty.len(),
                    ));
                }
                for (fault, faulty) in flags.faults.faulty.iter().enumerate() {
                    cells[cell].runs[fault].push(job.outcome(asked, versions, faulty)?);
                }
            }
        }
    }
    progress.finish();
    Ok(cells)
}

fn write_reports(folder: &Path, record: &FaultsRecord) -> Result<(), Failed> {
    write_text(&folder.join("study.json"), &report::faults::json(record))?;
    write_text(&folder.join("runs.csv"), &report::faults::csv(record))?;
    write_text(&folder.join("report.html"), &report::faults::html(record))
}

/// The command that repeats the study.
fn command_line(asked: &Asked<'_>) -> String {
    let quote = |text: &str| command::suite::quote(text);
    let faults = &asked.flags.faults;
    let mut words = vec![format!("testhound study --fixed {}", quote(asked.fixed))];
    let mut all = |flag: &str, values: &[String]| {
        let values = values.iter();
        words.extend(values.map(|value| format!("--{flag} {}", quote(value))));
    };
    all("faulty", &faults.faulty);
    all("class", &faults.class);
    words.push(format!(
        "--guides {} --runs {} --seed {} {}",
        quote(&asked.guides.join(";")),
        asked.seeds.clone().count(),
        asked.seeds.start,
        Budget::option(&asked.budgets)
    ));
    if !faults.options.is_empty() {
        words.push("--".to_owned());
        words.extend(faults.options.iter().map(|option| quote(option)));
    }
    words.join(" ")
}
