//! The source of harness tests: which arm the next test is for, how it begins, and how the worker goes on.

use crate::actions::bandit::Bandit;
use crate::actions::even::Even;
use crate::actions::model::ActionModel;
use crate::actions::plan::DrawPlan;
use crate::actions::population::Population;
use crate::actions::settings::{ActionSettings, Mix};
use crate::actions::sizes::{SizeEstimate, weights};
use crate::actions::swarm::subset;
use crate::frames::{Frame, FrameBlock};
use crate::goal::Goal;
use crate::lazy::LazyTest;
use crate::run::Executed;
use crate::source::{Source, SourceError};
use crate::stream::Stream;
use crate::test::{OperationId, Test};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Sampling goes on for at least so many tests.
const LEAST_SAMPLES: u64 = 2;

/// When its share of the budget is used, it still goes on for as long again while so many tests have not gone by without a new class.
const PATIENCE: u64 = 8;

/// Where neither time nor executions bound a run, it ends after so many tests.
const UNBOUNDED: u64 = 16;

/// Where sizes are for some of several arms only, sampling begins after so many tests, when code is loaded and caches are filled; then it
/// is every second test, until there are so many samples of every class.
const WARM: u64 = 8;
const ENOUGH: u64 = 4;

/// Where only some arms build on earlier tests, the tests of others tell all they hit as long as there are so few, and one in so many
/// afterwards. That is enough to know what is rare, and telling all makes a test slower by a third.
const ALL_FIRST: u64 = 16;
const ALL_EVERY: u64 = 8;

/// Proposes tests of a harness.
#[derive(Debug)]
pub struct ActionSource {
    model: ActionModel,
    settings: ActionSettings,
    bandit: Bandit,
    even: Even,
    population: Population,
    sizes: Vec<SizeEstimate>,
    /// The weights of classes by their sizes, once they are known.
    weights: Option<String>,
    sampled: u64,
    /// Whether there are samples of an earlier sitting.
    resumed: bool,
    /// Sampled tests since the last one with a class that had no sample before.
    stale: u64,
    /// The share of time or executions that is used, where they are bounded.
    used: Option<f64>,
    proposed: u64,
    seen: BTreeSet<Goal>,
}

impl ActionSource {
    /// A source over the classes of a harness.
    pub fn new(model: ActionModel, settings: ActionSettings) -> ActionSource {
        let known = settings.sizes.as_deref();
        let known = known.filter(|sizes| sizes.len() == model.classes.len());
        ActionSource {
            weights: known.map(as_text),
            bandit: Bandit::new(settings.arms.len()),
            even: Even::new(settings.arms.len()),
            population: Population::default(),
            sizes: vec![SizeEstimate::default(); model.classes.len()],
            sampled: 0,
            resumed: false,
            stale: 0,
            used: Some(0.0),
            proposed: 0,
            seen: BTreeSet::new(),
            model,
            settings,
        }
    }

    /// Goes on with the samples of an earlier sitting.
    pub fn with_samples(mut self, samples: Vec<SizeEstimate>) -> ActionSource {
        if samples.len() == self.sizes.len() && samples.iter().any(|size| size.samples > 0) {
            self.sizes = samples;
            self.sampled = LEAST_SAMPLES;
            self.resumed = true;
        }
        self
    }

    /// Whether sizes are still to be measured.
    fn sampling(&self) -> bool {
        self.weights.is_none() && self.settings.arms.iter().any(|arm| arm.loc)
    }

    /// Whether the next test is one that measures sizes.
    fn samples_next(&self) -> bool {
        let turn = match self.settings.mix {
            Mix::Even => true,
            Mix::Bandit => self.proposed > WARM && self.proposed.is_multiple_of(2),
        };
        self.sampling() && turn
    }

    /// Sampling is over when its share of the budget is used and no further class comes up, or all classes are known well enough.
    fn end_sampling(&mut self) {
        let known = |least: u64| self.sizes.iter().all(|size| size.samples >= least);
        let enough = self.settings.mix == Mix::Bandit && known(ENOUGH);
        let settled = known(1) || self.stale >= PATIENCE;
        let share = self.settings.sampling;
        let over = match self.used {
            Some(used) => used >= 2.0 * share || used >= share && settled,
            None => self.sampled >= UNBOUNDED && settled,
        };
        if self.sampling() && self.sampled >= LEAST_SAMPLES && (over || enough) {
            let means: Vec<f64> = self.sizes.iter().map(SizeEstimate::mean).collect();
            self.weights = Some(as_text(&means));
        }
    }

    /// Takes the sizes that a test measured; tells whether it did.
    fn learn_sizes(&mut self, sizes: &[(OperationId, u32)]) -> bool {
        let before = self.unsampled();
        for (class, size) in sizes {
            if let Some(estimate) = self.sizes.get_mut(class.0 as usize) {
                estimate.add(*size);
            }
        }
        let sampled = !sizes.is_empty();
        self.sampled += u64::from(sampled);
        self.stale = match self.unsampled() < before {
            true => 0,
            false => self.stale + u64::from(sampled),
        };
        sampled
    }

