//! `generate` for a harness: from the `.tstl` file to reduced failures and a regression suite.

mod afterwards;
mod allowance;
mod confirm;
mod coverage;
mod cutter;
mod failures;
mod file;
mod harvest;
mod hooks;
mod leak;
mod record;
mod replay;
mod rounds;
mod sarif;
mod sizes;
mod suite;

pub use replay::replay;

use super::{launch, worker_failed};
use crate::cli::{self, Generate, Reload};
use crate::exit::{Exit, Failed, told};
use crate::generate::folder::{Begin, begin, changed_plan};
use crate::generate::{interrupt_flag, unknown_guide};
use crate::kept::{Earlier, KeptJournal};
use crate::settings::{GenerateSettings, unknown_rule};
use ::jvm::discovery::Changes;
use ::python::harness::{Goals, HarnessTarget, Report};
use ::python::protocol::{Load, Measure, Repeats, StepLimits};
use ::python::runtime::Runtime;
use ::python::session::{Session, WorkerError};
use ::python::worker::Launch;
use ::python::workers::{PoolSettings, Workers};
use engine::actions::{ActionSettings, ActionSource, Arm, Mix, arms};
use engine::until::Until;
use engine::{Guide, Hits, Model, Operation, RoundSize, Run, Seed, TestKind};
use report::run::LeakRecord;
use rounds::{Actor, Noted, Rounds, Sample};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What decides which tests a run proposes. A resumed run takes it from its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Plan {
    /// The harness.
    pub subject: PathBuf,
    /// The guide.
    pub guide: String,
    /// The seed.
    pub seed: Seed,
    /// How it is tested.
    pub options: cli::Harness,
    /// The revision since which changed lines count.
    #[serde(default)]
    pub since: Option<String>,
}

/// Everything that a run and its harvest share.
pub struct Campaign<'a> {
    /// The run folder.
    pub out: PathBuf,
    /// What was asked.
    pub plan: Plan,
    /// The harness.
    pub target: HarnessTarget,
    /// How workers are started.
    pub launch: Launch,
    /// The Python side.
    pub runtime: Arc<Runtime>,
    /// Which hits workers report.
    pub report: Report,
    /// When they are to report what was hit before.
    pub repeats: Repeats,
    /// How guides share the budget.
    pub mix: Mix,
    /// The test that showed state outliving tests.
    pub leak: OnceCell<LeakRecord>,
    /// Lines that changed, where only those count.
    pub changes: Option<Changes>,
    /// The settings.
    pub settings: &'a GenerateSettings,
    /// The command line.
    pub flags: &'a Generate,
    /// Set when the user wants an end.
    pub stop: Arc<AtomicBool>,
    /// Files of workers; removed in the end.
    _scratch: tempfile::TempDir,
}

/// Runs `generate` on a harness.
pub fn generate(
    path: &Path,
    settings: &GenerateSettings,
    flags: &Generate,
) -> anyhow::Result<Exit> {
    let stem = path.file_stem().unwrap_or_default();
    let out = flags.out.clone();
    let out = out.unwrap_or_else(|| Path::new("testhound-out").join(stem));
    let target = read(path)?;
    let asked = Plan {
        subject: target.file.clone(),
        guide: settings.guide.clone(),
        seed: settings.seed,
        options: cli::Harness {
            coverage: settings.coverage,
            no_coverage: false,
            ..flags.harness.clone()
        },
        since: flags.jvm.since.clone(),
    };
    if let Ok(guide) = Guide::parse(&asked.guide, TestKind::Actions) {
        mixture(&guide, &asked.options.arms)?;
    }
    let (plan, journal, earlier) = begin_run(&out, asked, flags)?;
    let guide =
        Guide::parse(&plan.guide, TestKind::Actions).map_err(|error| unknown_guide(&error))?;
    let mixture = mixture(&guide, &plan.options.arms)?;
    let stop = interrupt_flag()?;
    let scratch = tempfile::Builder::new().prefix("testhound-").tempdir()?;
    let campaign = Campaign {
        report: Report::of(&mixture.0),
        repeats: Repeats::of(&mixture.0, mixture.1),
        mix: mixture.1,
        changes: sizes::changes(&plan, &target)?,
        leak: leak::earlier(&out, flags.resume),
        launch: launch(flags.python.python.clone(), &settings.execution)?,
        runtime: Arc::new(Runtime::write(scratch.path())?),
        out,
        plan,
        target,
        settings,
        flags,
        stop,
        _scratch: scratch,
    };
    let (source, goals) = campaign.source(mixture)?;
    let mut run = campaign.new_run(&guide, source, &goals)?;
    run.resume(earlier.tests, earlier.executions);
    run.tell_spent(earlier.elapsed);
    let mut rounds = Rounds::new(
        run,
        journal,
        earlier.elapsed,
        Noted {
            actions: 0,
            warned: BTreeMap::default(),
            goals,
            proposed: Sample::default(),
        },
        &campaign.stop,
        flags.json,
    );
    let mut actor = Actor::new(&campaign);
    let stopped = rounds.execute(&mut actor)?;
    drop(actor);
    harvest::harvest(&campaign, rounds, stopped)
}

