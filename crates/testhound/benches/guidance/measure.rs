//! What is measured for one job of each step.

use super::Options;
use super::jobs::Job;
use super::maven::{self, CONSOLE};
use super::results::{Fresh, Mutants, OnJdk, Part, Pit, Run};
use super::step::Step;
use super::suites::junit;
use super::tools::{self, Asked, Tools, first_line};
use super::{jacoco, pit};
use anyhow::{Context, Result};
use serde_json::{Value, json, to_value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Mutants that `cover` chooses assertions by. In `ablation` only coverage is compared, and none are chosen.
const MUTANTS: u64 = 1000;
/// How often a suite is run by each JDK.
const TIMES: usize = 3;

/// What a job has to work on.
struct Bench<'a> {
    job: &'a Job,
    options: &'a Options,
    tools: Tools,
    jars: maven::Jars,
    classes: Vec<String>,
}

/// The result of a job.
pub fn measure(job: &Job, options: &Options) -> Result<Value> {
    let tools = Tools {
        program: options.program.clone(),
        work: options.work.clone(),
        jdk: tools::jdk_in_path()?,
    };
    let bench = Bench {
        job,
        options,
        tools,
        jars: maven::jars(&options.work, job.subject)?,
        classes: job.classes(options)?,
    };
    Ok(match job.step {
        Step::Cover | Step::Longer => to_value(bench.cover(MUTANTS)?)?,
        Step::Ablation => to_value(bench.cover(0)?)?,
        Step::Mutants => to_value(bench.mutants()?)?,
        Step::Pit => to_value(bench.pit()?)?,
        Step::Fresh => to_value(bench.fresh()?)?,
    })
}

impl Bench<'_> {
    fn suite(&self, step: Step) -> PathBuf {
        let folder = self.options.suites.join(step.name());
        folder.join(self.job.key())
    }

    /// The suite of the run of step `cover`, and what is known of it.
    fn covered(&self) -> Result<(PathBuf, Run)> {
        let job = Job {
            step: Step::Cover,
            ..self.job.clone()
        };
        let run = job.result(self.options);
        let run = run.context("the step `cover` has not made its suite yet")?;
        Ok((self.suite(Step::Cover), run))
    }

    /// A run, and what its suite covers.
    fn cover(&self, mutants: u64) -> Result<Run> {
        let asked = Asked {
            guide: &self.job.guide,
            seconds: self.job.seconds,
            seed: self.job.seed,
            mutants,
        };
        let suite = self.suite(self.job.step);
        let run = self
            .tools
            .generate(&self.jars, &self.classes, &asked, &suite)?;
        let covered = jacoco::measure(&self.tools, &self.jars, &self.classes, &suite)?;
        Ok(Run {
            jacoco: covered.classes,
            methods: Some(covered.methods),
            ..run
        })
    }

    /// Our mutants of PIT's default group under the suite.
    fn mutants(&self) -> Result<Mutants> {
        let (suite, _) = self.covered()?;
        let mutants = self.tools.mutate(&self.jars, &self.classes, &suite)?;
        Ok(Mutants {
            classes: self.classes.len(),
            killed: mutants.iter().filter(|one| killed(one)).count() as u64,
            all: mutants.len() as u64,
        })
    }

    /// Real PIT and our mutants on the same suite, by operator. The mutants themselves are kept beside the suites.
    fn pit(&self) -> Result<Pit> {
        let (suite, _) = self.covered()?;
        let ours = self.tools.mutate(&self.jars, &self.classes, &suite)?;
        let theirs = pit::measure(&self.tools, &self.jars, &self.classes, &suite)?;
        let operator = |one: &Value| one["operator"].as_str().unwrap_or_default().to_owned();
        let folder = self.options.suites.join("pit");
        std::fs::create_dir_all(&folder)?;
        let both = serde_json::to_string_pretty(&json!({"ours": ours, "pit": theirs}))?;
        std::fs::write(folder.join(format!("{}.json", self.job.key())), both)?;
        Ok(Pit {
            classes: self.classes.len(),
            ours: by_operator(ours.iter().map(|one| (operator(one), killed(one)))),
            pit: by_operator(theirs.iter().map(|one| (one.mutator.clone(), one.killed()))),
        })
    }

    /// Compiles the suite with every JDK and runs it in fresh JVMs.
    fn fresh(&self) -> Result<Fresh> {
        let (suite, run) = self.covered()?;
        let classpath = self.jars.with(&self.tools.fetched(&CONSOLE)?);
        let mut jdks = BTreeMap::new();
        for (version, jdk) in tools::jdks(&self.options.jdks)? {
            jdks.insert(version, on_jdk(&jdk, &classpath, &suite, run.tests)?);
        }
        Ok(Fresh {
            classes: self.classes.len(),
            jdks,
        })
    }
}

fn on_jdk(jdk: &Path, classpath: &[PathBuf], suite: &Path, written: u64) -> Result<OnJdk> {
    let classes = tempfile::tempdir()?;
    let broken = junit::compile(jdk, classpath, &suite.join("suite"), classes.path())?;
    let mut found = OnJdk::default();
    if let Some(said) = broken {
        found.broken.push(first_line(&said).to_owned());
        return Ok(found);
    }
    for _ in 0..TIMES {
        let tests = junit::run(jdk, &[], classpath, classes.path())?;
        found.run += tests.len();
        // A suite that ends the JVM reports less than it has.
        if tests.len() as u64 != written {
            let told = format!("{} tests instead of {written}", tests.len());
            found.wrong.push(told);
        }
        let wrong = tests.iter().filter(|test| test.wrong());
        found.wrong.extend(wrong.map(|test| test.name.clone()));
    }
    Ok(found)
}

/// Whether one of our mutants was killed.
fn killed(mutant: &Value) -> bool {
    mutant["fate"] == "killed"
}

/// Mutants killed and all, by operator.
fn by_operator(mutants: impl Iterator<Item = (String, bool)>) -> BTreeMap<String, Part> {
    let mut counts: BTreeMap<String, Part> = BTreeMap::new();
    for (operator, killed) in mutants {
        let count = counts.entry(operator).or_default();
        count.0 += u64::from(killed);
        count.1 += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_counted_by_operator() {
        let mutants = [("math", true), ("math", false), ("void", true)];
        let counts = by_operator(
            mutants
                .into_iter()
                .map(|(name, killed)| (name.to_owned(), killed)),
        );
        assert_eq!(
            counts,
            BTreeMap::from([("math".to_owned(), (1, 2)), ("void".to_owned(), (1, 1))])
        );
    }
}
