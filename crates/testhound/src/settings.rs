//! Settings: a flag wins over the environment, that over `testhound.toml`, that over the default. Flags and environment are
//! merged by the command line's definitions; this file adds the other two.

use crate::cli::{Execution, Generate, Launch, SandboxMode, parse_duration};
use crate::exit::Failed;
use crate::generate::unknown_guide;
use crate::subject::Subject;
use engine::until::UntilError;
use engine::{Budget, Guide, Seed, TestKind};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `testhound.toml` may say. The keys are the flags' names.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SettingsFile {
    guide: Option<String>,
    coverage: Option<bool>,
    time: Option<String>,
    executions: Option<u64>,
    tests: Option<u64>,
    until: Option<String>,
    seed: Option<u64>,
    candidates: Option<usize>,
    jobs: Option<usize>,
    sandbox: Option<SandboxMode>,
    launch: Option<Launch>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    command: OfKind,
    #[serde(default)]
    java: OfKind,
    #[serde(default)]
    module: OfKind,
    #[serde(default)]
    harness: OfKind,
}

/// What `testhound.toml` may say of one kind of subject alone, in a table `[command]`, `[java]`, `[module]` or `[harness]`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct OfKind {
    guide: Option<String>,
}

/// The settings of a `generate` run, all decided.
#[derive(Debug, Clone)]
pub struct GenerateSettings {
    /// The guide.
    pub guide: String,
    /// Whether coverage is measured while tests of a harness run, also where nothing needs it.
    pub coverage: bool,
    /// The budget.
    pub budget: Budget,
    /// The seed.
    pub seed: Seed,
    /// Candidates per selection.
    pub candidates: usize,
    /// How the subject is run.
    pub execution: ExecutionSettings,
}

/// How subjects are run, all decided.
#[derive(Debug, Clone)]
pub struct ExecutionSettings {
    /// Workers.
    pub jobs: usize,
    /// Strictness.
    pub sandbox: SandboxMode,
    /// How programs are started.
    pub launch: Launch,
    /// What the user allows.
    pub allow: Vec<String>,
    /// The program to run instead.
    pub program: Option<PathBuf>,
    /// The largest core file in bytes; it tells where a program crashed.
    pub core: u64,
}

impl SettingsFile {
    /// Where `testhound.toml` of this folder or the nearest one above it is.
    pub fn place(folder: &Path) -> Option<PathBuf> {
        let mut candidates = folder
            .ancestors()
            .map(|folder| folder.join("testhound.toml"));
        candidates.find(|path| path.is_file())
    }

