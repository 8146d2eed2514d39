//! Jars, class folders and Java projects: `generate` from the subject to the written suite, `measure` and `mutate` for suites
//! that exist.

mod choose;
mod coverage_record;
mod examine;
mod existing;
mod failure_record;
mod harvest;
mod kills;
mod measure;
mod mutate;
mod open;
mod record;
mod rounds;
mod troubles;

use crate::cli::{self, Generate};
use crate::exit::{Exit, Failed};
use crate::generate::folder::{Begin, begin, changed_plan};
use crate::generate::{interrupt_flag, unknown_guide};
use crate::kept::{Earlier, KeptJournal};
use crate::settings::{ExecutionSettings, GenerateSettings, unknown_rule};
use crate::setup::{mode_name, policy, sandbox_mode};
use crate::written::make_folder;
use ::jvm::discovery::Inputs;
use ::jvm::knowledge::knowledge;
use ::jvm::prepared::Inside;
use ::jvm::suite::Junit;
use ::jvm::target::Target;
use ::jvm::worker::Launch;
use ::jvm::workers::{PoolSettings, Workers};
use engine::calls::{CallSettings, CallSource};
use engine::model::Hits;
use engine::{Guide, Model, Needs, Run, Seed, TestKind};
use harvest::{harvest, junit};
use open::{Opened, open};
use rounds::{Noted, Rounds};
use sandbox::{LauncherCommand, Policy};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub use existing::{command, program};
pub use measure::{measure, run_suite};
pub use mutate::mutate;

/// What decides which tests a run proposes. A resumed run takes it from its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Plan {
    /// The jar or folder.
    pub subject: PathBuf,
    /// The guide.
    pub guide: String,
    /// The seed.
    pub seed: Seed,
    /// What is tested of it, and how.
    pub options: cli::Jvm,
}

/// Runs `generate` on a JVM subject.
pub fn generate(
    path: &Path,
    settings: &GenerateSettings,
    flags: &Generate,
) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let out = flags.out.clone().unwrap_or_else(|| {
        let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = name.file_stem().unwrap_or_default().to_owned();
        Path::new("testhound-out").join(name)
    });
    let asked = Plan {
        subject: path.canonicalize().unwrap_or_else(|_| path.to_owned()),
        guide: settings.guide.clone(),
        seed: settings.seed,
        options: flags.jvm.clone(),
    };
    let (plan, journal, earlier) = begin_run(&out, asked, flags)?;
    let guide =
        Guide::parse(&plan.guide, TestKind::Calls).map_err(|error| unknown_guide(&error))?;
    let stop = interrupt_flag()?;
    // The baseline is honest: what it cannot make from the classes under test it goes without.
    let inputs = match guide.parts().contains(&"detective") {
        true => Inputs::Everywhere,
        false => Inputs::UnderTest,
    };
    let opened = open(path, &plan.options, inputs)?;
    let scratch = tempfile::Builder::new().prefix("testhound-").tempdir()?;
    let needs = Needs {
        hits: true,
        results: true,
        ..guide.needs()
    };
    let target = Target::prepare(
        scratch.path(),
        &opened.subject,
        &opened.discovered,
        needs,
        &Inside {
            checks: opened.discovered.checks.clone(),
            timed: settings.budget.executions.is_none(),
            ..Inside::default()
        },
    )
    .map_err(|error| Failed::missing(format!("cannot write files for workers: {error}")))?;
    let campaign = Campaign {
        launch: launch_of(&opened, &settings.execution)?,
        junit: junit(plan.options.junit),
        out,
        plan,
        opened,
        target,
        settings,
        flags,
        stop,
        scratch,
    };
    let mut run = campaign.new_run(&guide)?;
    let elapsed = earlier.elapsed;
    run.resume(earlier.tests, earlier.executions);
    let mut rounds = Rounds::new(
        run,
        journal,
        elapsed,
        Noted::new(begun),
        &campaign.stop,
        flags.json,
    );
    let settings = PoolSettings {
        workers: settings.execution.jobs,
        needs,
        fresh: campaign.plan.options.fresh_jvm,
        ..PoolSettings::default()
    };
    let mut workers = Workers::start(&campaign.target, &campaign.launch, settings);
    let stopped = rounds.execute(&mut workers)?;
    rounds.noted.workers = workers.started();
    drop(workers);
    harvest(&campaign, rounds, stopped)
}

