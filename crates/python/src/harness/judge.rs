//! Replies of workers to observations: steps really taken, goals, failures. Done in the order of proposal.

use std::path::Path;
use std::time::Duration;

use engine::actions::ActionModel;
use engine::observation::Details;
use engine::{End, Failure, Observation, OperationId};
use serde::Deserialize;

use super::encode::decode_steps;
use super::goals::Goals;
use super::target::HarnessTarget;
use crate::death::Death;
use crate::protocol::{ProbeHits, ProbedFiles};
use crate::session::Ran;

/// What `harness.py` replies to a test.
#[derive(Debug, Default, Deserialize)]
pub struct TestReply {
    /// `passed`, `failed`, `assumption` or `timeout`.
    pub end: String,
    /// How many steps were taken.
    pub count: u64,
    /// Microseconds of processor time.
    #[serde(default)]
    pub cpu: u64,
    /// The same since the test before ended: with what it takes to read requests and write replies.
    #[serde(default)]
    pub busy: u64,
    /// The steps, where there is something new.
    #[serde(default)]
    pub steps: Option<Vec<Vec<i64>>>,
    /// Why it failed.
    #[serde(default)]
    pub failure: Option<RaisedFailure>,
    /// Probes hit.
    #[serde(default)]
    pub hits: ProbeHits,
    /// Whether these are all, not only those that were not reported before.
    #[serde(default)]
    pub all: bool,
    /// After how many steps something new was hit.
    #[serde(default)]
    pub news: Vec<(u32, ProbeHits)>,
    /// Lines of code by step.
    #[serde(default)]
    pub sizes: Vec<(u32, u32)>,
    /// What each step raised.
    #[serde(default)]
    pub outcomes: Vec<Option<String>>,
    /// Classes and exceptions that the harness warns of.
    #[serde(default)]
    pub warned: Vec<(u32, String)>,
    /// What the log lines showed before and after each step.
    #[serde(default)]
    pub logs: Vec<StepLogs>,
}

/// Log lines before and after a step: the expression and its value.
pub type StepLogs = (Vec<(String, String)>, Vec<(String, String)>);

/// An exception that no one expected.
#[derive(Debug, Clone, Deserialize)]
pub struct RaisedFailure {
    /// Its type, or `timeout`.
    pub kind: String,
    /// What it says.
    pub message: String,
    /// File, line and function.
    #[serde(default)]
    pub place: Option<(String, u32, String)>,
    /// What names the place in place of the line, where the line is chance.
    #[serde(default)]
    pub within: Option<String>,
    /// Whether the harness itself raised it.
    #[serde(default)]
    pub property: bool,
}

impl RaisedFailure {
    /// As the ledger files it: the exception and its place.
    pub fn failure(&self) -> Failure {
        let place = match &self.place {
            Some((file, line, _)) => {
                let file = in_package(Path::new(file));
                match &self.within {
                    Some(function) => format!(" at {file}:{function}"),
                    None => format!(" at {file}:{line}"),
                }
            }
            None => String::new(),
        };
        let signature = format!("{}{place}", self.kind);
        let message = match self.message.lines().next() {
            Some(line) if !line.is_empty() => format!("{signature}: {line}"),
            _ => signature.clone(),
        };
        let oracle = match (self.kind.as_str(), self.property) {
            ("timeout", _) => "time-out",
            ("AssertionError", true) => "property",
            _ => "exception",
        };
        Failure {
            oracle: oracle.to_owned(),
            signature,
            message,
        }
    }
}

/// A file as seen from the folder that its package is in: modules of different packages may have one name.
fn in_package(file: &Path) -> String {
    let mut folder = file.parent();
    while let Some(package) = folder.filter(|one| one.join("__init__.py").is_file()) {
        folder = package.parent();
    }
    let seen = folder.and_then(|folder| file.strip_prefix(folder).ok());
    seen.unwrap_or(file).display().to_string()
}

/// What became of a test.
#[derive(Debug)]
pub struct Judged {
    /// For the engine.
    pub observation: Observation,
    /// How many steps were taken.
    pub steps: u64,
    /// The processor time of the worker; nothing is known of tests that took it with them.
    pub cpu: Duration,
    /// The same with what the worker did since the test before.
    pub busy: Duration,
    /// Classes and exceptions that the harness warns of.
    pub warned: Vec<(u32, String)>,
}

/// Judges a reply. `probed` is asked for files whose probes are new.
pub fn judge(
    ran: &Ran,
    model: &ActionModel,
    goals: &mut Goals,
    probed: &dyn Fn() -> ProbedFiles,
) -> Judged {
    let reply = match ran {
        Ran::Replied(text) => serde_json::from_str::<TestReply>(text.get()).ok(),
        Ran::Hung | Ran::Died => None,
    };
    let Some(reply) = reply else {
        return Judged {
            observation: fatal(ran),
            steps: 0,
            cpu: Duration::ZERO,
            busy: Duration::ZERO,
            warned: Vec::new(),
        };
    };
    let end = match reply.end.as_str() {
        "failed" => End::Threw(reply.count.saturating_sub(1) as u32),
        "timeout" => End::TimedOut,
        _ => End::Exited(0),
    };
    let sizes = reply.sizes.iter();
    let hits = goals.goals(&reply.hits, probed);
    let news = reply.news.iter();
    let news = news.map(|(length, hits)| (*length, goals.goals(hits, probed)));
    let observation = Observation {
        end,
        failures: reply.failure.iter().map(RaisedFailure::failure).collect(),
        ticks: reply.count,
        taken: reply.steps.and_then(|steps| decode_steps(&steps, model)),
        hits,
        details: Details {
            sizes: sizes
                .map(|&(class, size)| (OperationId(class), size))
                .collect(),
            new_after: news.collect(),
            partial: !reply.all,
            ..Details::default()
        },
    };
    Judged {
        observation,
        steps: reply.count,
        cpu: Duration::from_micros(reply.cpu),
        busy: Duration::from_micros(reply.busy),
        warned: reply.warned,
    }
}

/// A test that took its worker with it.
fn fatal(ran: &Ran) -> Observation {
    let (end, signature, message) = match ran {
        Ran::Hung => (
            End::TimedOut,
            "hung",
            "a step ran on until its process was killed",
        ),
        _ => (End::WorkerLost, "died", "the interpreter died"),
    };
    let mut observation = Observation::plain(end);
    observation.failures.push(Failure {
        oracle: "crash".to_owned(),
        signature: signature.to_owned(),
        message: message.to_owned(),
    });
    observation
}

/// A failure that took the worker with it, told apart by how it ended, the action, and the function that ran, if that is known.
pub fn fatal_failure(death: &Death, target: &HarnessTarget) -> Failure {
    let name = |file: &Path| {
        file.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let class = death
        .doing
        .and_then(|class| target.harness.classes.get(class as usize));
    let harness = name(&target.file).unwrap_or_default();
    let place = class.map_or(harness.clone(), |class| format!("{harness}:{}", class.line));
    // Functions of actions have no names, and those of the Python side are none of the subject.
    let within = death.within.as_ref().filter(|(file, function)| {
        let ours = file.contains("testhound_runtime") || Path::new(file) == target.file;
        !ours && !function.starts_with('<')
    });
    let within = within.map_or(String::new(), |(_, function)| format!(" in {function}"));
    let (end, what) = match &death.end {
        Some(end) => (end.as_str(), "the interpreter died"),
        None => ("hung", "a step ran on until its process was killed"),
    };
    let signature = format!("{end} at {place}{within}");
    Failure {
        oracle: "crash".to_owned(),
        message: format!("{signature}: {what}"),
        signature,
    }
}
