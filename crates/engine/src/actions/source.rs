//! The source of harness tests: which arm the next test is for, how it begins, and how the worker goes on.

use crate::actions::bandit::Bandit;
use crate::actions::even::Even;
use crate::actions::model::ActionModel;
use crate::actions::plan::DrawPlan;
use crate::actions::population::Population;
use crate::actions::sampling::Sampling;
use crate::actions::settings::{ActionSettings, Mix};
use crate::actions::sizes::SizeEstimate;
use crate::actions::swarm::subset;
use crate::frames::{Frame, FrameBlock};
use crate::goal::Goal;
use crate::lazy::LazyTest;
use crate::run::Executed;
use crate::source::{Source, SourceError};
use crate::stream::Stream;
use crate::test::Test;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Where only some arms build on earlier tests, the tests of others tell all they hit as long as there are so few, and one in so many
/// afterwards. That is enough to know what is rare, and telling all makes a test slower by a third.
const ALL_FIRST: u64 = 16;
const ALL_EVERY: u64 = 8;

/// What stands for an arm in the frame of a test that measures sizes.
const SAMPLING: u16 = u16::MAX;

/// Proposes tests of a harness.
#[derive(Debug)]
pub struct ActionSource {
    model: ActionModel,
    settings: ActionSettings,
    bandit: Bandit,
    even: Even,
    population: Population,
    sampling: Sampling,
    /// Tests that were proposed when no longer all were plain.
    proposed: u64,
    /// Those since arms that build on earlier tests are wanted.
    building: u64,
    seen: BTreeSet<Goal>,
}

impl ActionSource {
    /// A source over the classes of a harness.
    pub fn new(model: ActionModel, settings: ActionSettings) -> ActionSource {
        ActionSource {
            sampling: Sampling::new(model.classes.len(), &settings),
            bandit: Bandit::new(settings.arms.len()),
            even: Even::new(settings.arms.len()),
            population: Population::default(),
            proposed: 0,
            building: 0,
            seen: BTreeSet::new(),
            model,
            settings,
        }
    }

    /// Goes on with the samples of an earlier sitting.
    pub fn with_samples(mut self, samples: Vec<SizeEstimate>) -> ActionSource {
        self.sampling.go_on_with(samples);
        self
    }

    /// After how many steps goals were hit that no test before had hit, in the order of proposal: what a worker calls new depends
    /// on which tests it ran.
    fn news(&mut self, reported: &[(u32, Vec<Goal>)]) -> Vec<(u32, Vec<Goal>)> {
        let mut news = Vec::new();
        for (length, goals) in reported {
            let goals = goals.iter().copied();
            let fresh: Vec<Goal> = goals.filter(|goal| self.seen.insert(*goal)).collect();
            if !fresh.is_empty() {
                news.push((*length, fresh));
            }
        }
        news
    }

    /// Whether all tests are plain ones for now.
    fn is_plain(&self) -> bool {
        self.settings.mix.begins_plain(&self.settings.arms) && !self.bandit.has_begun()
    }

    /// Whether arms that build on earlier tests are wanted.
    fn builds(&self) -> bool {
        !self.settings.mix.begins_plain(&self.settings.arms) || self.bandit.may_build()
    }

    fn arm(&mut self, stream: &mut Stream) -> usize {
        let (sizes, builds) = (self.sampling.weights().is_some(), self.builds());
        let ready = |arm: usize| {
            let arm = self.settings.arms[arm];
            (sizes || !arm.loc) && (builds || !arm.ga)
        };
        match self.settings.mix {
            Mix::Even => self.even.draw(&ready),
            Mix::Bandit => self.bandit.draw(&ready, stream),
        }
    }
}

impl Source for ActionSource {
    fn propose(&mut self, _: &mut FrameBlock, _: &mut Stream) -> Result<(), SourceError> {
        Ok(())
    }

