//! `orienteering`: cheap sequences are drawn as inputs more often.
//!
//! ## What it does
//! A kept sequence is drawn with weight 1 / (t1 + … + tk) / √m, where ti is what its i-th execution cost, k is how often it was
//! selected and m is the number of its calls. Operations whose tests take long are tested less often, so that none gets more time than
//! four typical ones.
//!
//! ## Why
//! Long and dear sequences, drawn again and again, take the time that others would need.
//!
//! ## Example
//! `testhound generate app.jar --guide orienteering`
//!
//! ## References
//! Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section III-E.
//!
//! ## Differences
//! - The execution that created a sequence counts as its first selection, so that nothing is divided by 0.
//! - Time is what the worker measured around the test that made the sequence, in microseconds, and one more per call, for what lies
//!   below the clock and between the calls. What was built for another call costs its share of the steps of the test.
//! - An execution costs the same each time, so that t1 + … + tk = k · t1: later executions are parts of longer tests, and taking their
//!   share of those would need one more list per test on its way to the worker and back.
//! - In the first two tests of an operation classes are loaded. They count as no more than a typical test, because a sequence that was
//!   made in one would otherwise be all but lost.
//! - Under a budget in executions a call costs 1 and the weight is 1 / (k · m · √m), not one by ticks of the worker. Ticks do not repeat,
//!   and one of them moves a weight and with it all that follows, while such a run must give the same bytes with any number of
//!   workers: a class is initialised in the first test that touches it in a worker, and its ticks count in that one; and what is
//!   reached from static fields but was changed without writing to one, such as a cache, is not put back between tests.
//! - Weights are those among the sequences that make one type. Types that fit an input are equally likely, so that a rare type is not
//!   crowded out by a cheap one.
//! - The paper weighs inputs alone. A hash of a password takes as long as thousands of other calls, whatever it is given; so operations
//!   are weighed too, by the time that their tests took. The first tests of an operation do not count, because classes are loaded in
//!   them, and what cost a worker is not kept. Under a budget in executions no time is measured, and nothing is weighed by it.

use crate::test::OperationId;

/// The part's name.
pub(in crate::calls) const NAME: &str = "orienteering";

/// One line for people.
pub(in crate::calls) const SUMMARY: &str = "cheap input sequences are drawn more often";

/// The weight of a sequence of `calls` calls that took `time` each time and was selected `selections` times.
pub(in crate::calls) fn weight(time: u64, calls: usize, selections: u32) -> f64 {
    let time = (time + calls as u64).max(1) as f64 * f64::from(selections.max(1));
    1.0 / (time * (calls.max(1) as f64).sqrt())
}

/// So many first tests of an operation do not count.
const FIRST: u32 = 2;

/// The mean follows the latest tests with the weight of one among so many.
const REMEMBERED: u32 = 16;

/// No operation gets more time than so many typical ones.
const TYPICAL: f64 = 4.0;

/// A test that takes so many microseconds is dear, whether classes were loaded in it or not.
pub(in crate::calls) const DEAR: u64 = 300_000;

/// All operations are weighed anew after so many tests.
const INTERVAL: u64 = 512;

/// What a typical test takes in microseconds, until that is known.
const AT_FIRST: u64 = 20;

/// What tests of one operation took.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    tests: u32,
    /// The mean of the logarithms, which one pause of the machine does not spoil.
    log: f64,
}

/// What tests of each operation take.
#[derive(Clone, Debug)]
pub(in crate::calls) struct Costs {
    operations: Vec<Taken>,
    tests: u64,
    /// What a typical test takes, in microseconds.
    typical: u64,
}

impl Costs {
    /// Costs of so many operations, of which nothing is known.
    pub(in crate::calls) fn new(operations: usize) -> Costs {
        Costs {
            operations: vec![Taken::default(); operations],
            tests: 0,
            typical: AT_FIRST,
        }
    }

    /// Notes how long a test for an operation took; says whether it is time to weigh operations anew.
    pub(in crate::calls) fn executed(&mut self, operation: OperationId, micros: u64) -> bool {
        if micros == 0 {
            return false;
        }
        let taken = &mut self.operations[operation.0 as usize];
        taken.tests = taken.tests.saturating_add(1);
        if micros >= DEAR {
            taken.tests = taken.tests.max(FIRST + 1);
        }
        if taken.tests > FIRST {
            let counted = (taken.tests - FIRST).min(REMEMBERED);
            taken.log += ((micros as f64).ln() - taken.log) / f64::from(counted);
        }
        self.tests += 1;
        let due = self.tests.is_multiple_of(INTERVAL);
        if due {
            self.typical = self.mean().ceil() as u64;
        }
        due
    }

    /// The time that a test for an operation is taken to need, after [`Costs::executed`] was told what it took.
    pub(in crate::calls) fn time(&self, operation: OperationId, micros: u64) -> u64 {
        match self.operations[operation.0 as usize].tests > FIRST {
            true => micros,
            false => micros.min(self.typical),
        }
    }

    /// The geometric mean over operations: a few very dear ones do not move it.
    fn mean(&self) -> f64 {
        let known = self.operations.iter().filter(|one| one.tests > FIRST);
        let (count, sum) = known.fold((0_u32, 0.0), |(count, sum), one| (count + 1, sum + one.log));
        (sum / f64::from(count.max(1))).exp()
    }

    /// A factor on the weight of every operation.
    pub(in crate::calls) fn factors(&self) -> Vec<f64> {
        let most = TYPICAL * self.mean();
        let factor = |one: &Taken| match one.tests > FIRST {
            true => (most / one.log.exp()).min(1.0),
            false => 1.0,
        };
        self.operations.iter().map(factor).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_is_that_of_the_paper() {
        // One call of 9 microseconds, so a cost of 10, selected 3 times: 1 / ((10 + 10 + 10) * 1).
        assert!((weight(9, 1, 3) - 1.0 / 30.0).abs() < 1e-12);
        // Four calls: the square root of their number divides too.
        assert!((weight(96, 4, 1) - 1.0 / 200.0).abs() < 1e-12);
        assert_eq!(weight(0, 0, 0), 1.0);
    }

    #[test]
    fn an_operation_gets_no_more_time_than_four_typical_ones() {
        let mut costs = Costs::new(5);
        for _ in 0..10 {
            costs.executed(OperationId(0), 10);
            costs.executed(OperationId(1), 20);
            costs.executed(OperationId(2), 4_000);
        }
        // Slow once, because a class was loaded.
        costs.executed(OperationId(3), 90_000);
        // The geometric mean of 10, 20 and 4,000 is 92.83.
        let factors = costs.factors();
        assert_eq!((factors[0], factors[1], factors[3]), (1.0, 1.0, 1.0));
        assert!((factors[2] - 4.0 * 92.83 / 4_000.0).abs() < 1e-4);
        assert!(!costs.executed(OperationId(0), 0), "no time was measured");
        assert_eq!(costs.time(OperationId(2), 4_000), 4_000);
        assert_eq!(costs.time(OperationId(3), 90_000), AT_FIRST);
        costs.executed(OperationId(4), 600_000);
        assert!(costs.factors()[4] < 0.01, "one that hangs is dear at once");
    }
}
