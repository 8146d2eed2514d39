//! Finds state of a subject that outlives tests: some tests are run again in a fresh worker, and where one does something else there than
//! after others, modules are loaded anew before every test for the rest of the run, unless that is seen not to help: files, say, may
//! keep state, too.
//!
//! Looked at are the first test of every failure and, of all tests, the 4th, 16th, 64th and so on: a fresh worker costs more than many
//! tests. What a test does is how it ends, the steps that were enabled and what they raised. A subject that does something else in two
//! fresh workers, too, keeps no state but is not deterministic, and nothing is loaded anew for it.

use super::Campaign;
use crate::generate::folder::pretty;
use crate::written::write_text;
use engine::{Failure, LazyTest, Proposal, Run, Test, TestId};
use python::harness::{Bench, Report, TestReply};
use python::protocol::Measure;
use python::session::{Ran, Session, WorkerError};
use report::run::LeakRecord;
use serde_json::value::RawValue;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

/// The most failures whose first tests are looked at.
const FAILURES: usize = 100;
/// The most variables that are named.
const NAMED: usize = 5;
/// The tests before a leak that are run again to learn what they change and whether loading modules anew helps.
const BEFORE: usize = 16;

/// Compares tests with what they do in a fresh worker.
pub struct LeakCheck<'a> {
    campaign: &'a Campaign<'a>,
    session: Session,
    failures: BTreeSet<(String, String)>,
    /// The latest tests, the newest last. They are written out only when a leak is found.
    before: VecDeque<LazyTest>,
}

/// Whether a test is looked at even if it passes.
pub fn is_sampled(id: TestId) -> bool {
    let number = id.0 + 1;
    number > 1 && number.is_power_of_two() && number.trailing_zeros().is_multiple_of(2)
}

/// The leak that an earlier sitting of this run found.
pub fn earlier(out: &Path, resume: bool) -> OnceCell<LeakRecord> {
    let text = std::fs::read_to_string(out.join("leak.json"));
    let text = text.ok().filter(|_| resume);
    let leak: Option<LeakRecord> = text.and_then(|text| serde_json::from_str(&text).ok());
    leak.map_or_else(OnceCell::new, OnceCell::from)
}

impl<'a> LeakCheck<'a> {
    /// A check that has seen nothing. Its workers are like those of the run: what probes change, such as the depth of the stack, is no leak.
    pub fn new(campaign: &'a Campaign<'_>) -> LeakCheck<'a> {
        let load = campaign.load(campaign.measure());
        LeakCheck {
            campaign,
            session: Session::new(&campaign.runtime, &campaign.launch, load),
            failures: BTreeSet::new(),
            before: VecDeque::new(),
        }
    }

    /// Looks at the next test. Where it does something else in a fresh worker, the campaign has its leak; what it does there is given if
    /// modules are loaded anew from here on.
    pub fn look(
        &mut self,
        run: &Run,
        proposal: &Proposal,
        ran: &Ran,
    ) -> Result<Option<Ran>, WorkerError> {
        if self.campaign.leak.get().is_some() || self.campaign.plan.options.reload.is_some() {
            return Ok(None);
        }
        self.before.push_back(proposal.test.clone());
        while self.before.len() > BEFORE {
            self.before.pop_front();
        }
        let Some(used) = reply(ran) else {
            return Ok(None);
        };
        if !self.is_due(run, proposal.id, &used) || !is_certain(&used) {
            return Ok(None);
        }
        let first = self.fresh(&proposal.test)?;
        let other = |fresh: &TestReply| is_certain(fresh) && !same(&used, fresh);
        let Some(fresh) = reply(&first).filter(other) else {
            return Ok(None);
        };
        let again = reply(&self.fresh(&proposal.test)?);
        if !again.is_some_and(|again| same(&fresh, &again)) {
            return Ok(None);
        }
        let changed = self.changed()?;
        let reloaded = self.reloading_helps(&fresh)?;
        let leak = self.leak(proposal.id, (&used, &fresh), changed, reloaded)?;
        eprintln!("warning: {}", leak.sentence());
        // Lost with the disk full, it is found again when the run is resumed.
        let _ = write_text(&self.campaign.out.join("leak.json"), &pretty(&leak));
        self.campaign.leak.get_or_init(|| leak);
        Ok(reloaded.then_some(first))
    }

    fn is_due(&mut self, run: &Run, id: TestId, used: &TestReply) -> bool {
        let Some(failure) = used.failure.as_ref().map(|failure| failure.failure()) else {
            return is_sampled(id);
        };
        let Failure {
            oracle, signature, ..
        } = failure;
        let known = run.ledger().entries();
        let known = known.iter().any(|one| one.failure.signature == signature);
        !known && self.failures.len() < FAILURES && self.failures.insert((oracle, signature))
    }

    /// The latest tests as workers read them.
    fn latest(&self) -> Vec<Box<RawValue>> {
        let target = &self.campaign.target;
        let encode = |test: &LazyTest| target.encode_telling(test, Report::Fresh);
        self.before.iter().map(encode).collect()
    }

    fn fresh(&mut self, test: &Test) -> Result<Ran, WorkerError> {
        self.session.retire();
        let test = self.campaign.target.encode_telling(test, Report::Fresh);
        let ran = self.session.run(&[test])?;
        Ok(ran.into_iter().next().unwrap_or(Ran::Died))
    }

    /// The variables that the last tests change.
    fn changed(&mut self) -> Result<Vec<String>, WorkerError> {
        self.session.retire();
        let state = |session: &mut Session| -> Result<BTreeMap<String, String>, WorkerError> {
            Ok(session.ask("state", &())?.unwrap_or_default())
        };
        let before = state(&mut self.session)?;
        let tests = self.latest();
        self.session.run(&tests)?;
        let after = state(&mut self.session)?;
        let changed = after
            .into_iter()
            .filter(|(name, value)| before.get(name) != Some(value));
        Ok(changed.map(|(name, _)| name).take(NAMED).collect())
    }

    /// Whether the last test does what it does in a fresh worker if modules are loaded anew before it and before those that ran earlier.
    fn reloading_helps(&self, fresh: &TestReply) -> Result<bool, WorkerError> {
        let mut load = self.campaign.load(self.campaign.measure());
        load.arguments["reload"] = true.into();
        let mut session = Session::new(&self.campaign.runtime, &self.campaign.launch, load);
        let ran = session.run(&self.latest())?;
        let last = ran.last().and_then(reply);
        Ok(last.is_some_and(|last| same(&last, fresh)))
    }

    fn leak(
        &self,
        id: TestId,
        (used, fresh): (&TestReply, &TestReply),
        changed: Vec<String>,
        reloaded: bool,
    ) -> Result<LeakRecord, WorkerError> {
        let campaign = self.campaign;
        let load = campaign.load(Measure::Nothing);
        let mut bench = Bench::new(&campaign.target, &campaign.runtime, &campaign.launch, load);
        let steps = used.steps.clone().unwrap_or_default();
        let steps = python::harness::decode_steps(&steps, &campaign.target.model);
        let (here, there) = (ending(used), ending(fresh));
        Ok(LeakRecord {
            test: id.0 + 1,
            steps: bench.shown(&steps.unwrap_or_default())?.join("\n"),
            fresh: match here == there {
                true => format!("{there} with other steps or exceptions"),
                false => there,
            },
            after_others: here,
            modules: campaign.target.harness.modules.clone(),
            changed,
            reloaded,
        })
    }
}

