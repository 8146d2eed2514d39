//! The run folder: what was asked (`run.json`), what happened (`journal.jsonl`), and what came out (`suite/`, `failures/`,
//! reports). It is written as the run goes, so that an abort loses nothing.

use crate::cli::Generate;
use crate::exit::Failed;
use crate::journal::{Journal, Recorded};
use crate::settings::GenerateSettings;
use crate::written::{fresh_folder, make_folder, write_text};
use engine::Seed;
use serde::de::DeserializeOwned;
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

/// How a run begins.
pub enum Begin<P> {
    /// From nothing; the folder is there and holds the plan.
    Anew,
    /// Where the run with this plan stopped.
    Again(P),
}

/// The plan of the run that is resumed in a folder, if one is.
pub fn resumed<P: DeserializeOwned>(path: &Path, flags: &Generate) -> Result<Option<P>, Failed> {
    let plan_file = path.join("run.json");
    if !flags.resume || !plan_file.exists() {
        return Ok(None);
    }
    let broken =
        |cause: String| Failed::input(format!("cannot read `{}`: {cause}", plan_file.display()));
    let text = std::fs::read_to_string(&plan_file).map_err(|error| broken(error.to_string()))?;
    let plan = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
    Ok(Some(plan))
}

/// Makes the folder of a new run and writes its plan, or reads the plan of the run that is resumed there.
pub fn begin<P: Serialize + DeserializeOwned>(
    path: &Path,
    plan: &P,
    flags: &Generate,
) -> Result<Begin<P>, Failed> {
    if let Some(plan) = resumed(path, flags)? {
        make_folder(&path.join("build"))?;
        return Ok(Begin::Again(plan));
    }
    let plan_file = path.join("run.json");
    match (flags.resume, plan_file.exists()) {
        (true, _) => Err(Failed::input(format!(
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
            write_text(&plan_file, &pretty(plan))?;
            Ok(Begin::Anew)
        }
    }
}

/// The error of a resumed run that is asked for with other settings.
pub fn changed_plan(path: &Path, what: &str) -> Failed {
    Failed::input(format!(
        "the run in `{}` was begun with another {what}",
        path.display()
    ))
    .hint("leave it out to continue that run, or start a new one with `--force` or another `--out`")
}

impl RunFolder {
    /// Opens the folder for a new run, or for an earlier one that is resumed.
    pub fn open(path: &Path, plan: Plan, flags: &Generate) -> Result<RunFolder, Failed> {
        match begin(path, &plan, flags)? {
            Begin::Again(earlier) => RunFolder::resume(path, earlier, &plan, flags),
            Begin::Anew => Ok(RunFolder {
                path: path.to_owned(),
                plan,
                journal: Journal::create(&path.join("journal.jsonl"))?,
                recorded: Recorded::default(),
            }),
        }
    }

    fn resume(
        path: &Path,
        plan: Plan,
        asked: &Plan,
        flags: &Generate,
    ) -> Result<RunFolder, Failed> {
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
            return Err(changed_plan(path, what));
        }
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
