//! The loop of a run: propose, select, execute, learn. The caller executes; everything else happens here.
//!
//! Rounds have a size that depends on nothing but the number of tests before, and are learnt in the order of proposal, so that the number of workers changes nothing. A run is
//! a fold over its observations: feeding a new run the recorded observations of an old one brings it to the same state,
//! which is how a run is resumed. Where not every observation is recorded, a run is resumed by executing the tests worth
//! keeping again ([`Run::resume`]).
//!
//! Any number of rounds may be in flight: `propose` may be called again before `learn`, as long as rounds are learnt in the
//! order of proposal and the number in flight does not depend on the number of workers. Executions are counted when a test
//! is proposed, so a budget in executions is kept exactly; rounds that are in flight when another limit is reached are to
//! be learnt too.

use crate::actions::SizeEstimate;
use crate::archive::{Archive, Covering};
use crate::budget::{Budget, Reached, Stop};
use crate::calls::slice::is_closed;
use crate::calls::{CallStatistics, CallType};
use crate::curve::Curve;
use crate::event::Event;
use crate::frames::{Frame, FrameBlock};
use crate::goal::Goal;
use crate::kept::{KeptTest, kept_tests};
use crate::lazy::LazyTest;
use crate::ledger::Ledger;
use crate::model::{Hits, Model, RoundSize};
use crate::observation::Observation;
use crate::selection::Selector;
use crate::source::{Source, SourceError};
use crate::stream::Seed;
use crate::test::{Step, TestId};
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// How many tests a round proposes before it learns, at most.
pub const ROUND: u64 = 64;

/// A test that is to be executed.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Its number.
    pub id: TestId,
    /// Its frame.
    pub frame: Frame,
    /// The test.
    pub test: LazyTest,
}

/// A test with what running it showed.
#[derive(Clone, Copy, Debug)]
pub struct Executed<'a> {
    /// The test.
    pub proposal: &'a Proposal,
    /// What it showed.
    pub observation: &'a Observation,
}

/// The state of a run.
pub struct Run {
    seed: Seed,
    budget: Budget,
    model: Model,
    source: Box<dyn Source>,
    selector: Box<dyn Selector>,
    candidates: FrameBlock,
    /// Kept tests of an earlier sitting that are to be executed again.
    again: VecDeque<KeptTest>,
    /// Tests with lower numbers belong to an earlier sitting.
    first: u64,
    proposed: u64,
    executions: u64,
    archive: Archive,
    seen: BTreeSet<Goal>,
    /// Goals seen, per criterion.
    covered: Vec<u32>,
    curve: Curve,
    ledger: Ledger,
}

impl Run {
    /// A run that has not begun.
    pub fn new(
        seed: Seed,
        budget: Budget,
        model: Model,
        source: Box<dyn Source>,
        selector: Box<dyn Selector>,
    ) -> Run {
        let candidates = FrameBlock::new(model.space.categories.len(), selector.candidates());
        Run {
            covered: vec![0; model.criteria.len()],
            again: VecDeque::new(),
            first: 0,
            seed,
            budget,
            model,
            source,
            selector,
            candidates,
            proposed: 0,
            executions: 0,
            archive: Archive::default(),
            seen: BTreeSet::new(),
            curve: Curve::default(),
            ledger: Ledger::default(),
        }
    }

    /// Goes on where an earlier sitting stopped after so many executions: its kept tests are proposed again first, under
    /// their old numbers, and count neither as executions nor as new finds of [`Run::kept`]. For a run that has not begun.
    /// Records that no test of this subject can be are passed over.
    pub fn resume(&mut self, mut kept: Vec<KeptTest>, executions: u64) {
        let known = |step: &Step| (step.operation.0 as usize) < self.model.operations.len();
        kept.retain(|one| is_closed(&one.test) && one.test.steps.iter().all(known));
        let after = kept.iter().map(|one| one.id.0 + 1).max().unwrap_or(0);
        self.first = executions.max(after);
        self.proposed = self.first;
        self.executions = self.first;
        self.again = kept.into();
    }

    /// Tells the source what is spent; to be called before the first round where an earlier sitting spent something.
    pub fn tell_spent(&mut self, elapsed: Duration) {
        let spent = self.budget.spent(self.reached(elapsed));
        self.source.progress(spent);
    }