fn reply(ran: &Ran) -> Option<TestReply> {
    match ran {
        Ran::Replied(text) => serde_json::from_str(text.get()).ok(),
        Ran::Hung | Ran::Died => None,
    }
}

/// How long a test takes and how deep the stack is depend on more than the test.
fn is_certain(reply: &TestReply) -> bool {
    let failure = reply.failure.as_ref();
    let chance = ["timeout", "RecursionError", "MemoryError"];
    failure.is_none_or(|failure| !chance.contains(&failure.kind.as_str()))
}

fn same(one: &TestReply, other: &TestReply) -> bool {
    let signature = |reply: &TestReply| reply.failure.as_ref().map(|one| one.failure().signature);
    let outcomes = one.outcomes == other.outcomes || one.outcomes.is_empty();
    one.end == other.end
        && signature(one) == signature(other)
        && one.steps == other.steps
        && outcomes
}

fn ending(reply: &TestReply) -> String {
    match (&reply.failure, reply.end.as_str()) {
        (Some(failure), _) => format!("failed ({})", failure.failure().signature),
        (None, "assumption") => "ended at an assumption".to_owned(),
        _ => "passed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_passing_tests_are_looked_at_and_never_the_first() {
        let sampled: Vec<u64> = (0..1000).filter(|id| is_sampled(TestId(*id))).collect();
        assert_eq!(sampled, [3, 15, 63, 255]);
    }

    #[test]
    fn results_differ_by_end_steps_and_what_was_raised() {
        let reply = |text: &str| serde_json::from_str::<TestReply>(text).unwrap();
        let one = reply(r#"{"end":"passed","count":1,"steps":[[0]],"outcomes":[null]}"#);
        let raised = reply(r#"{"end":"passed","count":1,"steps":[[0]],"outcomes":["KeyError"]}"#);
        let silent = reply(r#"{"end":"passed","count":1,"steps":[[0]]}"#);
        let other = reply(r#"{"end":"passed","count":1,"steps":[[1]]}"#);
        let ended = reply(r#"{"end":"assumption","count":1,"steps":[[0]]}"#);
        assert!(!same(&one, &raised) && same(&silent, &raised));
        assert!(!same(&silent, &other) && !same(&silent, &ended));
    }
}
