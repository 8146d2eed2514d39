//! Commands of `testhound` on a jar, and what they print as JSON.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command on classes of a jar; all of them if none is named.
pub fn command(
    program: &Path,
    step: &str,
    jar: &Path,
    classpath: &[PathBuf],
    classes: &[String],
) -> Result<Command> {
    let mut command = Command::new(program);
    command.arg(step).arg(jar);
    if !classpath.is_empty() {
        command
            .arg("--classpath")
            .arg(std::env::join_paths(classpath)?);
    }
    for class in classes {
        command.arg("--class").arg(class);
    }
    command.stdin(Stdio::null());
    Ok(command)
}

/// Runs a command that may find failures, and reads its standard output.
pub fn json(command: &mut Command) -> Result<Value> {
    let output = command
        .output()
        .with_context(|| format!("cannot run `{}`", command.get_program().display()))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{} with {:?}", cause(&errors), output.status);
    }
    serde_json::from_slice(&output.stdout).context("it prints no JSON")
}

/// What a program said before it gave up: from its error on, or its last line.
fn cause(errors: &str) -> &str {
    let errors = errors.trim();
    let error = errors.find("error: ").map(|at| &errors[at..]);
    let last = errors.lines().last();
    error.or(last).unwrap_or("it ended without saying why")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_quoted_from_its_error_on() {
        assert_eq!(cause("note: x\nerror: a\nhint: b\n"), "error: a\nhint: b");
        assert_eq!(cause("one\ntwo\n"), "two");
        assert_eq!(cause(" \n"), "it ended without saying why");
    }
}
