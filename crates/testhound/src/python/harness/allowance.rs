//! What reducing failures may cost. Most executions take a millisecond, and hundreds make a test of a hundred steps 1-minimal; those
//! that take their worker with them cost a new one, and those that never end the time until that is known.
//!
//! Runs that are to repeat exactly are bounded by executions alone, others by time, too.

use super::Campaign;
use python::harness::Phase;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Executions for one failure that look for fewer steps, and those that look for plainer ones.
const ONE: [usize; 2] = [3000, 1500];
/// How many of them may cost a worker.
const ONE_DEAR: [usize; 2] = [200, 40];
/// The same for all failures of a run.
const ALL: usize = 60_000;
const ALL_DEAR: usize = 1000;
/// The time for one failure, and for all.
const ONE_TIME: Duration = Duration::from_secs(60);
const ALL_TIME: Duration = Duration::from_secs(300);

/// What may still be spent on the failures of a run.
pub struct Allowance<'a> {
    stop: &'a AtomicBool,
    executions: usize,
    dear: usize,
    end: Option<Instant>,
}

/// What may be spent on one failure.
pub struct Share<'a, 'b> {
    all: &'b mut Allowance<'a>,
    executions: [usize; 2],
    dear: [usize; 2],
    end: Option<Instant>,
    /// The bound that was met last.
    pub met: Option<&'static str>,
}

impl<'a> Allowance<'a> {
    /// For all failures of a run.
    pub fn new(campaign: &'a Campaign<'_>) -> Allowance<'a> {
        let timed = campaign.settings.budget.executions.is_none();
        Allowance {
            stop: &campaign.stop,
            executions: ALL,
            dear: ALL_DEAR,
            end: timed.then(|| Instant::now() + ALL_TIME),
        }
    }

    /// For the next failure.
    pub fn one<'b>(&'b mut self) -> Share<'a, 'b> {
        let end = self.end.map(|end| end.min(Instant::now() + ONE_TIME));
        Share {
            all: self,
            executions: ONE,
            dear: ONE_DEAR,
            end,
            met: None,
        }
    }
}

impl Share<'_, '_> {
    /// Whether one more test may be run, which counts; notes why not.
    pub fn allows(&mut self, phase: Phase) -> bool {
        let late = self.end.is_some_and(|end| Instant::now() >= end);
        let left = &mut self.executions[phase as usize];
        let met = if self.all.stop.load(Ordering::Relaxed) {
            "interrupted"
        } else if late {
            "ended by its limit of time"
        } else if *left == 0 || self.all.executions == 0 {
            "ended by its limit of executions"
        } else if self.dear[phase as usize] == 0 || self.all.dear == 0 {
            "ended by its limit of executions that cost a worker"
        } else {
            *left -= 1;
            self.all.executions -= 1;
            return true;
        };
        self.met = Some(met);
        false
    }

    /// Counts a test that cost its worker.
    pub fn cost_a_worker(&mut self, phase: Phase) {
        let left = &mut self.dear[phase as usize];
        *left = left.saturating_sub(1);
        self.all.dear = self.all.dear.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(stop: &AtomicBool) -> Allowance<'_> {
        Allowance {
            stop,
            executions: ALL,
            dear: ALL_DEAR,
            end: None,
        }
    }

    /// How many tests may be run for a failure, each at the cost of a worker or not.
    fn allowed(share: &mut Share<'_, '_>, phase: Phase, dear: bool) -> usize {
        let mut count = 0;
        while share.allows(phase) {
            count += 1;
            if dear {
                share.cost_a_worker(phase);
            }
        }
        count
    }

    #[test]
    fn looking_for_plainer_steps_takes_nothing_from_looking_for_fewer() {
        let stop = AtomicBool::new(false);
        let mut all = allowance(&stop);
        let mut share = all.one();
        assert_eq!(allowed(&mut share, Phase::Rewriting, true), ONE_DEAR[1]);
        assert_eq!(allowed(&mut share, Phase::Shrinking, false), ONE[0]);
        assert_eq!(share.met, Some("ended by its limit of executions"));
    }

    #[test]
    fn failures_share_what_is_there_for_all_and_an_interruption_ends_it() {
        let stop = AtomicBool::new(false);
        let mut all = allowance(&stop);
        let counts = (0..7).map(|_| allowed(&mut all.one(), Phase::Shrinking, true));
        let counts: Vec<usize> = counts.collect();
        assert_eq!(counts, [200, 200, 200, 200, 200, 0, 0]);
        let mut all = allowance(&stop);
        assert!(all.one().allows(Phase::Shrinking));
        stop.store(true, Ordering::Relaxed);
        let mut share = all.one();
        assert!(!share.allows(Phase::Shrinking));
        assert_eq!(share.met, Some("interrupted"));
    }
}
