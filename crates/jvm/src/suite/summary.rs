//! What a suite holds and what it does not, for reports.

use super::assertion::{Assertion, Look};
use super::{Dropped, Suite, SuiteInput};
use engine::{Failure, Goal};
use serde::{Deserialize, Serialize};

/// A suite, described.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuiteSummary {
    /// Its files.
    pub files: Vec<FileSummary>,
    /// Tests that were dropped.
    pub dropped_tests: Vec<DroppedSummary>,
    /// Assertions that were dropped from tests that stayed or went later.
    pub dropped_assertions: Vec<DroppedSummary>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileSummary {
    /// Its path below the root of test sources.
    pub path: String,
    /// The class in it.
    pub class: String,
    /// Its test methods.
    pub methods: Vec<MethodSummary>,
}

/// A test method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodSummary {
    /// Its name.
    pub name: String,
    /// The index of the kept test that it is.
    pub test: usize,
    /// The line on which it begins.
    pub line: u32,
    /// How many steps it takes.
    pub steps: usize,
    /// How many assertions it makes.
    pub assertions: usize,
    /// The goals for which it was kept.
    pub goals: Vec<Goal>,
    /// Why it fails, if it is meant to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// A test or an assertion that was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedSummary {
    /// The index of the kept test.
    pub test: usize,
    /// The method's name, where it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// What was asserted, if only that was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<String>,
    /// The reason's code.
    pub reason: String,
    /// The reason for a person.
    pub detail: String,
}

impl SuiteSummary {
    /// Describes a suite.
    pub fn of(input: &SuiteInput, suite: &Suite) -> SuiteSummary {
        let files = suite.files.iter().map(|file| FileSummary {
            path: file.path.clone(),
            class: file.class.clone(),
            methods: file
                .methods
                .iter()
                .map(|place| {
                    let method = &suite.methods[place.method];
                    let kept = &input.tests[method.test];
                    MethodSummary {
                        name: method.name.clone(),
                        test: method.test,
                        line: place.lines.0,
                        steps: kept.observed.steps.len(),
                        assertions: place.assertions.len(),
                        goals: kept.goals.clone(),
                        failure: kept.failure.as_ref().map(|one| one.failure.clone()),
                    }
                })
                .collect(),
        });
        let (assertions, tests): (Vec<&Dropped>, Vec<&Dropped>) = suite
            .dropped
            .iter()
            .partition(|dropped| dropped.assertion.is_some());
        SuiteSummary {
            files: files.collect(),
            dropped_tests: tests.into_iter().map(dropped).collect(),
            dropped_assertions: assertions.into_iter().map(dropped).collect(),
        }
    }
}

fn dropped(dropped: &Dropped) -> DroppedSummary {
    DroppedSummary {
        test: dropped.test,
        method: dropped.method.clone(),
        assertion: dropped.assertion.as_ref().map(told),
        reason: dropped.reason.code().to_owned(),
        detail: dropped.reason.to_string(),
    }
}

fn told(assertion: &Assertion) -> String {
    match &assertion.look {
        Look::Itself => format!("result of step {}", assertion.step + 1),
        Look::Elements => format!("elements of the result of step {}", assertion.step + 1),
        Look::Getter(getter) => {
            format!(
                "{}() of the result of step {}",
                getter.name,
                assertion.step + 1
            )
        }
    }
}
