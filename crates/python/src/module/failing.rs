//! Which tests are written for the failures of a run: reduced, and seen twice to fail.
//!
//! What the interpreter does not survive costs a worker per candidate, so it is reduced less.

use engine::ledger::Entry;
use engine::{Failure, Test};

use super::choose::{COVERING_LIMIT, Chooser, ChosenFailure, Look, kept};
use super::encode;
use super::model::ModuleModel;
use super::oracle;
use crate::pytest::KeptCall;
use crate::session::{Ran, Session, WorkerError};

/// Candidates that a failing test is reduced with at most.
const FAILING_LIMIT: usize = 1000;
/// Failing tests that are reduced and written at most.
const MOST_FAILURES: usize = 100;
/// Candidates that a fatal test is reduced with at most.
const FATAL_LIMIT: usize = 60;

impl Chooser<'_> {
    /// The failing tests of the ledger, reduced, in its order.
    pub fn failing(&mut self, entries: &[&Entry]) -> Result<Vec<ChosenFailure>, WorkerError> {
        let mut all = Vec::new();
        for (done, entry) in entries.iter().take(MOST_FAILURES).enumerate() {
            let chosen = match entry.failure.oracle.as_str() {
                oracle::CRASH => self.fatal(entry)?,
                _ => self.told(entry)?,
            };
            if chosen.kept.is_none() {
                self.leave_out(entry.shortest.0, "did not fail again in a fresh worker");
            }
            all.push(chosen);
            let share = done as f64 / entries.len() as f64;
            let message = format!("{} of {} failures reduced", done + 1, entries.len());
            (self.progress)(share, &message);
        }
        Ok(all)
    }

    /// A failure that workers tell of.
    fn told(&mut self, entry: &Entry) -> Result<ChosenFailure, WorkerError> {
        let wanted = &entry.failure;
        let good = |look: &Look| look.failures.iter().any(|one| same(one, wanted));
        let smaller = self.reduce(&entry.test, FAILING_LIMIT, &good)?;
        // Simple literals may have taken all candidates, so that steps are left which nobody needs any more.
        let smaller = self.reduce(&smaller, COVERING_LIMIT, &good)?;
        let reduced = smaller != *entry.test;
        // What earlier failures left in the module shall not make this one.
        self.second.retire();
        let looks = (self.look(&smaller)?, self.look_again(&smaller)?);
        let kept = match looks {
            (Some(first), Some(second)) if good(&first) && good(&second) => {
                let mut violations = first.reply.violations.iter();
                let violation = violations.find(|one| same(&oracle::broken(one), wanted));
                let violation = violation.cloned();
                let failure = first.failures.iter().find(|one| same(one, wanted)).cloned();
                Some(KeptCall {
                    failure,
                    violation,
                    ..kept(smaller, first)
                })
            }
            _ => None,
        };
        Ok(ChosenFailure { kept, reduced })
    }

    /// A failure whose test takes its worker with it.
    fn fatal(&mut self, entry: &Entry) -> Result<ChosenFailure, WorkerError> {
        let (model, wanted) = (self.model, &entry.failure);
        let smaller = self.reduce_by(&entry.test, FATAL_LIMIT, &mut |chooser, candidate| {
            let same = oracle::crash(model, candidate).signature == wanted.signature;
            Ok(same && dies(model, &mut chooser.first, candidate)?)
        })?;
        let again = dies(model, &mut self.first, &smaller)?;
        let again = again && dies(model, &mut self.second, &smaller)?;
        let reduced = smaller != *entry.test;
        let kept = again.then(|| KeptCall {
            failure: Some(oracle::crash(model, &smaller)),
            test: smaller,
            goals: Vec::new(),
            values: Vec::new(),
            thrown: None,
            violation: None,
        });
        Ok(ChosenFailure { kept, reduced })
    }
}

fn same(a: &Failure, b: &Failure) -> bool {
    a.oracle == b.oracle && a.signature == b.signature
}

/// Whether a worker dies of a test.
fn dies(model: &ModuleModel, session: &mut Session, test: &Test) -> Result<bool, WorkerError> {
    let ran = session.run(&[encode::test(model, test)])?;
    Ok(matches!(ran.first(), Some(Ran::Died)))
}
