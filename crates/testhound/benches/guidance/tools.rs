//! What steps run: `testhound` on the sample of a subject, the compiler of its suites, and the JDKs of this machine.

use super::maven::{self, CONSOLE, Jars, Tool};
use super::results::Run;
use super::suites::{junit, program};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What there is to run.
pub struct Tools {
    /// The `testhound` that is measured.
    pub program: PathBuf,
    /// Where what Maven fetches is kept.
    pub work: PathBuf,
    /// The JDK that `testhound` uses, too.
    pub jdk: PathBuf,
}

/// What a run of `generate` is asked for.
pub struct Asked<'a> {
    /// The guide.
    pub guide: &'a str,
    /// Seconds per class.
    pub seconds: f64,
    /// The seed.
    pub seed: u64,
    /// Mutants that assertions are chosen by.
    pub mutants: u64,
}

impl Tools {
    /// The jars of a tool.
    pub fn fetched(&self, tool: &Tool) -> Result<Vec<PathBuf>> {
        maven::tool(&self.work, tool)
    }

    /// Compiles a suite for JUnit's console; gives the class path that it needs.
    pub fn compile(&self, jars: &Jars, suite: &Path, to: &Path) -> Result<Vec<PathBuf>> {
        let classpath = jars.with(&self.fetched(&CONSOLE)?);
        match junit::compile(&self.jdk, &classpath, &suite.join("suite"), to)? {
            None => Ok(classpath),
            Some(said) => bail!("the suite does not compile: {}", first_line(&said)),
        }
    }

    /// Runs `generate` with one worker; what its suite covers is not measured yet. The suite stays in its folder.
    pub fn generate(
        &self,
        jars: &Jars,
        classes: &[String],
        asked: &Asked,
        suite: &Path,
    ) -> Result<Run> {
        let mut command = self.testhound("generate", jars, classes)?;
        command
            .args(["--guide", asked.guide, "--json", "--force"])
            .args(["--jobs", "1", "--deprecated"])
            .args(["--seed", &asked.seed.to_string()])
            .args(["--mutants", &asked.mutants.to_string()])
            .args([
                "--time",
                &format!("{}s", classes.len() as f64 * asked.seconds),
            ])
            .arg("--out")
            .arg(suite);
        let begun = Instant::now();
        let record = program::json(&mut command)?;
        let whole = begun.elapsed().as_secs_f64();
        summary(&record, classes.len(), whole).context("the record lacks something")
    }

    /// Our mutants of PIT's default group under a suite, as `mutate` records them, without those that the JVM refused.
    pub fn mutate(&self, jars: &Jars, classes: &[String], suite: &Path) -> Result<Vec<Value>> {
        let mut command = self.testhound("mutate", jars, classes)?;
        command
            .args(["--operators", "pit", "--json", "--tests"])
            .arg(suite.join("suite"));
        let record = program::json(&mut command)?;
        let mutants = record["mutants"]
            .as_array()
            .context("no mutants are recorded")?;
        let used = mutants.iter().filter(|one| one["fate"] != "refused");
        Ok(used.cloned().collect())
    }

    fn testhound(&self, step: &str, jars: &Jars, classes: &[String]) -> Result<Command> {
        program::command(&self.program, step, &jars.own, &jars.needs, classes)
    }
}

/// The numbers of a record.
fn summary(record: &Value, classes: usize, whole: f64) -> Option<Run> {
    let mutation = &record["mutation"];
    let search = record["elapsed-seconds"].as_f64()?;
    Some(Run {
        classes,
        search,
        other: whole - search,
        executions: record["executions"].as_u64()?,
        tests: record["suite-tests"].as_u64()?,
        dropped: record["dropped-tests"].as_array()?.len(),
        failures: record["failures"].as_array()?.len(),
        own_mutants: mutation["killed"]
            .as_u64()
            .zip(mutation["mutants"].as_u64()),
        ..Run::default()
    })
}