    /// The tests of a learnt round that its events call new, to be written down for a later sitting.
    pub fn kept(&self, round: &[Proposal], events: &[Event]) -> Vec<KeptTest> {
        let mut kept = kept_tests(round, events);
        kept.retain(|one| self.is_new(one.id));
        kept
    }

    /// Whether a test is none of an earlier sitting that is executed again.
    pub fn is_new(&self, id: TestId) -> bool {
        id.0 >= self.first
    }

    /// The next round: as many tests as rounds have, or as many as the execution budget and the source still give. Empty when the source
    /// is exhausted.
    pub fn propose(&mut self) -> Result<Vec<Proposal>, SourceError> {
        if !self.again.is_empty() {
            let count = self.again.len().min(ROUND as usize);
            return Ok(self.again.drain(..count).map(proposed_again).collect());
        }
        let left = self
            .budget
            .executions
            .map_or(ROUND, |limit| limit - limit.min(self.proposed));
        let size = match self.model.rounds {
            RoundSize::Fixed => ROUND,
            RoundSize::Growing => (self.proposed / 8).clamp(1, ROUND),
        };
        let mut round = Vec::new();
        for _ in 0..left.min(size) {
            match self.propose_one() {
                Ok(proposal) => round.push(proposal),
                Err(SourceError::Exhausted) => break,
                Err(failed) => return Err(failed),
            }
        }
        Ok(round)
    }

    fn propose_one(&mut self) -> Result<Proposal, SourceError> {
        let id = TestId(self.proposed);
        let mut stream = self.seed.derive("candidates", id.0).stream();
        self.source.propose(&mut self.candidates, &mut stream)?;
        let row = self.selector.pick(&self.candidates, &mut stream);
        let mut stream = self.seed.derive("concrete", id.0).stream();
        let (test, frame) = self.source.finish(&self.candidates, row, &mut stream)?;
        self.selector.record(&frame.0);
        self.proposed += 1;
        Ok(Proposal { id, frame, test })
    }

    /// Tells the source of types that were not known when the run began, before the round whose observations name them.
    pub fn add_types(&mut self, types: &[CallType]) {
        if !types.is_empty() {
            self.source.add_types(types);
        }
    }

    /// Learns from an executed round, in the order of proposal, and tells what is new.
    pub fn learn(
        &mut self,
        round: &[Proposal],
        observations: &[Observation],
        elapsed: Duration,
    ) -> Vec<Event> {
        assert_eq!(
            round.len(),
            observations.len(),
            "every proposal has one observation"
        );
        let executed: Vec<Executed<'_>> = round
            .iter()
            .zip(observations)
            .map(|(proposal, observation)| Executed {
                proposal,
                observation,
            })
            .collect();
        let mut events = Vec::new();
        for one in &executed {
            self.learn_one(*one, &mut events);
        }
        self.source.learn(&executed);
        self.tell_spent(elapsed);
        let failures = self.ledger.len() as u32;
        self.curve
            .add(self.executions, elapsed, &self.covered, failures);
        events.push(Event::Round {
            executions: self.executions,
            failures: self.ledger.len(),
            elapsed,
        });
        events
    }

    fn learn_one(&mut self, one: Executed<'_>, events: &mut Vec<Event>) {
        let Executed {
            proposal,
            observation,
        } = one;
        if proposal.id.0 >= self.first {
            self.executions += 1;
        }
        for failure in &observation.failures {
            if self
                .ledger
                .record(failure, proposal.id, &proposal.test, &proposal.frame)
            {
                events.push(Event::NewFailure {
                    id: proposal.id,
                    failure: failure.clone(),
                });
            }
        }
        let mut hits: Vec<Goal> = self.model.choice_goals(&proposal.frame.0).collect();
        hits.extend_from_slice(&observation.hits);
        hits.extend_from_slice(&observation.details.rows);
        // Most tests of targets with sparse hits end here.
        if hits.is_empty() {
            return;
        }
        let fresh = self.see(proposal.id, &hits, events);
        if self.model.hits == Hits::All && observation.details.partial {
            hits.clone_from(&fresh);
        }
        self.file(one, hits, &fresh);
    }

