//! `testhound generate`: run the loop on a subject, keep everything in a run folder, end with a suite and a report.

mod applies;
pub mod folder;
mod harvest;
pub mod record;
mod rounds;

use crate::cli::Generate;
use crate::exit::{Exit, Failed};
use crate::settings::{GenerateSettings, SettingsFile};
use crate::setup::Setup;
use crate::subject::Subject;

use command::pool;
use command::source::{PoolSource, Replacement, SpecSource, operations};
use engine::guide::{self, GuideError, TestKind};
use engine::{Guide, Model, Run, Source};
use folder::{Plan, RunFolder};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs the subcommand.
pub fn generate(flags: &Generate) -> anyhow::Result<Exit> {
    if flags.guide.as_deref() == Some("help") {
        return crate::print_bytes(guide::help().as_bytes());
    }
    let file = SettingsFile::find(&std::env::current_dir()?)?;
    let subject = Subject::recognise(&flags.subject)?;
    applies::check(flags, &subject)?;
    let settings = file.generate(flags, &subject)?;
    let spec_path = match subject {
        Subject::Jvm(path) => return crate::jvm::generate(&path, &settings, flags),
        Subject::Python(word) => return crate::python::generate(&word, &settings, flags),
        other => other.specification()?,
    };
    let out = flags
        .out
        .clone()
        .unwrap_or_else(|| Path::new("testhound-out").join(stem(&spec_path)));
    let plan = Plan::new(&spec_path, &settings, flags);
    let folder = RunFolder::open(&out, plan, flags)?;
    let guide = Guide::parse(&folder.plan.guide, TestKind::Frames)
        .map_err(|error| unknown_guide(&error))?;
    let stop = interrupt_flag()?;
    let mut setup = Setup::new(
        &spec_path,
        &settings.execution,
        &folder.build(),
        Arc::clone(&stop),
    )?;
    let run = new_run(&setup, &folder.plan, &guide, &settings)?;
    let mut rounds = rounds::Rounds::new(run, folder, &stop, flags.json);
    let stopped = rounds.execute(&setup)?;
    setup.workers.ignore_stop();
    harvest::harvest(&setup, rounds, stopped, flags)
}

fn new_run(
    setup: &Setup,
    plan: &Plan,
    guide: &Guide,
    settings: &GenerateSettings,
) -> Result<Run, Failed> {
    let spec = &setup.spec;
    let source: Box<dyn Source> = match &plan.pool {
        None => Box::new(SpecSource::new(Arc::clone(spec))),
        Some(pool) => {
            let inputs =
                pool::load(spec, pool).map_err(|error| Failed::input(error.to_string()))?;
            let replacement = if plan.without_replacement {
                Replacement::Without
            } else {
                Replacement::With
            };
            Box::new(PoolSource::new(inputs, replacement))
        }
    };
    let model = Model::of_space(spec.space.clone(), operations());
    let selector = guide.selector(&model.space, plan.candidates);
    Ok(Run::new(
        plan.seed,
        settings.budget.clone(),
        model,
        source,
        selector,
    ))
}

/// A flag that the first Ctrl-C sets; the second one ends the process.
pub fn interrupt_flag() -> Result<Arc<AtomicBool>, Failed> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The order matters: the second signal finds the flag set by the first.
        signal_hook::flag::register_conditional_shutdown(
            signal,
            Exit::Interrupted as i32,
            Arc::clone(&stop),
        )
        .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
        .map_err(|error| Failed::missing(format!("cannot watch for signals: {error}")))?;
    }
    Ok(stop)
}

/// A guide that cannot be used, for the user.
pub fn unknown_guide(error: &GuideError) -> Failed {
    Failed::input(error.to_string()).hint(error.hint())
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(
        || "run".to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}