/// Reads a harness.
pub fn read(path: &Path) -> Result<HarnessTarget, Failed> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failed::input(format!("cannot read `{}`: {error}", path.display())))?;
    HarnessTarget::new(path, &text).map_err(|error| told(&error.to_string(), Failed::input))
}

/// Whether a guide cannot do without coverage while tests run.
pub fn needs_coverage(guide: &str) -> bool {
    let guide = Guide::parse(guide, TestKind::Actions);
    guide.is_ok_and(|guide| Report::of(&arms(guide.parts()).0) == Report::All)
}

/// The arms of a guide, or those that it is to have, and how they share the budget.
fn mixture(guide: &Guide, named: &[String]) -> Result<(Vec<Arm>, Mix), Failed> {
    let (usual, mix) = arms(guide.parts());
    if named.is_empty() {
        return Ok((usual, mix));
    }
    if usual.len() == 1 {
        let message = "`--arms` is for guides that share the budget among others";
        return Err(Failed::command_line(message).hint("add `--guide ensemble` or `--guide auto`"));
    }
    let guides = named.iter().map(|one| Guide::parse(one, TestKind::Actions));
    let arms = guides.map(|guide| guide.map(|guide| Arm::of(guide.parts())));
    let arms: Result<_, _> = arms.collect();
    Ok((
        arms.map_err(|error| Failed::command_line(error.to_string()))?,
        mix,
    ))
}

/// Bounds on one action, where the user may have given one.
fn limits(given: Option<Duration>) -> StepLimits {
    match given {
        None => StepLimits::default(),
        Some(time) => StepLimits {
            cpu: time.as_secs_f64(),
            wall: 5.0 * time.as_secs_f64(),
        },
    }
}

