//! Part `ga`: tests that cover what few others cover are mutated, crossed and extended.
//!
//! What: the beginning of a test up to each step that hit a new goal is stored, with those goals. Stored tests of which one is seen at most
//! half as often as the mean goal are active. With 80 % probability, and if there is one, an active test is replayed (changed in one
//! step, crossed with another at one point, or as it is) and then goes on randomly; otherwise a test is new.
//! Why: rare places are reached again without finding the way anew.
//! Source: the genetic algorithm of TSTL 1.2.39, as described in section 3.5 of the paper of part `loc`.
//!
//! Differences: a third of the replayed tests is only extended. At most 2,000 tests are stored; the oldest goes first. A stored test has
//! the goals that its last step hit first, not all that it covers: the others are in tests stored before it. Active tests are drawn in
//! proportion to how rare their rarest goal is, not evenly: what is built upon becomes less rare, so that it is everybody's turn.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::actions::model::{ActionModel, HoleSize};
use crate::goal::Goal;
use crate::stream::Stream;
use crate::test::{Argument, Literal, OperationId, Origin, Step, Value};

/// How often an active test is built upon, if there is one.
const EXPLOIT: f64 = 0.8;

/// Of those, how many are changed, not only extended.
const CHANGE: f64 = 2.0 / 3.0;

/// Of the changed ones, how many are crossed with another.
const CROSS: f64 = 0.2;

/// Of the mutated ones, in how many a step is inserted, not replaced.
const INSERT: f64 = 0.2;

/// The most tests that are stored.
const STORED: usize = 2000;

#[derive(Clone, Debug)]
struct Stored {
    steps: Rc<[Step]>,
    /// What its last step was the first to hit.
    goals: Vec<Goal>,
}

/// Stored tests, and how often each goal was hit.
#[derive(Clone, Debug, Default)]
pub struct Population {
    stored: VecDeque<Stored>,
    counts: BTreeMap<Goal, u64>,
    /// Numbers of stored tests, and the sum of their weights up to each.
    active: Vec<(usize, f64)>,
    stale: bool,
}

impl Population {
    /// Learns from a test: how often goals are hit, and its beginnings up to the steps that hit something new.
    pub fn learn(&mut self, steps: &[Step], hits: &[Goal], news: Vec<(u32, Vec<Goal>)>) {
        for goal in hits {
            *self.counts.entry(*goal).or_default() += 1;
        }
        for (length, goals) in news {
            let length = (length as usize).min(steps.len());
            let steps = steps[..length].into();
            self.stored.push_back(Stored { steps, goals });
        }
        while self.stored.len() > STORED {
            self.stored.pop_front();
        }
        self.stale = true;
    }

    /// The steps that the next test begins with; none for a new test.
    pub fn next(&mut self, model: &ActionModel, stream: &mut Stream) -> Vec<Step> {
        self.refresh();
        if self.active.is_empty() || !stream.chance(EXPLOIT) {
            return Vec::new();
        }
        let mut steps = self.pick(stream).to_vec();
        if !stream.chance(CHANGE) {
            return steps;
        }
        if stream.chance(CROSS) {
            let other = self.pick(stream);
            let at = stream.index(steps.len().max(1)).max(1).min(steps.len());
            let from = stream.index(other.len().max(1));
            steps.truncate(at);
            steps.extend_from_slice(&other[from..]);
        } else if let Some(step) = random_step(model, stream) {
            let at = stream.index(steps.len().max(1));
            if steps.is_empty() || stream.chance(INSERT) {
                steps.insert(at.min(steps.len()), step);
            } else {
                steps[at] = step;
            }
        }
        steps
    }

    /// How many tests are stored.
    #[cfg(test)]
    pub fn stored(&self) -> usize {
        self.stored.len()
    }

    fn pick(&self, stream: &mut Stream) -> Rc<[Step]> {
        let total = self.active.last().map_or(0.0, |(_, sum)| *sum);
        let drawn = stream.unit() * total;
        let place = self.active.partition_point(|(_, sum)| *sum <= drawn);
        let (chosen, _) = self.active[place.min(self.active.len() - 1)];
        Rc::clone(&self.stored[chosen].steps)
    }

