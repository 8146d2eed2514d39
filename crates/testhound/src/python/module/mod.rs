//! `generate` for a Python module: from its name to a written suite.

mod confirm;
mod exports;
mod harvest;
mod record;
mod rounds;

use super::{launch, worker_failed};
use crate::cli::{self, Generate};
use crate::exit::{Exit, Failed, told};
use crate::generate::folder::{Begin, begin, changed_plan, resumed};
use crate::generate::{interrupt_flag, unknown_guide};
use crate::kept::{Earlier, KeptJournal};
use crate::settings::{GenerateSettings, unknown_rule};
use ::jvm::discovery::Changes;
use ::python::module::open::{Named, Opened, Scope, open};
use ::python::protocol::{Measure, Repeats};
use ::python::runtime::Runtime;
use ::python::session::WorkerError;
use ::python::worker::Launch;
use ::python::workers::{PoolSettings, Workers};
use engine::calls::{CallSettings, CallSource};
use engine::{Guide, Hits, Model, Run, Seed, TestKind};
use rounds::{Caller, Rounds};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What decides which tests a run proposes. A resumed run takes it from its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Plan {
    /// The module.
    module: String,
    /// Where it is looked for.
    paths: Vec<PathBuf>,
    /// The guide.
    guide: String,
    /// The seed.
    seed: Seed,
    /// What is tested of it, and how.
    options: cli::Python,
    /// The revision since which functions changed that are tested; all are without.
    #[serde(default)]
    since: Option<String>,
}

/// Everything that a run and its harvest share.
struct Campaign<'a> {
    out: PathBuf,
    plan: Plan,
    opened: Opened,
    launch: Launch,
    runtime: Arc<Runtime>,
    settings: &'a GenerateSettings,
    flags: &'a Generate,
    stop: Arc<AtomicBool>,
    /// Files of workers; removed in the end.
    _scratch: tempfile::TempDir,
}

/// Runs `generate` on a module.
pub fn generate(word: &str, settings: &GenerateSettings, flags: &Generate) -> anyhow::Result<Exit> {
    let named = Named::of(word, &std::env::current_dir()?);
    let default = || Path::new("testhound-out").join(&named.module);
    let out = flags.out.clone().unwrap_or_else(default);
    let asked = Plan {
        module: named.module.clone(),
        paths: named.paths.clone(),
        guide: settings.guide.clone(),
        seed: settings.seed,
        options: flags.python.clone(),
        since: flags.jvm.since.clone(),
    };
    let scope = scope(&resumed(&out, flags)?.unwrap_or_else(|| asked.clone()))?;
    let launch = launch(flags.python.python.clone(), &settings.execution)?;
    let stop = interrupt_flag()?;
    let scratch = tempfile::Builder::new().prefix("testhound-").tempdir()?;
    let runtime = Arc::new(Runtime::write(scratch.path())?);
    let opened =
        open(&runtime, &launch, named, &scope).map_err(|error| not_loaded(word, &error))?;
    if let (Some([]), Some(revision)) = (opened.lines.as_deref(), &flags.jvm.since) {
        let message = format!("no function of `{word}` changed since `{revision}`");
        let hint = "changes count that are in functions of the module's own file";
        return Err(Failed::input(message).hint(hint).into());
    }
    let (plan, journal, earlier) = begin_run(&out, asked, flags)?;
    let guide =
        Guide::parse(&plan.guide, TestKind::Calls).map_err(|error| unknown_guide(&error))?;
    let campaign = Campaign {
        out,
        plan,
        opened,
        launch,
        runtime,
        settings,
        flags,
        stop,
        _scratch: scratch,
    };
    let mut run = campaign.new_run(&guide)?;
    let elapsed = earlier.elapsed;
    run.resume(earlier.tests, earlier.executions);
    let mut rounds = Rounds::new(run, journal, elapsed, (), &campaign.stop, flags.json);
    let mut caller = Caller {
        opened: &campaign.opened,
        workers: campaign.workers(),
    };
    let stopped = rounds.execute(&mut caller)?;
    drop(caller);
    harvest::harvest(&campaign, rounds, stopped)
}

/// What of the module is tested.
fn scope(plan: &Plan) -> Result<Scope, Failed> {
    let here = Path::new(".");
    let folder = plan.paths.first().map_or(here, PathBuf::as_path);
    let changes = |revision: &String| {
        let changes = Changes::since(revision, folder);
        changes.map_err(|error| told(&error.to_string(), Failed::input))
    };
    let changes = plan.since.as_ref().map(changes).transpose()?;
    Ok(Scope {
        private: plan.options.private,
        changed: changes.map(|changes| changes.files().clone()),
    })
}

impl Campaign<'_> {
    fn new_run(&self, guide: &Guide) -> Result<Run, Failed> {
        let model = Model {
            operations: self.opened.model.listed(),
            criteria: self.opened.coverage.criteria(),
            hits: Hits::FirstSeen,
            ..Model::default()
        };
        let budget = self.settings.budget.clone();
        for rule in &budget.until {
            rule.check(&model.criteria)
                .map_err(|error| unknown_rule(&error))?;
        }
        let calls = self.opened.model.calls.clone();
        let settings = CallSettings {
            // Leaving a parameter out is a choice as good as any other.
            nothing: 0.3,
            timed: budget.executions.is_none(),
            ..CallSettings::default()
        };
        let known = &self.opened.knowledge;
        let mut source = CallSource::guided(calls, settings, self.plan.seed, guide.parts(), known);
        source.weigh(&self.opened.model.weights());
        let selector = guide.selector(&model.space, 1);
        let source = Box::new(source);
        Ok(Run::new(self.plan.seed, budget, model, source, selector))
    }

    fn workers(&self) -> Workers {
        let mut load = self.opened.load(Measure::Branches);
        load.probes.repeats = Repeats::Seldom;
        let settings = PoolSettings {
            workers: self.settings.execution.jobs,
            ..PoolSettings::default()
        };
        Workers::start(&self.runtime, &self.launch, load, settings)
    }
}

/// A module that cannot be loaded, for the user.
fn not_loaded(word: &str, error: &WorkerError) -> Failed {
    match error {
        WorkerError::Refused(text) => {
            let failed = Failed::subject(format!("cannot load `{word}`\n{text}"));
            failed.hint(if text.contains("ModuleNotFoundError") {
                "modules are looked for in the current folder and by the interpreter: `--python PROGRAM` names another one"
            } else if text.contains("no known parent package") {
                "its package has no `__init__.py`: name it `package.module`, from the folder that the package is in"
            } else {
                "the module must be importable without arguments, network or a terminal; `--allow` lets it do more"
            })
        }
        error => worker_failed(error),
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
    let changed = [
        (plan.module != asked.module, "subject"),
        (
            flags.guide.is_some() && asked.guide != plan.guide,
            "--guide",
        ),
        (flags.seed.is_some() && asked.seed != plan.seed, "--seed"),
        (
            asked.options.private && !plan.options.private,
            "choice of what is tested",
        ),
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
