//! The source of harness tests: which arm the next test is for, how it begins, and how the worker goes on.

use crate::actions::bandit::Bandit;
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
use crate::test::Test;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Sampling goes on for at least so many tests.
const LEAST_SAMPLES: u64 = 2;

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
    population: Population,
    sizes: Vec<SizeEstimate>,
    /// The weights of classes by their sizes, once they are known.
    weights: Option<String>,
    sampled: u64,
    used: f64,
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
            population: Population::default(),
            sizes: vec![SizeEstimate::default(); model.classes.len()],
            sampled: 0,
            used: 0.0,
            proposed: 0,
            seen: BTreeSet::new(),
            model,
            settings,
        }
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

    /// Sampling is over when its share of the budget is used, or all classes are known well enough.
    fn end_sampling(&mut self) {
        let known = |size: &SizeEstimate| size.samples >= ENOUGH;
        let enough = self.settings.mix == Mix::Bandit && self.sizes.iter().all(known);
        let over = self.used >= self.settings.sampling || enough;
        if self.sampling() && self.sampled >= LEAST_SAMPLES && over {
            let means: Vec<f64> = self.sizes.iter().map(SizeEstimate::mean).collect();
            self.weights = Some(as_text(&means));
        }
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

    fn arm(&self, stream: &mut Stream) -> usize {
        match self.settings.mix {
            Mix::Even => (self.proposed % self.settings.arms.len().max(1) as u64) as usize,
            Mix::Bandit => {
                let sizes = self.weights.is_some();
                let ready = |arm: usize| sizes || !self.settings.arms[arm].loc;
                self.bandit.draw(&ready, stream)
            }
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
            for (class, size) in &observation.details.sizes {
                if let Some(estimate) = self.sizes.get_mut(class.0 as usize) {
                    estimate.add(*size);
                }
            }
            let sampled = !observation.details.sizes.is_empty();
            self.sampled += u64::from(sampled);
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
            }
            if builds && observation.failures.is_empty() && !hits.is_empty() {
                let steps = &one.proposal.test.steps;
                self.population.learn(steps, &hits, new);
            }
        }
        self.end_sampling();
    }

    fn progress(&mut self, used: f64) {
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
        source.progress(0.1);
        assert!(next(&mut source, 20).1.weights.is_some());
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
