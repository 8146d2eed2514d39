//! The run folder: what was asked (`run.json`), what happened (`journal.jsonl`), and what came out (`suite/`, `failures/`,
//! reports). It is written as the run goes, so that an abort loses nothing.

use crate::cli::Generate;
use crate::exit::Failed;
use crate::journal::{Journal, Recorded};
use crate::settings::GenerateSettings;
use crate::written::{fresh_folder, make_folder, write_text};
use engine::Seed;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What decides which tests a run proposes. A resumed run takes it from its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Plan {
    /// The specification.
    pub subject: PathBuf,
    /// The guide.
    pub guide: String,
    /// The seed.
    pub seed: Seed,
    /// Candidates per selection.
    pub candidates: usize,
    /// The folder of existing inputs to select from.
    pub pool: Option<PathBuf>,
    /// Whether each of them is used once.
    pub without_replacement: bool,
}

impl Plan {
    /// The plan of a new run.
    pub fn new(subject: &Path, settings: &GenerateSettings, flags: &Generate) -> Plan {
        let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Plan {
            subject: absolute(subject),
            guide: settings.guide.clone(),
            seed: settings.seed,
            candidates: settings.candidates,
            pool: flags.pool.as_deref().map(absolute),
            without_replacement: flags.without_replacement,
        }
    }
}

/// An open run folder.
pub struct RunFolder {
    /// Where it is.
    pub path: PathBuf,
    /// What was asked.
    pub plan: Plan,
    /// What happens.
    pub journal: Journal,
    /// What happened in earlier sittings.
    pub recorded: Recorded,
}

impl RunFolder {
    /// Opens the folder for a new run, or for an earlier one that is resumed.
    pub fn open(path: &Path, plan: Plan, flags: &Generate) -> Result<RunFolder, Failed> {
        let plan_file = path.join("run.json");
        match (flags.resume, plan_file.exists()) {
            (true, true) => RunFolder::resume(path, &plan, flags),
            (true, false) => Err(Failed::input(format!(
                "there is no run to resume in `{}`",
                path.display()
            ))
            .hint("`--out` names the folder of the earlier run")),
            (false, true) if !flags.force => Err(Failed::input(format!(
                "`{}` holds an earlier run",
                path.display()
            ))
            .hint("`--resume` continues it, `--force` replaces it, `--out` names another folder")),
            (false, exists) => {
                if exists {
                    fresh_folder(path)?;
                }
                make_folder(&path.join("build"))?;
                write_text(&plan_file, &pretty(&plan))?;
                let journal = Journal::create(&path.join("journal.jsonl"))?;
                Ok(RunFolder {
                    path: path.to_owned(),
                    plan,
                    journal,
                    recorded: Recorded::default(),
                })
            }
        }
    }

    fn resume(path: &Path, asked: &Plan, flags: &Generate) -> Result<RunFolder, Failed> {
        let plan_file = path.join("run.json");
        let broken = |cause: String| {
            Failed::input(format!("cannot read `{}`: {cause}", plan_file.display()))
        };
        let text =
            std::fs::read_to_string(&plan_file).map_err(|error| broken(error.to_string()))?;
        let plan: Plan = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        let changed = [
            (plan.subject != asked.subject, "subject"),
            (
                flags
                    .guide
                    .as_ref()
                    .is_some_and(|guide| *guide != plan.guide),
                "--guide",
            ),
            (
                flags.seed.is_some_and(|seed| Seed(seed) != plan.seed),
                "--seed",
            ),
            (
                flags.candidates.is_some_and(|k| k != plan.candidates),
                "--candidates",
            ),
            (flags.pool.is_some() && asked.pool != plan.pool, "--pool"),
        ];
        if let Some((_, what)) = changed.iter().find(|(changed, _)| *changed) {
            return Err(Failed::input(format!("the run in `{}` was begun with another {what}", path.display()))
                .hint("leave it out to continue that run, or start a new one with `--force` or another `--out`"));
        }
        make_folder(&path.join("build"))?;
        let (journal, recorded) = Journal::open(&path.join("journal.jsonl"))?;
        Ok(RunFolder {
            path: path.to_owned(),
            plan,
            journal,
            recorded,
        })
    }

    /// Where compiled programs go.
    pub fn build(&self) -> PathBuf {
        self.path.join("build")
    }
}

/// JSON for people, ended by a newline.
pub fn pretty<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("records have string keys only");
    text.push('\n');
    text
}