impl Campaign<'_> {
    /// What is measured while tests run: coverage only where the user, the guide or an end of the run asks for it.
    pub fn measure(&self) -> Measure {
        let budget = &self.settings.budget;
        let mut rules = budget.until.iter();
        let ends = rules.any(|rule| matches!(rule, Until::Coverage { .. }));
        // What builds on coverage, and what compares guides by it.
        let guided = self.report == Report::All || self.mix == Mix::Bandit;
        let needed = guided || budget.tests.is_some() || ends;
        if needed || self.plan.options.coverage {
            Measure::Branches
        } else {
            Measure::Nothing
        }
    }

    /// What workers are told.
    pub fn load(&self, measure: Measure) -> Load {
        let mut load = self.target.load(measure, self.limits());
        load.arguments["sizing"] = sizes::sizing(self);
        load.arguments["reload"] = self.reloads().into();
        load
    }

    /// Whether modules are loaded anew before every test.
    pub fn reloads(&self) -> bool {
        self.plan.options.reload == Some(Reload::Always)
            || self.leak.get().is_some_and(|leak| leak.reloaded)
    }

    /// Starts workers.
    pub fn workers(&self, measure: Measure) -> Workers {
        let pool = PoolSettings {
            workers: self.settings.execution.jobs,
            // A test has a hundred steps: small batches keep the workers evenly busy.
            batch: 16,
        };
        let mut load = self.load(measure);
        // Modules that are loaded anew for every test tell all they hit anyway.
        if !self.reloads() {
            load.probes.repeats = self.repeats;
        }
        Workers::start(&self.runtime, &self.launch, load, pool)
    }

    /// The level up to which log lines are shown; nothing if none is there or wanted.
    pub fn logged(&self) -> Option<i32> {
        let level = self.flags.logging.level()?;
        let logs = self.target.harness.logs.iter();
        let mut levels = logs.filter_map(|log| log.level);
        levels.any(|(of, _)| of <= level).then_some(level)
    }

    /// Bounds on one action.
    pub fn limits(&self) -> StepLimits {
        limits(self.plan.options.step_time)
    }

    /// The source of tests, and the goals that are known when the harness is loaded.
    fn source(&self, (arms, mix): (Vec<Arm>, Mix)) -> Result<(ActionSource, Goals), Failed> {
        let mut goals = Goals::default();
        let load = self.load(self.measure());
        let mut session = Session::new(&self.runtime, &self.launch, load);
        let loaded = session.ask::<serde_json::Value>("facts", &());
        match loaded {
            Ok(Ok(_)) => {}
            Ok(Err(_)) => {
                let message = format!("`{}` cannot be loaded", self.plan.subject.display());
                return Err(Failed::subject(message).hint("does its Python run by itself?"));
            }
            Err(error) => return Err(self.bad_python(&error)),
        }
        goals.add_all(&session.files());
        let settings = ActionSettings {
            arms,
            mix,
            length: self.plan.options.steps.unwrap_or(100).max(1),
            sampling: sizes::sampling(self.plan.options.sampling, self.settings.budget.time),
            sizes: sizes::known(self, &mut session)?,
        };
        let source = ActionSource::new(self.target.model.clone(), settings);
        Ok((source.with_samples(sizes::sampled(self)?), goals))
    }

    /// Python in a harness that is not right: the Python side tells the line and column.
    fn bad_python(&self, error: &WorkerError) -> Failed {
        if let WorkerError::Refused(text) = error
            && let Some((_, rest)) = text.split_once("LoadError: ")
        {
            let message = format!("{}:{rest}", self.flags.subject);
            return Failed::input(message).hint("what stands between the holes must be Python");
        }
        worker_failed(error)
    }

    fn new_run(&self, guide: &Guide, source: ActionSource, goals: &Goals) -> Result<Run, Failed> {
        let mut operations = self.target.operations();
        // Tests that took their worker with them are known only by how they were drawn.
        operations.push(Operation {
            name: "draw further steps".to_owned(),
            lines: None,
        });
        let model = Model {
            operations,
            criteria: goals.criteria(),
            hits: match self.report {
                Report::All => Hits::All,
                Report::Fresh | Report::Log | Report::Shown(_) => Hits::FirstSeen,
            },
            rounds: RoundSize::Growing,
            ..Model::default()
        };
        let budget = self.settings.budget.clone();
        for rule in &budget.until {
            rule.check(&model.criteria)
                .map_err(|error| unknown_rule(&error))?;
        }
        let selector = guide.selector(&model.space, 1);
        Ok(Run::new(
            self.plan.seed,
            budget,
            model,
            Box::new(source),
            selector,
        ))
    }

    /// The name of the subject.
    pub fn name(&self) -> String {
        let name = self.plan.subject.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// Makes the folder of a new run, or takes up the one that is resumed.
fn begin_run(
    out: &Path,
    asked: Plan,
    flags: &Generate,
) -> Result<(Plan, KeptJournal, Earlier), Failed> {
    let file = out.join("journal.jsonl");
    let plan = match begin(out, &asked, flags)? {
        Begin::Anew => return Ok((asked, KeptJournal::create(&file)?, Earlier::default())),
        Begin::Again(plan) => plan,
    };
    let given = asked.options != cli::Harness::default();
    let changed = [
        (plan.subject != asked.subject, "subject"),
        (
            flags.guide.is_some() && asked.guide != plan.guide,
            "--guide",
        ),
        (flags.seed.is_some() && asked.seed != plan.seed, "--seed"),
        (given && asked.options != plan.options, "choice of options"),
        (
            asked.since.is_some() && asked.since != plan.since,
            "--since",
        ),
    ];
    if let Some((_, what)) = changed.iter().find(|(changed, _)| *changed) {
        return Err(changed_plan(out, what));
    }
    let (journal, earlier) = KeptJournal::open(&file)?;
    Ok((plan, journal, earlier))
}
