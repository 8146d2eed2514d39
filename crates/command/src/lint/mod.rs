//! Checks a specification by looking at it and by sampling: whether every choice can be drawn, made, and told from the
//! others.
//!
//! What is wrong by itself is found when a specification is read; this finds what only shows in the frames and texts it
//! gives. Helper commands are run by the caller's function; no subject is run.

mod choices;
mod finding;
mod inputs;
mod reach;
mod structure;

pub use finding::{Finding, Severity};

use crate::classify::Classifier;
use crate::generate::{GenerateError, Generator, Helpers};
use crate::input::{Fields, Input};
use crate::spec::Spec;
use engine::frames::Frame;
use engine::{Seed, Stream};
use reach::Reach;
use std::collections::BTreeMap;

/// Where helper commands are involved, at most this many texts of each choice are made.
const MAX_HELPED: usize = 20;

/// How many whole inputs are made for each text of a choice.
const INPUTS_PER_SAMPLE: usize = 10;

/// Checks a specification, with this many texts of each choice and ten times as many whole inputs. The findings are in the
/// order of the file.
pub fn lint(spec: &Spec, samples: usize, seed: Seed, helpers: &mut Helpers<'_>) -> Vec<Finding> {
    let helped = spec
        .categories
        .iter()
        .flat_map(|category| &category.choices);
    let helped = helped.filter_map(|choice| choice.generator.as_ref());
    let samples = match helped.chain(&spec.input).any(uses_helper) {
        true => samples.min(MAX_HELPED),
        false => samples,
    };
    let mut linting = Linting {
        spec,
        classifier: Classifier::new(spec),
        reach: Reach::new(&spec.space, seed.derive("lint reach", 0)),
        seed,
        samples,
        nowhere: vec![false; spec.categories.len()],
        failures: BTreeMap::new(),
        findings: Vec::new(),
    };
    linting.structure();
    linting.reachability();
    linting.choices(helpers);
    linting.inputs(helpers, samples * INPUTS_PER_SAMPLE);
    linting.failures();
    let mut findings = linting.findings;
    findings.sort_by_key(|finding| (finding.line, finding.column, finding.severity));
    findings
}

fn uses_helper(generator: &Generator) -> bool {
    let mut uses = false;
    generator.visit(&mut |generator| uses |= matches!(generator, Generator::Command(_)));
    uses
}

/// A check under way.
struct Linting<'s> {
    spec: &'s Spec,
    classifier: Classifier<'s>,
    reach: Reach,
    seed: Seed,
    samples: usize,
    /// Categories that stand in no template, so that they cannot be found again.
    nowhere: Vec<bool>,
    /// What could not be made, by its place, with the first error and frame.
    failures: BTreeMap<String, (GenerateError, String)>,
    findings: Vec<Finding>,
}

impl Linting<'_> {
    /// Makes a frame concrete; what cannot be made is noted.
    fn make(
        &mut self,
        frame: &mut Frame,
        stream: &mut Stream,
        helpers: &mut Helpers<'_>,
    ) -> Option<(Fields, Input)> {
        match self.spec.concretise(frame, stream, helpers) {
            Ok(made) => Some(made),
            Err(error) => {
                let shown = self.spec.space.describe(&frame.0);
                let failures = self.failures.entry(error.place.clone());
                failures.or_insert((error, shown));
                None
            }
        }
    }

    /// Reports what could not be made.
    fn failures(&mut self) {
        for (place, (error, frame)) in std::mem::take(&mut self.failures) {
            let message = format!("cannot make a text for {place}: {}", error.problem);
            let found = (0..self.spec.categories.len()).find_map(|category| {
                let choices = 1..=self.spec.categories[category].choices.len() as u16;
                let mut choices = choices.map(|choice| (category, choice));
                choices.find(|(category, choice)| self.named(*category, *choice) == place)
            });
            let finding = match found {
                Some(found) => self.add(Severity::Error, found, message),
                None => self.add_at(Finding::new(self.spec, Severity::Error, &(0..0), message)),
            };
            if !frame.is_empty() {
                finding.example(frame);
            }
        }
    }

    /// `category` or `category=choice`, in backticks.
    fn named(&self, category: usize, choice: u16) -> String {
        let name = &self.spec.space.categories[category].name;
        match choice {
            0 => format!("`{name}`"),
            _ => format!("`{name}={}`", self.spec.space.choice_name(category, choice)),
        }
    }

    /// Adds a finding about a category (choice 0) or a choice, at the place of its name.
    fn add(
        &mut self,
        severity: Severity,
        (category, choice): (usize, u16),
        message: impl Into<String>,
    ) -> &mut Finding {
        let entry = &self.spec.categories[category];
        let span = match choice.checked_sub(1) {
            None => &entry.span,
            Some(choice) => &entry.choices[usize::from(choice)].span,
        };
        let mut finding = Finding::new(self.spec, severity, span, message);
        let space = &self.spec.space;
        finding.category = Some(space.categories[category].name.clone());
        finding.choice = (choice > 0).then(|| space.choice_name(category, choice).to_owned());
        self.add_at(finding)
    }

    fn add_at(&mut self, finding: Finding) -> &mut Finding {
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }
}
