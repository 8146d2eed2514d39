//! The runs that steps need, their result files, and how long what is open will take. What has a result file is not done again.

use super::Options;
use super::maven;
use super::measure::measure;
use super::sample::Sample;
use super::step::Step;
use super::subjects::{Subject, ablations, first};
use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Instant;

/// One result to make.
#[derive(Clone, Debug)]
pub struct Job {
    /// The step.
    pub step: Step,
    /// The subject.
    pub subject: &'static Subject,
    /// The guide.
    pub guide: String,
    /// Seconds per class.
    pub seconds: f64,
    /// The seed.
    pub seed: u64,
    /// The classes.
    pub sample: Sample,
}

impl Job {
    /// What names its files.
    pub fn key(&self) -> String {
        let Job {
            guide,
            seconds,
            seed,
            sample,
            ..
        } = self;
        format!("{}-{sample}-{guide}-{seconds}-{seed}", self.subject.name)
    }

    /// Where its result is kept.
    fn file(&self, options: &Options) -> PathBuf {
        let folder = options.results.join(self.step.name());
        folder.join(format!("{}.json", self.key()))
    }

    /// Its result, if it is there and whole.
    pub fn result<R: DeserializeOwned>(&self, options: &Options) -> Option<R> {
        let bytes = std::fs::read(self.file(options)).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The classes that it tests.
    pub fn classes(&self, options: &Options) -> Result<Vec<String>> {
        let jars = maven::jars(&options.work, self.subject)?;
        self.sample.of_jar(&jars.own, self.subject.package())
    }

    fn finish(&self, options: &Options, result: &Value) -> Result<()> {
        let file = self.file(options);
        let part = file.with_extension("part");
        let context = || format!("cannot write `{}`", file.display());
        std::fs::create_dir_all(options.results.join(self.step.name())).with_context(context)?;
        std::fs::write(&part, result.to_string()).with_context(context)?;
        std::fs::rename(&part, &file).with_context(context)
    }
}

/// All jobs of a step.
pub fn jobs(step: Step, options: &Options) -> Vec<Job> {
    let subjects = match (step, options.subjects.as_slice()) {
        (Step::Longer, []) => first(4),
        (Step::Ablation, []) => first(6),
        (Step::Pit, []) => first(2),
        (_, []) => first(12),
        (_, named) => named.to_vec(),
    };
    let guides = match (step, options.guides.0.as_slice()) {
        (Step::Longer, []) => vec!["random".to_owned()],
        (Step::Ablation, []) => ablations(),
        (Step::Pit, []) => vec!["grt".to_owned()],
        (_, []) => vec!["random".to_owned(), "grt".to_owned()],
        (_, named) => named.to_vec(),
    };
    let mut jobs = Vec::new();
    for subject in subjects {
        for &seconds in &options.seconds {
            for &seed in &options.seeds {
                jobs.extend(guides.iter().map(|guide| Job {
                    step,
                    subject,
                    guide: guide.clone(),
                    seconds: if step == Step::Longer {
                        longer(seconds)
                    } else {
                        seconds
                    },
                    seed,
                    sample: options.classes,
                }));
            }
        }
    }
    jobs
}

/// Ten times the time, as it would be written.
pub fn longer(seconds: f64) -> f64 {
    (seconds * 1e7).round() / 1e6
}

/// The jobs of a step that have no result.
pub fn open(step: Step, options: &Options) -> Vec<Job> {
    let mut jobs = jobs(step, options);
    jobs.retain(|job| job.result::<Value>(options).is_none());
    jobs
}

/// Does what is open of a step. A job that fails is told of and stays open.
pub fn run(step: Step, options: &Options) -> Result<()> {
    let open = open(step, options);
    eprintln!("{}", announced(step, &open, options)?);
    for (number, job) in open.iter().enumerate() {
        let begun = Instant::now();
        let mut result = match measure(job, options) {
            Ok(result) => result,
            Err(error) => {
                eprintln!("{}: {error:#}", job.key());
                continue;
            }
        };
        let took = begun.elapsed().as_secs_f64();
        result["took"] = took.into();
        job.finish(options, &result)?;
        let left = shown(estimate(step, &open[number + 1..], options)?);
        eprintln!(
            "{}: {} in {}; about {left} left",
            step.name(),
            job.key(),
            shown(took)
        );
    }
    Ok(())
}

/// How much there is to do.
pub fn announced(step: Step, open: &[Job], options: &Options) -> Result<String> {
    let time = shown(estimate(step, open, options)?);
    Ok(format!(
        "{}: {} results to make, about {time}",
        step.name(),
        open.len()
    ))
}

/// What every result tells about its time.
#[derive(Deserialize)]
struct Taken {
    took: f64,
    #[serde(default)]
    search: f64,
    classes: u32,
}

/// Seconds that jobs will take: their searches, and per class what the finished ones took besides.
fn estimate(step: Step, open: &[Job], options: &Options) -> Result<f64> {
    let done = std::fs::read_dir(options.results.join(step.name()));
    let texts = done
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| std::fs::read(entry.path()));
    let taken = texts.filter_map(|text| serde_json::from_slice::<Taken>(&text.ok()?).ok());
    let known: Vec<f64> = taken
        .map(|one| (one.took - one.search) / f64::from(one.classes.max(1)))
        .collect();
    let other = stats::mean(&known).unwrap_or(step.guess());
    let mut seconds = 0.0;
    for job in open {
        let search = if step.searches() { job.seconds } else { 0.0 };
        seconds += job.classes(options)?.len() as f64 * (search + other);
    }
    Ok(seconds)
}

