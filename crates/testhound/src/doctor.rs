//! `testhound doctor`: what this machine has, and what is missing, with what to do about it.

use crate::cli::Doctor;
use crate::exit::Exit;
use crate::generate::folder::pretty;
use jvm::Places;
use jvm::suite::{Junit, JunitPlaces};
use sandbox::{LauncherCommand, Tool};
use serde::Serialize;
use std::ffi::OsString;

/// Tools that parts of Testhound use, and what for.
const TOOLS: &[(&str, &[&str], &str, &str)] = &[
    (
        "cc",
        &["--version"],
        "compiles C subjects and mutants",
        "install Debian's `gcc`",
    ),
    (
        "sh",
        &["-c", "echo POSIX shell"],
        "runs written cases",
        "install a POSIX shell",
    ),
    (
        "timeout",
        &["--version"],
        "gives written cases a time limit",
        "install Debian's `coreutils`",
    ),
    (
        "diff",
        &["--version"],
        "compares outputs in written cases",
        "install Debian's `diffutils`",
    ),
];

/// One thing that was looked at.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Finding {
    what: String,
    works: bool,
    detail: String,
    hint: Option<String>,
}

/// Runs the subcommand; the exit code says whether something is missing.
pub fn doctor(flags: &Doctor) -> anyhow::Result<Exit> {
    let mut findings = sandbox_findings()?;
    findings.extend(TOOLS.iter().map(tool_finding));
    findings.extend(java_findings());
    findings.extend(python_findings());
    let missing = findings.iter().filter(|finding| !finding.works).count();
    if flags.json {
        crate::print_bytes(pretty(&findings).as_bytes())?;
    } else {
        crate::print_bytes(text(&findings, missing).as_bytes())?;
    }
    Ok(if missing == 0 {
        Exit::Clean
    } else {
        Exit::Missing
    })
}

fn sandbox_findings() -> anyhow::Result<Vec<Finding>> {
    let scratch = tempfile::tempdir()?;
    let probed = sandbox::probe(scratch.path(), &LauncherCommand::this_program()?);
    let probed = probed.map_err(|error| crate::setup::sandbox_failed(&error))?;
    let finding = |(mechanism, reason): (sandbox::Mechanism, Option<String>)| Finding {
        what: format!("sandbox: {}", mechanism.name()),
        works: reason.is_none(),
        hint: reason
            .is_some()
            .then(|| "`--sandbox=best-effort` goes on without it".to_owned()),
        detail: reason.unwrap_or_else(|| "works".to_owned()),
    };
    Ok(probed.into_iter().map(finding).collect())
}

fn tool_finding((name, args, purpose, hint): &(&str, &[&str], &str, &str)) -> Finding {
    let args = args.iter().map(OsString::from).collect();
    let version = Tool::new((*name).into(), args)
        .run()
        .ok()
        .and_then(|finished| {
            let text = String::from_utf8_lossy(&finished.stdout).into_owned();
            text.lines().next().map(str::to_owned)
        });
    Finding {
        what: format!("tool: {name} ({purpose})"),
        works: version.is_some(),
        hint: version.is_none().then(|| (*hint).to_owned()),
        detail: version.unwrap_or_else(|| "not found".to_owned()),
    }
}

/// What was looked for, or the error that says what is missing and, after `hint:`, what to do.
fn finding(what: &str, found: Result<String, String>) -> Finding {
    let (detail, hint) = match &found {
        Ok(detail) => (detail.clone(), None),
        Err(text) => match text.split_once("\nhint: ") {
            Some((detail, hint)) => (detail.to_owned(), Some(hint.to_owned())),
            None => (text.clone(), None),
        },
    };
    Finding {
        what: what.to_owned(),
        works: found.is_ok(),
        detail,
        hint,
    }
}

/// What Python subjects need: an interpreter, and pytest for the tests that are written.
fn python_findings() -> Vec<Finding> {
    let python = python::Places::of_this_process(None).find();
    let python = python.map_err(|error| error.to_string());
    let pytest = python.clone().and_then(|python| {
        let question = ["-c", "import pytest; print(pytest.__version__)"];
        let question = question.iter().map(OsString::from).collect();
        let answer = Tool::new(python.program, question).run().ok();
        let answer = answer.filter(|answer| answer.end == sandbox::End::Exited(0));
        let version =
            answer.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned());
        version.ok_or_else(|| {
            "not installed\nhint: `python3 -m pip install pytest`, or Debian's `python3-pytest`"
                .to_owned()
        })
    });
    let python = python.map(|python| {
        let (major, minor, micro) = python.version;
        format!("{major}.{minor}.{micro} at {}", python.program.display())
    });
    vec![
        finding(
            "Python: an interpreter (runs modules and harnesses)",
            python,
        ),
        finding("Python: pytest (runs written tests)", pytest),
    ]
}

/// What Java subjects need: a JDK, and JUnit for the tests that are written.
fn java_findings() -> Vec<Finding> {
    let java = Places::of_this_process(None).find();
    let compiler = java.and_then(|java| {
        java.javac()?;
        Ok(format!("{} in {}", java.release, java.home.display()))
    });
    let junit = |version| {
        let jars = JunitPlaces::of_this_process(Vec::new()).find(version);
        jars.map(|jars| format!("{} jars", jars.len()))
            .map_err(|error| error.to_string())
    };
    vec![
        finding(
            "Java: a JDK (runs and compiles tests of jars)",
            compiler.map_err(|error| error.to_string()),
        ),
        finding("Java: JUnit 5 (written tests, default)", junit(Junit::Five)),
        finding("Java: JUnit 4 (`--junit 4`)", junit(Junit::Four)),
    ]
}

fn text(findings: &[Finding], missing: usize) -> String {
    let mut text = String::new();
    for finding in findings {
        let mark = if finding.works { "ok     " } else { "MISSING" };
        text.push_str(&format!("{mark} {}: {}\n", finding.what, finding.detail));
        if let Some(hint) = &finding.hint {
            text.push_str(&format!("        hint: {hint}\n"));
        }
    }
    text.push_str(&match missing {
        0 => "everything is there\n".to_owned(),
        1 => "one thing is missing\n".to_owned(),
        _ => format!("{missing} things are missing\n"),
    });
    text
}
