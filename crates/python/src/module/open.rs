//! From a name on the command line to a module that is ready to be tested: imported in a worker, looked at, made a model of.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::calls::Knowledge;
use serde_json::json;

use super::changed::{ChangedLines, limit};
use super::coverage::Coverage;
use super::discovered::Discovered;
use super::knowledge::knowledge;
use super::model::ModuleModel;
use crate::protocol::{Load, Measure, ProbeHits, ProbeSettings, Repeats, StepLimits};
use crate::runtime::Runtime;
use crate::session::{Session, WorkerError};
use crate::worker::Launch;

/// The runner of call tests.
const RUNNER: &str = "testhound_runtime.calls";

/// A module by name, and where it is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The dotted name.
    pub module: String,
    /// Folders that go before all others on the search path.
    pub paths: Vec<PathBuf>,
}

impl Named {
    /// The module of a dotted name, seen from `folder`, or of a `.py` file: its name is found by the packages around it.
    pub fn of(word: &str, folder: &Path) -> Named {
        let path = Path::new(word);
        if path.extension().is_none_or(|extension| extension != "py") {
            return Named {
                module: word.to_owned(),
                paths: vec![folder.to_owned()],
            };
        }
        let path = folder.join(path);
        let path = path.canonicalize().unwrap_or(path);
        let stem = |path: &Path| {
            path.file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let mut names = match stem(&path).as_str() {
            "__init__" => Vec::new(),
            name => vec![name.to_owned()],
        };
        let mut parent = path.parent().unwrap_or(folder).to_owned();
        while parent.join("__init__.py").is_file() {
            names.push(
                parent
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
            );
            if !parent.pop() {
                break;
            }
        }
        names.reverse();
        Named {
            module: names.join("."),
            paths: vec![parent],
        }
    }

    /// What workers are told that run a runner of ours.
    pub fn load(&self, runner: &str, arguments: serde_json::Value, measure: Measure) -> Load {
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        Load {
            runner: runner.to_owned(),
            arguments,
            paths: self.paths.iter().map(text).collect(),
            probes: ProbeSettings {
                measure,
                modules: vec![self.module.clone()],
                imports: Vec::new(),
                repeats: Repeats::Always,
            },
            limits: StepLimits {
                cpu: 0.25,
                wall: 3.0,
            },
        }
    }
}

/// A module that is ready to be tested.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Its name and place.
    pub named: Named,
    /// What can be called.
    pub model: Arc<ModuleModel>,
    /// What can be covered.
    pub coverage: Arc<Coverage>,
    /// What importing covers.
    pub imported: Vec<engine::Goal>,
    /// What analyses of its source tell guides.
    pub knowledge: Arc<Knowledge>,
    /// The lines of the functions under test, both ends included; nothing if all are.
    pub lines: Option<Vec<(u32, u32)>>,
}

/// What of a module is tested.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Names with a leading underscore, too.
    pub private: bool,
    /// Only functions in which these lines are.
    pub changed: Option<ChangedLines>,
}

/// Imports a module in a worker and finds what it offers.
pub fn open(
    runtime: &Arc<Runtime>,
    launch: &Launch,
    named: Named,
    scope: &Scope,
) -> Result<Opened, WorkerError> {
    let arguments = json!({"module": named.module});
    let load = named.load(RUNNER, arguments, Measure::Lines);
    let mut session = Session::new(runtime, launch, load);
    let mut discover = |observed: bool| {
        let asked = json!({"private": scope.private, "observed": observed});
        session.ask::<Discovered>("discover", &asked)
    };
    // Calls with stand-ins may end the worker; the source tells enough.
    let discovered = match discover(true)? {
        Ok(discovered) => Ok(discovered),
        Err(_) => discover(false)?,
    };
    let mut discovered = discovered.map_err(|gone| lost(&named.module, &gone))?;
    let imported = session.ask::<ProbeHits>("imported", &json!(null))?;
    let imported = imported.map_err(|gone| lost(&named.module, &gone))?;
    let changed = scope.changed.as_ref();
    let lines = changed.map(|changed| limit(&mut discovered, changed));
    let mut coverage = Coverage::of(&discovered.file, &session.files());
    if let Some(lines) = &lines {
        coverage.limit(lines);
    }
    let model = ModuleModel::of(&discovered);
    Ok(Opened {
        imported: coverage.goals(&imported),
        knowledge: Arc::new(knowledge(&discovered, &model, &coverage)),
        model: Arc::new(model),
        coverage: Arc::new(coverage),
        lines,
        named,
    })
}

fn lost(module: &str, gone: &sandbox::runner::Gone) -> WorkerError {
    WorkerError::Refused(format!(
        "the worker was lost while it looked at `{module}`: {gone:?}"
    ))
}

impl Opened {
    /// Whether a line is under test.
    pub fn tests_line(&self, line: u32) -> bool {
        let inside = |range: &(u32, u32)| (range.0..=range.1).contains(&line);
        self.lines
            .as_ref()
            .is_none_or(|lines| lines.iter().any(inside))
    }

    /// What workers are told that run tests of it.
    pub fn load(&self, measure: Measure) -> Load {
        let arguments = json!({
            "module": self.named.module,
            "operations": self.model.operations,
            "types": self.model.run_time,
        });
        self.named.load(RUNNER, arguments, measure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_the_packages_around_it() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("pkg/sub");
        std::fs::create_dir_all(&inner).unwrap();
        for file in [
            "pkg/__init__.py",
            "pkg/sub/__init__.py",
            "pkg/sub/mod.py",
            "alone.py",
        ] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let named = |word: &str| Named::of(word, folder.path());
        let root = folder.path().canonicalize().unwrap();
        assert_eq!(named("pkg/sub/mod.py").module, "pkg.sub.mod");
        assert_eq!(named("pkg/sub/mod.py").paths, [root]);
        assert_eq!(named("pkg/sub/__init__.py").module, "pkg.sub");
        assert_eq!(named("alone.py").module, "alone");
        assert_eq!(named("json.decoder").module, "json.decoder");
    }
}
