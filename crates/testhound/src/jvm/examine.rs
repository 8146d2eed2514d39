//! A closer look at single tests in a worker of their own: all goals, all values, all failures.

use super::Campaign;
use super::rounds::worker_failed;
use crate::exit::Failed;
use engine::{Failure, Goal, Needs, OperationId, Test};
use jvm::observed::Observed;
use jvm::oracle;
use jvm::protocol::{Encoder, Frame, Needed, Violation, World};
use jvm::session::Session;
use jvm::target::Target;
use std::sync::{Arc, PoisonError};

/// Looks at tests, one at a time.
pub struct Examiner {
    session: Session,
    target: Target,
}

/// What a closer look showed.
pub struct Seen {
    /// All goals that the test hit, in ascending order.
    pub goals: Vec<Goal>,
    /// The values; `None` if the test did not end by itself.
    pub observed: Option<Observed>,
    /// The failures.
    pub failures: Vec<Failure>,
    /// Whether one of them is an exception, or an object that its own check finds broken. Other broken contracts leave a test
    /// that can be written down as it is.
    pub suspicious: bool,
    /// The contracts that were broken.
    pub violations: Vec<Violation>,
    /// The frames of what was thrown, innermost first.
    pub frames: Vec<Frame>,
}

impl Examiner {
    /// An examiner with a fresh worker.
    pub fn new(campaign: &Campaign) -> Examiner {
        let needed = Needed::of(Needs {
            hits: true,
            results: true,
            ..Needs::default()
        });
        let target = &campaign.target;
        let mut session = Session::new(&target.prepared, &campaign.launch, needed);
        session.fresh = campaign.plan.options.fresh_jvm;
        Examiner {
            session,
            target: target.clone(),
        }
    }

    /// Runs a test and tells what it showed; `None` if it took the worker with it.
    pub fn look(&mut self, test: &Test) -> Result<Option<Seen>, Failed> {
        self.look_in(test, World::USUAL)
    }

    /// The same in another world.
    pub fn look_in(&mut self, test: &Test, world: World) -> Result<Option<Seen>, Failed> {
        let encoded = {
            let strings = Arc::clone(self.session.strings());
            let mut strings = strings.lock().unwrap_or_else(PoisonError::into_inner);
            let mut encoder = Encoder::new(&self.target.prepared.shapes, &mut strings);
            encoder.test(test, true)
        };
        // A candidate of a reduction may not fit the operations.
        let Ok(encoded) = encoded else {
            return Ok(None);
        };
        let look = self.session.look(&encoded, world);
        let Ok(look) = look.map_err(|error| worker_failed(&error))? else {
            return Ok(None);
        };
        let operations: Vec<OperationId> = test.steps.iter().map(|step| step.operation).collect();
        let failures = oracle::failures(
            &look.reply,
            &operations,
            self.session.classes(),
            &self.target.model,
        );
        let goals = self.target.coverage.goals(&look.reply.hits);
        Ok(Some(Seen {
            goals,
            observed: look.observed,
            failures,
            suspicious: look.reply.suspicious.is_some()
                || look
                    .reply
                    .violations
                    .iter()
                    .any(|one| one.contract == oracle::CHECK_REP),
            violations: look.reply.violations,
            frames: look.frames,
        }))
    }
}
