//! What the steps leave behind, as it stands in result files, and the arithmetic of coverage on it. Files are the matter of `jobs`.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many of how many.
pub type Part = (u64, u64);

/// One run of `generate`, and what its suite covers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Run {
    /// Classes in the sample.
    pub classes: usize,
    /// Seconds of the search.
    pub search: f64,
    /// Seconds of everything else.
    pub other: f64,
    /// Tests executed.
    pub executions: u64,
    /// Tests written.
    pub tests: u64,
    /// Tests dropped.
    pub dropped: usize,
    /// Failures found.
    pub failures: usize,
    /// Mutants killed of those that assertions were chosen by.
    pub own_mutants: Option<Part>,
    /// Per class instructions covered, all of them, branches covered, all of them.
    pub jacoco: BTreeMap<String, [u64; 4]>,
    /// Branches covered per method. Results of before it was measured have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methods: Option<BTreeMap<String, Part>>,
}

/// Our mutants of PIT's default group under a suite.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mutants {
    /// Classes in the sample.
    pub classes: usize,
    /// Killed ones.
    pub killed: u64,
    /// All but those that the JVM refused.
    pub all: u64,
}

/// Killed mutants by operator under the same suite.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Pit {
    /// Classes in the sample.
    pub classes: usize,
    /// Ours.
    pub ours: BTreeMap<String, Part>,
    /// Those of the real PIT.
    pub pit: BTreeMap<String, Part>,
}

/// How a suite fares with the JDKs of this machine, by their versions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fresh {
    /// Classes in the sample.
    pub classes: usize,
    /// Per JDK.
    pub jdks: BTreeMap<String, OnJdk>,
}

/// How a suite fares with one JDK.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct OnJdk {
    /// What the compiler said first, if it did not compile.
    pub broken: Vec<String>,
    /// Tests run, in all runs together.
    pub run: usize,
    /// Tests that did not do what they should, in all runs together.
    pub wrong: Vec<String>,
}

impl Run {
    /// Instructions covered.
    pub fn instructions(&self) -> Part {
        self.total(0)
    }

    /// Branches covered.
    pub fn branches(&self) -> Part {
        self.total(2)
    }

    fn total(&self, first: usize) -> Part {
        let counts = self.jacoco.values();
        sum(counts.map(|counts| (counts[first], counts[first + 1])))
    }

    /// Classes with branches of which none is covered.
    pub fn zero(&self) -> BTreeSet<&str> {
        let zero = self
            .jacoco
            .iter()
            .filter(|(_, one)| one[3] > 0 && one[2] == 0);
        zero.map(|(name, _)| name.as_str()).collect()
    }

    /// Of the branches that another run leaves, how many are covered here. Only numbers are known of a method, so this is the least that it
    /// can be; of runs without methods, numbers of classes are compared, which says less.
    pub fn gained(&self, other: &Run) -> Part {
        let by_class = |run: &Run| -> BTreeMap<String, Part> {
            let counts = run.jacoco.iter();
            counts
                .map(|(name, one)| (name.clone(), (one[2], one[3])))
                .collect()
        };
        match (&self.methods, &other.methods) {
            (Some(here), Some(there)) => gained(here, there),
            _ => gained(&by_class(self), &by_class(other)),
        }
    }
}

fn gained(here: &BTreeMap<String, Part>, there: &BTreeMap<String, Part>) -> Part {
    sum(there.iter().map(|(name, &(hit, all))| {
        let more = here.get(name).map_or(0, |one| one.0.saturating_sub(hit));
        (more, all.saturating_sub(hit))
    }))
}

/// Parts added up.
pub fn sum(parts: impl IntoIterator<Item = Part>) -> Part {
    let add = |sum: Part, one: Part| (sum.0 + one.0, sum.1 + one.1);
    parts.into_iter().fold((0, 0), add)
}

/// A part in percent; nothing of nothing has none.
pub fn percent(part: Part) -> Option<f64> {
    (part.1 > 0).then(|| 100.0 * part.0 as f64 / part.1 as f64)
}

/// The mean of what there is.
pub fn mean(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().flatten().collect();
    stats::mean(&values).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(classes: &[(&str, [u64; 4])], methods: Option<&[(&str, Part)]>) -> Run {
        let named = |part: &(&str, Part)| (part.0.to_owned(), part.1);
        Run {
            jacoco: classes
                .iter()
                .map(|one| (one.0.to_owned(), one.1))
                .collect(),
            methods: methods.map(|methods| methods.iter().map(named).collect()),
            ..Run::default()
        }
    }

    #[test]
    fn what_is_gained_in_one_method_is_not_lost_in_another() {
        let classes = [("A", [0, 0, 4, 8])];
        let here = run(&classes, Some(&[("A.a", (4, 4)), ("A.b", (0, 4))]));
        let there = run(&classes, Some(&[("A.a", (1, 4)), ("A.b", (3, 4))]));
        assert_eq!(here.gained(&there), (3, 4));
        assert_eq!(there.gained(&here), (3, 4));
    }

    #[test]
    fn runs_without_methods_are_compared_by_classes() {
        let here = run(&[("A", [0, 0, 3, 8]), ("B", [0, 0, 2, 2])], None);
        let there = run(&[("A", [0, 0, 4, 8]), ("B", [0, 0, 0, 2])], Some(&[]));
        assert_eq!(here.gained(&there), (2, 6));
    }

    #[test]
    fn classes_add_up_and_those_without_branches_are_not_at_zero() {
        let run = run(
            &[
                ("A", [1, 2, 0, 3]),
                ("B", [1, 5, 0, 0]),
                ("C", [0, 0, 1, 1]),
            ],
            None,
        );
        assert_eq!(run.instructions(), (2, 7));
        assert_eq!(run.branches(), (1, 4));
        assert_eq!(run.zero(), BTreeSet::from(["A"]));
    }

    #[test]
    fn a_share_of_nothing_is_left_out_of_means() {
        let shares = [(1, 2), (0, 0), (1, 1)].map(percent);
        assert_eq!(shares, [Some(50.0), None, Some(100.0)]);
        assert_eq!(mean(shares), Some(75.0));
        assert_eq!(mean([None]), None);
    }

    #[test]
    fn results_of_before_methods_were_measured_are_read() {
        let text = r#"{"classes": 20, "search": 40.0, "other": 21.2, "executions": 29, "tests": 116, "dropped": 4, "failures": 6,
            "own-mutants": null, "jacoco": {"a.B": [1, 2, 3, 4]}, "took": 75.03}"#;
        let run: Run = serde_json::from_str(text).unwrap();
        assert_eq!((run.branches(), run.methods), ((3, 4), None));
    }
}