    /// The frame holds the number of the arm.
    fn finish(
        &mut self,
        _: &FrameBlock,
        _: usize,
        stream: &mut Stream,
    ) -> Result<(LazyTest, Frame), SourceError> {
        let mut plan = DrawPlan {
            seed: stream.bits(),
            length: self.settings.length,
            ..DrawPlan::default()
        };
        let mut steps = Vec::new();
        let mut number = 0;
        let (plain, builds) = (self.is_plain(), self.builds());
        self.proposed += u64::from(!plain);
        self.building += u64::from(builds);
        if plain {
            plan.partial = true;
        } else if self.sampling.is_next(self.proposed) {
            plan.sample = Some(marks(self.sampling.wanted()));
            plan.partial = !builds;
            number = SAMPLING;
        } else {
            let drawn = self.arm(stream);
            number = drawn as u16;
            let arm = self.settings.arms.get(drawn).copied().unwrap_or_default();
            if arm.loc {
                plan.weights = self.sampling.weights().map(str::to_owned);
            }
            if arm.swarm {
                plan.allowed = Some(marks(subset(&self.model, stream).into_iter()));
            }
            if arm.ga {
                steps = self.population.next(&self.model, stream);
            }
            let tells = self.building < ALL_FIRST || self.building.is_multiple_of(ALL_EVERY);
            plan.partial = !(arm.ga || builds && tells);
        }
        // A test that builds upon another goes on for at least a tenth of the usual length.
        let least = steps.len() as u32 + self.settings.length / 10;
        plan.length = plan.length.max(least.min(2 * self.settings.length));
        steps.push(plan.step(&self.model));
        Ok((Test { steps }.into(), Frame(vec![number])))
    }

