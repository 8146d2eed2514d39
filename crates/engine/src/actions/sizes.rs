//! Part `loc`: actions that reach more source lines are drawn more often.
//!
//! What: in a sampling phase, the source lines of all functions that an action enters are added up; a class has the mean of its
//! samples. Then 20 % of the probability goes evenly to the classes with no lines, and 80 % to the others in proportion.
//! Why: it costs nothing per test, and most coverage is behind the large functions.
//! Source: Holmes, Ahmed, Brindescu, Gopinath, Zhang, Groce, "Using Relative Lines of Code to Guide Automated Test Generation for
//! Python", sections 2.2.1 and 2.2.2.
//!
//! Differences: with no class without lines, the other classes share the whole probability; with no class with lines, all classes
//! are equal. Classes that could not be sampled count as classes without lines.

use serde::{Deserialize, Serialize};

/// The part of the probability that classes without lines share.
const WITHOUT: f64 = 0.2;

/// The samples of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SizeEstimate {
    /// All sizes added up.
    pub sum: f64,
    /// How many samples there are.
    pub samples: u64,
}

impl SizeEstimate {
    /// Takes a sample.
    pub fn add(&mut self, size: u32) {
        self.sum += f64::from(size);
        self.samples += 1;
    }

    /// The mean of the samples; 0 without any.
    pub fn mean(&self) -> f64 {
        if self.samples == 0 {
            return 0.0;
        }
        self.sum / self.samples as f64
    }
}

/// The probability of every class, from their mean sizes.
pub fn weights(sizes: &[f64]) -> Vec<f64> {
    let total: f64 = sizes.iter().sum();
    let without = sizes.iter().filter(|size| **size <= 0.0).count();
    if total <= 0.0 {
        return vec![1.0 / sizes.len().max(1) as f64; sizes.len()];
    }
    let share = if without == 0 { 1.0 } else { 1.0 - WITHOUT };
    let weight = |size: &f64| {
        if *size <= 0.0 {
            WITHOUT / without as f64
        } else {
            share * size / total
        }
    };
    sizes.iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(sizes: &[f64]) -> Vec<String> {
        let weights = weights(sizes);
        weights.iter().map(|one| format!("{one:.3}")).collect()
    }

    #[test]
    fn the_first_table_of_the_paper_is_reproduced() {
        assert_eq!(rounded(&[0.0, 30.0, 20.0]), ["0.200", "0.480", "0.320"]);
    }

    #[test]
    fn the_second_table_of_the_paper_is_reproduced() {
        let expected = ["0.100", "0.100", "0.375", "0.250", "0.175"];
        assert_eq!(rounded(&[0.0, 0.0, 30.0, 20.0, 14.0]), expected);
    }

    #[test]
    fn the_whole_probability_is_shared_where_one_kind_of_class_is_missing() {
        assert_eq!(rounded(&[30.0, 10.0]), ["0.750", "0.250"]);
        assert_eq!(rounded(&[0.0, 0.0]), ["0.500", "0.500"]);
        assert!(weights(&[]).is_empty());
    }

    #[test]
    fn a_class_has_the_mean_of_its_samples() {
        let mut estimate = SizeEstimate::default();
        assert_eq!(estimate.mean(), 0.0);
        estimate.add(6);
        estimate.add(20);
        assert_eq!(estimate.mean(), 13.0);
    }
}
