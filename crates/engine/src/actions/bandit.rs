//! Part `bandit`: more of the budget for the guide that gains most at present.
//!
//! What: a test is worth the logarithm of its new goals over what the latest tests of all arms gained for its cost, so that 1 is usual.
//! A twentieth of the budget is spread evenly, so that no arm is forgotten, and the rest in proportion to a high power of what the tests
//! of an arm were worth. An arm whose tests cost more is drawn less often. The first arm, the plain one, is taken to be better until the
//! others have shown that they are; where nobody gains much any more, all get nearly the same. All of it waits, and tests are plain, until
//! some hundred tests in a row hit nothing new; arms that build on earlier tests wait longer.
//! Why: which guide is best differs between subjects, and between the beginning and the end of a run.
//! Source: probability matching with discounted rewards (Thierens, "An adaptive pursuit strategy", GECCO 2005, section 2.1).
//!
//! Differences: the cost of tests is what is shared, not their number. Rewards are not bounded by 1; logarithms keep a single test
//! that opens a whole module from deciding for long. Gains fall while a run goes on, and an arm that was not drawn for long would look
//! better than it is: so a test is compared with tests of its own time, and what it is worth may count for long. What is not
//! known of an arm is taken to be usual, and that of the first arm more than that: in short runs on large subjects, tests are too few
//! to tell arms apart, and trying them evenly costs more than it gives. A small gain is added to all tests, so that single finds in a
//! subject which is nearly exhausted decide nothing: diverse arms then find more faults than the one that was lucky. In
//! proportion to the worth itself, an arm of half the worth would cost a third of the budget. The constants were chosen by simulation
//! of arms with random overlaps of what they reach, not on subjects. While tests find something now and then, plain ones do,
//! and what other arms need is saved: on `sympy`, a test that measures sizes took ten times as long as others, one that tells all it hit a fifth longer.

use crate::stream::Stream;

/// The share of the budget that is spread evenly.
const EVEN: f64 = 0.05;

/// What a test counts after each later one, where arms are compared.
const DISCOUNT: f64 = 0.998;

/// The same where the usual gain is looked for, which changes fast.
const USUAL: f64 = 0.93;

/// Every arm is taken to have run so many tests more, of usual worth and cost.
const PRIOR: f64 = 12.0;

/// How much better than usual those of the first arm are taken to be.
const PLAIN: f64 = 1.6;

/// What is added to the gain of every test, for what a test costs usually.
const LEAST: f64 = 0.02;

/// The power of worth that budgets are shared by.
const POWER: i32 = 16;

/// Other arms than the first wait until so many tests in a row hit nothing new.
const BEGIN: u64 = 400;

/// The same for arms that build on earlier tests: for them, tests have to tell all they hit, which makes all arms slower.
const BUILD: u64 = 600;

/// What the tests of arms were worth.
#[derive(Clone, Debug)]
pub struct Bandit {
    arms: Vec<Sums>,
    /// Of the latest tests of all arms; its worth is their gain.
    latest: Sums,
    /// The latest tests in a row that hit nothing new.
    idle: u64,
    /// The most that these ever were: what others need is there from then on.
    longest: u64,
}

/// Sums over tests.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    worth: f64,
    cost: f64,
    tests: f64,
}

impl Bandit {
    /// So many arms, of which nothing is known.
    pub fn new(arms: usize) -> Bandit {
        Bandit {
            arms: vec![Sums::default(); arms.max(1)],
            latest: Sums::default(),
            idle: 0,
            longest: 0,
        }
    }

    /// Whether plain tests alone will not do any more.
    pub fn has_begun(&self) -> bool {
        self.longest >= BEGIN
    }

    /// Whether arms that build on earlier tests are wanted, too.
    pub fn may_build(&self) -> bool {
        self.longest >= BUILD
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
        let all = self
            .arms
            .iter()
            .fold(Sums::default(), |all, arm| all.plus(arm));
        let usual = all.cost_of_one();
        let powers: Vec<f64> = self
            .arms
            .iter()
            .enumerate()
            .map(|(number, arm)| {
                let prior = PRIOR * usual;
                let taken = if number == 0 { PLAIN } else { 1.0 };
                ((taken * prior + arm.worth) / (prior + arm.cost)).powi(POWER)
            })
            .collect();
        let total: f64 = powers.iter().sum();
        let even = 1.0 / self.arms.len() as f64;
        let weight = |(arm, power): (&Sums, &f64)| {
            let share = EVEN * even + (1.0 - EVEN) * power / total;
            let ran = if arm.tests < 0.5 { &all } else { arm };
            share / ran.cost_of_one()
        };
        self.arms.iter().zip(&powers).map(weight).collect()
    }

