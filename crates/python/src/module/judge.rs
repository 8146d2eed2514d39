//! Replies of workers to observations, in the order of proposal.

use engine::calls::TypeId;
use engine::observation::{Details, StepResult};
use engine::{End, Observation, Test};

use super::coverage::Coverage;
use super::kind::Kind;
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
        Ran::Died => {
            return Ok(Observation {
                failures: vec![oracle::crash(model, test)],
                ..Observation::plain(End::WorkerLost)
            });
        }
    };
    let any = TypeId(model.run_time.get("any").copied().unwrap_or(0));
    let steps = test.steps.iter().zip(&reply.steps);
    let steps = steps.map(|(step, gave)| (step.operation.0 as usize, *gave));
    let mut results: Vec<StepResult> = steps
        .map(|(operation, gave)| result(model, operation, gave))
        .collect();
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
        ticks: reply.ticks,
        taken: None,
        hits: coverage.goals(&reply.hits),
        details: Details {
            results,
            ..Details::default()
        },
    })
}

fn result(model: &ModuleModel, operation: usize, gave: Option<Gave>) -> StepResult {
    let filed = |kind: u32| filed(model, operation, TypeId(kind));
    match gave {
        // A call that gives nothing was made for what it changes.
        None | Some(Gave::Nothing) => StepResult::Void,
        Some(Gave::Object(kind)) => StepResult::Value {
            kind: filed(kind),
            fingerprint: 0,
        },
        Some(Gave::Marked(kind, fingerprint)) => StepResult::Value {
            kind: filed(kind),
            fingerprint,
        },
    }
}

/// The type that a value is kept under: its run-time type, unless what is declared says more, such as what an iterator gives.
fn filed(model: &ModuleModel, operation: usize, kind: TypeId) -> TypeId {
    let Some(declared) = model.calls.signatures[operation].result else {
        return kind;
    };
    let vague = model.kinds[declared.0 as usize].is_vague();
    let plain = matches!(
        model.kinds[declared.0 as usize],
        Kind::Union(_) | Kind::Nothing
    );
    match vague || plain || model.calls.fits(kind, declared) {
        true => kind,
        false => declared,
    }
}
