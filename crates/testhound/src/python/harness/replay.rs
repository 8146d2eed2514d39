//! `replay` of one written test of a harness: its steps, what they raised, what the harness logs, and how it ended.
//!
//! A test is a file with one action per line, as TSTL names and saves them: those that TSTL wrote can be replayed, too.

use super::{read, worker_failed};
use crate::cli::{Execution, Replay};
use crate::exit::{Exit, Failed};
use crate::generate::folder::pretty;
use crate::settings::SettingsFile;
use engine::{Failure, Step, Test};
use python::harness::{Bench, Replayed, StepLogs};
use python::protocol::Measure;
use python::runtime::Runtime;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// What a replay showed, for `--json`.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Shown<'a> {
    harness: String,
    test: String,
    steps: Vec<ShownStep<'a>>,
    failure: Option<&'a Failure>,
}

/// One step.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ShownStep<'a> {
    action: &'a str,
    raised: Option<&'a str>,
    log_before: &'a [(String, String)],
    log_after: &'a [(String, String)],
}

/// Runs a written test of a harness again.
pub fn replay(flags: &Replay) -> anyhow::Result<Exit> {
    let Some(file) = &flags.test else {
        return Err(Failed::input("a harness alone is nothing to replay")
            .hint("name a test, too: `testhound replay x.tstl testhound-out/x/failures/NAME.test`")
            .into());
    };
    let target = read(&flags.case)?;
    let scratch = tempfile::Builder::new().prefix("testhound-").tempdir()?;
    let runtime = Arc::new(Runtime::write(scratch.path())?);
    let launch = super::launch(
        flags.interpreter.python.clone(),
        &execution(&flags.execution)?,
    )?;
    let load = target.load(Measure::Nothing, super::limits(flags.step_time));
    let mut bench = Bench::new(&target, &runtime, &launch, load);
    let steps = steps(&mut bench, file)?;
    let test = Test { steps };
    let replayed = match flags.logging.level() {
        Some(level) => bench.show(&test, level),
        None => bench.replay(&test),
    };
    let replayed = replayed.map_err(|error| worker_failed(&error))?;
    let names = bench.shown(&replayed.steps);
    let names = names.map_err(|error| worker_failed(&error))?;
    let text = if flags.json {
        pretty(&Shown {
            harness: flags.case.display().to_string(),
            test: file.display().to_string(),
            steps: shown_steps(&names, &replayed),
            failure: replayed.failure.as_ref(),
        })
    } else {
        text(&names, &replayed)
    };
    crate::print_bytes(text.as_bytes())?;
    Ok(match replayed.failure {
        Some(_) => Exit::Failures,
        None => Exit::Clean,
    })
}

fn execution(flags: &Execution) -> anyhow::Result<crate::settings::ExecutionSettings> {
    Ok(SettingsFile::find(&std::env::current_dir()?)?.execution(flags))
}

/// The steps that a file names.
fn steps(bench: &mut Bench<'_>, file: &Path) -> Result<Vec<Step>, Failed> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failed::input(format!("cannot read `{}`: {error}", file.display())))?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let (numbers, names): (Vec<usize>, Vec<&str>) = lines.unzip();
    let found = bench.find(&names).map_err(|error| worker_failed(&error))?;
    let steps = numbers.iter().zip(&names).zip(found);
    let step = |((number, name), step): ((&usize, &&str), Option<Step>)| {
        step.ok_or_else(|| {
            let place = format!("{}:{}", file.display(), number + 1);
            Failed::input(format!(
                "{place}: the harness has no action `{}`",
                name.trim()
            ))
            .hint("was the harness changed after the test was written?")
        })
    };
    steps.map(step).collect()
}

fn shown_steps<'a>(names: &'a [String], replayed: &'a Replayed) -> Vec<ShownStep<'a>> {
    let step = |(number, action): (usize, &'a String)| {
        let logs = replayed.logs.get(number);
        ShownStep {
            action,
            raised: replayed.outcomes.get(number).and_then(Option::as_deref),
            log_before: logs.map_or(&[], |logs| &logs.0),
            log_after: logs.map_or(&[], |logs| &logs.1),
        }
    };
    names.iter().enumerate().map(step).collect()
}

fn text(names: &[String], replayed: &Replayed) -> String {
    let mut text = String::new();
    let nothing = StepLogs::default();
    for (number, name) in names.iter().enumerate() {
        text += &step_text(name, replayed.logs.get(number).unwrap_or(&nothing));
        if let Some(Some(raised)) = replayed.outcomes.get(number) {
            text += &format!("raised {raised}\n");
        }
    }
    text += &match &replayed.failure {
        Some(failure) => format!("failure: {}: {}\n", failure.oracle, failure.message),
        None => "passed\n".to_owned(),
    };
    text
}

/// A step with its log lines around it.
pub fn step_text(step: &str, logs: &StepLogs) -> String {
    let lines = |what: &str, logs: &[(String, String)]| -> String {
        let line = |(of, value): &(String, String)| format!("[{what} {of}] {value}\n");
        logs.iter().map(line).collect()
    };
    lines("LOG", &logs.0) + step + "\n" + &lines("POST LOG", &logs.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_lines_stand_before_and_after_their_step() {
        let pair = |of: &str, value: &str| (of.to_owned(), value.to_owned());
        let logs = (vec![pair("n0", "None")], vec![pair("n0", "3")]);
        let text = step_text("n0 = 3", &logs);
        assert_eq!(text, "[LOG n0] None\nn0 = 3\n[POST LOG n0] 3\n");
    }
}
