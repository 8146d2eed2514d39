//! `testhound replay` and `testhound reduce`: written cases, run again and made smaller.

use crate::cli::{Execution, Reduce, Replay};
use crate::exit::{Exit, Failed};
use crate::generate::folder::pretty;
use crate::generate::interrupt_flag;
use crate::generate::record::typed;
use crate::settings::SettingsFile;
use crate::setup::Setup;
use crate::written::write_case;
use command::oracle::{Judged, describe_end};
use command::suite::{Case, CaseSettings};
use engine::Failure;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What a replay showed, for `--json`.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Replayed<'a> {
    case: &'a str,
    end: String,
    failures: &'a [Failure],
    /// Whether the failure of the case was seen again; `None` for a case that passes.
    reproduced: Option<bool>,
    stdout: String,
    stderr: String,
}

/// Runs a case again.
pub fn replay(flags: &Replay) -> anyhow::Result<Exit> {
    if flags.case.extension().is_some_and(|one| one == "tstl") {
        return crate::python::replay(flags);
    }
    let case = read_case(&flags.case)?;
    let build = tempfile::tempdir()?;
    let setup = setup(&case, &flags.execution, build.path())?;
    let judged = setup.judge(&case.input, case.expectation)?;
    let reproduced = case.failure.as_ref().map(|wanted| shows(&judged, wanted));
    if flags.json {
        let replayed = Replayed {
            case: &case.name,
            end: describe_end(judged.finished.end),
            failures: &judged.failures,
            reproduced,
            stdout: String::from_utf8_lossy(&judged.finished.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&judged.finished.stderr).into_owned(),
        };
        crate::print_bytes(pretty(&replayed).as_bytes())?;
    } else {
        crate::print_bytes(describe(&case, &judged, reproduced).as_bytes())?;
    }
    Ok(if judged.failures.is_empty() {
        Exit::Clean
    } else {
        Exit::Failures
    })
}

/// Makes a case smaller and writes it beside.
pub fn reduce(flags: &Reduce) -> anyhow::Result<Exit> {
    let case = read_case(&flags.case)?;
    let Some(failure) = &case.failure else {
        return Err(
            Failed::input(format!("`{}` is a case that passes", flags.case.display()))
                .hint("only failing cases can be reduced")
                .into(),
        );
    };
    let build = tempfile::tempdir()?;
    let setup = setup(&case, &flags.execution, build.path())?;
    if !shows(&setup.judge(&case.input, case.expectation)?, failure) {
        return Err(Failed::input("the failure of this case was not seen again")
            .hint("`testhound replay` shows what the program does now")
            .into());
    }
    let mut broken = None;
    let reduced = command::reduce::reduce(
        &setup.spec,
        &case.frame,
        &case.input,
        failure,
        flags.executions,
        &mut |input, frame| match setup.judge(input, case.expectation) {
            Ok(judged)
                if setup.expectation(frame) == case.expectation
                    && setup.admits(input, case.expectation, failure) =>
            {
                judged.failures
            }
            Ok(_) => Vec::new(),
            Err(failed) => {
                broken = Some(failed);
                Vec::new()
            }
        },
    );
    if let Some(failed) = broken {
        return Err(failed.into());
    }
    let judged = setup.judge(&reduced.input, case.expectation)?;
    let out = flags.out.clone().unwrap_or_else(|| beside(&flags.case));
    let name = out.file_name().map_or_else(
        || case.name.clone(),
        |name| name.to_string_lossy().into_owned(),
    );
    let settings = CaseSettings {
        spec: &setup.spec,
        spec_path: case.spec.clone(),
        program: case.program.clone(),
        script_program: command::suite::quote(&case.program.to_string_lossy()),
    };
    let smaller = Case::new(
        &settings,
        name,
        &reduced.frame,
        &reduced.input,
        case.expectation,
        &judged,
        Some(failure),
    );
    write_case(out.parent().unwrap_or(Path::new(".")), &smaller)?;
    let text = format!(
        "reduced with {} executions\n{}\nwritten to {}\n",
        reduced.executions,
        typed(&case.program, &reduced.input),
        out.display()
    );
    crate::print_bytes(text.as_bytes())
}

fn beside(case: &Path) -> PathBuf {
    let mut name = case.file_name().unwrap_or_default().to_owned();
    name.push("-reduced");
    case.with_file_name(name)
}

fn read_case(folder: &Path) -> Result<Case, Failed> {
    let path = folder.join("case.json");
    let text = std::fs::read_to_string(&path).map_err(|error| {
        Failed::input(format!("cannot read `{}`: {error}", path.display()))
            .hint("a case is a folder with a `case.json`")
    })?;
    serde_json::from_str(&text)
        .map_err(|error| Failed::input(format!("`{}` is not a case: {error}", path.display())))
}

fn setup(case: &Case, flags: &Execution, build: &Path) -> anyhow::Result<Setup> {
    let mut settings = SettingsFile::find(&std::env::current_dir()?)?.execution(flags);
    settings.jobs = 1;
    // The program the case was made with, as long as it is there; else it is found or compiled anew.
    if settings.program.is_none() && case.program.exists() {
        settings.program = Some(case.program.clone());
    }
    Ok(Setup::new(&case.spec, &settings, build, interrupt_flag()?)?)
}

fn shows(judged: &Judged, wanted: &Failure) -> bool {
    judged
        .failures
        .iter()
        .any(|failure| failure.oracle == wanted.oracle && failure.signature == wanted.signature)
}

fn describe(case: &Case, judged: &Judged, reproduced: Option<bool>) -> String {
    let mut text = format!(
        "{}\n{}\n",
        typed(&case.program, &case.input).trim_end(),
        describe_end(judged.finished.end)
    );
    for (name, bytes) in [
        ("stdout", &judged.finished.stdout),
        ("stderr", &judged.finished.stderr),
    ] {
        if !bytes.is_empty() {
            text.push_str(&format!(
                "--- {name}\n{}\n",
                String::from_utf8_lossy(bytes).trim_end()
            ));
        }
    }
    for failure in &judged.failures {
        text.push_str(&format!(
            "failure: {}: {}\n",
            failure.oracle, failure.message
        ));
    }
    text.push_str(match (reproduced, judged.failures.is_empty()) {
        (Some(true), _) => "the failure of this case is still there\n",
        (Some(false), true) => "the failure of this case is gone\n",
        (Some(false), false) => "the failure of this case is gone, but it fails in another way\n",
        (None, true) => "as expected\n",
        (None, false) => "this case used to pass and fails now\n",
    });
    text
}
