//! Which tests of a run become its suite: few that cover all, each as short as it can be, each seen twice to do the same.

use std::collections::BTreeSet;

use engine::archive::Covering;
use engine::calls::reduce::reduce;
use engine::calls::slice::parts;
use engine::cover::cover;
use engine::{Failure, Goal, Test};

use super::coverage::Coverage;
use super::encode;
use super::model::ModuleModel;
use super::oracle;
use super::reply::{CallReply, Ended};
use crate::pytest::KeptCall;
use crate::session::{Session, WorkerError};

/// Candidates that a covering test is reduced with at most.
pub(super) const COVERING_LIMIT: usize = 100;
/// Chooses tests with the help of two workers that have seen nothing of the run.
pub struct Chooser<'a> {
    /// What can be called.
    pub model: &'a ModuleModel,
    /// What can be covered.
    pub coverage: &'a Coverage,
    /// Tries candidates.
    pub first: Session,
    /// Confirms what the first one saw.
    pub second: Session,
    /// Whether nothing more is to be reduced.
    pub hurry: &'a dyn Fn() -> bool,
    /// Told what is being done, and the share of it that is done.
    pub progress: &'a mut dyn FnMut(f64, &str),
    /// What is not in the suite, with the reason: number of the test, reason.
    pub left_out: Vec<(u64, String)>,
}

/// What a closer look showed.
pub(super) struct Look {
    pub reply: CallReply,
    goals: Vec<Goal>,
    pub failures: Vec<Failure>,
}

struct Candidate {
    id: u64,
    test: Test,
    goals: Vec<Goal>,
}

/// A failure with the test that will be written for it.
#[derive(Debug)]
pub struct ChosenFailure {
    /// The test; none if it does not fail again.
    pub kept: Option<KeptCall>,
    /// Whether it is shorter than the one found.
    pub reduced: bool,
}