    fn learn(&mut self, round: &[Executed<'_>]) {
        let builds = self.settings.arms.iter().any(|arm| arm.ga);
        for one in round {
            let observation = one.observation;
            // A test of an earlier sitting that is executed again has no frame.
            let again = one.proposal.frame.0.is_empty();
            self.sampling.learn(&observation.details.sizes, again);
            let before = self.seen.len();
            let mut new = self.news(&observation.details.new_after);
            let mut hits = Cow::Borrowed(&observation.hits);
            if observation.details.partial {
                hits.to_mut().retain(|goal| !self.seen.contains(goal));
                new.push((one.proposal.test.steps.len() as u32, hits.to_vec()));
            }
            self.seen.extend(hits.iter());
            let fresh = self.seen.len() - before;
            // Time where it counts, steps where runs must repeat exactly.
            let cost = match observation.details.micros {
                0 => observation.ticks,
                micros => micros,
            };
            let arm = one.proposal.frame.0.first().copied();
            self.sampling.pay(cost, arm == Some(SAMPLING));
            if let Some(arm) = arm.filter(|arm| *arm != SAMPLING) {
                self.bandit.learn(usize::from(arm), fresh, cost);
                self.even.learn(usize::from(arm), cost);
            }
            if builds && observation.failures.is_empty() && !hits.is_empty() {
                let steps = &one.proposal.test.steps;
                self.population.learn(steps, &hits, new);
            }
        }
        self.sampling.end();
    }

    fn progress(&mut self, used: Option<f64>) {
        self.sampling.progress(used);
    }

    fn sizes(&self) -> Vec<SizeEstimate> {
        self.sampling.sizes().to_vec()
    }
}

fn marks(marks: impl Iterator<Item = bool>) -> String {
    marks.map(|mark| if mark { '1' } else { '0' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::model::ActionClass;
    use crate::actions::plan::Planned;
    use crate::actions::sampling::{ENOUGH, PATIENCE, UNBOUNDED, WARM};
    use crate::actions::settings::{Arm, arms};
    use crate::observation::{End, Observation};
    use crate::run::Proposal;
    use crate::stream::Seed;
    use crate::test::{OperationId, TestId};

    fn source(parts: &[&str]) -> ActionSource {
        let (arms, mix) = arms(parts);
        let model = ActionModel {
            classes: vec![ActionClass::default(); 4],
        };
        let settings = ActionSettings {
            arms,
            mix,
            ..ActionSettings::default()
        };
        ActionSource::new(model, settings)
    }

    /// Tests that measure sizes are taken for plain ones.
    fn arm_of(source: &ActionSource, frame: &Frame) -> Arm {
        let arm = source.settings.arms.get(usize::from(frame.0[0]));
        arm.copied().unwrap_or_default()
    }

    /// The next test: its arm and its plan. What it observes is learnt: a sampled test has one sample of every class.
    fn next(source: &mut ActionSource, number: u64) -> (Arm, DrawPlan) {
        let mut stream = Seed(number).stream();
        let (test, frame) = source
            .finish(&FrameBlock::new(0, 1), 0, &mut stream)
            .unwrap();
        let plan = Planned::of(&test, &source.model).plan.unwrap();
        let arm = arm_of(source, &frame);
        let mut observation = Observation::plain(End::Exited(0));
        observation.ticks = 100;
        if plan.sample.is_some() {
            let classes = (0..4).map(|class| (OperationId(class), 10));
            observation.details.sizes = classes.collect();
        }
        let id = TestId(number);
        let proposal = Proposal { id, frame, test };
        source.learn(&[Executed {
            proposal: &proposal,
            observation: &observation,
        }]);
        (arm, plan)
    }

    #[test]
    fn a_bandit_samples_late_and_waits_with_arms_that_need_sizes() {
        let mut source = source(&["bandit"]);
        let tests: Vec<(Arm, DrawPlan)> = (0..1000).map(|one| next(&mut source, one)).collect();
        let sampled = |(_, plan): &&(Arm, DrawPlan)| plan.sample.is_some();
        assert_eq!(tests[..WARM as usize].iter().filter(sampled).count(), 0);
        assert_eq!(tests.iter().filter(sampled).count(), ENOUGH as usize);
        let last = tests.iter().rposition(|one| sampled(&one)).unwrap();
        let sized = |(arm, plan): &(Arm, DrawPlan)| arm.loc && plan.weights.is_some();
        assert!(!tests[..last].iter().any(|(arm, _)| arm.loc));
        assert!(tests[last..].iter().any(sized));
    }

    #[test]
    fn a_bandit_begins_with_plain_tests_and_builds_last() {
        let mut source = source(&["bandit"]);
        let mut arms = Vec::new();
        for number in 0..1000 {
            let mut stream = Seed(u64::from(number)).stream();
            let block = FrameBlock::new(0, 1);
            let (test, frame) = source.finish(&block, 0, &mut stream).unwrap();
            let plan = Planned::of(&test, &source.model).plan.unwrap();
            arms.push(arm_of(&source, &frame));
            let gains = number < 100;
            assert_eq!(source.is_plain(), number < 500, "{number}");
            assert!(number >= 700 || !source.builds(), "{number}");
            if source.is_plain() {
                assert!(plan.sample.is_none());
            }
            assert!(plan.partial || source.builds());
            let mut observation = Observation::plain(End::Exited(0));
            observation.ticks = 100;
            observation.hits = vec![Goal {
                criterion: crate::goal::CriterionId(0),
                number: if gains { number } else { 0 },
            }];
            observation.details.partial = true;
            let id = TestId(u64::from(number));
            let proposal = Proposal { id, frame, test };
            source.learn(&[Executed {
                proposal: &proposal,
                observation: &observation,
            }]);
        }
        assert!(arms[..500].iter().all(|arm| *arm == Arm::default()));
        assert!(arms[500..].iter().any(|arm| arm.swarm));
        assert!(!arms[..700].iter().any(|arm| arm.ga));
        assert!(arms[700..].iter().any(|arm| arm.ga));
    }

    #[test]
    fn a_bandit_samples_one_test_at_a_time_and_pays_little_for_it() {
        let mut sampling = source(&["bandit"]).sampling;
        assert!(!sampling.is_next(WARM));
        assert!(sampling.is_next(WARM + 1));
        assert!(!sampling.is_next(WARM + 2), "one is on the way");
        sampling.pay(700, true);
        assert!(!sampling.is_next(WARM + 3), "it was dear");
        (0..160).for_each(|_| sampling.pay(100, false));
        assert!(!sampling.is_next(WARM + 4));
        (0..10).for_each(|_| sampling.pay(100, false));
        assert!(sampling.is_next(WARM + 5));
    }

    #[test]
    fn loc_samples_until_its_share_of_the_budget_is_used() {
        let mut source = source(&["loc"]);
        for number in 0..20 {
            assert!(next(&mut source, number).1.sample.is_some());
        }
        source.progress(Some(0.1));
        assert!(next(&mut source, 20).1.weights.is_some());
    }

    /// A source whose classes but the last have samples.
    fn without_last() -> ActionSource {
        let mut source = source(&["loc"]);
        source
            .sampling
            .learn(&[0, 1, 2].map(|class| (OperationId(class), 10)), false);
        source.sampling.learn(&[(OperationId(0), 10)], false);
        source
    }

    #[test]
    fn sampling_goes_on_for_a_while_if_a_class_has_no_sample() {
        let mut found = without_last();
        found.progress(Some(0.1));
        assert!(found.sampling.goes_on());
        found.sampling.learn(&[(OperationId(3), 10)], false);
        found.progress(Some(0.1));
        assert!(!found.sampling.goes_on(), "all classes have samples");
        let mut patient = without_last();
        for _ in 1..PATIENCE {
            patient.progress(Some(0.1));
            assert!(patient.sampling.goes_on());
            patient.sampling.learn(&[(OperationId(0), 10)], false);
        }
        patient.progress(Some(0.1));
        assert!(
            !patient.sampling.goes_on(),
            "the class is hardly ever enabled"
        );
        let mut slow = without_last();
        slow.progress(Some(0.2));
        assert!(!slow.sampling.goes_on(), "twice the share is used");
    }

    #[test]
    fn sampling_ends_without_bounds_of_time_and_executions_too() {
        let mut source = source(&["loc"]);
        for number in 0..UNBOUNDED {
            assert!(next(&mut source, number).1.sample.is_some());
            source.progress(None);
        }
        assert!(next(&mut source, UNBOUNDED).1.weights.is_some());
    }

    #[test]
    fn samples_of_an_earlier_sitting_are_built_upon() {
        let earlier = vec![
            SizeEstimate {
                sum: 6.0,
                samples: 2
            };
            4
        ];
        let mut source = source(&["loc"]).with_samples(earlier);
        assert!(
            next(&mut source, 0).1.sample.is_some(),
            "the share is not used"
        );
        assert_eq!(source.sizes()[0].samples, 3);
        let mut again = Observation::plain(End::Exited(0));
        again.details.sizes = vec![(OperationId(0), 10)];
        let proposal = Proposal {
            id: TestId(0),
            frame: Frame::default(),
            test: Test::default().into(),
        };
        source.learn(&[Executed {
            proposal: &proposal,
            observation: &again,
        }]);
        assert_eq!(source.sizes()[0].samples, 3, "that sample is known");
        source.progress(Some(0.1));
        assert!(next(&mut source, 1).1.weights.is_some());
    }

    #[test]
    fn an_ensemble_splits_the_cost_of_tests_evenly() {
        let mut source = source(&["ensemble"]);
        let sized = ActionSettings {
            sizes: Some(vec![1.0; 4]),
            ..source.settings.clone()
        };
        source.sampling = Sampling::new(4, &sized);
        let (mut tests, mut costs) = ([0; 2], [0; 2]);
        for number in 0..400 {
            let mut stream = Seed(number).stream();
            let block = FrameBlock::new(0, 1);
            let (test, frame) = source.finish(&block, 0, &mut stream).unwrap();
            let builds = source.settings.arms[usize::from(frame.0[0])].ga;
            let mut observation = Observation::plain(End::Exited(0));
            observation.details.micros = if builds { 3000 } else { 1000 };
            tests[usize::from(builds)] += 1;
            costs[usize::from(builds)] += observation.details.micros;
            let id = TestId(number);
            let proposal = Proposal { id, frame, test };
            source.learn(&[Executed {
                proposal: &proposal,
                observation: &observation,
            }]);
        }
        assert_eq!(tests, [300, 100]);
        assert_eq!(costs[0], costs[1]);
    }

    #[test]
    fn tests_that_build_on_others_tell_all_and_few_others_do() {
        let mut ga = source(&["ga"]);
        assert!((0..100).all(|one| !next(&mut ga, one).1.partial));
        let mut bandit = source(&["bandit"]);
        let tests: Vec<_> = (0..1000).map(|one| next(&mut bandit, one)).collect();
        let others = tests
            .iter()
            .filter(|(arm, plan)| !arm.ga && plan.sample.is_none());
        let (partial, all): (Vec<_>, Vec<_>) = others.partition(|(_, plan)| plan.partial);
        assert!(
            partial.len() > 4 * all.len(),
            "{} {}",
            partial.len(),
            all.len()
        );
        assert!(tests.iter().all(|(arm, plan)| !arm.ga || !plan.partial));
    }

    #[test]
    fn of_partial_hits_only_those_count_that_no_test_before_had() {
        let mut source = source(&["bandit"]);
        let goal = |number| Goal {
            criterion: crate::goal::CriterionId(0),
            number,
        };
        let mut stream = Seed(1).stream();
        let mut learn = |hits: Vec<Goal>| {
            let (test, frame) = source
                .finish(&FrameBlock::new(0, 1), 0, &mut stream)
                .unwrap();
            let mut observation = Observation::plain(End::Exited(0));
            observation.hits = hits;
            observation.details.partial = true;
            let id = TestId(0);
            let proposal = Proposal { id, frame, test };
            source.learn(&[Executed {
                proposal: &proposal,
                observation: &observation,
            }]);
            source.population.stored()
        };
        assert_eq!(learn(vec![goal(1), goal(2)]), 1);
        assert_eq!(learn(vec![goal(1), goal(2)]), 1);
        assert_eq!(learn(vec![goal(1), goal(3)]), 2);
    }
}
