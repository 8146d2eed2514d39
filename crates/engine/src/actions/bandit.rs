//! Part `bandit`: more tests for the guide that gains most at present.
//!
//! What: every arm has a gain, the new goals per test, in which older tests count less and less. Arms are drawn in proportion to their
//! gains, and one test in five evenly, so that no arm is forgotten.
//! Why: which guide is best differs between subjects, and between the beginning and the end of a run.
//! Source: probability matching with discounted rewards (Thierens, "An adaptive pursuit strategy", GECCO 2005, section 2.1).
//!
//! Differences: rewards are counts of goals, not bounded by 1.

use crate::stream::Stream;

/// The share of tests that is spread evenly.
const EVEN: f64 = 0.2;

/// What a test's reward is worth after each later test of the same arm.
const DISCOUNT: f64 = 0.99;

/// Before so many tests an arm counts as gaining as much as the best.
const TRIED: f64 = 8.0;

/// Gains of arms.
#[derive(Clone, Debug)]
pub struct Bandit {
    arms: Vec<Gain>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    reward: f64,
    tests: f64,
}

impl Bandit {
    /// So many arms, of which nothing is known.
    pub fn new(arms: usize) -> Bandit {
        Bandit {
            arms: vec![Gain::default(); arms.max(1)],
        }
    }

    /// The arm of the next test.
    pub fn draw(&self, stream: &mut Stream) -> usize {
        if self.arms.len() == 1 {
            return 0;
        }
        if stream.chance(EVEN) {
            return stream.index(self.arms.len());
        }
        let known = self.arms.iter().filter(|gain| gain.tests >= TRIED);
        let best = known.map(Gain::mean).fold(0.0, f64::max);
        let weight = |gain: &Gain| {
            if gain.tests < TRIED {
                best
            } else {
                gain.mean()
            }
        };
        let total: f64 = self.arms.iter().map(weight).sum();
        if total <= 0.0 {
            return stream.index(self.arms.len());
        }
        let mut left = stream.unit() * total;
        for (number, gain) in self.arms.iter().enumerate() {
            left -= weight(gain);
            if left < 0.0 {
                return number;
            }
        }
        self.arms.len() - 1
    }

    /// Learns how many new goals a test of an arm hit.
    pub fn learn(&mut self, arm: usize, goals: usize) {
        if let Some(gain) = self.arms.get_mut(arm) {
            gain.reward = gain.reward * DISCOUNT + goals as f64;
            gain.tests = gain.tests * DISCOUNT + 1.0;
        }
    }
}

impl Gain {
    fn mean(&self) -> f64 {
        self.reward / self.tests.max(1.0)
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
            counts[bandit.draw(&mut stream)] += 1;
        }
        counts
    }

    #[test]
    fn the_arm_that_gains_gets_most_tests_and_the_other_is_not_forgotten() {
        let mut bandit = Bandit::new(2);
        for _ in 0..20 {
            bandit.learn(0, 0);
            bandit.learn(1, 1);
        }
        let [first, second] = shares(&bandit);
        assert!(first > 50 && second > 800, "{first} {second}");
    }

    #[test]
    fn old_gains_are_forgotten() {
        let mut bandit = Bandit::new(2);
        for _ in 0..100 {
            bandit.learn(0, 10);
        }
        for _ in 0..1000 {
            bandit.learn(0, 0);
            bandit.learn(1, 1);
        }
        let [first, second] = shares(&bandit);
        assert!(second > 4 * first, "{first} {second}");
    }

    #[test]
    fn arms_that_gain_nothing_are_drawn_evenly() {
        let [first, second] = shares(&Bandit::new(2));
        assert!(first.abs_diff(second) < 100, "{first} {second}");
    }
}