/// Seconds in the unit that suits them.
fn shown(seconds: f64) -> String {
    match seconds {
        _ if seconds > 5400.0 => format!("{:.1} h", seconds / 3600.0),
        _ if seconds > 90.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_made_of_what_a_result_depends_on() {
        let options = Options::of(&[
            "cover",
            "--seconds",
            "0.5,2",
            "--classes",
            "all",
            "--subjects",
            "jdom",
        ]);
        let keys: Vec<String> = jobs(Step::Cover, &options).iter().map(Job::key).collect();
        let expected = [
            "jdom-all-random-0.5-1",
            "jdom-all-grt-0.5-1",
            "jdom-all-random-2-1",
            "jdom-all-grt-2-1",
        ];
        assert_eq!(keys, expected);
        let longer = jobs(Step::Longer, &options);
        assert_eq!(longer[0].key(), "jdom-all-random-5-1");
    }

    #[test]
    fn steps_have_their_own_subjects_and_guides() {
        let options = Options::of(&["cover", "--seeds", "1,2"]);
        let counts = Step::ALL.map(|step| jobs(step, &options).len());
        assert_eq!(counts, [48, 8, 168, 48, 4, 48]);
    }

    #[test]
    fn a_finished_job_is_not_open_and_tells_how_long_the_others_take() {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::of(&["mutants", "--subjects", "jdom", "--guides", "random,grt"]);
        options.results = folder.path().to_owned();
        let all = open(Step::Mutants, &options);
        let result = serde_json::json!({"classes": 4, "killed": 1, "all": 2, "took": 8.0});
        all[0].finish(&options, &result).unwrap();
        let left = open(Step::Mutants, &options);
        assert_eq!(
            left.iter().map(Job::key).collect::<Vec<_>>(),
            ["jdom-20-grt-2-1"]
        );
        assert_eq!(estimate(Step::Mutants, &[], &options).unwrap(), 0.0);
    }

    #[test]
    fn times_are_told_in_the_unit_that_suits_them() {
        assert_eq!(
            [20.4, 600.0, 7200.0].map(shown),
            ["20 s", "10 min", "2.0 h"]
        );
    }
}