    /// Reads `testhound.toml` of this folder or the nearest one above it; empty if there is none.
    pub fn find(folder: &Path) -> Result<SettingsFile, Failed> {
        let Some(path) = SettingsFile::place(folder) else {
            return Ok(SettingsFile::default());
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failed::input(format!("cannot read `{}`: {error}", path.display())))?;
        SettingsFile::parse(&path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<SettingsFile, Failed> {
        toml::from_str(text).map_err(|error| {
            let message = format!("`{}` is not valid\n{error}", path.display());
            Failed::input(message.trim_end())
                .hint("its keys are the names of flags, for example `time = \"60s\"`")
        })
    }

    /// The guide that the file names for a kind of subject. One that it names for all kinds is passed over with a note where it does not
    /// apply.
    fn guide(&self, subject: &Subject) -> Result<Option<String>, Failed> {
        let (of_kind, name) = match subject {
            Subject::Specification(_) => (&self.command, "command"),
            Subject::Jvm(_) => (&self.java, "java"),
            Subject::Python(_) if subject.kind() == TestKind::Actions => (&self.harness, "harness"),
            Subject::Python(_) => (&self.module, "module"),
        };
        if let Some(guide) = &of_kind.guide {
            return Ok(Some(guide.clone()));
        }
        let Some(guide) = &self.guide else {
            return Ok(None);
        };
        match Guide::parse(guide, subject.kind()) {
            Ok(_) => Ok(Some(guide.clone())),
            // What no kind of subject knows is a mistake.
            Err(error)
                if TestKind::ALL
                    .iter()
                    .all(|kind| Guide::parse(guide, *kind).is_err()) =>
            {
                Err(unknown_guide(&error))
            }
            Err(_) => {
                eprintln!(
                    "note: the guide `{guide}` in `testhound.toml` is not for this kind of subject and is not used; `[{name}]` may have a `guide` of its own"
                );
                Ok(None)
            }
        }
    }

    /// Decides the settings of a `generate` run.
    pub fn generate(
        &self,
        flags: &Generate,
        subject: &Subject,
    ) -> Result<GenerateSettings, Failed> {
        let from_file = |text: &String| {
            parse_duration(text)
                .map_err(|cause| Failed::input(format!("`time` in `testhound.toml`: {cause}")))
        };
        let mut budget = Budget {
            time: flags.time,
            executions: flags.executions,
            tests: flags.tests,
            until: Vec::new(),
        };
        if budget == Budget::default() {
            budget.time = self.time.as_ref().map(from_file).transpose()?;
            budget.executions = self.executions;
            budget.tests = self.tests;
        }
        if budget == Budget::default() {
            budget.time = Some(Duration::from_secs(60));
        }
        let until = flags.until.as_ref().or(self.until.as_ref());
        for rule in until.into_iter().flat_map(|rules| rules.split(',')) {
            budget
                .until
                .push(rule.parse().map_err(|error| unknown_rule(&error))?);
        }
        let coverage = self.coverage == Some(true) && !flags.harness.no_coverage;
        let guide = match &flags.guide {
            Some(guide) => Some(guide.clone()),
            None => self.guide(subject)?,
        };
        let mut guide = guide.unwrap_or_else(|| "auto".to_owned());
        for part in &flags.without {
            guide.push_str(&format!(",-{part}"));
        }
        Ok(GenerateSettings {
            guide,
            coverage: coverage || flags.harness.coverage,
            budget,
            seed: Seed(flags.seed.or(self.seed).unwrap_or(1)),
            candidates: flags
                .candidates
                .or(self.candidates)
                .unwrap_or(engine::selection::CANDIDATES)
                .max(1),
            execution: self.execution(&flags.execution),
        })
    }

    /// Decides how subjects are run.
    pub fn execution(&self, flags: &Execution) -> ExecutionSettings {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        ExecutionSettings {
            jobs: flags.jobs.or(self.jobs).unwrap_or(cores).max(1),
            sandbox: flags.sandbox.or(self.sandbox).unwrap_or(SandboxMode::Full),
            launch: flags.launch.or(self.launch).unwrap_or(Launch::Auto),
            allow: self.allow.iter().chain(&flags.allow).cloned().collect(),
            program: flags.program.clone(),
            core: 32 << 20,
        }
    }
}

/// A stop rule that cannot be used, for the user.
pub fn unknown_rule(error: &UntilError) -> Failed {
    let failed = Failed::input(error.to_string());
    match error.hint() {
        Some(hint) => failed.hint(hint),
        None => failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    fn flags(words: &[&str]) -> Generate {
        let command =
            Cli::parse_from([&["testhound", "generate", "x.toml"], words].concat()).command;
        let Command::Generate(generate) = command else {
            panic!("not generate")
        };
        *generate
    }

    fn file(text: &str) -> SettingsFile {
        SettingsFile::parse(Path::new("testhound.toml"), text).unwrap()
    }

    fn program() -> Subject {
        Subject::Specification(PathBuf::from("x.toml"))
    }

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
        let file = file("guide = 'fscs'\ntime = '5s'\nseed = 9\n");
        let settings = file
            .generate(&flags(&["--guide", "art-sum"]), &program())
            .unwrap();
        assert_eq!(settings.guide, "art-sum");
        let without = ["--guide", "grt", "--without", "detective,elephant"];
        let settings = file.generate(&flags(&without), &program()).unwrap();
        assert_eq!(settings.guide, "grt,-detective,-elephant");
        assert_eq!(settings.seed, Seed(9));
        assert_eq!(settings.budget.time, Some(Duration::from_secs(5)));
        assert_eq!(settings.candidates, 10);
    }

    #[test]
    fn a_guide_is_used_by_the_kinds_of_subjects_that_it_is_for() {
        let guide = |text: &str, subject: &Subject| {
            let settings = file(text).generate(&flags(&[]), subject);
            settings.map(|settings| settings.guide).ok()
        };
        let python = |word: &str| Subject::Python(word.to_owned());
        let [harness, module] = [python("avl.tstl"), python("shop")];
        let java = Subject::Jvm(PathBuf::from("app.jar"));
        let chosen = "[harness]\nguide = 'loc,swarm'\n";
        assert_eq!(guide(chosen, &harness).as_deref(), Some("loc,swarm"));
        for other in [&program(), &java, &module] {
            assert_eq!(guide(chosen, other).as_deref(), Some("auto"));
            assert_eq!(guide("guide = 'swarm'", other).as_deref(), Some("auto"));
            assert_eq!(guide("guide = 'no-such'", other), None);
        }
        assert_eq!(guide("guide = 'swarm'", &harness).as_deref(), Some("swarm"));
        assert_eq!(guide("guide = 'grt'", &java).as_deref(), Some("grt"));
        let both = "guide = 'grt'\n[module]\nguide = 'random'\n";
        assert_eq!(guide(both, &java).as_deref(), Some("grt"));
        assert_eq!(guide(both, &module).as_deref(), Some("random"));
    }

    #[test]
    fn a_budget_flag_replaces_the_budget_of_the_file() {
        let settings = file("time = '5s'")
            .generate(&flags(&["--executions", "10"]), &program())
            .unwrap();
        assert_eq!(settings.budget.time, None);
        assert_eq!(settings.budget.executions, Some(10));
    }

    #[test]
    fn stop_rules_stand_beside_the_budget() {
        let words = ["--until", "failure,coverage=line:80%"];
        let settings = file("").generate(&flags(&words), &program()).unwrap();
        assert_eq!(settings.budget.time, Some(Duration::from_secs(60)));
        assert_eq!(settings.budget.until.len(), 2);
        let wrong = file("")
            .generate(&flags(&["--until", "failur"]), &program())
            .unwrap_err();
        assert_eq!(wrong.hint.as_deref(), Some("did you mean `failure`?"));
    }

    #[test]
    fn without_any_budget_a_run_takes_a_minute() {
        let settings = file("").generate(&flags(&[]), &program()).unwrap();
        assert_eq!(settings.budget.time, Some(Duration::from_secs(60)));
    }

    #[test]
    fn an_unknown_key_is_refused_with_its_place() {
        let error = SettingsFile::parse(Path::new("testhound.toml"), "gide = 'x'").unwrap_err();
        assert!(
            error.message.contains("line 1, column 1"),
            "{}",
            error.message
        );
        assert!(error.message.contains("gide"), "{}", error.message);
    }
}
