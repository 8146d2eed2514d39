//! Replies of workers to observations, in the order of proposal.

use engine::calls::TypeId;
use engine::observation::{Details, StepResult};
use engine::{End, Observation, Test};

use super::coverage::Coverage;
use super::model::ModuleModel;
use super::oracle;
use super::reply::{CallReply, Ended, Gave};
use crate::session::{Ran, WorkerError};

/// What became of a test.
pub fn observation(
    model: &ModuleModel,
    coverage: &Coverage,
    test: &Test,
    ran: &Ran,
) -> Result<Observation, WorkerError> {
    let reply: CallReply = match ran {
        Ran::Replied(text) => serde_json::from_str(text.get())?,
        Ran::Hung => return Ok(Observation::plain(End::TimedOut)),
        Ran::Died => return Ok(Observation::plain(End::WorkerLost)),
    };
    let any = TypeId(model.run_time.get("any").copied().unwrap_or(0));
    let mut results: Vec<StepResult> = reply.steps.iter().map(|gave| result(*gave)).collect();
    let end = match reply.end {
        Ended::Normal => End::Exited(0),
        Ended::TimedOut => End::TimedOut,
        Ended::Threw => {
            results.push(StepResult::Threw { kind: any });
            End::Threw(reply.steps.len() as u32)
        }
    };
    Ok(Observation {
        end,
        failures: oracle::failures(model, test, &reply),
        ticks: 0,
        taken: None,
        hits: coverage.goals(&reply.hits),
        details: Details {
            results,
            ..Details::default()
        },
    })
}

fn result(gave: Option<Gave>) -> StepResult {
    match gave {
        // A call that gives nothing was made for what it changes.
        None | Some(Gave::Nothing) => StepResult::Void,
        Some(Gave::Object(kind)) => StepResult::Value {
            kind: TypeId(kind),
            fingerprint: 0,
        },
        Some(Gave::Marked(kind, fingerprint)) => StepResult::Value {
            kind: TypeId(kind),
            fingerprint,
        },
    }
}