impl Chooser<'_> {
    /// The tests that cover what the archive covers and pass.
    pub fn covering(&mut self, archive: &[&Covering]) -> Result<Vec<KeptCall>, WorkerError> {
        let mut candidates = Vec::new();
        for (done, covering) in archive.iter().enumerate() {
            candidates.extend(self.candidate(covering)?);
            (self.progress)(0.3 * done as f64 / archive.len() as f64, "looking at tests");
        }
        let sets: Vec<&[Goal]> = candidates.iter().map(|one| &one.goals[..]).collect();
        let chosen = cover(&sets);
        let mut covered: BTreeSet<Goal> = BTreeSet::new();
        let mut kept = Vec::new();
        for (done, &index) in chosen.iter().enumerate() {
            let Candidate { id, test, goals } = &candidates[index];
            let own = goals.iter().filter(|goal| !covered.contains(goal));
            let own: Vec<Goal> = own.copied().collect();
            if own.is_empty() {
                continue;
            }
            for smaller in self.smaller(test, &own)? {
                match self.confirm(&smaller)? {
                    Some(call) => {
                        covered.extend(call.goals.iter().copied());
                        kept.push(call);
                    }
                    None => self.leave_out(*id, "did something else in a fresh worker"),
                }
            }
            let share = 0.3 + 0.7 * done as f64 / chosen.len() as f64;
            (self.progress)(
                share,
                &format!("{} of {} tests reduced", done + 1, chosen.len()),
            );
        }
        Ok(kept)
    }

    /// A test of the archive with the goals that it shows again; none if it fails or does not end.
    fn candidate(&mut self, covering: &Covering) -> Result<Option<Candidate>, WorkerError> {
        let look = self.look(&covering.test)?;
        let Some(look) = look.filter(|look| look.reply.end != Ended::TimedOut) else {
            self.leave_out(covering.id.0, "did not end by itself when run again");
            return Ok(None);
        };
        // An exception that is a failure gets a test of its own.
        let passes = look
            .reply
            .thrown
            .as_ref()
            .is_none_or(|thrown| thrown.suspicious.is_empty());
        Ok(passes.then(|| Candidate {
            id: covering.id.0,
            test: covering.test.as_ref().clone(),
            goals: look.goals,
        }))
    }

    /// The reduced test, taken apart where its parts cover the same.
    fn smaller(&mut self, test: &Test, wanted: &[Goal]) -> Result<Vec<Test>, WorkerError> {
        let good = |look: &Look| {
            let calm = look
                .reply
                .thrown
                .as_ref()
                .is_none_or(|thrown| thrown.suspicious.is_empty());
            calm && contains(&look.goals, wanted)
        };
        let test = self.reduce(test, COVERING_LIMIT, &good)?;
        let mut open: BTreeSet<Goal> = wanted.iter().copied().collect();
        let mut needed = Vec::new();
        for part in parts(&test).into_iter().filter(|part| *part != test) {
            let Some(look) = self
                .look(&part)?
                .filter(|look| look.reply.end != Ended::TimedOut)
            else {
                continue;
            };
            let before = open.len();
            look.goals.iter().for_each(|goal| _ = open.remove(goal));
            if open.len() < before {
                needed.push(part);
            }
        }
        Ok(if open.is_empty() { needed } else { vec![test] })
    }

    pub(super) fn reduce(
        &mut self,
        test: &Test,
        limit: usize,
        good: &dyn Fn(&Look) -> bool,
    ) -> Result<Test, WorkerError> {
        self.reduce_by(test, limit, &mut |chooser, candidate| {
            let look = chooser.look(candidate)?;
            Ok(look.is_some_and(|look| look.reply.end != Ended::TimedOut && good(&look)))
        })
    }

    /// The smallest test that is found to be good.
    pub(super) fn reduce_by(
        &mut self,
        test: &Test,
        limit: usize,
        good: &mut dyn FnMut(&mut Self, &Test) -> Result<bool, WorkerError>,
    ) -> Result<Test, WorkerError> {
        let limit = if (self.hurry)() { 0 } else { limit };
        let mut broken = None;
        let model = self.model;
        let reduced = reduce(&model.calls, test, limit, &mut |candidates| {
            let mut found = false;
            let mut judge = |candidate: &Test| {
                // Only the first one that holds is taken; the others need not be run.
                if found || broken.is_some() {
                    return false;
                }
                match good(self, candidate) {
                    Ok(holds) => found = holds,
                    Err(error) => broken = Some(error),
                }
                found
            };
            candidates.iter().map(&mut judge).collect()
        });
        broken.map_or(Ok(reduced), Err)
    }

    /// What both workers see of a passing test.
    fn confirm(&mut self, test: &Test) -> Result<Option<KeptCall>, WorkerError> {
        let (Some(first), Some(second)) = (self.look(test)?, self.look_again(test)?) else {
            return Ok(None);
        };
        let class = |look: &Look| {
            look.reply
                .thrown
                .as_ref()
                .map(|thrown| thrown.class.clone())
        };
        let agree = first.reply.end == second.reply.end && class(&first) == class(&second);
        let ended = first.reply.end != Ended::TimedOut;
        Ok((agree && ended).then(|| kept(test.clone(), first)))
    }

    pub(super) fn look(&mut self, test: &Test) -> Result<Option<Look>, WorkerError> {
        look(self.model, self.coverage, &mut self.first, test)
    }

    pub(super) fn look_again(&mut self, test: &Test) -> Result<Option<Look>, WorkerError> {
        look(self.model, self.coverage, &mut self.second, test)
    }

    pub(super) fn leave_out(&mut self, number: u64, reason: &str) {
        self.left_out.push((number, reason.to_owned()));
    }
}

/// Runs a test and looks closely; none if it took the worker with it.
fn look(
    model: &ModuleModel,
    coverage: &Coverage,
    session: &mut Session,
    test: &Test,
) -> Result<Option<Look>, WorkerError> {
    let encoded = encode::test(model, test);
    let Ok(reply) = session.ask::<CallReply>("look", &encoded)? else {
        return Ok(None);
    };
    Ok(Some(Look {
        goals: coverage.goals(&reply.hits),
        failures: oracle::failures(model, test, &reply),
        reply,
    }))
}

/// A test as it is kept, cut after the step that raised.
pub(super) fn kept(mut test: Test, look: Look) -> KeptCall {
    if look.reply.end == Ended::Threw {
        // What comes after the step that raised never ran.
        test.steps.truncate(look.reply.steps.len() + 1);
    }
    KeptCall {
        test,
        goals: look.goals,
        values: look.reply.values,
        thrown: look.reply.thrown,
        failure: None,
        violation: None,
    }
}

/// Whether one ascending list holds all of another.
fn contains(all: &[Goal], wanted: &[Goal]) -> bool {
    wanted.iter().all(|goal| all.binary_search(goal).is_ok())
}
