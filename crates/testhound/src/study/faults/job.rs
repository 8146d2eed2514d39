//! One suite and what it says of a faulty version, each with a result file.

use super::Asked;
use super::version::{Ran, Versions};
use crate::child;
use crate::cli::Faults;
use crate::exit::Failed;
use crate::jobs;
use report::faults::{FaultOutcome, FaultRun};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// What ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Wall time of testing.
    Time(Duration),
    /// Executed tests.
    Executions(u64),
}

impl Budget {
    /// The budgets that the user names, or the one of `generate`.
    pub fn all(flags: &Faults) -> Vec<Budget> {
        let executions = flags.executions.iter().copied().map(Budget::Executions);
        let mut all: Vec<Budget> = executions.collect();
        all.extend(flags.time.iter().copied().map(Budget::Time));
        if all.is_empty() {
            all.push(Budget::Time(Duration::from_secs(60)));
        }
        all
    }

    /// Several budgets of one kind as an option of the study.
    pub fn option(budgets: &[Budget]) -> String {
        let values: Vec<String> = budgets.iter().map(|budget| budget.words().1).collect();
        let flag = budgets.first().map_or("--time", |budget| budget.words().0);
        format!("{flag} {}", values.join(","))
    }

    fn words(self) -> (&'static str, String) {
        match self {
            Budget::Time(time) => ("--time", format!("{}s", time.as_secs_f64())),
            Budget::Executions(number) => ("--executions", number.to_string()),
        }
    }

    fn time(self) -> Duration {
        match self {
            Budget::Time(time) => time,
            Budget::Executions(_) => Duration::ZERO,
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.words().1) {
            (Budget::Time(_), text) => f.write_str(&text),
            (Budget::Executions(_), text) => write!(f, "{text} executions"),
        }
    }
}

/// What is the same in all runs: the choice of classes, and the options after `--`.
pub fn choices(asked: &Asked<'_>) -> Vec<String> {
    let faults = &asked.flags.faults;
    let classes = faults.class.iter();
    let mut words: Vec<String> = classes
        .flat_map(|class| ["--class".to_owned(), class.clone()])
        .collect();
    words.extend(faults.options.iter().cloned());
    words
}

/// A suite that was generated on the fixed version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Generated {
    /// Its tests that pass there.
    tests: BTreeSet<String>,
    /// How many do not.
    dropped: u64,
    /// Why it cannot be used, if it cannot.
    broken: Option<String>,
    seconds: f64,
    whole_seconds: f64,
}

/// One run.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The guide.
    pub guide: &'a str,
    /// The budget.
    pub budget: Budget,
    /// The seed.
    pub seed: u64,
}

impl Job<'_> {
    /// What the run's suite says of a faulty version; generates the suite if it is not there yet.
    pub fn outcome(
        &self,
        asked: &Asked<'_>,
        versions: &Versions<'_>,
        faulty: &str,
    ) -> Result<FaultRun, Failed> {
        let folder = asked.flags.out.join("results").join(file_name(faulty));
        if let Some(run) = jobs::finished(&folder, &self.key()) {
            return Ok(run);
        }
        let generated = self.generated(asked, versions)?;
        let run = self.run(asked, versions, faulty, generated)?;
        jobs::finish(&folder, &self.key(), &run)?;
        Ok(run)
    }

    fn key(&self) -> String {
        let budget = self.budget.to_string().replace(' ', "-");
        format!("{}-{budget}-{}", self.guide, self.seed)
    }

    fn suite(&self, asked: &Asked<'_>) -> PathBuf {
        self.folder(asked).join("suite")
    }

    fn folder(&self, asked: &Asked<'_>) -> PathBuf {
        asked.flags.out.join("runs").join(self.key())
    }

    /// Generates the suite and runs it on the fixed version.
    fn generated(&self, asked: &Asked<'_>, versions: &Versions<'_>) -> Result<Generated, Failed> {
        let folder = asked.flags.out.join("generated");
        if let Some(generated) = jobs::finished(&folder, &self.key()) {
            return Ok(generated);
        }
        let (flag, value) = self.budget.words();
        let seed = self.seed.to_string();
        let words = [
            asked.fixed,
            "--guide",
            self.guide,
            "--seed",
            &seed,
            flag,
            &value,
        ];
        let mut words: Vec<OsString> = words.map(OsString::from).to_vec();
        words.extend(["--out".into(), self.folder(asked).into()]);
        words.extend(choices(asked).into_iter().map(OsString::from));
        let what = format!("the run with guide `{}` and seed {seed}", self.guide);
        let run = child::generate(words, self.budget.time(), &what)?;
        let record: serde_json::Value = serde_json::from_slice(&run.record)
            .map_err(|error| Failed::input(format!("the record of {what} is broken: {error}")))?;
        let mut generated = Generated {
            tests: BTreeSet::new(),
            dropped: 0,
            broken: None,
            seconds: record["elapsed-seconds"].as_f64().unwrap_or(0.0),
            whole_seconds: run.wall.as_secs_f64(),
        };
        match versions.run(asked.fixed, &self.suite(asked))? {
            Ran::Broken(cause) => generated.broken = Some(format!("on the fixed version: {cause}")),
            Ran::Tests(tests) => {
                let passing = tests.iter().filter(|test| test.problem.is_none());
                generated.tests = passing.map(|test| test.name.clone()).collect();
                generated.dropped = (tests.len() - generated.tests.len()) as u64;
            }
        }
        if generated.tests.is_empty() && generated.broken.is_none() {
            generated.broken = Some("no test passes on the fixed version".to_owned());
        }
        jobs::finish(&folder, &self.key(), &generated)?;
        Ok(generated)
    }

    /// Runs the suite on a faulty version.
    fn run(
        &self,
        asked: &Asked<'_>,
        versions: &Versions<'_>,
        faulty: &str,
        generated: Generated,
    ) -> Result<FaultRun, Failed> {
        let ran = match generated.broken {
            Some(cause) => Ran::Broken(cause),
            None => versions.run(faulty, &self.suite(asked))?,
        };
        let mut run = FaultRun {
            seed: self.seed,
            outcome: FaultOutcome::Pass,
            cause: String::new(),
            tests: generated.tests.len() as u64,
            dropped: generated.dropped,
            failing: Vec::new(),
            seconds: generated.seconds,
            whole_seconds: generated.whole_seconds,
        };
        match ran {
            Ran::Broken(cause) => (run.outcome, run.cause) = (FaultOutcome::Broken, cause),
            Ran::Tests(tests) => {
                let known = |name: &String| generated.tests.contains(name);
                for test in tests.into_iter().filter(|test| known(&test.name)) {
                    let Some(problem) = test.problem else {
                        continue;
                    };
                    if run.failing.is_empty() {
                        (run.outcome, run.cause) = (FaultOutcome::Fail, problem);
                    }
                    run.failing.push(test.name);
                }
            }
        }
        Ok(run)
    }
}

/// A path as one name of a file, different for different paths.
fn file_name(path: &str) -> String {
    path.replace('%', "%25").replace('/', "%2f")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_versions_have_different_folders() {
        assert_eq!(file_name("a/b"), "a%2fb");
        assert_ne!(file_name("a/b"), file_name("a%2fb"));
    }

    #[test]
    fn budgets_are_told_as_options_and_as_words() {
        let budgets = [Duration::from_secs(2), Duration::from_millis(500)].map(Budget::Time);
        assert_eq!(Budget::option(&budgets), "--time 2s,0.5s");
        assert_eq!(Budget::Executions(50).to_string(), "50 executions");
    }
}