    /// Finds the active tests anew, once per round.
    fn refresh(&mut self) {
        if !std::mem::take(&mut self.stale) || self.counts.is_empty() {
            return;
        }
        let sum: u64 = self.counts.values().sum();
        let bound = sum as f64 / self.counts.len() as f64 / 2.0;
        let count = |goal: &Goal| self.counts.get(goal).copied().unwrap_or(1);
        let mut total = 0.0;
        self.active.clear();
        for (number, one) in self.stored.iter().enumerate() {
            let rarest = one.goals.iter().map(count).min();
            if let Some(rarest) = rarest.filter(|count| *count as f64 <= bound) {
                total += 1.0 / rarest.max(1) as f64;
                self.active.push((number, total));
            }
        }
    }
}

/// A step with random arguments; nothing where there are no classes.
fn random_step(model: &ActionModel, stream: &mut Stream) -> Option<Step> {
    if model.classes.is_empty() {
        return None;
    }
    let class = stream.index(model.classes.len());
    let fill = |hole: &HoleSize| match hole {
        HoleSize::Slot { pool, count } => Argument::Slot {
            pool: *pool,
            slot: stream.below(u64::from((*count).max(1))) as u32,
        },
        HoleSize::Value(count) => Argument::Literal(Literal {
            value: Value::Int(stream.below((*count).max(1)) as i64),
            origin: Origin::Builtin,
        }),
    };
    Some(Step {
        operation: OperationId(class as u32),
        arguments: model.classes[class].holes.iter().map(fill).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::model::ActionClass;
    use crate::goal::CriterionId;
    use crate::stream::Seed;

    fn goal(number: u32) -> Goal {
        Goal {
            criterion: CriterionId(0),
            number,
        }
    }

    fn steps(numbers: &[u32]) -> Vec<Step> {
        let step = |number: &u32| Step {
            operation: OperationId(*number),
            arguments: Vec::new(),
        };
        numbers.iter().map(step).collect()
    }

    fn model() -> ActionModel {
        ActionModel {
            classes: vec![ActionClass::default(); 4],
        }
    }

    #[test]
    fn tests_are_new_while_nothing_is_fit_and_a_fifth_of_them_afterwards() {
        let mut population = Population::default();
        let mut stream = Seed(1).stream();
        assert!(population.next(&model(), &mut stream).is_empty());
        population.learn(
            &steps(&[0, 1, 2]),
            &[goal(0), goal(1)],
            vec![(2, vec![goal(1)])],
        );
        for _ in 0..9 {
            population.learn(&steps(&[0]), &[goal(0)], Vec::new());
        }
        let next = |_| population.next(&model(), &mut stream);
        let made: Vec<Vec<Step>> = (0..1000).map(next).collect();
        let fresh = made.iter().filter(|one| one.is_empty()).count();
        assert!((150..250).contains(&fresh), "{fresh}");
        let kept = made.iter().filter(|one| **one == steps(&[0, 1])).count();
        assert!(kept > 200, "extended only: {kept}");
    }

    #[test]
    fn tests_that_hit_only_common_goals_are_not_built_upon() {
        let mut population = Population::default();
        population.learn(&steps(&[3]), &[goal(0)], vec![(1, vec![goal(0)])]);
        for _ in 0..9 {
            population.learn(&steps(&[3]), &[goal(0)], Vec::new());
        }
        population.learn(&steps(&[1]), &[goal(1)], Vec::new());
        assert!(population.next(&model(), &mut Seed(2).stream()).is_empty());
    }

    /// Goal 2 is hit four times as often as goal 1, and both are rare; the first step of the test hits nothing rare.
    #[test]
    fn the_rarer_a_goal_the_more_often_its_test_is_built_upon() {
        let mut population = Population::default();
        let news = vec![(1, vec![goal(0)]), (2, vec![goal(1)]), (3, vec![goal(2)])];
        let all = [goal(0), goal(1), goal(2)];
        population.learn(&steps(&[0, 1, 2]), &all, news);
        for _ in 0..3 {
            population.learn(&steps(&[2]), &[goal(2)], Vec::new());
        }
        for _ in 0..95 {
            population.learn(&steps(&[0]), &[goal(0)], Vec::new());
        }
        let mut stream = Seed(3).stream();
        let made: Vec<Vec<Step>> = (0..4000)
            .map(|_| population.next(&model(), &mut stream))
            .collect();
        let exactly = |length: usize| {
            let whole = &steps(&[0, 1, 2])[..length];
            made.iter().filter(|one| *one == whole).count()
        };
        assert_eq!(exactly(1), 0);
        let ratio = exactly(2) as f64 / exactly(3) as f64;
        assert!((3.0..5.0).contains(&ratio), "{ratio}");
    }
}
