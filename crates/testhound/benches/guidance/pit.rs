//! The real PIT on a written suite.
//!
//! Tests that fail by intent are left out, and PIT leaves out those that do not pass in its own order, as we do in ours.

use super::maven::{Jars, PIT};
use super::sample::unpack;
use super::suites::junit;
use super::tools::{Tools, checked, first_line};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mutant in PIT's report.
#[derive(Debug, PartialEq, Serialize)]
pub struct Mutant {
    class: String,
    /// The operator, without its package.
    pub mutator: String,
    method: String,
    line: String,
    status: String,
    test: String,
}

impl Mutant {
    /// Whether the suite notices it.
    pub fn killed(&self) -> bool {
        ["KILLED", "TIMED_OUT", "MEMORY_ERROR", "RUN_ERROR"].contains(&self.status.as_str())
    }
}

/// PIT's mutants of the sample under a suite.
pub fn measure(
    tools: &Tools,
    jars: &Jars,
    classes: &[String],
    suite: &Path,
) -> Result<Vec<Mutant>> {
    let pit = tools.fetched(&PIT)?;
    let folder = tempfile::tempdir()?;
    let here = |name: &str| folder.path().join(name);
    let classpath = jars.with(&pit);
    if let Some(said) =
        junit::compile(&tools.jdk, &classpath, &suite.join("suite"), &here("tests"))?
    {
        bail!("the suite does not compile: {}", first_line(&said));
    }
    // PIT mutates no classes of jars.
    unpack(&jars.own, classes, &here("classes"))?;
    let places = [here("classes"), here("tests")]
        .into_iter()
        .chain(classpath);
    let targets = classes.iter().map(|name| format!("{name},{name}$*"));
    let mut command = Command::new(tools.jdk.join("bin/java"));
    command
        .arg("-cp")
        .arg(std::env::join_paths(&pit)?)
        .arg("org.pitest.mutationtest.commandline.MutationCoverageReport")
        .args(["--outputFormats", "CSV", "--threads", "2"])
        .args(["--timestampedReports=false", "--skipFailingTests=true"])
        .args(["--targetClasses", &targets.collect::<Vec<_>>().join(",")])
        .args(["--targetTests", &passing(&here("tests"))?.join(",")])
        .args(["--classPath", &list(places)])
        .arg("--mutableCodePaths")
        .arg(here("classes"))
        .arg("--sourceDirs")
        .arg(folder.path())
        .arg("--reportDir")
        .arg(here("report"));
    checked(&mut command)?;
    let report =
        std::fs::read_to_string(here("report/mutations.csv")).context("PIT wrote no report")?;
    report.lines().map(read).collect()
}

fn list(places: impl Iterator<Item = PathBuf>) -> String {
    let texts: Vec<String> = places.map(|place| place.display().to_string()).collect();
    texts.join(",")
}

/// The test classes in a folder that are meant to pass.
fn passing(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for file in junit::files(folder, "class")? {
        let place = file.strip_prefix(folder)?.with_extension("");
        let name = place.display().to_string().replace('/', ".");
        if name.ends_with("Test") && !name.ends_with("ErrorTest") {
            names.push(name);
        }
    }
    Ok(names)
}

/// A line of PIT's report: file, class, operator, method, line, status, test.
fn read(line: &str) -> Result<Mutant> {
    let fields: Vec<&str> = line.splitn(7, ',').collect();
    let [_, class, mutator, method, number, status, test] = fields[..] else {
        bail!("PIT's report has a line of {} fields: {line}", fields.len());
    };
    Ok(Mutant {
        class: class.to_owned(),
        mutator: mutator.rsplit('.').next().unwrap_or(mutator).to_owned(),
        method: method.to_owned(),
        line: number.to_owned(),
        status: status.to_owned(),
        test: test.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_report_is_a_mutant() {
        let mutator = "org.pitest.mutationtest.engine.gregor.mutators.MathMutator";
        let line = |status: &str| {
            read(&format!(
                "A.java,p.A,{mutator},of,12,{status},[method:a(int, int)]"
            ))
            .unwrap()
        };
        assert_eq!(line("KILLED").mutator, "MathMutator");
        assert_eq!(line("KILLED").test, "[method:a(int, int)]");
        assert!(line("TIMED_OUT").killed());
        assert!(!line("NO_COVERAGE").killed());
        assert!(read("A.java,p.A").is_err());
    }
}
