//! One worker for single tests: replay, autopsy of tests that kill, writing tests as Python.

use std::sync::Arc;
use std::time::Duration;

use engine::{Failure, Step, Test};
use serde_json::json;

use super::encode::{decode_steps, encode_steps};
use super::goals::Goals;
use super::judge::{StepLogs, TestReply, fatal_failure, judge};
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
    /// What the log lines showed before and after each step, where it was asked for.
    pub logs: Vec<StepLogs>,
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
        self.run(test, Report::Log)
    }

    /// The same, with what the harness logs up to a level.
    pub fn show(&mut self, test: &Test, level: i32) -> Result<Replayed, WorkerError> {
        self.run(test, Report::Shown(level))
    }

    fn run(&mut self, test: &Test, report: Report) -> Result<Replayed, WorkerError> {
        let encoded = [self.target.encode(test, report)];
        self.session.left = None;
        let ran = self.session.run(&encoded)?;
        let Some(ran) = ran.into_iter().next() else {
            return Ok(Replayed::default());
        };
        let model = &self.target.model;
        let judged = judge(&ran, model, &mut Goals::default(), &Default::default);
        let mut steps = judged.observation.taken.unwrap_or_default();
        let mut failure = judged.observation.failures.into_iter().next();
        let (mut outcomes, mut place, mut logs) = (Vec::new(), None, Vec::new());
        match &ran {
            Ran::Replied(text) => {
                let reply = serde_json::from_str::<TestReply>(text.get())?;
                place = reply.failure.and_then(|failure| failure.place);
                outcomes = reply.outcomes;
                logs = reply.logs;
            }
            Ran::Hung | Ran::Died => {
                let left = self.session.left.take().unwrap_or_default();
                let left: Option<Vec<Vec<i64>>> = serde_json::from_str(&left).ok();
                let left = left.and_then(|left| decode_steps(&left, model));
                steps = left.unwrap_or_default();
                if let Some(death) = self.session.take_death(&encoded[0]) {
                    failure = Some(fatal_failure(&death, self.target));
                }
            }
        }
        Ok(Replayed {
            steps,
            failure,
            outcomes,
            place,
            logs,
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

    /// A test as Python statements, with assertions on what it gives if asked; nothing if the worker did not survive that. The comment
    /// goes before what fails.
    pub fn write(
        &mut self,
        steps: &[Step],
        ends: Ends,
        asserts: bool,
        comment: &str,
    ) -> Result<Option<Vec<String>>, WorkerError> {
        let failing = match ends {
            Ends::Well => None,
            Ends::Raising => Some("raised"),
            Ends::Fatally => Some("fatal"),
        };
        let steps = encode_steps(steps);
        let with =
            json!({"steps": steps, "failing": failing, "asserts": asserts, "comment": comment});
        Ok(self.session.ask("write", &with)?.ok())
    }

    /// Steps as people read them.
    pub fn shown(&mut self, steps: &[Step]) -> Result<Vec<String>, WorkerError> {
        let shown = self.session.ask("shown", &encode_steps(steps))?;
        Ok(shown.unwrap_or_default())
    }

    /// Calls a hook of the harness, if it has it.
    pub fn hook(&mut self, name: &str) -> Result<(), WorkerError> {
        // A hook that takes the worker with it is no fault of a test.
        let _ = self.session.ask::<()>("hook", &name)?;
        Ok(())
    }

    /// What TSTL calls steps.
    pub fn names(&mut self, steps: &[Step]) -> Result<Vec<String>, WorkerError> {
        let names = self.session.ask("names", &encode_steps(steps))?;
        Ok(names.unwrap_or_default())
    }

    /// The steps that TSTL calls so; nothing for those that this harness does not have.
    pub fn find(&mut self, names: &[&str]) -> Result<Vec<Option<Step>>, WorkerError> {
        let found: Vec<Option<Vec<i64>>> = self.session.ask("find", &names)?.unwrap_or_default();
        let step = |step: Option<Vec<i64>>| decode_steps(&[step?], &self.target.model)?.pop();
        Ok(found.into_iter().map(step).collect())
    }

    /// Ends the worker; the next test runs in a fresh one.
    pub fn retire(&mut self) {
        self.session.retire();
    }
}