/// Everything that a run and its harvest share.
pub struct Campaign<'a> {
    /// The run folder.
    pub out: PathBuf,
    /// What was asked.
    pub plan: Plan,
    /// The subject.
    pub opened: Opened,
    /// The subject as workers see it.
    pub target: Target,
    /// How workers are started.
    pub launch: Launch,
    /// The JUnit of written tests.
    pub junit: Junit,
    /// The settings.
    pub settings: &'a GenerateSettings,
    /// The command line.
    pub flags: &'a Generate,
    /// Set when the user wants an end.
    pub stop: Arc<AtomicBool>,
    /// Files of workers; removed in the end.
    scratch: tempfile::TempDir,
}

impl Campaign<'_> {
    /// The subject's name.
    pub fn name(&self) -> String {
        let name = self.plan.subject.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// A folder for files that are removed in the end.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// How strict the sandbox is.
    pub fn sandbox_state(&self) -> &'static str {
        mode_name(self.settings.execution.sandbox)
    }

    /// What written tests may do when they are run.
    pub fn policy(&self) -> Result<Policy, Failed> {
        let scratch = self.scratch.path().join("suite");
        make_folder(&scratch)?;
        let allowed = &self.settings.execution.allow;
        policy(&self.settings.execution, &scratch, allowed)
    }

    fn new_run(&self, guide: &Guide) -> Result<Run, Failed> {
        let model = Model {
            operations: self.opened.discovered.operations.clone(),
            criteria: self.target.coverage.criteria(),
            hits: Hits::FirstSeen,
            ..Model::default()
        };
        let budget = self.settings.budget.clone();
        for rule in &budget.until {
            rule.check(&model.criteria)
                .map_err(|error| unknown_rule(&error))?;
        }
        let calls = self.target.model.calls.clone();
        let mut settings = CallSettings::default();
        if self.plan.options.entry.is_some() {
            // A program is started once per test.
            (settings.repeat, settings.dull) = (0.0, 0.0);
        }
        settings.timed = budget.executions.is_none();
        let known = knowledge(
            &self.opened.subject,
            &self.opened.jdk,
            &self.opened.discovered,
            &self.target.coverage,
            guide.parts(),
        );
        let source = CallSource::guided(calls, settings, self.plan.seed, guide.parts(), &known);
        let selector = guide.selector(&model.space, 1);
        Ok(Run::new(
            self.plan.seed,
            budget,
            model,
            Box::new(source),
            selector,
        ))
    }
}

/// How the workers of these settings are started.
fn launch_of(opened: &Opened, settings: &ExecutionSettings) -> Result<Launch, Failed> {
    let launcher = LauncherCommand::this_program()
        .map_err(|error| Failed::missing(format!("cannot find this program itself: {error}")))?;
    let mut launch = Launch::new(opened.java.clone(), launcher);
    launch.mode = sandbox_mode(settings.sandbox);
    Ok(launch)
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
    let given = |options: &cli::Jvm| *options != cli::Jvm::default();
    let changed = [
        (plan.subject != asked.subject, "subject"),
        (
            flags.guide.is_some() && asked.guide != plan.guide,
            "--guide",
        ),
        (flags.seed.is_some() && asked.seed != plan.seed, "--seed"),
        (
            given(&asked.options) && asked.options != plan.options,
            "choice of what is tested",
        ),
    ];
    if let Some((_, what)) = changed.iter().find(|(changed, _)| *changed) {
        return Err(changed_plan(out, what));
    }
    let (journal, earlier) = KeptJournal::open(&file)?;
    Ok((plan, journal, earlier))
}
