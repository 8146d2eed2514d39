//! Part `ensemble`: the budget is split evenly over several guides.
//!
//! What: the next test is for the arm whose tests have cost least so far, those included that are under way.
//! Why: tests of some guides are longer and dearer than those of others, and a turn each would give those most of the budget.
//! Source: none; running guides side by side with equal budgets is what studies of them do.
//!
//! Differences from that: the guides share what they learn within one run.

/// What arms have cost.
#[derive(Clone, Debug)]
pub struct Even {
    arms: Vec<Spent>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    cost: u64,
    /// Tests that are part of the cost.
    learnt: u64,
    proposed: u64,
}

impl Even {
    /// So many arms, none of which has cost anything.
    pub fn new(arms: usize) -> Even {
        Even {
            arms: vec![Spent::default(); arms.max(1)],
        }
    }

    /// The arm of the next test, one of those that are ready.
    pub fn draw(&mut self, ready: &dyn Fn(usize) -> bool) -> usize {
        let mut all = Spent::default();
        for arm in &self.arms {
            all.cost += arm.cost;
            all.learnt += arm.learnt;
        }
        let usual = all.mean().unwrap_or(1.0);
        let arms = self.arms.iter().map(|arm| arm.expected(usual));
        let arms = arms.enumerate().filter(|(arm, _)| ready(*arm));
        let least = arms.min_by(|one, other| one.1.total_cmp(&other.1));
        let arm = least.map_or(0, |(arm, _)| arm);
        self.arms[arm].proposed += 1;
        arm
    }

    /// Learns what a test of an arm cost.
    pub fn learn(&mut self, arm: usize, cost: u64) {
        if let Some(spent) = self.arms.get_mut(arm) {
            // A test that ends before its first step is not free.
            spent.cost += cost.max(1);
            spent.learnt += 1;
        }
    }
}

impl Spent {
    fn mean(&self) -> Option<f64> {
        (self.learnt > 0).then(|| self.cost as f64 / self.learnt as f64)
    }

    /// What the arm will have cost when the tests under way are done.
    fn expected(&self, usual: f64) -> f64 {
        let under_way = self.proposed.saturating_sub(self.learnt);
        self.cost as f64 + under_way as f64 * self.mean().unwrap_or(usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests and cost of each arm after rounds of so many tests that cost this much per arm.
    fn spent(rounds: usize, size: usize, costs: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let mut even = Even::new(costs.len());
        let (mut tests, mut spent) = (vec![0; costs.len()], vec![0; costs.len()]);
        for _ in 0..rounds {
            let round: Vec<usize> = (0..size).map(|_| even.draw(&|_| true)).collect();
            for arm in round {
                even.learn(arm, costs[arm]);
                tests[arm] += 1;
                spent[arm] += costs[arm];
            }
        }
        (tests, spent)
    }

    #[test]
    fn arms_whose_tests_cost_the_same_take_turns() {
        assert_eq!(spent(25, 4, &[7, 7, 7, 7]).0, [25; 4]);
        assert_eq!(spent(1, 6, &[7, 7, 7]).0, [2; 3], "within a round, too");
    }

    #[test]
    fn an_arm_whose_tests_cost_more_runs_fewer_of_them() {
        let (tests, cost) = spent(100, 16, &[10, 30, 20, 60]);
        let most = cost.iter().max().unwrap();
        let least = cost.iter().min().unwrap();
        assert!(most - least <= 2 * 60, "{cost:?}");
        assert!(tests[0] > 5 * tests[3], "{tests:?}");
    }

    #[test]
    fn an_arm_that_becomes_ready_late_catches_up() {
        let mut even = Even::new(2);
        for _ in 0..10 {
            assert_eq!(even.draw(&|arm| arm == 0), 0);
            even.learn(0, 5);
        }
        let late: Vec<usize> = (0..10).map(|_| even.draw(&|_| true)).collect();
        assert_eq!(late, [1; 10]);
    }
}
