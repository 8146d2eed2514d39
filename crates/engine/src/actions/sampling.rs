//! When sizes of action classes are sampled for part `loc`, and when that is over. What sizes mean is in `sizes`.

use crate::actions::settings::{ActionSettings, Mix};
use crate::actions::sizes::{SizeEstimate, weights};
use crate::test::OperationId;

/// Sampling goes on for at least so many tests.
pub(super) const LEAST: u64 = 2;

/// When its share of the budget is used, it still goes on for as long again while so many tests have not gone by without a new class.
pub(super) const PATIENCE: u64 = 8;

/// Where neither time nor executions bound a run, it ends after so many tests.
pub(super) const UNBOUNDED: u64 = 16;

/// Where sizes are for some of several arms only, sampling begins after so many tests, when code is loaded and caches are filled; it goes on
/// until there are so many samples of every class, one test at a time, and costs at most this share of all tests.
pub(super) const WARM: u64 = 8;
pub(super) const ENOUGH: u64 = 4;
const DEAREST: f64 = 0.04;

/// Samples of sizes, and the weights that come of them.
#[derive(Debug)]
pub struct Sampling {
    /// Whether an arm needs sizes at all.
    needed: bool,
    mix: Mix,
    /// The share of the budget that is for sampling.
    share: f64,
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
    /// What tests that measured sizes cost, and what all did.
    costs: [f64; 2],
    /// Tests that are to measure sizes and have not come back.
    on_the_way: u64,
}

impl Sampling {
    /// For so many classes.
    pub fn new(classes: usize, settings: &ActionSettings) -> Sampling {
        let known = settings.sizes.as_deref();
        let known = known.filter(|sizes| sizes.len() == classes);
        Sampling {
            needed: settings.arms.iter().any(|arm| arm.loc),
            mix: settings.mix,
            share: settings.sampling,
            sizes: vec![SizeEstimate::default(); classes],
            weights: known.map(as_text),
            sampled: 0,
            resumed: false,
            stale: 0,
            used: Some(0.0),
            costs: [0.0; 2],
            on_the_way: 0,
        }
    }

    /// Goes on with the samples of an earlier sitting.
    pub fn go_on_with(&mut self, samples: Vec<SizeEstimate>) {
        if samples.len() == self.sizes.len() && samples.iter().any(|size| size.samples > 0) {
            self.sizes = samples;
            self.sampled = LEAST;
            self.resumed = true;
        }
    }

    /// The weights of classes by their sizes, when sampling is over.
    pub fn weights(&self) -> Option<&str> {
        self.weights.as_deref()
    }

    /// What is known of sizes.
    pub fn sizes(&self) -> &[SizeEstimate] {
        &self.sizes
    }

    /// Whether the test of this number, counted from 1, is one that measures sizes.
    pub fn is_next(&mut self, number: u64) -> bool {
        let [sampling, all] = self.costs;
        let turn = match self.mix {
            Mix::Even => true,
            Mix::Bandit => number > WARM && self.on_the_way == 0 && sampling <= DEAREST * all,
        };
        let next = self.goes_on() && turn;
        self.on_the_way += u64::from(next);
        next
    }

    /// Learns what a test cost, and whether it was to measure sizes.
    pub fn pay(&mut self, cost: u64, sampling: bool) {
        self.costs[1] += cost as f64;
        if sampling {
            self.costs[0] += cost as f64;
            self.on_the_way = self.on_the_way.saturating_sub(1);
        }
    }

    /// The classes that such a test shall prefer.
    pub fn wanted(&self) -> impl Iterator<Item = bool> {
        let least = match self.mix {
            Mix::Even => 1,
            Mix::Bandit => ENOUGH,
        };
        self.sizes.iter().map(move |size| size.samples < least)
    }

    /// Takes the sizes that a test measured. Those of a test that is executed `again` may be known.
    pub fn learn(&mut self, sizes: &[(OperationId, u32)], again: bool) {
        if sizes.is_empty() || again && self.resumed {
            return;
        }
        let before = self.unsampled();
        for (class, size) in sizes {
            if let Some(estimate) = self.sizes.get_mut(class.0 as usize) {
                estimate.add(*size);
            }
        }
        self.sampled += 1;
        self.stale = match self.unsampled() < before {
            true => 0,
            false => self.stale + 1,
        };
    }

    /// Learns how much of the budget is used.
    pub fn progress(&mut self, used: Option<f64>) {
        self.used = used;
        self.end();
    }

    /// Sampling is over when its share of the budget is used and no further class comes up. Where it is for some of several arms, that
    /// classes are known well enough counts instead of the share.
    pub fn end(&mut self) {
        let known = |least: u64| self.sizes.iter().all(|size| size.samples >= least);
        let stale = self.stale >= PATIENCE;
        let settled = known(1) || stale;
        let over = match (self.mix, self.used) {
            (Mix::Bandit, _) => known(ENOUGH) || stale,
            (Mix::Even, Some(used)) => used >= 2.0 * self.share || used >= self.share && settled,
            (Mix::Even, None) => self.sampled >= UNBOUNDED && settled,
        };
        if self.goes_on() && self.sampled >= LEAST && over {
            let means: Vec<f64> = self.sizes.iter().map(SizeEstimate::mean).collect();
            self.weights = Some(as_text(&means));
        }
    }

    /// Whether sizes are still to be measured.
    pub fn goes_on(&self) -> bool {
        self.weights.is_none() && self.needed
    }

    fn unsampled(&self) -> usize {
        let sizes = self.sizes.iter();
        sizes.filter(|size| size.samples == 0).count()
    }
}

fn as_text(sizes: &[f64]) -> String {
    let weights = weights(sizes).into_iter().map(|one| format!("{one:e}"));
    weights.collect::<Vec<_>>().join(" ")
}