/// Runs a command that must succeed; gives what it printed.
pub fn checked(command: &mut Command) -> Result<String> {
    let name = command.get_program().display().to_string();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run `{name}`"))?;
    let [printed, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if !output.status.success() {
        bail!("`{name}` failed: {}", cause(&printed, &errors));
    }
    Ok(printed)
}

/// The lines that say why a program failed: the first ones that it calls errors, or its last.
fn cause(printed: &str, errors: &str) -> String {
    let trace = |line: &&str| line.starts_with("\tat ") || line.trim().is_empty();
    let lines = printed.lines().chain(errors.lines());
    let said: Vec<&str> = lines.filter(|line| !trace(line)).map(str::trim).collect();
    let called = said.iter().position(|line| line.contains("ERROR"));
    let from = called.unwrap_or(said.len().saturating_sub(6));
    let to = said.len().min(called.map_or(said.len(), |at| at + 2));
    said[from..to].join(" / ")
}

/// The first line of a text.
pub fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("nothing was said")
}

/// The JDK of the `javac` in `PATH`, which is the one that `testhound` uses.
pub fn jdk_in_path() -> Result<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut compilers = std::env::split_paths(&paths).map(|folder| folder.join("javac"));
    let found = compilers.find_map(|path| path.canonicalize().ok());
    let jdk = found.as_deref().and_then(|path| path.parent()?.parent());
    let jdk = jdk.context("there is no `javac` in `PATH`\nhint: install a JDK")?;
    Ok(jdk.to_owned())
}

/// JDKs by version; the first of each. Without given ones, those that Debian's packages put in one folder.
pub fn jdks(given: &[PathBuf]) -> Result<BTreeMap<String, PathBuf>> {
    let mut places = given.to_vec();
    if places.is_empty() {
        for entry in std::fs::read_dir("/usr/lib/jvm")? {
            places.push(entry?.path());
        }
        places.sort();
    }
    let mut found = BTreeMap::new();
    for place in places {
        let release = std::fs::read_to_string(place.join("release")).unwrap_or_default();
        if let Some(version) = version(&release)
            && place.join("bin/javac").exists()
        {
            found.entry(version).or_insert(place);
        }
    }
    Ok(found)
}

/// The feature version that a JDK's file `release` names.
fn version(release: &str) -> Option<String> {
    let mut lines = release.lines();
    let whole = lines.find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    let number = whole.split(['.', '"']).next()?;
    Some(number.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_file_of_a_jdk_names_its_version() {
        assert_eq!(
            version("A=\"x\"\nJAVA_VERSION=\"17.0.13\"\n").as_deref(),
            Some("17")
        );
        assert_eq!(version("JAVA_VERSION=\"25\"").as_deref(), Some("25"));
        assert_eq!(version("IMPLEMENTOR=\"x\""), None);
    }

    #[test]
    fn a_program_fails_for_its_first_error_or_for_what_it_said_last() {
        assert_eq!(
            cause("[ERROR] a\n\n[ERROR] b\n[ERROR] c", "x"),
            "[ERROR] a / [ERROR] b"
        );
        assert_eq!(
            cause("1\n2\n3\n4\n", "5\n\tat p.A\n6\n7\n"),
            "2 / 3 / 4 / 5 / 6 / 7"
        );
        assert_eq!(cause("", ""), "");
    }

    #[test]
    fn time_besides_the_search_is_what_is_left_of_the_whole() {
        let record = json!({"elapsed-seconds": 4.0, "executions": 9, "suite-tests": 3, "dropped-tests": [{}], "failures": [], "mutation": null});
        let run = summary(&record, 2, 10.0).unwrap();
        assert_eq!(
            (run.search, run.other, run.dropped, run.own_mutants),
            (4.0, 6.0, 1, None)
        );
        assert!(summary(&json!({}), 2, 10.0).is_none());
    }
}
