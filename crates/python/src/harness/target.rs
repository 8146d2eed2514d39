//! A harness that is ready to be run: its model for the engine, and what workers are told.

use std::path::{Path, PathBuf};

use engine::actions::{ActionClass, ActionModel, Arm, HoleSize, Mix};
use engine::{Operation, Test};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::encode::encode;
use super::error::HarnessError;
use super::model::{Harness, Hole, Use};
use super::parse::parse;
use crate::protocol::{Load, Measure, ProbeSettings, Repeats, StepLimits};

/// The runner of harness tests.
const RUNNER: &str = "testhound_runtime.harness";

/// A harness with its place.
#[derive(Debug, Clone)]
pub struct HarnessTarget {
    /// Its file.
    pub file: PathBuf,
    /// What it says.
    pub harness: Harness,
    /// What the engine knows of it.
    pub model: ActionModel,
}

/// Which hits a worker reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// Those that it did not report before.
    Fresh,
    /// All of every test that is not planned to tell less, and after which steps something new was hit.
    All,
    /// Those that are new, with all steps and what they raised; the steps are left in a file as they are taken.
    Log,
    /// The same, with what the harness logs up to this level.
    Shown(i32),
}

impl Report {
    /// What guides of these arms need.
    pub fn of(arms: &[Arm]) -> Report {
        if arms.iter().any(|arm| arm.ga) {
            Report::All
        } else {
            Report::Fresh
        }
    }
}

impl Repeats {
    /// When guides of these arms look at them.
    pub fn of(arms: &[Arm], mix: Mix) -> Repeats {
        match Report::of(arms) {
            Report::All if mix.begins_plain(arms) => Repeats::Later,
            Report::All => Repeats::Always,
            _ => Repeats::Seldom,
        }
    }
}

impl HarnessTarget {
    /// Reads a harness; its file is named as the user did.
    pub fn new(file: &Path, text: &str) -> Result<HarnessTarget, HarnessError> {
        let harness = parse(text, &file.display().to_string())?;
        let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let model = ActionModel {
            classes: (0..harness.classes.len())
                .map(|class| action_class(&harness, class))
                .collect(),
        };
        Ok(HarnessTarget {
            file,
            harness,
            model,
        })
    }

    /// The classes as operations.
    pub fn operations(&self) -> Vec<Operation> {
        let operation = |class: &super::model::ActionClass| Operation {
            name: class.text.clone(),
            lines: None,
        };
        self.harness.classes.iter().map(operation).collect()
    }

    /// The folder of the harness; modules beside it can be imported.
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }

    /// What workers are told.
    pub fn load(&self, measure: Measure, limits: StepLimits) -> Load {
        let imports = vec![
            self.harness.modules.clone(),
            self.harness.imported_from.clone(),
        ];
        Load {
            runner: RUNNER.to_owned(),
            arguments: json!({"file": self.file.to_string_lossy(), "model": self.harness}),
            paths: vec![self.folder().to_string_lossy().into_owned()],
            probes: ProbeSettings {
                measure,
                modules: self.sources(),
                imports,
                repeats: Repeats::Always,
            },
            limits,
        }
    }

    /// What `source:` names besides the modules that are imported: folders by their paths, all else by the names of modules.
    fn sources(&self) -> Vec<String> {
        let source = |source: &String| match self.folder().join(source).canonicalize() {
            Ok(folder) if folder.is_dir() => folder.to_string_lossy().into_owned(),
            _ => source.clone(),
        };
        self.harness.sources.iter().map(source).collect()
    }

    /// A test as workers take it.
    pub fn encode(&self, test: &Test, report: Report) -> Box<RawValue> {
        let encoded = encode(test, &self.model, report);
        to_raw_value(&encoded).expect("tests have string keys only")
    }

    /// The same, for a test that also tells its steps and what they raised.
    pub fn encode_telling(&self, test: &Test, report: Report) -> Box<RawValue> {
        let encoded = encode(test, &self.model, report).telling();
        to_raw_value(&encoded).expect("tests have string keys only")
    }
}

fn action_class(harness: &Harness, class: usize) -> ActionClass {
    let class = &harness.classes[class];
    let pools = |wanted: fn(Use) -> bool| {
        let mut pools: Vec<u32> = class
            .holes
            .iter()
            .filter_map(|hole| match hole {
                Hole::Slot { pool, how } if wanted(*how) => Some(*pool as u32),
                _ => None,
            })
            .collect();
        pools.sort_unstable();
        pools.dedup();
        pools
    };
    let uses = pools(|how| how != Use::Assign);
    let mut fills = pools(|how| how == Use::Assign);
    fills.retain(|pool| !uses.contains(pool));
    let size = |hole: &Hole| match hole {
        Hole::Slot { pool, .. } => HoleSize::Slot {
            pool: *pool as u32,
            count: harness.pools[*pool].size,
        },
        Hole::Value(values) => HoleSize::Value(values.count()),
    };
    ActionClass {
        fills,
        uses,
        holes: class.holes.iter().map(size).collect(),
        essential: class.essential,
    }
}
