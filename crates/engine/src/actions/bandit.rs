//! Part `bandit`: more of the budget for the guide that gains most at present.
//!
//! What: every arm has a gain, the logarithm of new goals per cost, over its latest tests. A tenth of the budget is spread evenly, so
//! that no arm is forgotten, and the rest in proportion to the third powers of gains. An arm whose tests cost more is drawn less often.
//! The first arm, the plain one, is taken to be better until the others have shown that they are; where nobody gains much any more,
//! all get the same.
//! Why: which guide is best differs between subjects, and between the beginning and the end of a run.
//! Source: probability matching with discounted rewards (Thierens, "An adaptive pursuit strategy", GECCO 2005, section 2.1).
//!
//! Differences: the cost of tests is what is shared, not their number. Rewards are not bounded by 1; logarithms keep a single test
//! that opens a whole module from deciding for long. Every test makes all older ones count less, also those of other arms: gains
//! fall while a run goes on, and an arm that was not drawn for long would look better than it is. What is not known of an arm is
//! taken to be like the mean, and that of the first arm like half as much again: in short runs on large subjects, tests are too few to
//! tell arms apart, and trying them evenly costs more than it gives. A small gain is added to all, so that single finds in a subject
//! which is nearly exhausted decide nothing: diverse arms then find more faults than the one that was lucky. In proportion to the gains
//! themselves, an arm of half the gain would cost a third of the budget.

use crate::stream::Stream;

/// The share of the budget that is spread evenly.
const EVEN: f64 = 0.1;

/// What a test is worth after each later one.
const DISCOUNT: f64 = 0.98;

/// Every arm is taken to have run so many tests more, which gained and cost what is usual.
const PRIOR: f64 = 8.0;

/// How much better than usual the first arm is taken to be.
const PLAIN: f64 = 1.5;

/// What is added to the gain of every arm, for what a test costs usually.
const LEAST: f64 = 0.02;

/// Gains of arms.
#[derive(Clone, Debug)]
pub struct Bandit {
    arms: Vec<Gain>,
}

/// Sums over the tests of an arm, or of all.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    /// Logarithms of new goals.
    goals: f64,
    cost: f64,
    tests: f64,
}

impl Bandit {
    /// So many arms, of which nothing is known.
    pub fn new(arms: usize) -> Bandit {
        Bandit {
            arms: vec![Gain::default(); arms.max(1)],
        }
    }

    /// The arm of the next test, one of those that are ready.
    pub fn draw(&self, ready: &dyn Fn(usize) -> bool, stream: &mut Stream) -> usize {
        let weights = self.weights().into_iter().enumerate();
        let weights: Vec<(usize, f64)> = weights.filter(|(arm, _)| ready(*arm)).collect();
        let mut left = stream.unit() * weights.iter().map(|(_, weight)| weight).sum::<f64>();
        for (arm, weight) in &weights {
            left -= weight;
            if left < 0.0 {
                return *arm;
            }
        }
        weights.last().map_or(0, |(arm, _)| *arm)
    }

    /// How likely each arm is, up to a factor: its share of the budget over what a test of it costs.
    fn weights(&self) -> Vec<f64> {
        let all = self.arms.iter().fold(Gain::default(), Gain::plus);
        let usual = all.scaled(PRIOR / all.tests.max(1.0));
        let least = LEAST * all.tests / all.cost.max(1.0);
        let powers: Vec<f64> = self
            .arms
            .iter()
            .enumerate()
            .map(|(number, gain)| {
                let mut prior = usual;
                prior.goals *= if number == 0 { PLAIN } else { 1.0 };
                (least + prior.plus(gain).rate()).powi(3)
            })
            .collect();
        let total: f64 = powers.iter().sum();
        let even = 1.0 / self.arms.len() as f64;
        let weight = |(gain, power): (&Gain, &f64)| {
            let share = match total > 0.0 {
                true => EVEN * even + (1.0 - EVEN) * power / total,
                false => even,
            };
            let ran = if gain.tests < 1.0 { &all } else { gain };
            share * ran.tests.max(1.0) / ran.cost.max(1.0)
        };
        self.arms.iter().zip(&powers).map(weight).collect()
    }

