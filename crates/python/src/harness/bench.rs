//! One worker for single tests: replay, autopsy of tests that kill, writing tests as Python.

use std::sync::Arc;
use std::time::Duration;

use engine::{Failure, Step, Test};
use serde_json::json;

use super::encode::{decode_steps, encode_steps};
use super::goals::Goals;
use super::judge::{TestReply, judge};
use super::target::{HarnessTarget, Report};
use crate::protocol::Load;
use crate::runtime::Runtime;
use crate::session::{Ran, Session, WorkerError};
use crate::worker::Launch;

/// A worker for single tests of a harness.
pub struct Bench<'a> {
    target: &'a HarnessTarget,
    session: Session,
}

/// How a test that is written ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// It passes.
    Well,
    /// Its last step, or a property after it, raises.
    Raising,
    /// Its last step takes the interpreter with it.
    Fatally,
}

/// What replaying a test showed.
#[derive(Debug, Clone, Default)]
pub struct Replayed {
    /// The steps really taken.
    pub steps: Vec<Step>,
    /// Its failure.
    pub failure: Option<Failure>,
    /// What each step raised.
    pub outcomes: Vec<Option<String>>,
    /// The file, line and function that the failure came from.
    pub place: Option<(String, u32, String)>,
}

impl<'a> Bench<'a> {
    /// A bench whose worker is told this.
    pub fn new(
        target: &'a HarnessTarget,
        runtime: &Arc<Runtime>,
        launch: &Launch,
        load: Load,
    ) -> Bench<'a> {
        Bench {
            target,
            session: Session::new(runtime, launch, load),
        }
    }

    /// Runs a test and gives all its steps, also those of a test that takes the worker with it.
    pub fn replay(&mut self, test: &Test) -> Result<Replayed, WorkerError> {
        let encoded = [self.target.encode(test, Report::Log)];
        self.session.left = None;
        let ran = self.session.run(&encoded)?;
        let Some(ran) = ran.into_iter().next() else {
            return Ok(Replayed::default());
        };
        let model = &self.target.model;
        let judged = judge(&ran, model, &mut Goals::default(), &Default::default);
        let mut steps = judged.observation.taken.unwrap_or_default();
        let (mut outcomes, mut place) = (Vec::new(), None);
        match &ran {
            Ran::Replied(text) => {
                let reply = serde_json::from_str::<TestReply>(text.get())?;
                place = reply.failure.and_then(|failure| failure.place);
                outcomes = reply.outcomes;
            }
            Ran::Hung | Ran::Died => {
                let left = self.session.left.take().unwrap_or_default();
                let left: Option<Vec<Vec<i64>>> = serde_json::from_str(&left).ok();
                let left = left.and_then(|left| decode_steps(&left, model));
                steps = left.unwrap_or_default();
            }
        }
        Ok(Replayed {
            steps,
            failure: judged.observation.failures.into_iter().next(),
            outcomes,
            place,
        })
    }

    /// The processor time of a test; nothing if it took its worker with it.
    pub fn time(&mut self, test: &Test) -> Result<Option<Duration>, WorkerError> {
        let ran = self
            .session
            .run(&[self.target.encode(test, Report::Fresh)])?;
        let model = &self.target.model;
        let judge = |ran| judge(ran, model, &mut Goals::default(), &Default::default);
        let replied = ran.first().filter(|ran| matches!(ran, Ran::Replied(_)));
        Ok(replied.map(judge).map(|judged| judged.cpu))
    }

    /// A test as Python statements, with assertions on what it gives if asked; nothing if the worker did not survive that.
    pub fn write(
        &mut self,
        steps: &[Step],
        ends: Ends,
        asserts: bool,
    ) -> Result<Option<Vec<String>>, WorkerError> {
        let failing = match ends {
            Ends::Well => None,
            Ends::Raising => Some("raised"),
            Ends::Fatally => Some("fatal"),
        };
        let with = json!({"steps": encode_steps(steps), "failing": failing, "asserts": asserts});
        Ok(self.session.ask("write", &with)?.ok())
    }

    /// What TSTL calls steps.
    pub fn names(&mut self, steps: &[Step]) -> Result<Vec<String>, WorkerError> {
        let names = self.session.ask("names", &encode_steps(steps))?;
        Ok(names.unwrap_or_default())
    }

    /// Ends the worker; the next test runs in a fresh one.
    pub fn retire(&mut self) {
        self.session.retire();
    }
}
