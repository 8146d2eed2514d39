//! The loop of a run: propose, select, execute, learn. The caller executes; everything else happens here.
//!
//! Rounds have a fixed size and are learnt in the order of proposal, so that the number of workers changes nothing. A run is
//! a fold over its observations: feeding a new run the recorded observations of an old one brings it to the same state,
//! which is how a run is resumed.

use crate::archive::Archive;
use crate::budget::{Budget, Stop};
use crate::calls::CallStatistics;
use crate::curve::Curve;
use crate::event::Event;
use crate::frames::{Frame, FrameBlock};
use crate::goal::Goal;
use crate::ledger::Ledger;
use crate::model::Model;
use crate::observation::Observation;
use crate::selection::Selector;
use crate::source::{Source, SourceError};
use crate::stream::Seed;
use crate::test::{Test, TestId};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

/// How many tests a round proposes before it learns.
pub const ROUND: u64 = 64;

/// A test that is to be executed.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Its number.
    pub id: TestId,
    /// Its frame.
    pub frame: Frame,
    /// The test.
    pub test: Rc<Test>,
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
    proposed: u64,
    executions: u64,
    archive: Archive,
    seen: BTreeSet<Goal>,
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

    /// The next round: `ROUND` tests, or as many as the execution budget and the source still give. Empty when the source
    /// is exhausted.
    pub fn propose(&mut self) -> Result<Vec<Proposal>, SourceError> {
        let left = self
            .budget
            .executions
            .map_or(ROUND, |limit| limit - limit.min(self.proposed));
        let mut round = Vec::new();
        for _ in 0..left.min(ROUND) {
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
        Ok(Proposal {
            id,
            frame,
            test: Rc::new(test),
        })
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
        let covered = self.covered();
        self.curve
            .add(self.executions, elapsed, covered, self.ledger.len() as u32);
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
        self.executions += 1;
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
        hits.extend(observation.hits.iter().copied());
        hits.extend(observation.details.rows.iter().copied());
        for goal in &hits {
            if let Some(criterion) = self.model.criteria.get_mut(usize::from(goal.criterion.0)) {
                criterion.goals = criterion.goals.max(goal.number + 1);
            }
        }
        let fresh = hits.iter().filter(|goal| self.seen.insert(**goal));
        events.extend(fresh.map(|&goal| Event::NewGoal {
            id: proposal.id,
            goal,
        }));
        // A failing test is kept by the ledger; only passing ones belong into the regression suite.
        if observation.failures.is_empty() {
            self.archive.offer(proposal.id, &proposal.test, hits);
        }
    }

    fn covered(&self) -> Vec<u32> {
        let mut covered = vec![0; self.model.criteria.len()];
        for goal in &self.seen {
            if let Some(count) = covered.get_mut(usize::from(goal.criterion.0)) {
                *count += 1;
            }
        }
        covered
    }

    /// The limit that is reached, if one is.
    pub fn over(&self, elapsed: Duration) -> Option<Stop> {
        self.budget.reached(elapsed, self.executions, self.kept())
    }

    /// The share of the budget that is used.
    pub fn used(&self, elapsed: Duration) -> Option<f64> {
        self.budget.used(elapsed, self.executions, self.kept())
    }

    /// Tests worth keeping so far: distinct failures and covered goals.
    fn kept(&self) -> u64 {
        (self.ledger.len() + self.seen.len()) as u64
    }

    /// Tests executed and learnt from.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// What became of each operation of the model; empty where the source does not count them.
    pub fn statistics(&self) -> Vec<CallStatistics> {
        self.source.statistics()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::{FrameSpace, Sampler};
    use crate::observation::{End, Failure};
    use crate::selection;
    use crate::stream::Stream;
    use crate::test::{Argument, Literal, OperationId, Origin, Step, Value};

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
        ) -> Result<(Test, Frame), SourceError> {
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
            Ok((Test { steps: vec![step] }, frame))
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
}