    /// Notes goals as covered; gives those that were not.
    fn see(&mut self, id: TestId, hits: &[Goal], events: &mut Vec<Event>) -> Vec<Goal> {
        let mut fresh = Vec::new();
        for &goal in hits {
            if !self.seen.insert(goal) {
                continue;
            }
            let criterion = usize::from(goal.criterion.0);
            if let Some(criterion) = self.model.criteria.get_mut(criterion) {
                criterion.goals = criterion.goals.max(goal.number + 1);
            }
            if let Some(count) = self.covered.get_mut(criterion) {
                *count += 1;
            }
            fresh.push(goal);
        }
        fresh.sort_unstable();
        events.extend(fresh.iter().map(|&goal| Event::NewGoal { id, goal }));
        fresh
    }

    fn file(&mut self, one: Executed<'_>, mut hits: Vec<Goal>, fresh: &[Goal]) {
        let Proposal { id, test, .. } = one.proposal;
        let passed = one.observation.failures.is_empty();
        match self.model.hits {
            // A failing test is kept by the ledger; only passing ones belong into the regression suite.
            Hits::All if passed => {
                self.archive.offer(*id, test, hits);
            }
            Hits::All => {}
            // No later test may be reported for the goals of a failing one, so it is kept here too, and marked.
            Hits::FirstSeen if !fresh.is_empty() => {
                hits.sort_unstable();
                hits.dedup();
                let covering = Covering::new(*id, test, hits, passed);
                self.archive.credit(fresh, &covering);
            }
            Hits::FirstSeen => {}
        }
    }

    /// The limit that is reached, if one is.
    pub fn over(&self, elapsed: Duration) -> Option<Stop> {
        if !self.again.is_empty() {
            return None;
        }
        self.budget.reached(self.reached(elapsed))
    }

    /// The share of the budget that is used.
    pub fn used(&self, elapsed: Duration) -> Option<f64> {
        self.budget.used(self.reached(elapsed))
    }

    fn reached(&self, elapsed: Duration) -> Reached<'_> {
        Reached {
            elapsed,
            executions: self.executions,
            failures: self.ledger.len() as u64,
            covered: &self.covered,
            criteria: &self.model.criteria,
        }
    }

    /// Goals covered so far, per criterion of the model.
    pub fn covered(&self) -> &[u32] {
        &self.covered
    }

    /// Tests executed and learnt from.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// What became of each operation of the model; empty where the source does not count them.
    pub fn statistics(&self) -> Vec<CallStatistics> {
        self.source.statistics()
    }

    /// The sizes of operations as far as they were measured; empty where the source does not.
    pub fn sizes(&self) -> Vec<SizeEstimate> {
        self.source.sizes()
    }

    /// What is known of the subject.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The goals that some test covered, passing or failing.
    pub fn seen(&self) -> &BTreeSet<Goal> {
        &self.seen
    }

    /// The shortest passing test for every goal that one covers.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// The failures found.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Goals over executions and time.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }
}