    /// Learns how many new goals a test of an arm hit, and what it cost.
    pub fn learn(&mut self, arm: usize, goals: usize, cost: u64) {
        self.idle = if goals > 0 { 0 } else { self.idle + 1 };
        self.longest = self.longest.max(self.idle);
        let cost = cost.max(1) as f64;
        let usual = if self.latest.tests > 0.0 {
            self.latest.cost_of_one()
        } else {
            cost
        };
        let gain = (goals as f64).ln_1p() + LEAST * cost / usual;
        let test = |worth: f64| Sums {
            worth,
            cost,
            tests: 1.0,
        };
        self.latest = self.latest.scaled(USUAL).plus(&test(gain));
        for sums in &mut self.arms {
            *sums = sums.scaled(DISCOUNT);
        }
        if let Some(sums) = self.arms.get_mut(arm) {
            *sums = sums.plus(&test(gain * self.latest.cost / self.latest.worth));
        }
    }
}

impl Sums {
    fn cost_of_one(&self) -> f64 {
        if self.tests > 0.0 {
            self.cost / self.tests
        } else {
            1.0
        }
    }

    fn plus(self, other: &Sums) -> Sums {
        Sums {
            worth: self.worth + other.worth,
            cost: self.cost + other.cost,
            tests: self.tests + other.tests,
        }
    }

    fn scaled(self, factor: f64) -> Sums {
        Sums {
            worth: self.worth * factor,
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
        assert!(first > 10 && second > 800, "{first} {second}");
    }

    #[test]
    fn it_begins_when_many_tests_in_a_row_hit_nothing_new_and_builds_later() {
        let mut bandit = Bandit::new(2);
        let idle = |bandit: &mut Bandit, tests: u64| {
            bandit.learn(0, 1, 10);
            (0..tests).for_each(|_| bandit.learn(0, 0, 10));
        };
        (0..5).for_each(|_| idle(&mut bandit, BEGIN - 1));
        assert!(!bandit.has_begun());
        idle(&mut bandit, BEGIN);
        assert!(bandit.has_begun() && !bandit.may_build());
        idle(&mut bandit, BUILD);
        assert!(bandit.may_build());
        idle(&mut bandit, 0);
        assert!(
            bandit.has_begun() && bandit.may_build(),
            "what others need is there by now"
        );
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

    /// Tests of the first arm hit much while all do; later, those of both hit a little.
    #[test]
    fn tests_are_compared_with_those_of_their_own_time() {
        let mut bandit = Bandit::new(2);
        for _ in 0..100 {
            bandit.learn(0, 1000, 10);
        }
        for _ in 0..100 {
            bandit.learn(0, 1, 10);
            bandit.learn(1, 1, 10);
        }
        let [first, second] = shares(&bandit);
        assert!(first < 6 * second, "{first} {second}");
    }

    #[test]
    fn the_first_arm_is_far_ahead_until_others_show_that_they_gain_more() {
        let mut bandit = Bandit::new(2);
        let [first, second] = shares(&bandit);
        assert!(first > 20 * second, "{first} {second}");
        for _ in 0..10 {
            bandit.learn(0, 1, 10);
            bandit.learn(1, 1, 10);
        }
        let [first, second] = shares(&bandit);
        assert!(first > 3 * second, "{first} {second}");
        for _ in 0..20 {
            bandit.learn(0, 1, 10);
            bandit.learn(1, 3, 10);
        }
        let [first, second] = shares(&bandit);
        assert!(second > 3 * first, "{first} {second}");
    }

    #[test]
    fn where_nobody_gains_much_single_finds_decide_nothing_and_cost_is_shared() {
        let mut bandit = Bandit::new(2);
        let both = |bandit: &mut Bandit| {
            bandit.learn(0, 0, 10);
            bandit.learn(1, 0, 20);
        };
        (0..300).for_each(|_| both(&mut bandit));
        bandit.learn(0, 1, 10);
        (0..300).for_each(|_| both(&mut bandit));
        // Arms of about the same share, of which the second has tests of twice the cost.
        let [first, second] = shares(&bandit);
        assert!((600..850).contains(&first), "{first} {second}");
    }

    #[test]
    fn gains_count_per_cost() {
        let mut bandit = Bandit::new(2);
        for _ in 0..40 {
            bandit.learn(0, 1, 10);
            bandit.learn(1, 2, 100);
        }
        let [cheap, dear] = shares(&bandit);
        assert!(cheap > 25 * dear, "{cheap} {dear}");
    }
}