    /// Learns how many new goals a test of an arm hit, and what it cost.
    pub fn learn(&mut self, arm: usize, goals: usize, cost: u64) {
        for gain in &mut self.arms {
            *gain = gain.scaled(DISCOUNT);
        }
        if let Some(gain) = self.arms.get_mut(arm) {
            *gain = gain.plus(&Gain {
                goals: (goals as f64).ln_1p(),
                cost: cost as f64,
                tests: 1.0,
            });
        }
    }
}

impl Gain {
    /// What was gained per cost.
    fn rate(&self) -> f64 {
        self.goals / self.cost.max(1.0)
    }

    fn plus(self, other: &Gain) -> Gain {
        Gain {
            goals: self.goals + other.goals,
            cost: self.cost + other.cost,
            tests: self.tests + other.tests,
        }
    }

    fn scaled(self, factor: f64) -> Gain {
        Gain {
            goals: self.goals * factor,
            cost: self.cost * factor,
            tests: self.tests * factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Seed;

    fn shares(bandit: &Bandit) -> [usize; 2] {
        let mut stream = Seed(1).stream();
        let mut counts = [0; 2];
        for _ in 0..1000 {
            counts[bandit.draw(&|_| true, &mut stream)] += 1;
        }
        counts
    }

    #[test]
    fn the_arm_that_gains_gets_most_tests_and_the_other_is_not_forgotten() {
        let mut bandit = Bandit::new(2);
        for _ in 0..20 {
            bandit.learn(0, 0, 10);
            bandit.learn(1, 1, 10);
        }
        let [first, second] = shares(&bandit);
        assert!(first > 20 && second > 800, "{first} {second}");
    }

    #[test]
    fn old_gains_are_forgotten() {
        let mut bandit = Bandit::new(2);
        for _ in 0..100 {
            bandit.learn(0, 10, 10);
        }
        for _ in 0..1000 {
            bandit.learn(0, 0, 10);
            bandit.learn(1, 1, 10);
        }
        let [first, second] = shares(&bandit);
        assert!(second > 4 * first, "{first} {second}");
    }

    #[test]
    fn arms_that_gain_nothing_are_drawn_evenly() {
        let [first, second] = shares(&Bandit::new(2));
        assert!(first.abs_diff(second) < 100, "{first} {second}");
    }

    #[test]
    fn the_first_arm_is_ahead_until_others_show_that_they_gain_more() {
        let mut bandit = Bandit::new(2);
        for _ in 0..20 {
            bandit.learn(0, 1, 10);
            bandit.learn(1, 1, 10);
        }
        let [first, second] = shares(&bandit);
        assert!(4 * first > 5 * second, "{first} {second}");
        for _ in 0..20 {
            bandit.learn(0, 1, 10);
            bandit.learn(1, 3, 10);
        }
        let [first, second] = shares(&bandit);
        assert!(2 * second > 3 * first, "{first} {second}");
    }

    #[test]
    fn where_nobody_gains_much_single_finds_decide_nothing_and_cost_is_shared() {
        let mut bandit = Bandit::new(2);
        for _ in 0..200 {
            bandit.learn(0, 0, 10);
            bandit.learn(1, 0, 20);
        }
        bandit.learn(0, 1, 10);
        for _ in 0..150 {
            bandit.learn(0, 0, 10);
            bandit.learn(1, 0, 20);
        }
        // Arms of the same share, of which the second has tests of twice the cost.
        let [first, second] = shares(&bandit);
        assert!((600..740).contains(&first), "{first} {second}");
    }

    #[test]
    fn gains_count_per_cost() {
        let mut bandit = Bandit::new(2);
        for _ in 0..20 {
            bandit.learn(0, 1, 10);
            bandit.learn(1, 2, 100);
        }
        let [cheap, dear] = shares(&bandit);
        assert!(cheap > 25 * dear, "{cheap} {dear}");
    }
}