fn proposed_again(kept: KeptTest) -> Proposal {
    Proposal {
        id: kept.id,
        frame: Frame::default(),
        test: kept.test.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::{FrameSpace, Sampler};
    use crate::goal::CriterionId;
    use crate::observation::{End, Failure};
    use crate::selection;
    use crate::stream::Stream;
    use crate::test::{Argument, Literal, OperationId, Origin, Test, Value};

    /// A subject in memory: a test is its frame, and every test whose first two choices are 2 fails.
    struct Toy(Sampler);

    impl Source for Toy {
        fn propose(
            &mut self,
            candidates: &mut FrameBlock,
            stream: &mut Stream,
        ) -> Result<(), SourceError> {
            self.0.fill(stream, candidates);
            Ok(())
        }

        fn finish(
            &mut self,
            candidates: &FrameBlock,
            row: usize,
            stream: &mut Stream,
        ) -> Result<(LazyTest, Frame), SourceError> {
            let frame = Frame(candidates.row(row).to_vec());
            let value = Value::Int(stream.range(0, 1_000_000));
            let literal = Literal {
                value,
                origin: Origin::Builtin,
            };
            let step = Step {
                operation: OperationId(0),
                arguments: vec![Argument::Literal(literal)],
            };
            Ok((Test { steps: vec![step] }.into(), frame))
        }

        fn learn(&mut self, _round: &[Executed<'_>]) {}
    }

    fn observe(proposal: &Proposal) -> Observation {
        let mut observation = Observation::plain(End::Exited(0));
        if proposal.frame.0[..2] == [2, 2] {
            let text = "both are two".to_owned();
            let failure = Failure {
                oracle: "toy".to_owned(),
                signature: text.clone(),
                message: text,
            };
            observation.failures.push(failure);
        }
        observation
    }

    fn run(guide: &str, executions: u64) -> Run {
        let space = FrameSpace::uniform(&[3, 3, 4]);
        let selector = selection::by_name(guide, &space, 10).unwrap();
        let source = Box::new(Toy(Sampler::new(&space)));
        let budget = Budget {
            executions: Some(executions),
            ..Budget::default()
        };
        Run::new(
            Seed(3),
            budget,
            Model::of_space(space, vec![]),
            source,
            selector,
        )
    }

    /// Runs to the end; gives the proposals of all rounds.
    fn finish(run: &mut Run) -> Vec<Proposal> {
        let mut all = Vec::new();
        while run.over(Duration::ZERO).is_none() {
            let round = run.propose().unwrap();
            let observations: Vec<Observation> = round.iter().map(observe).collect();
            run.learn(&round, &observations, Duration::ZERO);
            all.extend(round);
        }
        all
    }

    #[test]
    fn a_run_ends_at_its_execution_budget_with_goals_and_failures() {
        for method in selection::METHODS {
            let mut run = run(method.name, 150);
            assert_eq!(finish(&mut run).len(), 150, "{}", method.name);
            assert_eq!(run.executions(), 150);
            assert_eq!(run.ledger().len(), 1, "{}", method.name);
            assert_eq!(run.seen().len(), 10, "{}", method.name);
            assert!(!run.curve().points().is_empty());
        }
    }

    #[test]
    fn growing_rounds_begin_with_one_test_and_keep_to_the_budget() {
        let mut run = run("random", 1000);
        run.model.rounds = RoundSize::Growing;
        let mut sizes = Vec::new();
        while run.over(Duration::ZERO).is_none() {
            let round = run.propose().unwrap();
            let observations: Vec<Observation> = round.iter().map(observe).collect();
            run.learn(&round, &observations, Duration::ZERO);
            sizes.push(round.len());
        }
        assert_eq!(sizes[..3], [1, 1, 1]);
        assert_eq!(sizes.iter().max(), Some(&64));
        assert_eq!(sizes.iter().sum::<usize>(), 1000);
    }

    #[test]
    fn the_same_seed_proposes_the_same_tests() {
        let tests = |guide: &str| {
            let proposals = finish(&mut run(guide, 100));
            proposals
                .iter()
                .map(|one| (one.frame.clone(), one.test.as_ref().clone()))
                .collect::<Vec<_>>()
        };
        assert!(tests("art-sum") == tests("art-sum"));
        assert!(tests("art-sum") != tests("random"));
    }

    #[test]
    fn feeding_recorded_observations_restores_a_run() {
        let mut whole = run("art-sum", 256);
        let tests = finish(&mut whole);
        let mut resumed = run("art-sum", 256);
        let journal: Vec<Observation> = tests[..128].iter().map(observe).collect();
        for observations in journal.chunks(ROUND as usize) {
            let round = resumed.propose().unwrap();
            resumed.learn(&round, observations, Duration::ZERO);
        }
        let rest = finish(&mut resumed);
        let ids = |proposals: &[Proposal]| {
            proposals
                .iter()
                .map(|p| (p.id, p.frame.clone(), p.test.as_ref().clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(&rest), ids(&tests[128..]));
    }

    #[test]
    fn of_partial_hits_the_archive_takes_only_what_no_test_before_had() {
        let mut run = run("random", 200);
        let goal = |number: &u32| Goal {
            criterion: CriterionId(7),
            number: *number,
        };
        for (hits, partial) in [(&[1][..], false), (&[1, 2], true)] {
            let round = run.propose().unwrap();
            let mut observations: Vec<Observation> = round.iter().map(observe).collect();
            observations[0].failures.clear();
            observations[0].hits = hits.iter().map(goal).collect();
            observations[0].details.partial = partial;
            run.learn(&round, &observations, Duration::ZERO);
        }
        let tests = run.archive().tests().into_iter();
        let told: Vec<Vec<u32>> = tests
            .map(|one| one.hits.iter())
            .map(|hits| hits.filter(|goal| goal.criterion == CriterionId(7)))
            .map(|hits| hits.map(|goal| goal.number).collect())
            .filter(|hits: &Vec<u32>| !hits.is_empty())
            .collect();
        assert_eq!(told, [[1], [2]]);
    }
}