    fn unsampled(&self) -> usize {
        let sizes = self.sizes.iter();
        sizes.filter(|size| size.samples == 0).count()
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

    fn arm(&mut self, stream: &mut Stream) -> usize {
        let sizes = self.weights.is_some();
        let ready = |arm: usize| sizes || !self.settings.arms[arm].loc;
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
        self.proposed += 1;
        if self.samples_next() {
            let least = match self.settings.mix {
                Mix::Even => 1,
                Mix::Bandit => ENOUGH,
            };
            let wanted = self.sizes.iter().map(|size| size.samples < least);
            plan.sample = Some(marks(wanted));
        } else {
            number = self.arm(stream);
            let arm = self.settings.arms.get(number).copied().unwrap_or_default();
            if arm.loc {
                plan.weights.clone_from(&self.weights);
            }
            if arm.swarm {
                plan.allowed = Some(marks(subset(&self.model, stream).into_iter()));
            }
            if arm.ga {
                steps = self.population.next(&self.model, stream);
            }
            let tells = self.proposed < ALL_FIRST || self.proposed.is_multiple_of(ALL_EVERY);
            plan.partial = !arm.ga && !tells;
        }
        // A test that builds upon another goes on for at least a tenth of the usual length.
        let least = steps.len() as u32 + self.settings.length / 10;
        plan.length = plan.length.max(least.min(2 * self.settings.length));
        steps.push(plan.step(&self.model));
        Ok((Test { steps }.into(), Frame(vec![number as u16])))
    }

    fn learn(&mut self, round: &[Executed<'_>]) {
        let builds = self.settings.arms.iter().any(|arm| arm.ga);
        for one in round {
            let observation = one.observation;
            // A test of an earlier sitting that is executed again has no frame; its samples may be known.
            let known = self.resumed && one.proposal.frame.0.is_empty();
            let sizes = match known {
                true => &[][..],
                false => &observation.details.sizes,
            };
            let sampled = self.learn_sizes(sizes);
            let before = self.seen.len();
            let mut new = self.news(&observation.details.new_after);
            let mut hits = Cow::Borrowed(&observation.hits);
            if observation.details.partial {
                hits.to_mut().retain(|goal| !self.seen.contains(goal));
                new.push((one.proposal.test.steps.len() as u32, hits.to_vec()));
            }
            self.seen.extend(hits.iter());
            let fresh = self.seen.len() - before;
            if let (Some(arm), false) = (one.proposal.frame.0.first(), sampled) {
                // Time where it counts, steps where runs must repeat exactly.
                let cost = match observation.details.micros {
                    0 => observation.ticks,
                    micros => micros,
                };
                self.bandit.learn(usize::from(*arm), fresh, cost);
                self.even.learn(usize::from(*arm), cost);
            }
            if builds && observation.failures.is_empty() && !hits.is_empty() {
                let steps = &one.proposal.test.steps;
                self.population.learn(steps, &hits, new);
            }
        }
        self.end_sampling();
    }

    fn progress(&mut self, used: Option<f64>) {
        self.used = used;
        self.end_sampling();
    }

    fn sizes(&self) -> Vec<SizeEstimate> {
        self.sizes.clone()
    }
}

fn as_text(sizes: &[f64]) -> String {
    let weights = weights(sizes).into_iter().map(|one| format!("{one:.6}"));
    weights.collect::<Vec<_>>().join(" ")
}

fn marks(marks: impl Iterator<Item = bool>) -> String {
    marks.map(|mark| if mark { '1' } else { '0' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::model::ActionClass;
    use crate::actions::plan::Planned;
    use crate::actions::settings::{Arm, arms};
    use crate::observation::{End, Observation};
    use crate::run::Proposal;
    use crate::stream::Seed;
    use crate::test::TestId;

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

    /// The next test: its arm and its plan. What it observes is learnt: a sampled test has one sample of every class.
    fn next(source: &mut ActionSource, number: u64) -> (Arm, DrawPlan) {
        let mut stream = Seed(number).stream();
        let (test, frame) = source
            .finish(&FrameBlock::new(0, 1), 0, &mut stream)
            .unwrap();
        let plan = Planned::of(&test, &source.model).plan.unwrap();
        let arm = source.settings.arms[usize::from(frame.0[0])];
        let mut observation = Observation::plain(End::Exited(0));
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
        let tests: Vec<(Arm, DrawPlan)> = (0..200).map(|one| next(&mut source, one)).collect();
        let sampled = |(_, plan): &&(Arm, DrawPlan)| plan.sample.is_some();
        assert_eq!(tests[..WARM as usize].iter().filter(sampled).count(), 0);
        assert_eq!(tests.iter().filter(sampled).count(), ENOUGH as usize);
        let last = tests.iter().rposition(|one| sampled(&one)).unwrap();
        let sized = |(arm, plan): &(Arm, DrawPlan)| arm.loc && plan.weights.is_some();
        assert!(!tests[..last].iter().any(|(arm, _)| arm.loc));
        assert!(tests[last..].iter().any(sized));
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
        source.learn_sizes(&[0, 1, 2].map(|class| (OperationId(class), 10)));
        source.learn_sizes(&[(OperationId(0), 10)]);
        source
    }

    #[test]
    fn sampling_goes_on_for_a_while_if_a_class_has_no_sample() {
        let mut found = without_last();
        found.progress(Some(0.1));
        assert!(found.sampling());
        found.learn_sizes(&[(OperationId(3), 10)]);
        found.progress(Some(0.1));
        assert!(!found.sampling(), "all classes have samples");
        let mut patient = without_last();
        for _ in 1..PATIENCE {
            patient.progress(Some(0.1));
            assert!(patient.sampling());
            patient.learn_sizes(&[(OperationId(0), 10)]);
        }
        patient.progress(Some(0.1));
        assert!(!patient.sampling(), "the class is hardly ever enabled");
        let mut slow = without_last();
        slow.progress(Some(0.2));
        assert!(!slow.sampling(), "twice the share is used");
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
        source.weights = Some(as_text(&[1.0; 4]));
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
        let tests: Vec<_> = (0..200).map(|one| next(&mut bandit, one)).collect();
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
